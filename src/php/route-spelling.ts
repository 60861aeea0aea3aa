/**
 * How a request target spells a route. `pretty`: in the path, which WordPress does not decode. `plain`: as the value of
 * `rest_route`, which it decodes once.
 */
export type RouteSpelling = 'pretty' | 'plain';

/**
 * Matches routes that every server before PHP passes on unchanged in a path. It excludes characters that RFC 3986 §3.3
 * allows: `%`, which servers decode and WordPress does not; `//` and dot segments, which servers resolve; `;`, at which
 * some cut the path; quotes and backslashes, to which WordPress adds slashes; and the dot, by which servers look for files
 * (`location ~ \.php$`, expiry rules for `.css`).
 */
const UNAMBIGUOUS_PATH = /^(?:\/|(?:\/[\w~!$&()*+,=:@-]+)+)$/;

/**
 * Whether routes can be appended to the path of a site's API root. Not below `/index.php/` ("almost pretty" permalinks):
 * web servers decode and resolve PATH_INFO before PHP sees it.
 */
export function acceptsPrettyRoutes(spelling: RouteSpelling, root: string): boolean {
  return spelling === 'pretty' && !new URL(root).pathname.includes('/index.php/');
}

/** Chooses the spelling for a route: pretty if the site accepts it and no server would change the path. */
export function chooseSpelling(route: string, pretty: boolean): RouteSpelling {
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

/** `empty()` of a string. */
export function isPhpEmpty(text: string): boolean {
  return text === '' || text === '0';
}
