/** The port between the cache and its stores: stored responses, purges and leases. */

import type { RepeatedResponse } from '../http/exchange.ts';

/** A complete response with the metadata that RFC 9111 requires. Immutable. */
export interface StoredResponse {
  readonly status: number;
  /** Flat list name, value; without `Age`, `Cache-Status` and `X-Request-Id`, which are added to each response. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** The names by which it is purged (surrogate keys): of its site, its address, and what it is known to show. */
  readonly tags: readonly string[];
  /** Variant key: the request's values of the fields in `Vary`; empty without `Vary`. Unique within a cache key. */
  readonly variantKey: string;
  /** Field names in `Vary`, in lower case. */
  readonly vary: readonly string[];
  /** When the request was sent, in milliseconds since the epoch. */
  readonly requestTime: number;
  /** When the head arrived, in milliseconds since the epoch. */
  readonly responseTime: number;
  /** RFC 9111 §4.2: `corrected_initial_age` in seconds, at `responseTime`. */
  readonly initialAge: number;
  /** RFC 9111 §4.2: `freshness_lifetime` in seconds. A soft purge shortens it, so that the stale windows start then. */
  readonly freshnessLifetime: number;
  /** Seconds for which the stale response may be served during a revalidation (RFC 5861 §3). */
  readonly staleWhileRevalidate: number;
  /** Seconds for which the stale response may replace an error of the origin (RFC 5861 §4). */
  readonly staleIfError: number;
  /** Seconds for which the stale response may be served while the origin cannot be reached (RFC 9111 §4.2.4). */
  readonly staleIfUnreachable: number;
  /**
   * Whether the response is stale at any age: after a soft purge, after a write that may have changed it, or after a HEAD response
   * that differs from it.
   */
  readonly isSoftPurged: boolean;
  /** Compressed forms by content coding (`compressor.ts`). Only a response that a store has returned has them. */
  readonly compressed?: ReadonlyMap<string, CompressedResponse>;
  /** What clients get without a content coding. The first hit sets it, and the first one of a copy with other headers. */
  identity?: IdentityResponse | undefined;
  /** Number of hits, if the response varies. A store evicts the variant of a key with the fewest. */
  uses?: number | undefined;
}

/** The form of a stored response without a content coding of this cache, and what the compressor knows of it. */
export interface IdentityResponse extends RepeatedResponse {
  /** The header list from which `headers` was made. */
  readonly sourceHeaders: readonly string[];
  readonly isCompressible: boolean;
  /** Codings whose compression has been queued. Its result may have been too large to store. */
  attempted: readonly string[];
}

/** A stored response before its body has arrived. */
export type StoredResponseDraft = Omit<StoredResponse, 'body' | 'tags'>;

