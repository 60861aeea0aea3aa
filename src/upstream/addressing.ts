import type { SiteAddress } from '../discovery/site.ts';
import { encodeQueryValue, stripSlashes } from '../php/encoding.ts';
import { acceptsPrettyRoutes, chooseSpelling } from '../php/route-spelling.ts';

/** How what is asked of a site is addressed. Paths come out as they go on the wire, in ASCII, with their query. */
export interface UpstreamAddressing {
  /** Scheme, host and port: `https://example.com`. */
  readonly origin: string;
  /**
   * The address of a route.
   *
   * @param route the route as the site is to see it (`RouteTarget.route`): a byte string with the slashes that
   *   WordPress adds
   */
  route(route: string, rest: RouteQuery): string;
  /**
   * The address of a page: the site's base with `path` below it.
   *
   * @param path raw, beginning with a slash, as the caller sent it below the mount
   */
  pageTarget(path: string, query: string, formBody: boolean): string;
}

/** What belongs to a route's address beside the route itself. */
export interface RouteQuery {
  /** The caller's query without `rest_route` and without question mark. */
  readonly query: string;
  /**
   * Where in `query` the caller had `rest_route`, an offset: it goes there again, because a site repeats the parameters
   * that it was sent, in their order, in the `Link` headers of its lists. Null where the route stood in the path.
   */
  readonly routeOffset: number | null;
  /** Whether PHP may read the body into `$_POST` (`isForm`). */
  readonly hasFormBody: boolean;
}

/**
 * @param options.wordpress false for an origin that was not discovered: nothing is added to the queries of its pages
 */
export function createUpstreamAddressing(
  site: SiteAddress,
  options: { readonly wordpress: boolean } = { wordpress: true },
): UpstreamAddressing {
  const base = new URL(site.base);
  const root = new URL(site.root);
  const pretty = acceptsPrettyRoutes(site.spelling, site.root);
  const plainPath = site.spelling === 'plain' ? root.pathname : `${base.pathname}index.php`;
  const prettyRoot = root.pathname.replace(/\/+$/, '');

  return {
    origin: base.origin,
    route(route, { query, routeOffset, hasFormBody }) {
      // WordPress takes rest_route from $_POST where $_GET has none, even against the path, and answers 400 where the
      // two differ (WP::parse_request). Streamed bodies are not read here, so a form always has it in the query.
      if (chooseSpelling(route, pretty && routeOffset === null && !hasFormBody) === 'pretty') {
        return prettyRoot + (route === '/' ? '/' : route) + (query === '' ? '' : `?${escapeNonAscii(query)}`);
      }
      const before = query.slice(0, routeOffset ?? 0);
      const after = query.slice(before.length).replace(/^&/, '');
      const spelled = `rest_route=${encodeQueryValue(stripSlashes(route))}`;
      return `${plainPath}?${[escapeNonAscii(before), spelled, escapeNonAscii(after)].filter((part) => part !== '').join('&')}`;
    },
    pageTarget(path, query, formBody) {
      const asked = base.pathname + escapeNonAscii(path.slice(1));
      // Empty in $_GET it is not the interface, and a rest_route in the form is a mismatch that WordPress refuses.
      const guarded = options.wordpress && formBody ? `rest_route=${query === '' ? '' : `&${query}`}` : query;
      return guarded === '' ? asked : `${asked}?${escapeNonAscii(guarded)}`;
    },
  };
}

/** `fetch` would take a raw byte for a character and send two; PHP reads the escape as the byte that it was. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
