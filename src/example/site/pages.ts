import { isJsonObject, type Json } from '../../json.ts';
import type { PageOfItems, SiteRequest } from './declare.ts';

/** `X-WP-Total`, `X-WP-TotalPages` and the `Link` to the pages beside this one. */
export function pageHeaders<State>(
  { total, page, perPage }: PageOfItems,
  request: SiteRequest<State>,
): readonly (readonly [string, string])[] {
  const pages = Math.ceil(total / perPage);
  const links = [
    ...(page > 1 ? [linkToPage(request, Math.min(page - 1, pages), 'prev')] : []),
    ...(page < pages ? [linkToPage(request, page + 1, 'next')] : []),
  ];
  return [
    ['X-WP-Total', String(total)],
    ['X-WP-TotalPages', String(pages)],
    ...(links.length === 0 ? [] : [['Link', links.join(', ')] as const]),
  ];
}

function linkToPage<State>(request: SiteRequest<State>, page: number, relation: string): string {
  const query = new Map([...request.query].filter(([name]) => name !== 'rest_route'));
  query.set('page', page);
  const pairs = [...query].flatMap(([name, value]) => flatten(name, value));
  const rest = pairs.map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `<${request.link(request.route)}${rest.join('')}>; rel="${relation}"`;
}

/** `http_build_query()`: `status[0]=draft`. */
function flatten(name: string, value: Json): readonly (readonly [string, string])[] {
  if (Array.isArray(value) || isJsonObject(value)) {
    return Object.entries<Json>(value).flatMap(([key, member]) => flatten(`${name}[${key}]`, member));
  }
  return value === null ? [] : [[name, String(value)]];
}
