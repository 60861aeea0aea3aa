import type { Clock } from '../../ports.ts';
import type { Compressor } from '../compressor.ts';
import type { CacheStore } from '../store.ts';

/** Limits of the cache engine. Times are in milliseconds. */
export interface CacheEngineLimits {
  /** Largest body that is stored; larger ones are streamed to the leader only. @default 8 MiB */
  readonly maxEntryBytes: number;
  /**
   * How long followers wait for a fetch before each forwards its own request. The default exceeds the timeouts of a
   * transport. @default 75_000
   */
  readonly collapseTimeout: number;
  /** How long requests for a key are not collapsed after a response that could not be shared. @default 5_000 */
  readonly hitForPassDuration: number;
  /** Longest time for which one of several gateways holds the lease of a key. @default 10_000 */
  readonly leaseDuration: number;
  /** How often a gateway without the lease looks in the store for the response. @default 40 */
  readonly leasePollInterval: number;
  /** How long a lookup in a shared store may take before it counts as a miss. @default 1_000 */
  readonly lookupTimeout: number;
  /** How long a key gets no background refresh after a failed one. @default 1_000 */
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
  /** A number in [0, 1); decides which hit refreshes a response early. */
  readonly random: () => number;
  /** Selects a content coding for stored responses. @default none: bodies are sent as they were received */
  readonly compressor?: Compressor;
  readonly limits?: Partial<CacheEngineLimits>;
}
