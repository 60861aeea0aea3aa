import { encodeQueryValue, escapeByte, stripSlashes, trimTrailingSlashes } from '../../base/php/request.ts';
import type { SiteAddress } from '../../generator/discovery/site.ts';
import { findFront, type RouteTarget } from './target.ts';

/** @returns a function that builds the target (path and query, in ASCII) of a route at a site */
export function createRouteTargetBuilder(
  site: SiteAddress,
): (target: Pick<RouteTarget, 'query' | 'route'>) => string {
  const { base, root, spelling } = site;
  const { pathname } = new URL(root);
  const front = findFront(site);
  const isAtBase = root.startsWith(base) && front === new URL(base).pathname;
  // A folder of a language, or another host, might not have the file.
  const plainPath = spelling === 'plain' ? pathname : isAtBase ? `${front}index.php` : front;
  return ({ query, route }) => {
    const bytes = stripSlashes(route);
    const isPath = spelling === 'pretty' && UNAMBIGUOUS_ROUTE.test(bytes) && !SERVER_PATH.test(bytes);
    if (isPath) return toTarget(trimTrailingSlashes(pathname) + bytes, query);
    const named = `rest_route=${encodeQueryValue(bytes)}`;
    return toTarget(plainPath, query === '' ? named : `${named}&${query}`);
  };
}

/** Proxies decode `%` and merge slashes, WordPress doesn't. */
const UNAMBIGUOUS_ROUTE = /^(?:\/|(?:\/[\w.~!$&'()*+,;=:@-]+)+)$/;

/** Paths that web servers resolve or take for files: dot segments, a script, a file name. */
const SERVER_PATH = /(?:^|\/)\.{1,2}(?:\/|$)|\.php(?:\/|$)|\.[^/]*$/i;

export function toTarget(path: string, query: string): string {
  const sent = query === '' ? path : `${path}?${query}`;
  // `fetch` would send bytes above ASCII as UTF-8.
  return /^[\x00-\x7f]*$/.test(sent) ? sent : sent.replace(/[^\x00-\x7f]/g, escapeByte);
}
