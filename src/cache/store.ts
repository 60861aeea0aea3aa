/** The port between the cache and what keeps its answers, and what is kept. */

/** One complete answer as it goes out, with all that deciding about it needs. Never changed once stored. */
export interface StoredResponse {
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
  /** `freshness_lifetime` in seconds. A soft purge ends it at that moment, so that the windows below begin there. */
  readonly lifetime: number;
  /** How long after it has become stale it may still be served, in seconds (RFC 5861), as directives or rules say. */
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  /** Purged softly: stale whatever its age says. */
  readonly markedStale: boolean;
  /** What purges it. */
  readonly tags: readonly string[];
  /** The same answer by content coding (`compress.ts`); only on what a store gave back that keeps them. */
  readonly compressed?: ReadonlyMap<string, CompressedResponse>;
}

/** An answer that is new, without renditions. Made field by field: to spread such an object takes ten times as long. */
export function createStoredResponse(
  of: Omit<StoredResponse, 'body' | 'tags'>,
  headers: readonly string[],
  body: Uint8Array,
  tags: readonly string[],
): StoredResponse {
  return {
    status: of.status,
    headers,
    body,
    variant: of.variant,
    vary: of.vary,
    requestTime: of.requestTime,
    responseTime: of.responseTime,
    initialAge: of.initialAge,
    lifetime: of.lifetime,
    staleWhileRevalidate: of.staleWhileRevalidate,
    staleIfError: of.staleIfError,
    markedStale: of.markedStale,
    tags,
  };
}

/** An answer in a content coding (RFC 9110 §8.4), kept beside the identity body so that a hit is not coded twice. */
export interface CompressedResponse {
  /** The header list that `headers` was made from: another one (a 304 has updated it) makes it out of date. */
  readonly sourceHeaders: readonly string[];
  readonly headers: readonly string[];
  readonly body: Uint8Array;
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
  get(key: string): Awaitable<readonly StoredResponse[]>;
  /**
   * Keeps an answer, in place of one of the same key and variant. Refuses (false) what is too large, and what was asked
   * for (`requestTime`) before a purge that would have struck it: it may be older than the write that the purge was for.
   */
  put(key: string, answer: StoredResponse): Awaitable<boolean>;
  /** @returns how many answers it struck. What is asked for from now on sees none of them (`soft`: sees them as stale). */
  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<number>;
  /**
   * Leave to ask the site for a key, so that of several gateways one does. Held until `release`, or `milliseconds` are
   * over. Stores that are not shared always give it.
   */
  lease(key: string, milliseconds: number): Awaitable<Lease | null>;
  /**
   * Keeps a rendition beside an answer that `get` gave, counted in bytes with it; false where that answer is no longer
   * there or there is no room. A store without it keeps none.
   */
  attachCompressed?(
    key: string,
    answer: StoredResponse,
    coding: string,
    rendition: CompressedResponse,
  ): boolean;
  stats(): StoreStats;
  /** Ends connections and timers. */
  close(): Promise<void>;
}

export interface Lease {
  release(): void;
}

/** A store within the process: everything is done when the call returns. */
export interface MemoryStore extends CacheStore {
  get(key: string): readonly StoredResponse[];
  put(key: string, answer: StoredResponse): boolean;
  /** Keeps an answer whatever was purged here before: the caller knows that no purge since it was asked for struck it. */
  putUnchecked(key: string, answer: StoredResponse): boolean;
  purge(selection: PurgeSelection, mode: PurgeMode): number;
  attachCompressed(
    key: string,
    answer: StoredResponse,
    coding: string,
    rendition: CompressedResponse,
  ): boolean;
}

export interface StoreStats {
  readonly entries: number;
  readonly bytes: number;
  readonly maxBytes: number;
}