/** The compressed form of a stored response in one content coding (RFC 9110 §8.4). */
export interface CompressedResponse extends RepeatedResponse {
  /** The header list from which `headers` was made. After a 304 the stored response has another: `headers` is outdated. */
  readonly sourceHeaders: readonly string[];
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with the value. A value that is not a promise is passed synchronously. */
export function whenResolved<T>(value: Awaitable<T>, next: (value: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `hard` removes responses. `soft` makes them stale, so that they may be served while they are revalidated. */
export type PurgeMode = 'hard' | 'soft';

/**
 * How a write purges. `unconfirmed`: its outcome is unknown, so the responses are used after the site has confirmed them, and as
 * before while the site fails.
 */
export type WritePurgeMode = PurgeMode | 'unconfirmed';

export type PurgeSelection =
  | { readonly kind: 'all' }
  /** Responses with at least one of the tags. */
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  /** All variants of these cache keys. */
  | { readonly kind: 'keys'; readonly keys: readonly string[] };

/**
 * Stores responses by cache key and variant. An implementation never rejects: on an error a lookup finds nothing. It
 * returns values instead of promises if it can, so that a hit in memory is served synchronously.
 */
export interface CacheStore {
  /** Returns all responses of a key, newest first. */
  get(key: string): Awaitable<readonly StoredResponse[]>;
  /**
   * Stores a response, and replaces the one with the same key and variant key.
   *
   * @returns false if the response is too large, was requested before the one that it would replace, or before a purge that selects it:
   * it may be older than the write that caused the purge; or if such a purge may be unknown
   */
  put(key: string, response: StoredResponse): Awaitable<boolean>;
  /**
   * Purges responses and returns their number, which takes as long as the store is large. Lookups after that do not find
   * them, or after a soft purge find them stale.
   */
  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<number>;
  /**
   * Purges for a write, in a time that does not depend on the number of stored responses: each is compared with the purge when it is
   * looked up. Optional: `purge` is called instead.
   *
   * @param mode @default 'hard'
   */
  invalidate?(selection: PurgeSelection, mode?: WritePurgeMode): Awaitable<void>;
  /**
   * Whether a purge since `time` selects a response, or may have come since and is unknown. Optional: without it, responses that
   * were looked up before are as good as those of now.
   *
   * @param tags of the response; `null` if they are unknown: each purge may select it. Any other may still be used while the site
   * fails, unless the purge is more than `unconfirmed`
   * @param time in milliseconds since the epoch
   */
  isPurgedSince?(key: string, tags: readonly string[] | null, time: number): boolean;
  /** Lists the tags by which something was purged since the store has its data, by whichever process. Optional: it is not known. */
  listRecorded?(tags: readonly string[]): Promise<readonly string[]>;
  /**
   * Acquires the lease of a key, so that only one of several gateways fetches it. The lease ends with `release`, or after
   * `milliseconds`. A store that is not shared always grants it.
   *
   * @returns `null` if another gateway has the lease
   */
  acquireLease(key: string, milliseconds: number): Awaitable<Lease | null>;
  /**
   * Stops waiting for another gateway that has ended without closing the store: without this call nothing is used until its lease
   * is forgotten. Called after a purge of everything. Optional: a store whose gateways have no leases.
   */
  forgetGateway?(id: string): Promise<void>;
  /**
   * Adds a compressed form to a stored response. Its bytes count against the limit of the store. Optional.
   *
   * @param response as `get` returned it
   * @returns false if the response is no longer stored, or if there is no space
   */
  attachCompressed?(
    key: string,
    response: StoredResponse,
    coding: string,
    compressed: CompressedResponse,
  ): boolean;
  /** Reads what is in the memory of this process. Optional. */
  readonly inspector?: StoreInspector;
  /** The state of the store that gateways share; `undefined` if it is shared with none. Optional. */
  readonly sharedState?: SharedStoreState;
  /** Whether the server that gateways share may evict its record of purges, and with it all that is stored. Optional. */
  readonly mayEvictPurges?: boolean;
  /** Called when responses may have been purged, by any gateway that shares the store. The gateway sets it. Optional. */
  onPurge?: (() => void) | undefined;
  stats(): StoreStats;
  close(): Promise<void>;
}

/**
 * What a gateway does with a store that it shares with others: uses it; uses its own memory alone, because the store cannot be
 * reached and no other gateway can have changed anything, or the configuration allows the staleness; or uses nothing stored.
 */
export type SharedStoreState = 'connected' | 'memory' | 'bypassed';

/** The right of one gateway to fetch a key. See {@link CacheStore.acquireLease}. */
export interface Lease {
  release(): void;
}

/** Reads the stored responses in memory, without effect on the order of eviction. */
export interface StoreInspector {
  /** Whether the store holds more than the memory of this process: other gateways share it. */
  readonly isShared: boolean;
  /** Lists all keys at this moment. */
  listKeys(): readonly string[];
  /** Returns the responses of a key, newest first. Their bodies may be read synchronously only. */
  peek(key: string): readonly StoredResponse[];
  /** Finds what a purge would select at this moment. */
  select(selection: PurgeSelection): SelectedResponses;
  /** Counts the responses that have a tag. */
  countTag(name: string): number;
  /** Iterates over all tags with the number of responses that have them. May be continued while the store changes. */
  countTags(): Iterable<{ readonly name: string; readonly responses: number }>;
}

export interface SelectedResponses {
  /** Keys that may have a response of the selection. */
  readonly keys: readonly string[];
  matches(response: StoredResponse): boolean;
}

export interface StoreStats {
  readonly responseCount: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** Limit of `bytes`. */
  readonly maxBytes: number;
  /** Responses that were evicted since the start, because the store was full. @default 0 */
  readonly evictions?: number;
  /** Of the store that gateways share; absent if it is shared with none. */
  readonly shared?: {
    /** How often it could not be used any more. */
    readonly losses: number;
    /** Milliseconds in which it was not used in all. */
    readonly away: number;
  };
}

/** Creates a function that tells whether a response under one of the selected keys is selected. */
export function createSelectionMatcher(
  selection: PurgeSelection,
): (response: Pick<StoredResponse, 'tags'>) => boolean {
  if (selection.kind !== 'tags') return () => true;
  const selected = new Set(selection.tags);
  return ({ tags }) => tags.some((tag) => selected.has(tag));
}
