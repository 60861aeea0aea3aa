import { memoizeByString } from '../../memoize.ts';
import {
  compilePattern,
  countExpandedNodes,
  isLinear,
  parseArgumentPattern,
  toEcmaPattern,
} from '../../pcre/index.ts';

/** The translation of a site's PCRE pattern to ECMA-262 (`u` flag, unanchored, as in JSON Schema). */
export type PatternTranslation =
  | {
      readonly kind: 'ecma';
      readonly pattern: string;
      /** The reasons why the translation accepts more than the site; empty if it is exact. */
      readonly wideningReasons: readonly string[];
      /** Whether a backtracking engine, which most validators use, can take very long. */
      readonly isAmbiguous: boolean;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** Maximum length of a default that is matched against a pattern, times the size of the pattern with its repetitions expanded. */
const MAX_MATCH_COST = 1_000_000;

/** Translates a PCRE pattern of the site, which states the same few on hundreds of arguments. */
export const translatePattern: (pcre: string) => PatternTranslation = memoizeByString((pcre) => {
  const parsed = parseArgumentPattern(pcre);
  if (!parsed.ok) return { kind: 'none', reason: parsed.message };
  if (parsed.rejectionReason !== undefined)
    return { kind: 'none', reason: `PCRE refuses it: ${parsed.rejectionReason}` };
  const { pattern, wideningReasons } = toEcmaPattern(parsed.root, { unicode: true, matchesWhole: false });
  const isAmbiguous = !isLinear(parsed.root, false);
  if (canCompile(pattern)) return { kind: 'ecma', pattern, wideningReasons, isAmbiguous };
  return { kind: 'none', reason: 'its translation does not compile' };
});

/** Matches a site's pattern in linear time. Returns `undefined` if the result is uncertain or the input too large. */
export function matchesSitePattern(pcre: string, text: string): boolean | undefined {
  try {
    const parsed = parseArgumentPattern(pcre);
    if (parsed.ok && countExpandedNodes(parsed.root) * text.length > MAX_MATCH_COST) return undefined;
    const matcher = compilePattern(pcre);
    return matcher.exact ? matcher.test(text) : undefined;
  } catch {
    return undefined;
  }
}

function canCompile(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
