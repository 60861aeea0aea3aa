import { createNameMatcher, splitNames } from '../../base/glob.ts';
import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue, lowerName } from '../../base/http/fields.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { memoizeByString } from '../../base/memoize.ts';
import {
  MAX_INPUT_VARS,
  normalizeRoute,
  type PhpArray,
  parsePhpQuery,
  parseQueryPairs,
  type QueryPair,
  rawUrlDecode,
  urlDecode,
} from '../../base/php/request.ts';
import { ALL_OF_SITE } from '../cache/store.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };

/** @returns the route of {@link createRouteKey}; `null` for another address */
export function readCachedRoute(key: string): string | null {
  const [, , resource = ''] = key.split('\n', 3);
  const [, route] = /^R("(?:[^"\\]|\\.)*")/.exec(resource) ?? [];
  return route === undefined ? null : String(parseJson(route));
}

/** The key of a REST resource in any spelling. @param route in its case: responses echo ids as requested */
export function createRouteKey(route: string, queryKey: string): string {
  return `R${JSON.stringify(route)}${queryKey}`;
}

export function createAddressKey(pathAndQuery: string): string {
  return `A${pathAndQuery}`;
}

/** A plugin that purges an address also means `?amp` (BoldGrid/w3-total-cache#34). */
export function anyQueryPageTag(path: string): string {
  return `A${path}?`;
}

const IGNORED_PARAMETERS: readonly string[] = splitNames(CONVENTIONS.ignoredParameters);

export type DeclaredNames = ReadonlySet<string>;

export class QueryCanonicalizer {
  readonly #isIgnored: (name: string) => boolean;

  constructor(ignoreParameters: readonly string[] = []) {
    this.#isIgnored = memoizeByString(createNameMatcher([...IGNORED_PARAMETERS, ...ignoreParameters]));
  }

  /** The query's part of the key: the same only if PHP reads the same. @returns `null` from `max_input_vars` on */
  canonicalize(query: string, declared: DeclaredNames): string | null {
    if (query === '') return '';
    const all = parseQueryPairs(query);
    if (all.length >= MAX_INPUT_VARS) return null;
    const kept = this.#keep(all, declared);
    const sent = kept.length === all.length ? query : kept.map(({ raw }) => raw).join('&');
    const read = parsePhpQuery(sent);
    const pairs = toPairs(read).sort(([one], [other]) => (one < other ? -1 : 1));
    const key = pairs.length === 0 ? '' : JSON.stringify(pairs);
    // Whether PHP drops nothing: the site gets that in `REQUEST_URI`, and can repeat it in links.
    const isReadWhole =
      !ENCODED_CONTROL.test(sent) &&
      countValues(read) === kept.length &&
      kept.every(({ raw }) => hasPlainName(raw));
    return isReadWhole ? key : key + JSON.stringify(sent);
  }

  /** @param address path and query, raw */
  stripIgnored(address: string, declared: DeclaredNames): string {
    const [path = '', query = ''] = address.split(/\?(.*)/s);
    const pairs = parseQueryPairs(query);
    const kept = this.#keep(pairs, declared);
    if (kept.length === pairs.length) return address;
    return kept.length === 0 ? path : `${path}?${kept.map(({ raw }) => raw).join('&')}`;
  }

