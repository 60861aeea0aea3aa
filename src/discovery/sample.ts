import { compileRoute, type PcreNode, parsePcre } from '../pcre/index.ts';

/**
 * Paths that a route's pattern matches, of characters that no spelling has to escape; none where none was found. They
 * are of several tastes, because a lookahead or a boundary may refuse one, and because an earlier route of the site
 * may answer to another (`/attributes/1`, for a slug that comes after an id). The matcher has the last word.
 */
export function samplePaths(pattern: string): readonly string[] {
  const parsed = parsePcre(pattern);
  if (!parsed.ok) return [];
  const matcher = compileRoute(pattern);
  const paths = TASTES.map((taste) => sampleOf(parsed.root, taste, { left: MOST_CHARACTERS }));
  return [...new Set(paths)].filter(
    (path): path is string => path?.startsWith('/') === true && isSafe(path) && matcher.match(path) !== null,
  );
}

interface Taste {
  /** Characters, the preferred first. */
  readonly characters: string;
  /** How often what may repeat is repeated beyond its least. */
  readonly more: number;
}

const SAFE = '1abcdefghijklmnopqrstuvwxyz023456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/';
const TASTES: readonly Taste[] = [
  { characters: SAFE, more: 0 },
  { characters: `xyz${SAFE}`, more: 1 },
  { characters: `x/${SAFE}`, more: 2 },
  { characters: `2-${SAFE}`, more: 3 },
];

const MOST_CHARACTERS = 500;

function sampleOf(node: PcreNode, taste: Taste, budget: { left: number }): string | undefined {
  if (budget.left <= 0) return undefined;
  budget.left -= 1;
  switch (node.kind) {
    case 'set':
      if (node.literal !== undefined) return String.fromCharCode(node.literal);
      return [...taste.characters].find((character) =>
        node.set.some(([low, high]) => low <= character.charCodeAt(0) && character.charCodeAt(0) <= high),
      );
    case 'sequence':
      return joined(node.items.map((item) => sampleOf(item, taste, budget)));
    case 'alternation':
      return node.options.map((option) => sampleOf(option, taste, budget)).find((text) => text !== undefined);
    case 'group':
    case 'atomic':
      return sampleOf(node.body, taste, budget);
    case 'repeat': {
      const times = Math.min(node.max, node.min + taste.more, MOST_CHARACTERS);
      return joined(Array.from({ length: times }, () => sampleOf(node.body, taste, budget)));
    }
    case 'look':
    case 'assert':
      return '';
    default:
      return undefined;
  }
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Nothing that a URL would rewrite (`//`, dot segments), and nothing that it would have to escape. */
function isSafe(path: string): boolean {
  if (path === '/') return true;
  return path
    .slice(1)
    .split('/')
    .every((segment) => /^[A-Za-z0-9._~-]+$/.test(segment) && segment !== '.' && segment !== '..');
}
