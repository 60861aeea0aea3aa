import type { SiteAddress } from '../discovery/site.ts';
import { encodeQueryValue, escapeByte, stripSlashes } from '../php/encoding.ts';
import { MAX_INPUT_VARS } from '../php/query.ts';
import { trimTrailingSlashes } from '../php/request.ts';
import { findFront, listPlainPaths, type RouteTarget } from './target.ts';

/** The request target of a route at the site. */
interface UpstreamRouteTarget {
  /** Path and query, in ASCII. */
  readonly upstreamTarget: string;
  /**
   * The path, if it is not the one that requests for this route usually have; otherwise empty. PHP sees another path in
   * `REQUEST_URI`, and plugins read it, so responses to different paths are stored apart.
   */
  readonly unusualPath: string;
}

/**
 * Builds the request targets that are sent to one site: path and query, in ASCII.
 *
 * Plugins read `REQUEST_URI`: LearnPress accepts a token only below `/wp-json/`. So the client's own path is forwarded wherever
 * the site runs the same route for it. If anything on the way could read another route from the path, the query names the route as well:
 * WordPress prefers `rest_route` in `$_GET` to the path (`WP::parse_request`). A form that names another route is refused before. The target of a page is always the client's: WooCommerce and BuddyPress write it into forms and redirects.
 */
export class RequestTargetBuilder {
  readonly #basePath: string;
  /** Path of the API root without trailing slash; `null` if the site has no paths for routes. */
  readonly #routeRoot: string | null;
  readonly #plainPath: string;
  /** Paths below the mount at which the site reads `rest_route`; empty if its REST interface is apart from its pages. */
  readonly #plainPaths: ReadonlySet<string>;
  /** Usual prefix of routes below the mount: `/wp-json`. */
  readonly #usualPrefix: string;
  /** Prefixes of routes in clients' paths below the mount, each with its replacement: `/wp-json`, `/index.php/wp-json`. */
  readonly #routePrefixes: readonly (readonly [prefix: string, root: string])[];