  #keep(pairs: readonly QueryPair[], declared: DeclaredNames): readonly QueryPair[] {
    return pairs.filter(({ name }) => name !== '' && (declared.has(name) || !this.#isIgnored(name)));
  }

  listIgnored(query: string): string {
    return parseQueryPairs(query)
      .filter(({ name }) => this.#isIgnored(name))
      .map(({ raw }) => raw)
      .join('&');
  }
}

/** PHP reads `%0a10` as the number 10, and firewalls refuse it (OWASP CRS 921150). */
const ENCODED_CONTROL = /%(?:[01][\da-f]|7f)/i;

function countValues(array: PhpArray): number {
  let count = 0;
  for (const value of array.values()) count += typeof value === 'string' ? 1 : countValues(value);
  return count;
}

function hasPlainName(rawPair: string): boolean {
  const equals = rawPair.indexOf('=');
  return PLAIN_NAME.test(urlDecode(equals < 0 ? rawPair : rawPair.slice(0, equals)));
}

/** Names that PHP does not change: `page`, `include[]`, `filter[size][0]`. */
const PLAIN_NAME = /^[^\0 .[\]]+(?:\[(?:[^\s\0[\]][^\0[\]]*)?\])*$/;

/** The order of a PHP array is significant, and the key `1` differs from `01`. */
function toPairs(array: PhpArray): [key: string, value: Json][] {
  return Array.from(array, ([key, value]) => [key, typeof value === 'string' ? value : toPairs(value)]);
}

/**
 * The tags (surrogate keys) by which stored responses are purged. In the store each has a prefix that names its site.
 * - `/`: all of a site, so that one number decides whether a stored response can be used.
 * - `@/`, `@/de/`: all of the site itself, and all of a subsite.
 * - `!code-files`: in its place, files of WordPress, themes and plugins, which do not change with content.
 * - `~`: responses that the site's plugin has not tagged, or not exactly; `~not exact: …` says why.
 * - `/wp/v2/posts/12`: this route and routes below it, responses that contain this item, and its page.
 * - `=/wp/v2/posts`: this route with any query, without those below it.
 * - `P/about`: everything outside of the REST API, at or below this path.
 * - `!name`: what the site (`Surrogate-Key`, `Cache-Tag`, `X-Waygate-Tags`) or a cache rule names.
 * - `~products`: pages that show products of WooCommerce.
 * - `R` and `A`: keys of routes and addresses.
 */
export const EVERYTHING: string = ALL_OF_SITE;

export const UNTAGGED = '~';
/** Begins the tag that says why waygate.php doesn't know all that a response shows. */
export const NOT_EXACT = '~not exact: ';

export function subsiteTag(subsite: string): string {
  return `@${subsite}`;
}

/** The tag of a route at a subsite: `/de/wp/v2/posts`. The host of a mapped domain is no part of it. */
export function atSubsite(subsite: string, tag: string): string {
  const folder = subsite.replace(/^\/\/[^/]*/, '').slice(0, -1);
  return tag.replace(/^=?(?=\/)/, (sign) => sign + folder);
}

export function anyQueryRouteTag(route: string): string {
  return `=${route}`;
}

export function namedTag(name: string): string {
  return `!${name}`;
}

/** Changed by upgrades, never by publishing. A purge by hand has both tags. */
export const CODE_FILES: string = namedTag('code-files');

/** Tag of products whose stock or price an order can change (`writes.json`). */
export const PRODUCTS = '~products';

const PRINTED_TAG = /^(?:[!~]|[=PA@]\/|R")/;

/** @param name a route, a tag as `waygate why` prints it, or a name of the site or a cache rule */
export function toNamedTags(name: string): readonly string[] {
  if (name.startsWith('/')) return [toTagPath(normalizeRoute(name))];
  return PRINTED_TAG.test(name) ? [name, namedTag(name)] : [namedTag(name)];
}

/** Lists the names that waygate.php gives to responses with an item of WordPress. */
export function listItemNames(route: string): readonly string[] {
  const [, base, id] = /^\/wp\/v2\/(?!comments\/)([\w-]+)\/(\d+)$/.exec(route) ?? [];
  if (id === undefined) return [];
  const isTerm = base === 'categories' || base === 'tags';
  const kinds = isTerm ? ['term'] : base === 'users' ? ['user'] : ['post', 'title'];
  return kinds.map((kind) => namedTag(`${kind}-${id}`));
}

/** Lists a path and its parents: `/`, `/a` and `/a/b`. A purge of any of them purges the path. */
export function pathHierarchy(path: string): readonly string[] {
  const levels = ['/'];
  // An id with slashes is not split further.
  for (let at = path.indexOf('/', 1); at > 0 && levels.length < 8; at = path.indexOf('/', at + 1)) {
    levels.push(path.slice(0, at));
  }
  if (path !== '/') levels.push(path);
  return levels;
}

/** In lower case as WordPress matches routes: ASCII only. */
export function toTagPath(route: string): string {
  return /[A-Z]/.test(route) ? route.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : route;
}

export function pageTags(address: string): readonly string[] {
  const path = address.split('?', 1)[0] ?? '/';
  return ['/', ...pathHierarchy(path.replace(/(?<=.)\/$/, '')).map(pageTag)];
}

export function pageTag(path: string): string {
  return `P${normalizeEscapes(path)}`;
}

/** In upper case, as in browsers (RFC 3986 §6.2.2.1): WordPress's slugs have lower case (Automattic/wp-super-cache#1081). */
export function normalizeEscapes(address: string): string {
  return address.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

export function inferNamespace(route: string): string {
  return toTagPath(route).split('/').slice(1, 3).join('/');
}

const OWN_SEPARATOR = / +/;
export const TAG_FIELDS: ReadonlyMap<string, RegExp | string> = new Map<string, RegExp | string>([
  // Fastly, Varnish and Pantheon; Cloudflare; Varnish's xkey module; waygate.php.
  ['surrogate-key', /\s+/],
  ['cache-tag', ','],
  ['xkey', /[\s,]+/],
  ['x-waygate-tags', OWN_SEPARATOR],
]);

/** The kind of waygate.php's tag: `post-` of `post-7`, a tag of each response that shows a post. */
export function kindOf(name: string): string {
  return name.slice(0, name.indexOf('-') + 1);
}

const MAX_RESPONSE_NAMES = 1_000;

export function headerTags({ headers, siteFields = headers }: ResponseHead): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at + 1 < siteFields.length; at += 2) {
    const separator = TAG_FIELDS.get(lowerName(siteFields[at] ?? ''));
    if (separator === undefined) continue;
    const own = splitTagNames(siteFields[at + 1] ?? '', separator);
    if (separator === OWN_SEPARATOR) names.push(...new Set(own.map(kindOf)));
    names.push(...own);
  }
  return names.slice(0, MAX_RESPONSE_NAMES).map(namedTag);
}

export function splitTagNames(value: string, separator: RegExp | string): readonly string[] {
  return value
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** `WP_REST_Controller::prepare_links()` gives each item a link to itself. */
const SELF_LINK = Buffer.from('"self":[{"href":"');
const MAX_LINK_BYTES = 1000;
/** Link to the item that a page shows (`rest_output_link_header()`, since WordPress 5.5). */
const ALTERNATE_LINK = /<([^<>]+)>(?=[^,<]*;\s*rel="alternate")(?=[^,<]*;\s*type="application\/json")/i;
const MAX_ITEMS = 200;

/** Searches the bytes: a text of each stored body is a third of a miss's garbage. */
export function listItems({ buffer, byteLength, byteOffset }: Uint8Array, prefix: string): readonly string[] {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const items = new Set<string>();
  for (let found = bytes.indexOf(SELF_LINK); found >= 0; found = bytes.indexOf(SELF_LINK, found + 1)) {
    const start = found + SELF_LINK.length;
    const end = bytes.indexOf('"', start);
    if (end < start || end - start > MAX_LINK_BYTES) continue;
    const route = readRoute(bytes.toString('latin1', start, end).replaceAll('\\/', '/'), prefix);
    if (route !== null) items.add(route);
    if (items.size >= MAX_ITEMS) break;
  }
  return [...items];
}

export function findShownItem({ headers }: ResponseHead, prefix: string): string | null {
  const url = ALTERNATE_LINK.exec(fieldValue(headers, 'link') ?? '')?.[1];
  return url === undefined ? null : readRoute(url, prefix);
}

/** Classes of WooCommerce's lists and blocks (`wc_product_class()`, `product-template`), and its scripts' field. */
const PRODUCT_MARKUP = /\btype-product\b|\bwc-block-(?:grid__)?product\b|\bdata-product_id=/;

export function showsProducts(html: string): boolean {
  return PRODUCT_MARKUP.test(html);
}

function readRoute(url: string, prefix: string): string | null {
  const inPath = url.split(/[?#]/, 1)[0]?.split(`/${prefix}/`)[1];
  const route = inPath === undefined ? /[?&]rest_route=(\/[^&#]*)/.exec(url)?.[1] : `/${inPath}`;
  return route === undefined ? null : toTagPath(rawUrlDecode(route)).replace(/(?<=.)\/$/, '');
}
