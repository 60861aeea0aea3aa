import { fieldValue, lowerName } from '../http/fields.ts';
import { parsePcre } from '../pcre/index.ts';
import { splitTagNames, TAG_FIELDS } from './response-tags.ts';

/**
 * Fields, in lower case, in which a site and its plugins speak to caches. The store and clients do not get
 * them.
 */
export const SITE_FIELDS: ReadonlySet<string> = new Set([
  ...TAG_FIELDS.keys(),
  ...['x-litespeed-purge', 'x-litespeed-purge2', 'x-litespeed-cache-control', 'x-litespeed-vary'],
  ...['x-waygate-changed', 'x-waygate-ordinary'],
]);

/** Maximum names of a purge; more purge everything. */
const MAX_NAMES = 5_000;

/** @returns a flat list name, value with names in lower case */
export function listSiteFields(headers: readonly string[]): readonly string[] | null {
  let found: string[] | null = null;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const field = lowerName(headers[at] ?? '');
    if (!SITE_FIELDS.has(field)) continue;
    found ??= [];
    found.push(field, headers[at + 1] ?? '');
  }
  return found;
}

export interface SitePurge {
  readonly everything: boolean;
  readonly names: readonly string[];
  /** Paths with query. */
  readonly targets: readonly string[];
  /** Paths, with what is below them. */
  readonly below: readonly string[];
  readonly isSoft: boolean;
}

const NOTHING: SitePurge = { everything: false, names: [], targets: [], below: [], isSoft: false };
export const PURGE_EVERYTHING: SitePurge = { ...NOTHING, everything: true };

export function purgeNames(names: readonly string[], isSoft = false): SitePurge {
  return names.length > MAX_NAMES ? { ...PURGE_EVERYTHING, isSoft } : { ...NOTHING, names, isSoft };
}

/**
 * Reads `X-LiteSpeed-Purge: public,stale,tag,tag=other,/path;private,…`. Private responses are not stored.
 */
export function readLiteSpeedPurges(siteFields: readonly string[]): readonly SitePurge[] {
  const purges: SitePurge[] = [];
  for (let at = 0; at + 1 < siteFields.length; at += 2) {
    if (siteFields[at] !== 'x-litespeed-purge' && siteFields[at] !== 'x-litespeed-purge2') continue;
    for (const section of (siteFields[at + 1] ?? '').split(';')) {
      const items = splitTagNames(section, ',');
      // PHP joins no fields, but a server can: `private` holds until `public`.
      let isPrivate = false;
      const names: string[] = [];
      for (const item of items) {
        if (item === 'private' || item === 'public') isPrivate = item === 'private';
        else if (!isPrivate && item !== 'stale') names.push(item.replace(/^tag=/, ''));
      }
      if (names.length === 0) continue;
      const isSoft = items.includes('stale');
      const targets = names.filter((name) => name.startsWith('/'));
      const purge = purgeNames(
        names.filter((name) => !name.startsWith('/')),
        isSoft,
      );
      purges.push(names.includes('*') ? { ...PURGE_EVERYTHING, isSoft } : { ...purge, targets });
    }
  }
  return purges;
}

/**
 * Whether a plugin (LiteSpeed Cache, `DONOTCACHEPAGE`) excludes a response, or a LiteSpeed server would fill
 * in parts.
 */
export function isExcludedBySite(siteFields: readonly string[]): boolean {
  const control = fieldValue(siteFields, 'x-litespeed-cache-control') ?? '';
  return (
    /\b(?:no-cache|no-store|private|esi=on)\b/i.test(control) ||
    fieldValue(siteFields, 'x-waygate-tags') === 'no-store'
  );
}

const OWN_NAME = /^[\w*:.-]{1,64}$/;
const OWN_PATH = /^\/[\x21-\x7e]{0,2000}$/;
const MAX_OWN_LENGTH = 4_096;

/**
 * Reads `X-Waygate-Tags`: all that the response was made of. @returns `null` if it is absent or invalid, or
 * more than tags say
 */
export function readOwnTags(siteFields: readonly string[]): readonly string[] | null {
  const names = parseOwnNames(fieldValue(siteFields, 'x-waygate-tags'));
  return names?.[0] === 'ordinary' || names?.[0] === 'no-store' ? null : names;
}

function parseOwnNames(value: string | undefined): readonly string[] | null {
  if (value === undefined || value.length > MAX_OWN_LENGTH) return null;
  const names = value.trim().split(/ +/);
  return names.every(isOwnName) ? names : null;
}

/** A path can be purged by the button of the admin bar. */
function isOwnName(name: unknown): name is string {
  return typeof name === 'string' && (OWN_NAME.test(name) || OWN_PATH.test(name));
}

