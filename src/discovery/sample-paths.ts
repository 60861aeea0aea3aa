import { compileRoute, type PatternTextStyle, parsePcre, writePatternText } from '../pcre/index.ts';

/**
 * Generates paths that match a route's pattern, from characters that need no escaping in a path or a query. Several
 * styles are tried: a lookahead in the pattern may reject one, and an earlier route of the site may match another
 * (`/attributes/1` matches a route with an id before one with a slug).
 *
 * @returns the paths that the site accepts; empty if no style results in one, or if the pattern cannot be matched exactly
 */
export function generateSamplePaths(pattern: string): readonly string[] {
  const parsed = parsePcre(pattern);
  if (!parsed.ok) return [];
  const matcher = compileRoute(pattern);
  if (!matcher.exact) return [];
  const paths = STYLES.map((style) => writePatternText(parsed.root, style));
  return [...new Set(paths)].filter(
    (path): path is string =>
      path?.startsWith('/') === true && isUrlStable(path) && matcher.match(path) !== null,
  );
}

const UNRESERVED = '1abcdefghijklmnopqrstuvwxyz023456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/';

/** The preferred characters of each style, and the number of repetitions beyond the least. */
const STYLES = Object.entries({ '': 0, xyz: 1, 'x/': 2, '2-': 3 }).map(
  ([preferred, more]): PatternTextStyle => ({
    characters: Array.from(preferred + UNRESERVED, (character) => {
      const code = character.charCodeAt(0);
      return [code, code] as const;
    }),
    repeat: (least, most) => Math.min(most, least + more),
  }),
);

/** Whether URL parsing leaves the path unchanged: no `//`, no dot segments, no characters that need escaping. */
function isUrlStable(path: string): boolean {
  if (path === '/') return true;
  return path
    .slice(1)
    .split('/')
    .every((segment) => /^[A-Za-z0-9._~-]+$/.test(segment) && segment !== '.' && segment !== '..');
}
