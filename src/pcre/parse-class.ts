import { type CharSet, complement, foldCase, union } from './charset.ts';
import type { CharClasses } from './classes.ts';
import type { Cursor } from './cursor.ts';
import { parseEscape } from './parse-escape.ts';

/** An element of a class: a character, which may begin a range, or a set, which may not. */
type ClassItem = { readonly character: number } | { readonly set: CharSet };

/** Parses a class. The cursor is behind the `[`. pcre2pattern(3), "Square brackets and character classes". */
export function parseClass(
  cursor: Cursor,
  classes: CharClasses,
  flags: { readonly i: boolean; readonly xx: boolean },
): CharSet {
  const start = cursor.position;
  const negated = cursor.take('^');
  const sets: CharSet[] = [];
  const single = (character: number): CharSet => [[character, character]];
  let first = true;
  let quoting = false;
  for (;;) {
    if (cursor.isAtEnd) throw cursor.error(`the class that opens at ${start - 1} has no ]`);
    if (quoting ? cursor.take('\\E') : cursor.take('\\Q')) {
      quoting = !quoting;
      continue;
    }
    if (!quoting && !first && cursor.take(']')) break;
    const item = quoting ? { character: cursor.next() } : parseClassItem(cursor, classes, flags.xx);
    if (item === null) continue;
    first = false;
    if ('set' in item) {
      rejectRangeAfterSet(cursor);
      sets.push(item.set);
      continue;
    }
    sets.push(quoting ? single(item.character) : parseClassRange(cursor, classes, flags.xx, item.character));
  }
  const folded = flags.i ? foldCase(union(...sets), classes.max > 0xff) : union(...sets);
  return negated ? complement(folded, classes.max) : folded;
}

/** PCRE rejects `[\d-z]`, unless the hyphen is last: "invalid range in character class". */
function rejectRangeAfterSet(cursor: Cursor): void {
  if (cursor.peek() !== '-' || cursor.peek(1) === ']' || cursor.peek(1) === '') return;
  throw cursor.error('a range in a class cannot start with a set');
}

function parseClassItem(cursor: Cursor, classes: CharClasses, xx: boolean): ClassItem | null {
  if (xx && /^[ \t]$/.test(cursor.peek())) {
    cursor.position += 1;
    return null;
  }
  if (cursor.peek() === '[' && /^[:.=]$/.test(cursor.peek(1))) {
    const posix = parsePosixClass(cursor, classes);
    if (posix !== null) return { set: posix };
  }
  if (!cursor.take('\\')) return { character: cursor.next() };
  const escaped = parseEscape(cursor, classes, { inClass: true, groups: 0 });
  if (escaped.kind === 'literal') return { character: escaped.character };
  if (escaped.kind === 'class') return { set: escaped.set };
  return null;
}

function parseClassRange(cursor: Cursor, classes: CharClasses, xx: boolean, low: number): CharSet {
  skipLoneEndQuotes(cursor);
  const isRange = cursor.peek() === '-' && cursor.peek(1) !== ']' && cursor.peek(1) !== '';
  if (!isRange) return [[low, low]];
  cursor.position += 1;
  cursor.take('\\Q');
  let high = parseClassItem(cursor, classes, xx);
  while (high === null && !cursor.isAtEnd) high = parseClassItem(cursor, classes, xx);
  if (high === null) throw cursor.error('the class has no ]');
  skipLoneEndQuotes(cursor);
  if ('set' in high) throw cursor.error('a range in a class cannot end with a set');
  if (high.character < low) throw cursor.error('the range in the class is out of order');
  return [[low, high.character]];
}

/** PCRE ignores a lone `\E` at any position. */
function skipLoneEndQuotes(cursor: Cursor): void {
  while (cursor.take('\\E'));
}

/** `[:alpha:]` or `[:^alpha:]`; `null` if the brackets are plain characters. */
function parsePosixClass(cursor: Cursor, classes: CharClasses): CharSet | null {
  const start = cursor.position;
  const mark = cursor.peek(1);
  cursor.position += 2;
  const negated = cursor.take('^');
  const name = cursor.takeWhile(/^[A-Za-z]$/);
  if (!cursor.take(`${mark}]`)) {
    cursor.position = start;
    return null;
  }
  if (mark !== ':') throw cursor.error('POSIX collating elements are not supported');
  const set = classes.posix(name);
  if (set === null) throw cursor.error(`unknown POSIX class ${name}`);
  return negated ? complement(set, classes.max) : set;
}
