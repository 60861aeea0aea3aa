import type { SiteAddress } from '../discovery/site.ts';
import { encodeQueryValue, stripSlashes } from '../php/encoding.ts';
import { acceptsPrettyRoutes, chooseRouteSpelling } from '../php/request.ts';

/** Builds the request targets that are sent to one site: path and query, in ASCII. */
export interface RequestTargetBuilder {
  /** Scheme, host and port: `https://example.com`. */
  readonly origin: string;
  /**
   * Builds the request target of a REST route.
   *
   * @param path the route as WordPress matches it (`RouteTarget.route`): a byte string with the slashes that
   *   WordPress adds
   */
  buildRouteTarget(path: string, parts: RouteTargetOptions): string;
  /**
   * Builds the request target of a page: `path` below the site's base.
   *
   * @param path raw, with its leading slash, as the client sent it below the mount
   */
  buildPageTarget(path: string, query: string, formBody: boolean): string;
}

/** Properties of the client's request that determine the request target of a route. */
export interface RouteTargetOptions {
  /** The client's query without `rest_route` and without question mark. */
  readonly query: string;
  /**
   * Offset in `query` at which the client sent `rest_route`; `null` if the route was in the path. The parameter is
   * forwarded at the same position because a site repeats its parameters, in order, in the `Link` headers of lists.
   */
  readonly routeOffset: number | null;
  /** Whether PHP may read the body into `$_POST` (`isFormPost`). */
  readonly hasFormBody: boolean;
}

/**
 * Creates the builder of a site's request targets.
 *
 * @param options.wordpress `false` for an origin without discovery: queries of its pages are forwarded unchanged
 */
export function createRequestTargetBuilder(
  site: SiteAddress,
  options: { readonly wordpress: boolean } = { wordpress: true },
): RequestTargetBuilder {
  const base = new URL(site.base);
  const root = new URL(site.root);
  const pretty = acceptsPrettyRoutes(site.spelling, site.root);
  const plainPath = site.spelling === 'plain' ? root.pathname : `${base.pathname}index.php`;
  const prettyRoot = root.pathname.replace(/\/+$/, '');

  return {
    origin: base.origin,
    buildRouteTarget(route, { query, routeOffset, hasFormBody }) {
      // Without rest_route in $_GET, WordPress takes it from $_POST, even if the path names a route. If both have it and
      // they differ, WordPress responds with 400 (WP::parse_request). The gateway does not read streamed bodies, so a
      // request with a form body always carries rest_route in the query.
      if (chooseRouteSpelling(route, pretty && routeOffset === null && !hasFormBody) === 'pretty') {
        return prettyRoot + (route === '/' ? '/' : route) + (query === '' ? '' : `?${escapeNonAscii(query)}`);
      }
      const before = query.slice(0, routeOffset ?? 0);
      const after = query.slice(before.length).replace(/^&/, '');
      const routeParameter = `rest_route=${encodeQueryValue(stripSlashes(route))}`;
      return `${plainPath}?${[escapeNonAscii(before), routeParameter, escapeNonAscii(after)].filter((part) => part !== '').join('&')}`;
    },
    buildPageTarget(path, query, formBody) {
      const pagePath = base.pathname + escapeNonAscii(path.slice(1));
      // An empty rest_route in $_GET selects the page, and WordPress refuses a different rest_route in the form.
      const fullQuery =
        options.wordpress && formBody ? `rest_route=${query === '' ? '' : `&${query}`}` : query;
      return fullQuery === '' ? pagePath : `${pagePath}?${escapeNonAscii(fullQuery)}`;
    },
  };
}

/** Percent-encodes bytes above ASCII. `fetch` would encode such a code unit as UTF-8 and send two bytes. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
