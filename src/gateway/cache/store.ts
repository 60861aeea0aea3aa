import { digest } from '../../base/hash.ts';
import type { RepeatedResponse } from '../../base/http/exchange.ts';
import { withoutFields } from '../../base/http/fields.ts';

/** Complete and immutable. Times are in milliseconds since the epoch, durations in seconds. */
export interface StoredResponse {
  readonly status: number;
  /** Flat list name, value; without `Age`, `Cache-Status` and `X-Request-Id`. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly tags: readonly string[];
  /** Unique within a cache key. */
  readonly variantKey: string;
  readonly vary: readonly string[];
  readonly requestTime: number;
  readonly responseTime: number;
  /** RFC 9111 §4.2: `corrected_initial_age`, at `responseTime`. */
  readonly initialAge: number;
  /** RFC 9111 §4.2. A soft purge shortens it. */
  readonly freshnessLifetime: number;
  /** RFC 5861 §3. */
  readonly staleWhileRevalidate: number;
  /** RFC 5861 §4. */
  readonly staleIfError: number;
  /** While the origin cannot be reached (RFC 9111 §4.2.4). */
  readonly staleIfUnreachable: number;
  /** Stale at any age, after a soft purge or a write that might have changed it. */
  readonly isSoftPurged: boolean;
  /** Compressed forms by content coding, e.g. `br`, which the cache adds in the background. */
  readonly compressed?: ReadonlyMap<string, CompressedResponse>;
  identity?: IdentityResponse | undefined;
  readonly usage?: ResponseUsage | undefined;
  readonly revision?: string | undefined;
}

/** Shared by a response and its replacement. */
export interface ResponseUsage {
  hits: number;
}

export interface IdentityResponse extends RepeatedResponse {
  /** The header list from which `headers` was made. */
  readonly sourceHeaders: readonly string[];
  readonly isCompressible: boolean;
  attempted: readonly string[];
}

export type StoredResponseDraft = Omit<StoredResponse, 'body' | 'tags'>;

export interface CompressedResponse extends RepeatedResponse {
  readonly sourceHeaders: readonly string[];
}

export type Awaitable<T> = T | Promise<T>;

