/**
 * How a route can be spelled in an address so that the site reads exactly its bytes. `pretty`: in the path, where the
 * site does not decode it. `plain`: as the value of `rest_route`, where it decodes once.
 */
export type RouteSpelling = 'pretty' | 'plain';

/**
 * A route that every reader on the way to PHP takes for the same bytes. Left out, though a path may hold them (RFC 3986
 * §3.3): `%`, which servers decode and the site does not; `//` and dot segments, which they resolve; `;`, which some
 * cut; quotes and backslashes, to which WordPress adds slashes; and the dot at all, because servers look for files by it
 * (`location ~ \.php$`, expiry rules for `.css`).
 */
const UNAMBIGUOUS_PATH = /^(?:\/|(?:\/[\w~!$&()*+,=:@-]+)+)$/;

/**
 * Whether routes may be appended to a root. Not below `/index.php/` ("almost pretty" permalinks): the web server decodes
 * and resolves PATH_INFO before PHP sees it.
 */
export function acceptsPrettyRoutes(spelling: RouteSpelling, root: string): boolean {
  return spelling === 'pretty' && !new URL(root).pathname.includes('/index.php/');
}

export function chooseSpelling(route: string, pretty: boolean): RouteSpelling {
  return pretty && UNAMBIGUOUS_PATH.test(route) ? 'pretty' : 'plain';
}

/** What WordPress takes a given route for: without slashes at its end, and the root for what PHP calls empty. */
export function normalizeRoute(route: string): string {
  const trimmed = trimTrailingSlashes(route);
  return isPhpEmpty(trimmed) ? '/' : trimmed;
}

/** `untrailingslashit()`. A loop, because an expression would look at every slash in between again and again. */
export function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === '/' || path[end - 1] === '\\')) end--;
  return path.slice(0, end);
}

/** `empty()` of a string. */
export function isPhpEmpty(text: string): boolean {
  return text === '' || text === '0';
}
