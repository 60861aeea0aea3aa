import { analyzeAmbiguity, parsePcre } from '../pcre/index.ts';

/** Maximum length of a pattern, in characters. */
const MAX_PATTERN_LENGTH = 1_000;

/** A pattern that a validator may run, or the reason why it may not. */
export type SafePattern = { readonly pattern: string } | { readonly reason: string };

/** Accepts a pattern only if ECMAScript reads it as JSON Schema does (flag `u`), and matches it in linear time. */
export function toSafePattern(pattern: string): SafePattern {
  if (pattern.length > MAX_PATTERN_LENGTH) return { reason: 'too long' };
  try {
    new RegExp(pattern, 'u');
  } catch {
    return { reason: 'not ECMAScript' };
  }
  const parsed = parsePcre(pattern, { unicode: true });
  if (!parsed.ok) return { reason: 'not understood' };
  const ambiguity = analyzeAmbiguity(parsed.root, { matchesWhole: false });
  return ambiguity === 'none' ? { pattern } : { reason: 'not linear' };
}
