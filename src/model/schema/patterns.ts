import {
  analyzeAmbiguity,
  compilePattern,
  expandedLength,
  parseArgumentPattern,
  toEcma,
} from '../../pcre/index.ts';

/** What ECMA-262 (with the `u` flag, unanchored, as JSON Schema runs it) makes of a PCRE of the site's. */
export type PatternTranslation =
  | {
      readonly kind: 'ecma';
      readonly pattern: string;
      /** Why it accepts more than the site does; empty where it accepts exactly the same. */
      readonly wider: readonly string[];
      /** Whether a backtracking engine, which most validators run, could take very long over it. */
      readonly ambiguous: boolean;
    }
  | { readonly kind: 'none'; readonly reason: string };

export type PatternTranslator = (pcre: string) => PatternTranslation;

/** The longest text that a default is matched with, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 10_000;

/** The largest pattern that a default is matched with, in characters written out: larger ones take long to prepare. */
const MAX_PATTERN_LENGTH = 5_000;

/** Translates each pattern once: a site states the same few on hundreds of arguments. */
export function createPatternTranslator(): PatternTranslator {
  const cache = new Map<string, PatternTranslation>();
  return (pcre) => {
    const translation = cache.get(pcre) ?? translatePattern(pcre);
    cache.set(pcre, translation);
    return translation;
  };
}

function translatePattern(pcre: string): PatternTranslation {
  const parsed = parseArgumentPattern(pcre);
  if (!parsed.ok) return { kind: 'none', reason: parsed.message };
  if (parsed.refused !== undefined) return { kind: 'none', reason: `PCRE refuses it: ${parsed.refused}` };
  const { pattern, reasons } = toEcma(parsed.root, { unicode: true, anchored: false });
  const ambiguous = analyzeAmbiguity(parsed.root, { anchored: false }) !== 'none';
  return compiles(pattern)
    ? { kind: 'ecma', pattern, wider: reasons, ambiguous }
    : { kind: 'none', reason: 'what it translates to does not compile' };
}

/** Whether the site's pattern is found in a text, in linear time; undefined where that cannot be said for certain. */
export function matchesPattern(pcre: string, text: string): boolean | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  try {
    const parsed = parseArgumentPattern(pcre);
    if (parsed.ok && expandedLength(parsed.root) > MAX_PATTERN_LENGTH) return undefined;
    const matcher = compilePattern(pcre);
    return matcher.exact ? matcher.test(text) : undefined;
  } catch {
    return undefined;
  }
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
