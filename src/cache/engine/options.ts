import type { Compressor } from '../compress.ts';
import type { CacheStore } from '../store.ts';

export interface CacheClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `delay` milliseconds, unless the returned function is called before. */
  after(delay: number, task: () => void): () => void;
}

/** Bounds of what a cache does. Times are in milliseconds. */
export interface CacheLimits {
  /** The largest body that is kept; larger ones stream through. @default 8 MiB */
  readonly maxEntryBytes: number;
  /** How long someone waits for another's answer before asking alone. @default 75_000: longer than a site is waited for */
  readonly collapseTimeout: number;
  /** For how long a key whose answers cannot be shared is asked for by each caller alone. @default 5_000 */
  readonly hitForPass: number;
  /** How long one of several gateways may have a key to itself. @default 10_000 */
  readonly leaseDuration: number;
  /** How often the others look for what it found. @default 40 */
  readonly leasePollInterval: number;
  /** How long a shared store may take to say what it has. @default 1_000 */
  readonly lookupTimeout: number;
  /** How long a site that failed is left alone by refreshes of a key that nobody has to wait for. @default 1_000 */
  readonly refreshBackoff: number;
}

export const DEFAULT_LIMITS: CacheLimits = {
  maxEntryBytes: 8 * 1024 * 1024,
  collapseTimeout: 75_000,
  hitForPass: 5_000,
  leaseDuration: 10_000,
  leasePollInterval: 40,
  lookupTimeout: 1_000,
  refreshBackoff: 1_000,
};

export interface CacheOptions {
  readonly store: CacheStore;
  readonly clock: CacheClock;
  /** In [0, 1): which request refreshes what is about to expire. */
  readonly random: () => number;
  /** Chooses among the codings of what is stored. @default bodies go out as they came */
  readonly compressor?: Compressor;
  readonly limits?: Partial<CacheLimits>;
}
