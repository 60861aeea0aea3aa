/**
 * The position of a route in a request target. `pretty`: in the path, which WordPress does not decode. `plain`: in the
 * query parameter `rest_route`, which PHP decodes once.
 */
export type RouteSpelling = 'pretty' | 'plain';

/**
 * Matches routes that no web server in front of PHP changes in a path. It is stricter than RFC 3986 §3.3 and excludes:
 *
 * - `%`: servers decode it, WordPress does not.
 * - `//` and dot segments: servers resolve them.
 * - `;`: some servers cut the path there.
 * - quotes and backslashes: WordPress adds slashes to them.
 * - `.`: servers treat it as the start of a file extension (`location ~ \.php$`, expiry rules for `.css`).
 */
const UNAMBIGUOUS_PATH = /^(?:\/|(?:\/[\w~!$&()*+,=:@-]+)+)$/;

/**
 * Whether routes can be appended to the path of a site's API root. Below `/index.php/` ("almost pretty" permalinks) they
 * cannot, because web servers decode and resolve PATH_INFO before PHP sees it.
 */
export function acceptsPrettyRoutes(spelling: RouteSpelling, root: string): boolean {
  return spelling === 'pretty' && !new URL(root).pathname.includes('/index.php/');
}

/** Chooses the spelling for a route: pretty if the site accepts it and no server would change the path. */
export function chooseRouteSpelling(route: string, pretty: boolean): RouteSpelling {
  return pretty && UNAMBIGUOUS_PATH.test(route) ? 'pretty' : 'plain';
}

/** Normalizes a route as WordPress does: trailing slashes are removed, and an empty route (for PHP) is `/`. */
export function normalizeRoute(route: string): string {
  const trimmed = trimTrailingSlashes(route);
  return isPhpEmpty(trimmed) ? '/' : trimmed;
}

/** `untrailingslashit()`. A loop, because a regular expression would take quadratic time on many slashes. */
export function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === '/' || path[end - 1] === '\\')) end--;
  return path.slice(0, end);
}

/** Whether PHP's `empty()` is true for a string. */
export function isPhpEmpty(text: string): boolean {
  return text === '' || text === '0';
}
