import { digest } from '../../base/hash.ts';
import { withoutFields } from '../../base/http/message.ts';
import type { PurgeSelection, StoredResponse } from './store.ts';

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
