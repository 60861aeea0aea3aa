import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { containsCharacter } from '../pcre/charset.ts';
import { parseRoutePattern } from '../pcre/index.ts';

/**
 * The literal text of a route pattern: every matching path has these segments, and its remainder starts with this prefix.
 * The text is lower case, because WordPress matches routes without case.
 */
export interface LiteralPath {
  /** The first segments: literal text, or `null` for any text without a slash. */
  readonly segments: readonly (string | null)[];
  /** Literal text, slashes included, with which the path continues; `null` if the path ends with the segments. */
  readonly remainderPrefix: string | null;
}

const SLASH = 0x2f;

/** The first segments of a {@link LiteralPath}, read without a parse of the whole pattern. */
export interface LeadingSegments {
  /** The first segments, as in {@link LiteralPath}. */
  readonly segments: readonly (string | null)[];
  /** Whether these are all segments and the path ends with them. */
  readonly isComplete: boolean;
}

/**
 * A segment of a common form: literal text, or one named group of a character class without slash. Only ranges between
 * letters and digits are accepted: the range `.-0` would contain the slash.
 */
const COMMON_SEGMENT =
  /\/(?:([\w-]+)|\(\?P<\w+>(?:\[(?:\\[dws-]|[A-Za-z0-9](?:-[A-Za-z0-9])?|_)+-?\]|\\[dw])\+?\))(?=\/(?![?*+{])|$)/y;

/**
 * Reads the leading segments that have a common form; most patterns have no others. A full parse of ten thousand patterns
 * would delay the start by a second.
 */
export function readLeadingSegments(pattern: string): LeadingSegments {
  if (!pattern.startsWith('/') || /^\/[?*+{]/.test(pattern) || canHaveAlternatives(pattern)) {
    return { segments: [], isComplete: false };
  }
  const segments: (string | null)[] = [''];
  for (let at = 0; at < pattern.length; at = COMMON_SEGMENT.lastIndex) {
    COMMON_SEGMENT.lastIndex = at;
    const found = COMMON_SEGMENT.exec(pattern);
    if (found === null) return { segments, isComplete: false };
    segments.push(found[1] === undefined ? null : toAsciiLowerCase(found[1]));
  }
  return { segments, isComplete: true };
}

/** Whether the pattern may have a `|` outside of all groups. Its first segments then belong to one alternative only. */
function canHaveAlternatives(pattern: string): boolean {
  if (!pattern.includes('|')) return false;
  // Only the parser handles quotations and nested classes; the loop below is too slow for long patterns.
  if (pattern.length > 1000 || pattern.includes('\\Q') || pattern.includes('[[')) return true;
  let outside = pattern.replace(/\\[\s\S]/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, '');
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replace(/\([^()]*\)/g, '');
  }
  return outside.includes('|');
}

/** Parses a pattern and returns its literal path; `null` if PCRE rejects the pattern, which then matches nothing. */
export function readLiteralPath(pattern: string): LiteralPath | null {
  const parsed = parseRoutePattern(pattern);
  if (!parsed.ok) return parsed.reason === 'invalid' ? null : { segments: [], remainderPrefix: '' };
  if (parsed.rejectionReason !== undefined) return null;

  const segments: (string | null)[] = [];
  let text = '';
  // Once a segment has a part that is not literal, the rest of the segment is skipped.
  let isWildcard = false;
  for (const node of parsed.root.kind === 'sequence' ? parsed.root.items : [parsed.root]) {
    if (node.kind === 'set' && node.literal === SLASH) {
      segments.push(isWildcard ? null : text);
      text = '';
      isWildcard = false;
    } else if (node.kind === 'set' && node.literal !== undefined) {
      if (!isWildcard) text += String.fromCharCode(node.literal);
    } else if (canMatchSlash(node)) {
      return { segments, remainderPrefix: toAsciiLowerCase(text) };
    } else if (node.kind !== 'assert') {
      isWildcard = true;
    }
  }
  segments.push(isWildcard ? null : text);
  return { segments: segments.map((segment) => segment && toAsciiLowerCase(segment)), remainderPrefix: null };
}

function canMatchSlash(node: PcreNode): boolean {
  if (node.kind === 'set') return containsCharacter(node.set, SLASH);
  if (node.kind === 'backreference' || node.kind === 'opaque') return true;
  return node.kind !== 'look' && childrenOf(node).some(canMatchSlash);
}

/** Converts ASCII letters to lower case, as PCRE folds bytes without the `u` flag. */
export function toAsciiLowerCase(bytes: string): string {
  return /[A-Z]/.test(bytes) ? bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : bytes;
}
