import { isJsonObject, type Json } from '../../json.ts';
import { encodeByteString } from '../../php/byte-string.ts';
import { encodeQueryValue } from '../../php/encoding.ts';
import type { Pagination, SiteRequest } from './declarations.ts';

/** Returns the URL of a REST route, in the form without rewrite rules: `index.php?rest_route=`. */
export function restUrl(
  base: string,
  route: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return `${base}/index.php?rest_route=${encodeQueryValue(encodeByteString(route))}${pairs.join('')}`;
}

/** The `Link` header to the REST API, which every page of a site has. */
export function rootLinkHeader(base: string): string {
  return `<${restUrl(base, '/')}>; rel="https://api.w.org/"`;
}

/** Creates `X-WP-Total`, `X-WP-TotalPages` and the `Link` to the previous and the next page. */
export function createPaginationHeaders<State>(
  { total, page, perPage }: Pagination,
  request: SiteRequest<State>,
): readonly (readonly [string, string])[] {
  const pages = Math.ceil(total / perPage);
  const links = [
    ...(page > 1 ? [createPageLink(request, Math.min(page - 1, pages), 'prev')] : []),
    ...(page < pages ? [createPageLink(request, page + 1, 'next')] : []),
  ];
  return [
    ['X-WP-Total', String(total)],
    ['X-WP-TotalPages', String(pages)],
    ...(links.length === 0 ? [] : [['Link', links.join(', ')] as const]),
  ];
}

function createPageLink<State>(request: SiteRequest<State>, page: number, relation: string): string {
  const parameters = new Map([...request.query].filter(([name]) => name !== 'rest_route'));
  parameters.set('page', page);
  const pairs = [...parameters].flatMap(([name, value]) => flattenQuery(name, value));
  const query = pairs.map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `<${request.link(request.route)}${query.join('')}>; rel="${relation}"`;
}

/** `http_build_query()`: `status[0]=draft`. */
function flattenQuery(name: string, value: Json): readonly (readonly [string, string])[] {
  if (Array.isArray(value) || isJsonObject(value)) {
    return Object.entries<Json>(value).flatMap(([key, member]) => flattenQuery(`${name}[${key}]`, member));
  }
  return value === null ? [] : [[name, String(value)]];
}
