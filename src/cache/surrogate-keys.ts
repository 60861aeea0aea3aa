import { withoutFields } from '../http/fields.ts';
import { hashText } from './content/content-hash.ts';
import { listSelectedTags, type PurgeSelection, type StoredResponse } from './store.ts';

/**
 * The names by which caches in front of the gateway purge its responses. They are hashes of the tags and groups of the store:
 * these may be long, and have characters that the fields do not allow.
 */

/** Cloudflare reads 16 KB of `Cache-Tag`, and Fastly 16,384 bytes of `Surrogate-Key`. */
const MAX_LENGTH = 16_000;
/** Cloudflare reads 1,000 tags. */
const MAX_KEYS = 1_000;

export function toSurrogateKey(storedTag: string): string {
  return `w${hashText(storedTag).toString(36)}`;
}

const toGroupKey = (name: string): string => toSurrogateKey(`group ${name}`);

/** Key of the responses of a site that have more tags than fit. Each purge of the site includes it. */
const toOverflowKey = (scope: string): string => toSurrogateKey(`overflow ${scope}`);

/** A stored tag or group begins with the scope of its site and a space. */
export function scopeOf(storedName: string): string {
  const end = storedName.indexOf(' ');
  return end < 0 ? storedName : storedName.slice(0, end);
}

/**
 * Lists the keys of what a purge selects. A cache elsewhere knows neither route classes nor texts: a group is purged as a whole, and
 * the tags of clauses count as purged.
 */
export function listPurgedKeys(selection: PurgeSelection): readonly string[] {
  if (selection.kind !== 'tags') return [];
  const { groups = [] } = selection;
  const tags = listSelectedTags(selection);
  const scopes = new Set([...tags, ...groups.map(({ name }) => name)].map(scopeOf));
  return [
    ...tags.map(toSurrogateKey),
    ...groups.map(({ name }) => toGroupKey(name)),
    ...Array.from(scopes, toOverflowKey),
  ];
}

const KEY_FIELDS: ReadonlySet<string> = new Set(['surrogate-key', 'cache-tag']);

/** Returns a stored response with `Surrogate-Key` and `Cache-Tag`, after the names that the site has put there. */
export function addSurrogateKeys(stored: StoredResponse): StoredResponse {
  const { group, tags } = stored;
  const groupKeys = group === null ? [] : [toGroupKey(group.name)];
  const ownKeys = [...new Set([...tags.map(toSurrogateKey), ...groupKeys])];
  // A response with too many keys is purged by whatever is purged of its site.
  const overflowKeys = [toOverflowKey(scopeOf(tags[0] ?? group?.name ?? '')), ...groupKeys];
  const headers = withoutFields(stored.headers, KEY_FIELDS);
  for (const [name, separator] of [
    ['Surrogate-Key', ' '],
    ['Cache-Tag', ','],
  ] as const) {
    const siteKeys = listSiteKeys(stored.headers, name.toLowerCase(), separator);
    const all = [...siteKeys, ...ownKeys].join(separator);
    const fits = all.length <= MAX_LENGTH && siteKeys.length + ownKeys.length <= MAX_KEYS;
    headers.push(name, fits ? all : overflowKeys.join(separator));
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