/** Reads `X-Waygate-Changed`. An invalid value says that everything has changed. */
export function readOwnChange(siteFields: readonly string[]): SitePurge | null {
  const value = fieldValue(siteFields, 'x-waygate-changed');
  if (value === undefined) return null;
  return value === 'none' ? NOTHING : toOwnChange(parseOwnNames(value) ?? ['*']);
}

/** A response can depend on anything of a kind: `post-*`. */
export function toOwnChange(names: readonly unknown[]): SitePurge {
  const valid = names.filter(isOwnName);
  const tags = valid.filter((name) => !name.startsWith('/'));
  if (valid.length < names.length || tags.some((name) => name.endsWith('*'))) return PURGE_EVERYTHING;
  const kinds = new Set(tags.map((name) => `${name.split('-', 1)[0]}-*`));
  return { ...purgeNames([...tags, ...kinds]), targets: valid.filter((name) => name.startsWith('/')) };
}

/** Fields of plugins and configurations of Varnish. */
const PURGED_TAG_FIELDS: ReadonlyMap<string, RegExp | string> = new Map<string, RegExp | string>([
  ...TAG_FIELDS,
  ...['xkey-purge', 'xkey-softpurge', 'x-xkey'].map((name) => [name, /[\s,]+/] as const),
  ...['cache-tags', 'x-cache-tags', 'x-cache-tag'].map((name) => [name, ','] as const),
]);
/** Fields of WP Rocket at o2switch, and of common configurations of Varnish. */
const PATTERN_FIELDS = ['x-purge-regex', 'x-purge-url', 'x-vc-purge-regex'] as const;
/** Whether the target is a regular expression: Proxy Cache Purge and WP Rocket; Varnish Caching. */
const METHOD_FIELDS = ['x-purge-method', 'x-vc-purge-method'] as const;
const EXACT_METHODS: ReadonlySet<string> = new Set(['', 'default', 'exact', 'purge', 'soft']);

/**
 * Reads a `PURGE` of an address, a regular expression (in a field, or `/.*` of W3 Total Cache), tags, or
 * everything (`/purgeall` of Nginx Helper).
 * @returns a text that says what is wrong with it
 */
export function readPurgeRequest(target: string, headers: readonly string[]): SitePurge | string {
  const names = [...PURGED_TAG_FIELDS].flatMap(([field, separator]) =>
    splitTagNames(fieldValue(headers, field) ?? '', separator),
  );
  const isSoft =
    fieldValue(headers, 'fastly-soft-purge') === '1' || fieldValue(headers, 'xkey-softpurge') !== undefined;
  if (names.length > 0) return purgeNames(names, isSoft);
  if (!target.startsWith('/')) return 'The target of a purge is a path.';
  if (target === '/purgeall') return { ...PURGE_EVERYTHING, isSoft };
  const pattern = PATTERN_FIELDS.map((field) => fieldValue(headers, field)).find(
    (value) => value !== undefined,
  );
  if (pattern !== undefined) return purgePattern(pattern, isSoft);
  const [declared = ''] = METHOD_FIELDS.flatMap((field) => fieldValue(headers, field) ?? []);
  const way = declared.trim().toLowerCase();
  if (way === 'regex' || target.endsWith('.*')) return purgePattern(target, isSoft);
  if (target.endsWith('*')) return purgeBelow(target.slice(0, target.lastIndexOf('/') + 1), isSoft);
  if (!EXACT_METHODS.has(way)) return `"${declared.slice(0, 40)}" is no known way to purge.`;
  return { ...NOTHING, targets: [target], isSoft };
}

/**
 * Purges what is below the literal beginning: more than what matches. A pattern that does not begin with `/`
 * or `^/` purges everything.
 */
function purgePattern(pattern: string, isSoft: boolean): SitePurge | string {
  const parsed = parsePcre(pattern);
  if (!parsed.ok && parsed.reason !== 'unsupported') return `The pattern is not valid: ${parsed.message}.`;
  const items = parsed.ok && parsed.root.kind === 'sequence' ? parsed.root.items : [];
  let literal = '';
  for (const item of items) {
    if (item.kind === 'assert' && item.at === 'start' && literal === '') continue;
    if (item.kind !== 'set' || item.literal === undefined) break;
    literal += String.fromCharCode(item.literal);
  }
  return purgeBelow(literal.slice(0, literal.lastIndexOf('/') + 1), isSoft);
}

function purgeBelow(target: string, isSoft: boolean): SitePurge {
  const path = (target.split('?', 1)[0] ?? '').replace(/\/$/, '');
  return path.startsWith('/') ? { ...NOTHING, below: [path], isSoft } : { ...PURGE_EVERYTHING, isSoft };
}
