import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { contains } from '../pcre/charset.ts';
import { parseRoute } from '../pcre/index.ts';

/**
 * What a pattern demands of every path that it matches, in as far as a tree can ask for it: whole segments first, then
 * the beginning of what is left. Literal text is lower case, for the site matches in any case.
 */
export interface PatternOutline {
  /** From the front, the parts between slashes: a literal one, or null for any text without a slash. */
  readonly segments: readonly (string | null)[];
  /** What the rest of the path begins with, slashes and all. Null where the path ends with the segments. */
  readonly prefix: string | null;
}

const SLASH = 0x2f;

/** The front of an outline, seen without reading the whole pattern. */
export interface PatternSketch {
  /** Segments as in the outline, from its front. */
  readonly segments: readonly (string | null)[];
  /** Whether this is the outline, and the path ends here. */
  readonly complete: boolean;
}

/**
 * One segment of the usual kind: literal, or one named group of a class without slash. Ranges are between letters and
 * digits only, for a slash stands between `.` and `0`.
 */
const COMMON_SEGMENT =
  /\/(?:([\w-]+)|\(\?P<\w+>(?:\[(?:\\[dws-]|[A-Za-z0-9](?:-[A-Za-z0-9])?|_)+-?\]|\\[dw])\+?\))(?=\/(?![?*+{])|$)/y;

/**
 * Reads as much of a pattern as is of the usual kind, which is the whole of most. A start of ten thousand routes would
 * wait a second for the parser.
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

/** Whether a `|` may stand outside of all groups, and the front of the pattern thus hold for one branch only. */
function canHaveAlternatives(pattern: string): boolean {
  if (!pattern.includes('|')) return false;
  // Quotations and classes within classes are the parser's, and so are patterns too long for the loop below.
  if (pattern.length > 1000 || pattern.includes('\\Q') || pattern.includes('[[')) return true;
  let outside = pattern.replace(/\\[\s\S]/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, '');
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replace(/\([^()]*\)/g, '');
  }
  return outside.includes('|');
}

/** Null for a pattern that matches nothing, because the site's PCRE refuses it. */
export function outlinePattern(pattern: string): PatternOutline | null {
  const parsed = parseRoute(pattern);
  if (!parsed.ok) return parsed.reason === 'invalid' ? null : { segments: [], prefix: '' };
  if (parsed.refused !== undefined) return null;

  const segments: (string | null)[] = [];
  let text = '';
  // What follows the first part of a segment that is not literal is not looked at, other than for slashes.
  let open = false;
  for (const node of parsed.root.kind === 'sequence' ? parsed.root.items : [parsed.root]) {
    if (node.kind === 'set' && node.literal === SLASH) {
      segments.push(open ? null : text);
      text = '';
      open = false;
    } else if (node.kind === 'set' && node.literal !== undefined) {
      if (!open) text += String.fromCharCode(node.literal);
    } else if (canMatchSlash(node)) {
      return { segments, prefix: toAsciiLowerCase(text) };
    } else if (node.kind !== 'assert') {
      open = true;
    }
  }
  segments.push(open ? null : text);
  return { segments: segments.map((segment) => segment && toAsciiLowerCase(segment)), prefix: null };
}

function canMatchSlash(node: PcreNode): boolean {
  if (node.kind === 'set') return contains(node.set, SLASH);
  if (node.kind === 'backreference' || node.kind === 'opaque') return true;
  return node.kind !== 'look' && childrenOf(node).some(canMatchSlash);
}

/** As PCRE folds bytes without the `u` flag: ASCII only. */
export function toAsciiLowerCase(bytes: string): string {
  return /[A-Z]/.test(bytes) ? bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : bytes;
}
