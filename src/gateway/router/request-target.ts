import {
  encodeQueryValue,
  escapeByte,
  MAX_INPUT_VARS,
  stripSlashes,
  trimTrailingSlashes,
} from '../../base/php/request.ts';
import type { SiteAddress } from '../../generator/discovery/site.ts';
import { findFront, listPlainPaths, type RouteTarget } from './target.ts';

interface UpstreamRouteTarget {
  readonly upstreamTarget: string;
  /** The path, if it isn't the usual one: plugins read `REQUEST_URI`, so such responses are stored apart. */
  readonly unusualPath: string;
}

/**
 * Builds request targets (path and query, in ASCII) for one site. Plugins read `REQUEST_URI`, so the client's own path is forwarded.
 * If anything on the way could read another route there, the query names the route too: WordPress prefers `rest_route` in `$_GET`
 * (`WP::parse_request()`).
 */
export class RequestTargetBuilder {
  readonly #basePath: string;
  /** API root without trailing slash; `null` if the site has no paths for routes. */
  readonly #routeRoot: string | null;
  readonly #plainPath: string;
  /** Paths below the mount at which the site reads `rest_route`. */
  readonly #plainPaths: ReadonlySet<string>;
  readonly #usualPrefix: string;
  readonly #routePrefixes: readonly (readonly [prefix: string, root: string])[];

  /** @param forwardsPages whether a path that only the site can know is forwarded unchanged */
  constructor(site: SiteAddress, forwardsPages = false) {
    const { pathname } = new URL(site.root);
    const base = new URL(site.base).pathname;
    const front = findFront(site);
    const isBelow = site.root.startsWith(site.base);
    this.#basePath = base;
    const isAtBase = isBelow && front === base;
    this.#routeRoot = site.spelling === 'plain' ? null : trimTrailingSlashes(pathname);
    this.#plainPaths = isBelow ? listPlainPaths(site) : new Set();
    // A folder of a language, or another host, might not have the file.
    if (this.#routeRoot === null) this.#plainPath = pathname;
    else this.#plainPath = isAtBase ? `${front}index.php` : front;
    const pathInfo = `index.php/${site.prefix}`;
    const isAlmostPretty = isAtBase && pathname.includes('/index.php/');
    this.#usualPrefix = `/${isAlmostPretty ? pathInfo : site.prefix}`;
    // WPML: `/es/wp-json/` has the content of another language (airesvsg/acf-to-rest-api#23).
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

  buildPageTarget(path: string, query: string): string {
    return toTarget(this.#basePath + escapeNonAscii(path.slice(1)), query);
  }

  #findOwnPath({ path, spelling }: RouteTarget): string | null {
    // Apache refuses an encoded slash (AllowEncodedSlashes).
    if (spelling !== 'pretty' || /%2f/i.test(path)) return null;
    for (const [prefix, root] of this.#routePrefixes) {
      const below = path.slice(prefix.length);
      if (path.startsWith(prefix) && /^(?:\/|$)/.test(below)) return root + escapePath(below);
    }
    return null;
  }

  #toRoutePath(route: string): string | null {
    if (this.#routeRoot === null || !route.startsWith('/')) return null;
    const path = escapePath(route.replaceAll('%', '%25'));
    return SERVER_PATH.test(path) ? null : this.#routeRoot + path;
  }
}

/** Routes without a character for which the other patterns are needed. */
const USUAL_ROUTE = /^(?:\/|(?:\/[\w~!$&()*+,;=:@-]+)+)$/;

/** Proxies decode `%` and merge slashes, WordPress doesn't. */
const UNAMBIGUOUS_PATH = /^(?:\/[\w.~!$&'()*+,;=:@-]+)+\/?$/;

/** Paths that web servers resolve, refuse or take for files: dot segments, a backslash, NUL, a file name. */
const SERVER_PATH = /(?:^|\/)\.{1,2}(?:\/|$)|%(?:00|5C)|\.php(?:\/|$)|\.[^/]*$/i;

function toUpstreamTarget(path: string, query: string, usualPath: string | null): UpstreamRouteTarget {
  return { upstreamTarget: toTarget(path, query), unusualPath: path === usualPath ? '' : path };
}

function toTarget(path: string, query: string): string {
  return query === '' ? path : `${path}?${escapeNonAscii(query)}`;
}

/** At the end, because plugins compare how an address begins, but before `max_input_vars` variables. */
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

/** Percent-encodes bytes above ASCII, which `fetch` would send as UTF-8. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, escapeByte);
}
