import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { contains } from '../pcre/charset.ts';
import { parseRoutePattern } from '../pcre/index.ts';

/**
 * Literal parts that every path matching a pattern must have, for lookup in a tree: whole segments, then a prefix of the
 * remaining path. Literals are lower case because WordPress matches routes without case.
 */
export interface PatternOutline {
  /** The first segments: literal text, or `null` for any text without a slash. */
  readonly segments: readonly (string | null)[];
  /** Literal prefix of the remaining path, slashes included; `null` if the path ends with the segments. */
  readonly prefix: string | null;
}

const SLASH = 0x2f;

/** The first segments of an outline, computed without parsing the whole pattern. */
export interface PatternSketch {
  /** The first segments, as in {@link PatternOutline}. */
  readonly segments: readonly (string | null)[];
  /** Whether these are all segments and the path ends with them. */
  readonly complete: boolean;
}

/**
 * A segment of a common form: literal text, or one named group of a character class without slash. Only ranges between
 * letters and digits are accepted: the range `.-0` would contain the slash.
 */
const COMMON_SEGMENT =
  /\/(?:([\w-]+)|\(\?P<\w+>(?:\[(?:\\[dws-]|[A-Za-z0-9](?:-[A-Za-z0-9])?|_)+-?\]|\\[dw])\+?\))(?=\/(?![?*+{])|$)/y;

/**
 * Sketches a pattern from its segments of common form; most patterns have no others. Parsing the patterns of ten
 * thousand routes would delay a start by a second.
 */
export function sketchPattern(pattern: string): PatternSketch {
  if (!pattern.startsWith('/') || /^\/[?*+{]/.test(pattern) || canHaveAlternatives(pattern)) {
    return { segments: [], complete: false };
  }
  const segments: (string | null)[] = [''];
  for (let at = 0; at < pattern.length; at = COMMON_SEGMENT.lastIndex) {
    COMMON_SEGMENT.lastIndex = at;
    const found = COMMON_SEGMENT.exec(pattern);
    if (found === null) return { segments, complete: false };
    segments.push(found[1] === undefined ? null : toAsciiLowerCase(found[1]));
  }
  return { segments, complete: true };
}

/** Whether a `|` may be outside of all groups, so that the first segments belong to one alternative only. */
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

/** Computes the outline of a pattern; `null` if PCRE refuses the pattern, so that it matches nothing. */
export function outlinePattern(pattern: string): PatternOutline | null {
  const parsed = parseRoutePattern(pattern);
  if (!parsed.ok) return parsed.reason === 'invalid' ? null : { segments: [], prefix: '' };
  if (parsed.refused !== undefined) return null;

  const segments: (string | null)[] = [];
  let text = '';
  // After the first part of a segment that is not literal, only slashes matter.
  let isWildcard = false;
  for (const node of parsed.root.kind === 'sequence' ? parsed.root.items : [parsed.root]) {
    if (node.kind === 'set' && node.literal === SLASH) {
      segments.push(isWildcard ? null : text);
      text = '';
      isWildcard = false;
    } else if (node.kind === 'set' && node.literal !== undefined) {
      if (!isWildcard) text += String.fromCharCode(node.literal);
    } else if (canMatchSlash(node)) {
      return { segments, prefix: toAsciiLowerCase(text) };
    } else if (node.kind !== 'assert') {
      isWildcard = true;
    }
  }
  segments.push(isWildcard ? null : text);
  return { segments: segments.map((segment) => segment && toAsciiLowerCase(segment)), prefix: null };
}

function canMatchSlash(node: PcreNode): boolean {
  if (node.kind === 'set') return contains(node.set, SLASH);
  if (node.kind === 'backreference' || node.kind === 'opaque') return true;
  return node.kind !== 'look' && childrenOf(node).some(canMatchSlash);
}

/** Converts ASCII letters to lower case, as PCRE folds bytes without the `u` flag. */
export function toAsciiLowerCase(bytes: string): string {
  return /[A-Z]/.test(bytes) ? bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : bytes;
}
