import type { CacheStatus } from '../../http/cache-status.ts';
import type { Clock } from '../../ports.ts';
import type { CacheRequest } from '../http-cache.ts';
import type { CacheStore, StoredResponse } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { CacheEngineLimits } from './http-cache-options.ts';
import type { KeyMemos } from './key-memos.ts';

/**
 * Whether a request may wait for the fetch of another (`shared`), or has to be forwarded by itself (`alone`), for
 * instance after its followed fetch turned out not to be shareable.
 */
export type FetchMode = 'shared' | 'alone';

/** The parts of the engine that an {@link OriginFetch} uses. */
export interface EngineContext {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  /** Sends a stored response, or one that all followers share, as the client's conditions and range require. */
  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void;
  /**
   * Sends a stale response in place of an error of the origin.
   *
   * @param status how the request was forwarded; a hit where it was not (RFC 9211 §2.1: "it was not forwarded")
   * @returns false where directives forbid it; nothing was sent then
   */
  serveStaleOnError(client: ClientExchange, stored: StoredResponse, status: CacheStatus): boolean;
  /** Serves a client again from the lookup in the store on. */
  retry(client: ClientExchange, mode: FetchMode): void;
  /** Removes a fetch, so that later requests do not join it. */
  unregisterFetch(collapseKey: string): void;
  /**
   * Registers a fetch for one variant, once the origin's `Vary` is known.
   *
   * @param collapseKey key under which the fetch is registered
   * @returns its new key; `null` where another fetch is registered for that variant
   */
  narrowFetchToVariant(collapseKey: string, request: CacheRequest, vary: readonly string[]): string | null;
}
