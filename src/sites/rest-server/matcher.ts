/**
 * Compiles a route pattern as `preg_match( '@^' . $route . '$@i', $path )` uses it. It shares no code with
 * the gateway's router, so that tests find the faults of either.
 *
 * @throws {SyntaxError} if the pattern uses PCRE that JavaScript reads differently
 */
export function compileRoutePattern(pattern: string): RegExp {
  const source = pattern
    .replaceAll('(?P<', '(?<')
    .replace(/\[(?:\\.|[^\\\]])*\]|\\s/g, (part) =>
      part === '\\s' ? `[${SPACES}]` : part.replaceAll('\\s', SPACES),
    );
  return new RegExp(`^${source}(?=\\n?$)`, 'i');
}

const SPACES = '\\t-\\r ';

/**
 * Matches a path, a byte string.
 *
 * @returns the named groups as `preg_match` fills them: an unused group is empty, or absent if no later group
 * was used
 */
export function matchRoutePattern(pattern: RegExp, path: string): Readonly<Record<string, string>> | null {
  const found = pattern.exec(path);
  if (found === null) return null;
  const groups: [string, string | undefined][] = Object.entries(found.groups ?? {});
  const last = groups.findLastIndex(([, value]) => value !== undefined);
  return Object.fromEntries(groups.slice(0, last + 1).map(([name, value = '']) => [name, value]));
}

/** Namespaces that begin the path: WordPress tries only their routes. */
export function namespacesOf(path: string, namespaces: readonly string[]): readonly string[] {
  const slashed = `${path.replace(/^\/+|\/+$/g, '')}/`;
  return namespaces.filter((namespace) => slashed.startsWith(namespace));
}
