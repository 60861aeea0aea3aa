import { compileRoute, type PcreNode, parsePcre } from '../pcre/index.ts';

/**
 * Generates paths that match a route's pattern, from characters that need no escaping in a path or a query. Several
 * styles are tried: a lookahead in the pattern may reject one, and an earlier route of the site may match another
 * (`/attributes/1` matches a route with an id before one with a slug).
 *
 * @returns the paths that the matcher accepts; empty if no style results in one
 */
export function generateSamplePaths(pattern: string): readonly string[] {
  const parsed = parsePcre(pattern);
  if (!parsed.ok) return [];
  const matcher = compileRoute(pattern);
  const paths = SAMPLE_STYLES.map((style) => sampleNode(parsed.root, style, { left: MAX_CHARACTERS }));
  return [...new Set(paths)].filter(
    (path): path is string =>
      path?.startsWith('/') === true && isUrlStable(path) && matcher.match(path) !== null,
  );
}

interface SampleStyle {
  /** Allowed characters, the preferred ones first. */
  readonly characters: string;
  /** Number of repetitions beyond the minimum of a quantifier. */
  readonly extraRepeats: number;
}

const UNRESERVED = '1abcdefghijklmnopqrstuvwxyz023456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/';
const SAMPLE_STYLES: readonly SampleStyle[] = [
  { characters: UNRESERVED, extraRepeats: 0 },
  { characters: `xyz${UNRESERVED}`, extraRepeats: 1 },
  { characters: `x/${UNRESERVED}`, extraRepeats: 2 },
  { characters: `2-${UNRESERVED}`, extraRepeats: 3 },
];

const MAX_CHARACTERS = 500;

function sampleNode(node: PcreNode, style: SampleStyle, budget: { left: number }): string | undefined {
  if (budget.left <= 0) return undefined;
  budget.left -= 1;
  switch (node.kind) {
    case 'set':
      if (node.literal !== undefined) return String.fromCharCode(node.literal);
      return [...style.characters].find((character) =>
        node.set.some(([low, high]) => low <= character.charCodeAt(0) && character.charCodeAt(0) <= high),
      );
    case 'sequence':
      return join(node.items.map((item) => sampleNode(item, style, budget)));
    case 'alternation':
      return node.options
        .map((option) => sampleNode(option, style, budget))
        .find((text) => text !== undefined);
    case 'group':
    case 'atomic':
      return sampleNode(node.body, style, budget);
    case 'repeat': {
      const times = Math.min(node.max, node.min + style.extraRepeats, MAX_CHARACTERS);
      return join(Array.from({ length: times }, () => sampleNode(node.body, style, budget)));
    }
    case 'look':
    case 'assert':
      return '';
    default:
      return undefined;
  }
}

function join(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Whether URL parsing leaves the path unchanged: no `//`, no dot segments, no characters that need escaping. */
function isUrlStable(path: string): boolean {
  if (path === '/') return true;
  return path
    .slice(1)
    .split('/')
    .every((segment) => /^[A-Za-z0-9._~-]+$/.test(segment) && segment !== '.' && segment !== '..');
}
