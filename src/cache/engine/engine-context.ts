import type { CacheStatus } from '../../http/cache-status.ts';
import type { Clock } from '../../ports.ts';
import type { CacheRequest } from '../http-cache.ts';
import type { OriginFailure } from '../policy/index.ts';
import type { CacheStore, StoredResponse } from '../store.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { CacheEngineLimits } from './http-cache-options.ts';
import type { KeyMemos } from './key-memos.ts';

/**
 * `shared`: the request may follow the fetch of another client. `alone`: it is forwarded separately, for instance after
 * the response that it waited for turned out not to be shareable.
 */
export type FetchMode = 'shared' | 'alone';

/** The parts of the engine that an {@link OriginFetch} uses. */
export interface EngineContext {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  /** Sends a complete response, stored or only shared with followers, after applying the client's conditions and range. */
  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void;
  /**
   * Sends a stale response because the origin failed.
   *
   * @returns false if directives forbid the stale response; nothing is sent then
   */
  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus,
    failure: OriginFailure,
  ): boolean;
  /** Serves a client again, beginning with the lookup in the store. */
  retry(client: ClientExchange, mode: FetchMode): void;
  /** Removes a fetch, so that later requests do not join it. */
  unregisterFetch(collapseKey: string): void;
  /**
   * Registers a fetch for one variant, once the origin's `Vary` is known.
   *
   * @param collapseKey key under which the fetch is registered
   * @returns its new key; `null` if another fetch is registered for that variant
   */
  narrowFetchToVariant(collapseKey: string, request: CacheRequest, vary: readonly string[]): string | null;
}
