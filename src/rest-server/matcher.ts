/**
 * Compiles a route pattern as `preg_match( '@^' . $route . '$@i', $path )` uses it. This matcher shares no code with the
 * router of the gateway, so that a test with an example site finds the faults of either. It knows what routes of plugins
 * use of PCRE: JavaScript reads the rest alike. `$` also matches before a final line feed, and `\s` is ASCII only.
 *
 * @throws {SyntaxError} when the pattern uses more of PCRE
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
 * Matches a path, given as a byte string.
 *
 * @returns the named groups as `preg_match` fills them: an unused group is empty, or absent if no later group was used
 */
export function matchRoutePattern(pattern: RegExp, path: string): Readonly<Record<string, string>> | null {
  const found = pattern.exec(path);
  if (found === null) return null;
  const groups: [string, string | undefined][] = Object.entries(found.groups ?? {});
  const last = groups.findLastIndex(([, value]) => value !== undefined);
  return Object.fromEntries(groups.slice(0, last + 1).map(([name, value = '']) => [name, value]));
}

/** The namespaces whose routes WordPress tries exclusively: those that begin the path, whatever the segments are. */
export function namespacesOf(path: string, namespaces: readonly string[]): readonly string[] {
  const slashed = `${path.replace(/^\/+|\/+$/g, '')}/`;
  return namespaces.filter((namespace) => slashed.startsWith(namespace));
}
