import type { Clock } from '../../ports.ts';
import type { Compressor } from '../compressor.ts';
import type { CacheStore } from '../store.ts';

/** Limits of the cache engine. Times are in milliseconds. */
export interface CacheEngineLimits {
  /** Maximum length of a stored body, in bytes. A larger one is streamed to the leader only. @default 8 MiB */
  readonly maxEntryBytes: number;
  /**
   * Time after which the followers of a fetch are forwarded separately. The default exceeds the timeouts of a
   * transport. @default 75_000
   */
  readonly collapseTimeout: number;
  /** Time for which requests with a key are not collapsed after a response that could not be shared. @default 5_000 */
  readonly hitForPassDuration: number;
  /** Maximum time for which one of several gateways holds the lease of a key. @default 10_000 */
  readonly leaseDuration: number;
  /** Interval between the lookups of a gateway that waits for a lease. @default 40 */
  readonly leasePollInterval: number;
  /** Time after which a lookup in a shared store is treated as a miss. @default 1_000 */
  readonly lookupTimeout: number;
  /** Time for which a key gets no background refresh after one that failed. @default 1_000 */
  readonly refreshBackoffDuration: number;
}

export const DEFAULT_CACHE_LIMITS: CacheEngineLimits = {
  maxEntryBytes: 8 * 1024 * 1024,
  collapseTimeout: 75_000,
  hitForPassDuration: 5_000,
  leaseDuration: 10_000,
  leasePollInterval: 40,
  lookupTimeout: 1_000,
  refreshBackoffDuration: 1_000,
};

export interface HttpCacheOptions {
  readonly store: CacheStore;
  readonly clock: Clock;
  /** Returns a number in [0, 1), which decides whether a hit refreshes a response early. */
  readonly random: () => number;
  /** Selects a content coding for stored responses. @default none: bodies are sent as they were received */
  readonly compressor?: Compressor;
  readonly limits?: Partial<CacheEngineLimits>;
}
