import type { Json } from '../../json.ts';
import { compilePattern, countExpandedNodes, parseArgumentPattern } from '../../pcre/index.ts';
import type { ResponseWalk } from './schema-node.ts';

/** Maximum length of a pattern with its repetitions expanded, in characters. Longer ones take too long to compile. */
const MAX_PATTERN_LENGTH = 5_000;
/** Maximum length of a text that a pattern is matched with, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 16_384;

/**
 * Compiles a pattern of the site. Matching takes linear time. A text that exceeds {@link MAX_TEXT_LENGTH} always matches.
 *
 * @returns `null` when the pattern cannot be matched exactly as the site does, so that no value violates it
 */
export function compileBoundedPattern(source: Json): ((text: string, walk: ResponseWalk) => boolean) | null {
  if (typeof source !== 'string' || source.length > MAX_PATTERN_LENGTH) return null;
  const parsed = parseArgumentPattern(source);
  if (!parsed.ok || parsed.rejectionReason !== undefined) return null;
  const size = countExpandedNodes(parsed.root);
  if (size > MAX_PATTERN_LENGTH) return null;
  const matcher = compilePattern(source);
  if (!matcher.exact) return null;
  // Matching an ambiguous pattern can take time proportional to the product of both lengths.
  const cost = matcher.ambiguity === 'none' ? 1 : size;
  return (text, walk) => {
    if (text.length > MAX_TEXT_LENGTH) return true;
    walk.spend((text.length * cost) >> 4);
    return matcher.test(text);
  };
}