export function whenResolved<T>(value: Awaitable<T>, next: (value: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Modes of a purge, strongest first.
 * - `hard` removes responses.
 * - `revalidate`, e.g. after a write: responses are used only once the site has confirmed them.
 * - `unconfirmed`, e.g. after a write that might have failed: as `revalidate`, but used while the site fails.
 */
export const PURGE_MODES = ['hard', 'revalidate', 'unconfirmed'] as const;
export type PurgeMode = (typeof PURGE_MODES)[number];

export type PurgeSelection =
  | { readonly kind: 'all' }
  /** Responses with at least one of the tags. A response's cache key counts as one. */
  | { readonly kind: 'tags'; readonly tags: readonly string[] };

/** A point in the sequence of a store's purges: equal if no purge came in between. */
export type StoreMark = number | string;

export interface Lookup {
  readonly responses: readonly StoredResponse[];
  /** The last purge before the lookup; `null` if the store can't be asked, so nothing can be stored. */
  readonly mark: StoreMark | null;
}

/** `unstored`: current, but e.g. too large. `outdated`: a purge or a later response can have come. */
export type PutResult = 'stored' | 'unstored' | 'outdated';

/** Promises settle within a second without rejecting, except those of purges. */
export interface CacheStore {
  /** Whether other gateways use it, too. @default false */
  readonly isShared?: boolean;
  get(key: string): Awaitable<Lookup>;
  /** @param mark of a lookup before the request. A later purge that selects the response makes it outdated */
  put(key: string, response: StoredResponse, mark: StoreMark): Awaitable<PutResult>;
  addForm(key: string, response: StoredResponse, coding: string, form: CompressedResponse): void;
  /** Later lookups of any gateway return what `applyPurge` makes of the responses. */
  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<void>;
  report(): StoreReport;
}

/** In use, read only, or unreachable. */
export type SharedStoreState = 'connected' | 'full' | 'bypassed';

export interface StoreReport {
  readonly responseCount: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** Responses evicted since the start. @default 0 */
  readonly evictions?: number;
  /** Responses by key in this process's memory. The iteration can continue while the store changes. */
  readonly entries: Iterable<readonly [key: string, responses: readonly StoredResponse[]]>;
  /** Absent if the store is shared with no other gateway. */
  readonly shared?: {
    readonly state: SharedStoreState;
    readonly losses: number;
    /** When the server had lost what was stored, the last hundred times; in milliseconds since the epoch. */
    readonly emptied: readonly number[];
    /** What an operator can do, if the server has said what is wrong. */
    readonly remedy: string | null;
  };
}

export function isSelected(selection: PurgeSelection, key: string, tags: readonly string[]): boolean {
  return selection.kind === 'all' || selection.tags.some((tag) => tag === key || tags.includes(tag));
}

/** Hashes of the store's tags, which are too long for fields. */

/** Cloudflare reads 16 KB of `Cache-Tag`, and Fastly 16,384 bytes of `Surrogate-Key`. */
const MAX_LENGTH = 16_000;
const MAX_KEYS = 1_000;

function toSurrogateKey(storedTag: string): string {
  return `w${digest(storedTag).toString('base64url', 0, 9)}`;
}

/** Key of responses with more tags than fit. Each purge of the site includes it. */
const toOverflowKey = (scope: string): string => toSurrogateKey(`overflow ${scope}`);

/** @param site its base URL without the scheme, which contains no space */
export function writeStoredTag(site: string, tag: string): string {
  return `${site} ${tag}`;
}

/** Tag of all of a site, without the site. */
export const ALL_OF_SITE = '/';

export function isOfAll(selection: PurgeSelection): boolean {
  return selection.kind === 'all' || selection.tags.some((tag) => readStoredTag(tag).tag === ALL_OF_SITE);
}

export function readStoredTag(stored: string): { readonly site: string; readonly tag: string } {
  const end = stored.indexOf(' ');
  return end < 0 ? { site: stored, tag: '' } : { site: stored.slice(0, end), tag: stored.slice(end + 1) };
}

const siteOf = (stored: string): string => readStoredTag(stored).site;

export function listPurgedKeys(selection: PurgeSelection): readonly string[] {
  if (selection.kind !== 'tags') return [];
  const { tags } = selection;
  return [...tags.map(toSurrogateKey), ...Array.from(new Set(tags.map(siteOf)), toOverflowKey)];
}

const KEY_FIELDS: ReadonlySet<string> = new Set(['surrogate-key', 'cache-tag']);

/** Adds `Surrogate-Key` and `Cache-Tag`, after the names that the site has put there. */
export function addSurrogateKeys(stored: StoredResponse): StoredResponse {
  const { tags } = stored;
  const ownKeys = [...new Set(tags.map(toSurrogateKey))];
  const overflowKey = toOverflowKey(siteOf(tags[0] ?? ''));
  const headers = withoutFields(stored.headers, KEY_FIELDS);
  for (const [name, separator] of [
    ['Surrogate-Key', ' '],
    ['Cache-Tag', ','],
  ] as const) {
    const siteKeys = listSiteKeys(stored.headers, name.toLowerCase(), separator);
    const all = [...siteKeys, ...ownKeys].join(separator);
    const fits = all.length <= MAX_LENGTH && siteKeys.length + ownKeys.length <= MAX_KEYS;
    headers.push(name, fits ? all : overflowKey);
  }
  return { ...stored, headers };
}

function listSiteKeys(headers: readonly string[], field: string, separator: string): readonly string[] {
  const keys: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() !== field) continue;
    for (const key of (headers[at + 1] ?? '').split(separator)) if (key.trim() !== '') keys.push(key.trim());
  }
  return keys;
}
