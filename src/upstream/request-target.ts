import type { SiteAddress } from '../discovery/site.ts';
import { encodeQueryValue, stripSlashes } from '../php/encoding.ts';
import { acceptsPrettyRoutes, chooseRouteSpelling } from '../php/request.ts';

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

/** Builds the request targets that are sent to one site: path and query, in ASCII. */
export class RequestTargetBuilder {
  readonly #isWordPress: boolean;
  readonly #basePath: string;
  readonly #isPretty: boolean;
  readonly #plainPath: string;
  readonly #prettyRoot: string;

  /** @param isWordPress `false` for an origin without discovery: queries of its pages are forwarded unchanged */
  constructor(site: SiteAddress, isWordPress = true) {
    const root = new URL(site.root).pathname;
    this.#isWordPress = isWordPress;
    this.#basePath = new URL(site.base).pathname;
    this.#isPretty = acceptsPrettyRoutes(site.spelling, site.root);
    this.#plainPath = site.spelling === 'plain' ? root : `${this.#basePath}index.php`;
    this.#prettyRoot = root.replace(/\/+$/, '');
  }

  /**
   * Builds the request target of a REST route.
   *
   * @param route as WordPress matches it (`RouteTarget.route`): a byte string with the slashes that WordPress adds
   */
  buildRouteTarget(route: string, { hasFormBody, query, routeOffset }: RouteTargetOptions): string {
    // Without rest_route in $_GET, WordPress takes it from $_POST, even if the path names a route. If both have it and
    // they differ, WordPress responds with 400 (WP::parse_request). The gateway does not read streamed bodies, so a
    // request with a form body always carries rest_route in the query.
    if (chooseRouteSpelling(route, this.#isPretty && routeOffset === null && !hasFormBody) === 'pretty') {
      return this.#prettyRoot + route + (query === '' ? '' : `?${escapeNonAscii(query)}`);
    }
    const before = query.slice(0, routeOffset ?? 0);
    const after = query.slice(before.length).replace(/^&/, '');
    const routeParameter = `rest_route=${encodeQueryValue(stripSlashes(route))}`;
    const parts = [escapeNonAscii(before), routeParameter, escapeNonAscii(after)];
    return `${this.#plainPath}?${parts.filter((part) => part !== '').join('&')}`;
  }

  /**
   * Builds the request target of a page: `path` below the site's base.
   *
   * @param path raw, with its leading slash, as the client sent it below the mount
   */
  buildPageTarget(path: string, query: string, formBody: boolean): string {
    const pagePath = this.#basePath + escapeNonAscii(path.slice(1));
    // An empty rest_route in $_GET selects the page, and WordPress refuses a different rest_route in the form.
    const fullQuery = this.#isWordPress && formBody ? `rest_route=${query === '' ? '' : `&${query}`}` : query;
    return fullQuery === '' ? pagePath : `${pagePath}?${escapeNonAscii(fullQuery)}`;
  }
}

/** Percent-encodes bytes above ASCII. `fetch` would encode such a code unit as UTF-8 and send two bytes. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
