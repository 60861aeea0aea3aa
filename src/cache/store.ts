/** The port between the cache and what keeps its answers, and what is kept. */

/** One complete answer as it goes out, with all that deciding about it needs. Never changed once stored. */
export interface StoredAnswer {
  readonly status: number;
  /** Flat list name, value: as they go to every caller, without `Age`, `Cache-Status` and `X-Request-Id`. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** What tells it from the other answers under its key: the request's fields that `Vary` names; empty without `Vary`. */
  readonly variant: string;
  /** Lower-case names that `Vary` lists. */
  readonly vary: readonly string[];
  /** When the request for it left, and when its head came: milliseconds since the epoch. */
  readonly requestTime: number;
  readonly responseTime: number;
  /** RFC 9111 §4.2: `corrected_initial_age` in seconds, at `responseTime`. */
  readonly initialAge: number;
  /** `freshness_lifetime` in seconds. A soft purge makes it 0. */
  readonly lifetime: number;
  /** How long after it has become stale it may still be served, in seconds (RFC 5861), as directives or rules say. */
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  /** Purged softly: stale whatever its age says. */
  readonly purged: boolean;
  /** What purges it. */
  readonly tags: readonly string[];
}

export type Awaitable<T> = T | Promise<T>;

/** How much of a purge is done at once: `hard` removes, `soft` makes stale (served while it is revalidated). */
export type PurgeMode = 'hard' | 'soft';

export type PurgeSelection =
  | { readonly kind: 'all' }
  /** An answer goes where it has one of them. */
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  /** All variants under these keys. */
  | { readonly kind: 'keys'; readonly keys: readonly string[] };

/**
 * Keeps answers by key. Several answers of one key differ by `variant`. An implementation never rejects: what it
 * cannot reach is as if it were not there. Synchronous where it can be: a hit in memory must not wait for a turn.
 */
export interface CacheStore {
  /** All answers under a key, the newest first. */
  get(key: string): Awaitable<readonly StoredAnswer[]>;
  /**
   * Keeps an answer, in place of one of the same key and variant. Refuses (false) what is too large, and what was asked
   * for (`requestTime`) before a purge that would have struck it: it may be older than the write that the purge was for.
   */
  put(key: string, answer: StoredAnswer): Awaitable<boolean>;
  /** @returns how many answers it struck. What is asked for from now on sees none of them (`soft`: sees them as stale). */
  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<number>;
  /**
   * Leave to ask the site for a key, so that of several gateways one does. Held until `release`, or `milliseconds` are
   * over. Stores that are not shared always give it.
   */
  lease(key: string, milliseconds: number): Awaitable<Lease | null>;
  stats(): StoreStats;
  /** Ends connections and timers. */
  close(): Promise<void>;
}

export interface Lease {
  release(): void;
}

export interface StoreStats {
  readonly entries: number;
  readonly bytes: number;
  readonly maxBytes: number;
}