  /** @param forwardsPages whether clients find the site itself at the mount. A path that only it can know is then forwarded unchanged */
  constructor(site: SiteAddress, forwardsPages = false) {
    const { pathname } = new URL(site.root);
    const base = new URL(site.base).pathname;
    const front = findFront(site);
    const isBelow = site.root.startsWith(site.base);
    this.#basePath = base;
    const isAtBase = isBelow && front === base;
    this.#routeRoot = site.spelling === 'plain' ? null : trimTrailingSlashes(pathname);
    this.#plainPaths = isBelow ? listPlainPaths(site) : new Set();
    // Nothing says that a folder of a language, or of another host, has the file.
    if (this.#routeRoot === null) this.#plainPath = pathname;
    else this.#plainPath = isAtBase ? `${front}index.php` : front;
    const pathInfo = `index.php/${site.prefix}`;
    const isAlmostPretty = isAtBase && pathname.includes('/index.php/');
    this.#usualPrefix = `/${isAlmostPretty ? pathInfo : site.prefix}`;
    // WPML: `/wp-json/` has the content of the default language, and `/es/wp-json/` that of another (airesvsg/acf-to-rest-api#23).
    const ofFolder = isBelow && forwardsPages ? ['wp-json', 'index.php/wp-json'] : [];
    const own = isAtBase ? (isAlmostPretty ? [] : [pathInfo]) : ofFolder;
    this.#routePrefixes =
      this.#routeRoot === null
        ? []
        : [[this.#usualPrefix, this.#routeRoot], ...own.map((path) => [`/${path}`, base + path] as const)];
  }

  buildRouteTarget(target: RouteTarget): UpstreamRouteTarget {
    const { path, query, route, routeParameter, spelling } = target;
    const isUsual = spelling === 'pretty' ? path === this.#usualPrefix + route : spelling === 'short';
    if (isUsual && this.#routeRoot !== null && USUAL_ROUTE.test(route))
      return { upstreamTarget: toTarget(this.#routeRoot + route, query), unusualPath: '' };
    const bytes = stripSlashes(route);
    const encodedRoute = `rest_route=${encodeQueryValue(bytes)}`;
    const usualPath = this.#toRoutePath(bytes);
    if (routeParameter !== null) {
      const sentPath = this.#plainPaths.has(path) ? this.#basePath + path.slice(1) : this.#plainPath;
      const before = query.slice(0, routeParameter.offset);
      const after = query.slice(before.length).replace(/^&/, '');
      const pairs = [before, routeParameter.raw ?? encodedRoute, after].filter((part) => part !== '');
      return toUpstreamTarget(sentPath, pairs.join('&'), usualPath ?? this.#plainPath);
    }
    const sentPath = this.#findOwnPath(target) ?? usualPath;
    if (sentPath === null) {
      const pairs = [encodedRoute, query].filter((part) => part !== '');
      return toUpstreamTarget(this.#plainPath, pairs.join('&'), this.#plainPath);
    }
    const isPinned = !UNAMBIGUOUS_PATH.test(sentPath);
    return toUpstreamTarget(sentPath, isPinned ? addVariable(query, encodedRoute) : query, usualPath);
  }

  /**
   * Builds the request target of a page: `path` below the site's base.
   *
   * @param path raw, with its leading slash, as the client sent it below the mount
   */
  buildPageTarget(path: string, query: string): string {
    return toTarget(this.#basePath + escapeNonAscii(path.slice(1)), query);
  }

  /** Returns the client's path at the site; `null` if the site has no such path. */
  #findOwnPath({ path, spelling }: RouteTarget): string | null {
    // Apache refuses an encoded slash (AllowEncodedSlashes).
    if (spelling !== 'pretty' || /%2f/i.test(path)) return null;
    for (const [prefix, root] of this.#routePrefixes) {
      const below = path.slice(prefix.length);
      if (path.startsWith(prefix) && /^(?:\/|$)/.test(below)) return root + escapePath(below);
    }
    return null;
  }

  /** Returns the path of a route; `null` if the site or a usual web server has none for it. */
  #toRoutePath(route: string): string | null {
    if (this.#routeRoot === null || !route.startsWith('/')) return null;
    const path = escapePath(route.replaceAll('%', '%25'));
    return SERVER_PATH.test(path) ? null : this.#routeRoot + path;
  }
}

/** Matches routes without any character that makes one of the other patterns necessary. Nearly all are such. */
const USUAL_ROUTE = /^(?:\/|(?:\/[\w~!$&()*+,;=:@-]+)+)$/;

/**
 * Matches paths that nothing on the way to WordPress changes. Proxies decode `%` and merge slashes, and URL parsers escape some
 * characters, but WordPress does not decode the path.
 */
const UNAMBIGUOUS_PATH = /^(?:\/[\w.~!$&'()*+,;=:@-]+)+\/?$/;

/**
 * Matches paths that web servers resolve, refuse, or take for scripts and other files: dot segments, a backslash or a NUL, and
 * what looks like a file name.
 */
const SERVER_PATH = /(?:^|\/)\.{1,2}(?:\/|$)|%(?:00|5C)|\.php(?:\/|$)|\.[^/]*$/i;

function toUpstreamTarget(path: string, query: string, usualPath: string | null): UpstreamRouteTarget {
  return { upstreamTarget: toTarget(path, query), unusualPath: path === usualPath ? '' : path };
}

function toTarget(path: string, query: string): string {
  return query === '' ? path : `${path}?${escapeNonAscii(query)}`;
}

/**
 * Adds a variable to a query, where PHP reads it: at the end, because plugins compare how an address begins. PHP ignores
 * what follows `max_input_vars` variables. A variable takes at least two characters of the query.
 */
function addVariable(query: string, variable: string): string {
  if (query === '') return variable;
  return query.length < MAX_INPUT_VARS ? `${query}&${variable}` : `${variable}&${query}`;
}

/** Percent-encodes what URL parsers encode in a path, and control characters. Existing encodings stay. */
function escapePath(path: string): string {
  return /^[\w.~!$&'()*+,;=:@%/|[\]-]*$/.test(path)
    ? path
    : path.replace(/[^\w.~!$&'()*+,;=:@%/|[\]-]/g, escapeByte);
}

/** Percent-encodes bytes above ASCII. `fetch` would encode such a code unit as UTF-8 and send two bytes. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, escapeByte);
}
