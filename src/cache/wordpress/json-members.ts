/**
 * Visits members of objects in a JSON text without parsing it, because that would cost more than everything else that the
 * gateway does with a response. A text that is no JSON is reported as such or visited in part; nothing throws.
 */

/** Receives the name of a member, as it is written, and the offset of its value. Returns false to stop. */
export type MemberVisitor = (name: string, valueStart: number) => boolean;

/** Returns the offset of the first character at or after `at` that is no whitespace. */
export function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (WHITESPACE.has(text.charCodeAt(next))) next += 1;
  return next;
}

/**
 * Visits the members of the object that begins at `start`, not those of objects within it.
 *
 * @returns the offset after the object; -1 if the visitor stopped, or there is no object
 */
export function forEachMember(text: string, start: number, visit: MemberVisitor): number {
  if (text[start] !== '{') return -1;
  let at = skipWhitespace(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    const nameEnd = text[at] === '"' ? skipString(text, at) : -1;
    if (nameEnd < 0) return -1;
    const colon = skipWhitespace(text, nameEnd);
    if (text[colon] !== ':') return -1;
    const value = skipWhitespace(text, colon + 1);
    if (!visit(text.slice(at + 1, nameEnd - 1), value)) return -1;
    const end = skipValue(text, value);
    if (end < 0) return -1;
    at = skipWhitespace(text, end);
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') return -1;
    at = skipWhitespace(text, at + 1);
  }
}

/**
 * Visits the elements of the array that begins at `start` by their offsets.
 *
 * @returns whether there is an array, and the visitor did not stop
 */
export function forEachElement(
  text: string,
  start: number,
  visit: (elementStart: number) => boolean,
): boolean {
  if (text[start] !== '[') return false;
  let at = skipWhitespace(text, start + 1);
  if (text[at] === ']') return true;
  for (;;) {
    if (!visit(at)) return false;
    const end = skipValue(text, at);
    if (end < 0) return false;
    at = skipWhitespace(text, end);
    if (text[at] === ']') return true;
    if (text[at] !== ',') return false;
    at = skipWhitespace(text, at + 1);
  }
}

const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BACKSLASH = 0x5c;

/** Returns the offset after the string that begins at `start`; -1 if it has no end. */
function skipString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return -1;
}

/** Returns the offset after the value that begins at `start`; -1 if it has no end. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== '{' && first !== '[') return findNext(text, start, /[,}\]]/g);
  let depth = 0;
  for (let at = start; ; ) {
    at = findNext(text, at, /["{}[\]]/g);
    const character = text[at];
    if (at < 0) return -1;
    if (character === '"') {
      at = skipString(text, at);
      if (at < 0) return -1;
      continue;
    }
    depth += character === '{' || character === '[' ? 1 : -1;
    at += 1;
    if (depth === 0) return at;
  }
}

function findNext(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
