import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue, lowerName } from '../../base/http/fields.ts';
import { rawUrlDecode } from '../../base/php/encoding.ts';
import { namedTag, toTagPath } from './tags.ts';

export const TAG_FIELDS: ReadonlyMap<string, RegExp | string> = new Map<string, RegExp | string>([
  // Fastly, Varnish and Pantheon; Cloudflare; Varnish's xkey module; waygate.php.
  ['surrogate-key', /\s+/],
  ['cache-tag', ','],
  ['xkey', /[\s,]+/],
  ['x-waygate-tags', /\s+/],
]);

const MAX_RESPONSE_NAMES = 1_000;

export function headerTags({ headers, siteFields = headers }: ResponseHead): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at + 1 < siteFields.length; at += 2) {
    const separator = TAG_FIELDS.get(lowerName(siteFields[at] ?? ''));
    if (separator !== undefined) names.push(...splitTagNames(siteFields[at + 1] ?? '', separator));
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
const SELF_LINK = /"self":\[\{"href":"([^"]{1,1000})"/g;
/** Link to the item that a page shows (`rest_output_link_header()`, since WordPress 5.5). */
const ALTERNATE_LINK = /<([^<>]+)>(?=[^,<]*;\s*rel="alternate")(?=[^,<]*;\s*type="application\/json")/i;
const MAX_ITEMS = 200;

/** Lists the routes of the items in a body, as tags. @param prefix of the routes in URLs: `wp-json` */
export function listItems(body: string, prefix: string): readonly string[] {
  const items = new Set<string>();
  for (const [, url = ''] of body.matchAll(SELF_LINK)) {
    const route = readRoute(url.replaceAll('\\/', '/'), prefix);
    if (route !== null) items.add(route);
    if (items.size >= MAX_ITEMS) break;
  }
  return [...items];
}

export function findShownItem({ headers }: ResponseHead, prefix: string): string | null {
  const url = ALTERNATE_LINK.exec(fieldValue(headers, 'link') ?? '')?.[1];
  return url === undefined ? null : readRoute(url, prefix);
}

/**
 * Classes of WooCommerce's lists and blocks (`wc_product_class()`, `product-template`), and the field of its
 * scripts.
 */
const PRODUCT_MARKUP = /\btype-product\b|\bwc-block-(?:grid__)?product\b|\bdata-product_id=/;

export function showsProducts(html: string): boolean {
  return PRODUCT_MARKUP.test(html);
}

function readRoute(url: string, prefix: string): string | null {
  const inPath = url.split(/[?#]/, 1)[0]?.split(`/${prefix}/`)[1];
  const route = inPath === undefined ? /[?&]rest_route=(\/[^&#]*)/.exec(url)?.[1] : `/${inPath}`;
  return route === undefined ? null : toTagPath(rawUrlDecode(route)).replace(/(?<=.)\/$/, '');
}
