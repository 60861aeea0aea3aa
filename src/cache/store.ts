/** The port between the cache and its stores: stored responses, purges, leases. */

/** A complete response as clients get it, with the metadata that RFC 9111 needs. Immutable. */
export interface StoredResponse {
  readonly status: number;
  /** Flat list name, value; without `Age`, `Cache-Status` and `X-Request-Id`, which are added to each response. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Variant key: the request's values of the fields in `Vary`; empty without `Vary`. Unique within a cache key. */
  readonly variantKey: string;
  /** Field names in `Vary`, in lower case. */
  readonly vary: readonly string[];
  /** When the request was sent, and when the head arrived: milliseconds since the epoch. */
  readonly requestTime: number;
  readonly responseTime: number;
  /** RFC 9111 §4.2: `corrected_initial_age` in seconds, at `responseTime`. */
  readonly initialAge: number;
  /** `freshness_lifetime` in seconds. A soft purge ends it, so that the windows below start at the purge. */
  readonly freshnessLifetime: number;
  /** How long the response may be served while stale, in seconds (RFC 5861), by its directives or a rule. */
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  /** Stale whatever its age: after a soft purge, or after a HEAD response that differs from it. */
  readonly markedStale: boolean;
  /** Tags (surrogate keys) by which it can be purged. */
  readonly tags: readonly string[];
  /** The response in other content codings (`compress.ts`); only on responses that a store returned. */
  readonly compressed?: ReadonlyMap<string, CompressedResponse>;
}

/** Creates a stored response, member by member because spreading such an object takes ten times as long. */
export function createStoredResponse(
  draft: Omit<StoredResponse, 'body' | 'tags'>,
  headers: readonly string[],
  body: Uint8Array,
  tags: readonly string[],
): StoredResponse {
  return {
    status: draft.status,
    headers,
    body,
    variantKey: draft.variantKey,
    vary: draft.vary,
    requestTime: draft.requestTime,
    responseTime: draft.responseTime,
    initialAge: draft.initialAge,
    freshnessLifetime: draft.freshnessLifetime,
    staleWhileRevalidate: draft.staleWhileRevalidate,
    staleIfError: draft.staleIfError,
    markedStale: draft.markedStale,
    tags,
  };
}

/** A stored response in a content coding (RFC 9110 §8.4), so that its body is compressed only once. */
export interface CompressedResponse {
  /** The header list from which `headers` was made. If the stored response has another (after a 304), it is outdated. */
  readonly sourceHeaders: readonly string[];
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

export type Awaitable<T> = T | Promise<T>;

/** `hard` removes responses, `soft` makes them stale: they may be served while they are revalidated. */
export type PurgeMode = 'hard' | 'soft';

/** Which stored responses a purge affects. */
export type PurgeSelection =
  | { readonly kind: 'all' }
  /** Responses with at least one of the tags. */
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  /** All variants of these cache keys. */
  | { readonly kind: 'keys'; readonly keys: readonly string[] };

/**
 * Stores responses by cache key and variant. An implementation never rejects: on an error a lookup finds nothing. It
 * returns values instead of promises where possible, so that a hit in memory is served synchronously.
 */
export interface CacheStore {
  /** All responses of a key, newest first. */
  get(key: string): Awaitable<readonly StoredResponse[]>;
  /**
   * Stores a response in place of one with the same key and variant.
   *
   * @returns false where the response is too large, or where its `requestTime` is before a purge that affects it: it may
   * then be older than the write that caused the purge
   */
  put(key: string, response: StoredResponse): Awaitable<boolean>;
  /** @returns how many responses were purged. Later lookups do not find them (`soft`: find them stale). */
  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<number>;
  /**
   * Acquires the right to fetch a key, so that only one of several gateways does. It ends with `release`, or after
   * `milliseconds`. A store that is not shared always grants it.
   *
   * @returns `null` where another gateway has it
   */
  acquireLease(key: string, milliseconds: number): Awaitable<Lease | null>;
  /**
   * Stores a compressed form with a response that `get` returned, and counts its bytes. Optional.
   *
   * @returns false where the response is no longer stored, or there is no space
   */
  attachCompressed?(
    key: string,
    response: StoredResponse,
    coding: string,
    compressed: CompressedResponse,
  ): boolean;
  stats(): StoreStats;
  /** Closes connections and stops timers. */
  close(): Promise<void>;
}

/** The right of one gateway to fetch a key, see {@link CacheStore.acquireLease}. */
export interface Lease {
  release(): void;
}

/** A store in the memory of the process: synchronous. */
export interface MemoryStore extends CacheStore {
  get(key: string): readonly StoredResponse[];
  put(key: string, response: StoredResponse): boolean;
  /** Stores a response without comparing it with earlier purges, because a shared store already has. */
  putUnchecked(key: string, response: StoredResponse): boolean;
  purge(selection: PurgeSelection, mode: PurgeMode): number;
  attachCompressed(
    key: string,
    response: StoredResponse,
    coding: string,
    compressed: CompressedResponse,
  ): boolean;
}

export interface StoreStats {
  readonly responseCount: number;
  readonly bytes: number;
  readonly maxBytes: number;
}
