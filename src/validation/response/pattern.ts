import type { Json } from '../../json.ts';
import { compilePattern, expandedLength, parseArgumentPattern } from '../../pcre/index.ts';
import type { ResponseWalk } from './node.ts';

/** The largest pattern that is prepared, in characters written out: larger ones take long. */
const MAX_PATTERN_LENGTH = 5_000;
/** The longest text that a pattern runs on, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 16_384;

/**
 * A pattern of the site's, run in linear time; null where it cannot be run as the site would, because then nothing can
 * be said of a value.
 */
export function compileBoundedPattern(source: Json): ((text: string, walk: ResponseWalk) => boolean) | null {
  if (typeof source !== 'string' || source.length > MAX_PATTERN_LENGTH) return null;
  const parsed = parseArgumentPattern(source);
  if (!parsed.ok || parsed.refused !== undefined) return null;
  const size = expandedLength(parsed.root);
  if (size > MAX_PATTERN_LENGTH) return null;
  const matcher = compilePattern(source);
  if (!matcher.exact) return null;
  // An ambiguous pattern may take time that goes with the product of its size and the text's.
  const cost = matcher.ambiguity === 'none' ? 1 : size;
  return (text, walk) => {
    if (text.length > MAX_TEXT_LENGTH) return true;
    walk.spend((text.length * cost) >> 4);
    return matcher.test(text);
  };
}
