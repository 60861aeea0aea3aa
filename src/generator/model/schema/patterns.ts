import { getOrCreate, memoizeByString } from '../../../base/memoize.ts';
import {
  compilePattern,
  countExpandedNodes,
  parseArgumentPattern,
  toEcmaPattern,
} from '../../../base/pcre/index.ts';

/** Translation of PCRE to ECMA-262 (`u` flag, unanchored, as in JSON Schema). */
export type PatternTranslation =
  | { readonly kind: 'ecma'; readonly pattern: string; readonly wideningReasons: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** Length of a default times the expanded size of its pattern. */
const MAX_MATCH_COST = 1_000_000;

const MAX_TEXT = 100_000;
const LEAST_TEXT = 50;

export class PatternTranslator {
  readonly #translations = new Map<string, PatternTranslation>();
  #length = 0;

  translate(pcre: string): PatternTranslation {
    return getOrCreate(this.#translations, pcre, () => {
      this.#length += Math.max(pcre.length, LEAST_TEXT);
      if (this.#length <= MAX_TEXT) return translatePattern(pcre);
      return { kind: 'none', reason: 'the site has too many long patterns' };
    });
  }
}

const translatePattern: (pcre: string) => PatternTranslation = memoizeByString((pcre) => {
  const parsed = parseArgumentPattern(pcre);
  if (!parsed.ok) return { kind: 'none', reason: parsed.message };
  if (parsed.rejectionReason !== undefined)
    return { kind: 'none', reason: `PCRE refuses it: ${parsed.rejectionReason}` };
  const { pattern, wideningReasons } = toEcmaPattern(parsed.root, { unicode: true, matchesWhole: false });
  if (canCompile(pattern)) return { kind: 'ecma', pattern, wideningReasons };
  return { kind: 'none', reason: 'its translation is too long or does not compile' };
});

/** In linear time. `undefined` if uncertain or too large. */
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

/** Longer translations with Unicode's classes compile slowly. */
const MAX_LENGTH = 10_000;

function canCompile(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  try {
    for (const flags of ['u', 'v']) new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
