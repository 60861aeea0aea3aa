import type { CacheStatus } from '../../http/cache-status.ts';
import type { CacheRequest } from '../cache.ts';
import type { CacheStore, StoredResponse } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { CacheClock, CacheLimits } from './options.ts';

/** What a flight needs of the cache that it flies for. */
export interface EngineContext {
  readonly store: CacheStore;
  readonly clock: CacheClock;
  readonly limits: CacheLimits;
  /** Gives someone an answer that is stored, or would be if it might: as their own conditions and ranges want it. */
  serveStored(caller: ClientExchange, answer: StoredResponse, status: CacheStatus): void;
  /**
   * Gives someone a stale answer, because the site fails.
   *
   * @param asked how the site was asked for it; a hit where it was not (RFC 9211 §2.1: "it was not forwarded")
   * @returns false where it may not be had
   */
  serveStaleOnError(caller: ClientExchange, answer: StoredResponse, asked: CacheStatus): boolean;
  /** Serves someone as if they had just come. @param alone …but without waiting for another's answer */
  retry(caller: ClientExchange, alone: boolean): void;
  /** Whoever comes now does not find the flight any more. */
  unregister(id: string): void;
  /**
   * The answers of this request's key vary by these fields, and a flight is for one variant.
   *
   * @param id what it was found by
   * @returns what it is found by from now on; `null` where another flight is found by that
   */
  vary(id: string, request: CacheRequest, vary: readonly string[]): string | null;
  /** The answers of this key are not to be shared: for a while each caller asks alone. */
  markHitForPass(id: string): void;
  /** The site failed while nobody had to wait for it. */
  backOffRefresh(id: string): void;
}
