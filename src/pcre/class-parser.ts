import { type CharSet, complement, foldCase, union } from './charset.ts';
import type { CharClasses } from './classes.ts';
import type { Cursor } from './cursor.ts';
import { readEscape } from './escape.ts';

/** What one step in a class gives: a character, which may begin a range, or a set, which may not. */
type Item = { readonly character: number } | { readonly set: CharSet };

/** Reads a class; the cursor stands behind its `[`. pcre2pattern(3), "Square brackets and character classes". */
export function readClass(
  cursor: Cursor,
  classes: CharClasses,
  flags: { readonly i: boolean; readonly xx: boolean },
): CharSet {
  const start = cursor.at;
  const negated = cursor.take('^');
  const sets: CharSet[] = [];
  const single = (character: number): CharSet => [[character, character]];
  let first = true;
  let quoting = false;
  for (;;) {
    if (cursor.done) throw cursor.fault(`the class that opens at ${start - 1} has no ]`);
    if (quoting ? cursor.take('\\E') : cursor.take('\\Q')) {
      quoting = !quoting;
      continue;
    }
    if (!quoting && !first && cursor.take(']')) break;
    const item = quoting ? { character: cursor.next() } : readItem(cursor, classes, flags.xx);
    if (item === null) continue;
    first = false;
    if ('set' in item) {
      refuseRangeAfterSet(cursor);
      sets.push(item.set);
      continue;
    }
    sets.push(quoting ? single(item.character) : readRange(cursor, classes, flags.xx, item.character));
  }
  const folded = flags.i ? foldCase(union(...sets), classes.max > 0xff) : union(...sets);
  return negated ? complement(folded, classes.max) : folded;
}

/** `[\d-z]` is an error to PCRE unless the hyphen is last: "invalid range in character class". */
function refuseRangeAfterSet(cursor: Cursor): void {
  if (cursor.peek() !== '-' || cursor.peek(1) === ']' || cursor.peek(1) === '') return;
  throw cursor.fault('a range in a class cannot start with a set');
}

function readItem(cursor: Cursor, classes: CharClasses, xx: boolean): Item | null {
  if (xx && /^[ \t]$/.test(cursor.peek())) {
    cursor.at += 1;
    return null;
  }
  if (cursor.peek() === '[' && /^[:.=]$/.test(cursor.peek(1))) {
    const posix = readPosix(cursor, classes);
    if (posix !== null) return { set: posix };
  }
  if (!cursor.take('\\')) return { character: cursor.next() };
  const escaped = readEscape(cursor, classes, { inClass: true, groups: 0 });
  if (escaped.kind === 'literal') return { character: escaped.character };
  if (escaped.kind === 'class') return { set: escaped.set };
  return null;
}

function readRange(cursor: Cursor, classes: CharClasses, xx: boolean, low: number): CharSet {
  skipNothing(cursor);
  const isRange = cursor.peek() === '-' && cursor.peek(1) !== ']' && cursor.peek(1) !== '';
  if (!isRange) return [[low, low]];
  cursor.at += 1;
  cursor.take('\\Q');
  let high = readItem(cursor, classes, xx);
  while (high === null && !cursor.done) high = readItem(cursor, classes, xx);
  if (high === null) throw cursor.fault('the class has no ]');
  skipNothing(cursor);
  if ('set' in high) throw cursor.fault('a range in a class cannot end with a set');
  if (high.character < low) throw cursor.fault('the range in the class is out of order');
  return [[low, high.character]];
}

/** A lone `\E`, which PCRE passes over wherever it stands. */
function skipNothing(cursor: Cursor): void {
  while (cursor.take('\\E'));
}

/** `[:alpha:]` and `[:^alpha:]`; null where the brackets are plain characters. */
function readPosix(cursor: Cursor, classes: CharClasses): CharSet | null {
  const start = cursor.at;
  const mark = cursor.peek(1);
  cursor.at += 2;
  const negated = cursor.take('^');
  const name = cursor.takeWhile(/^[A-Za-z]$/);
  if (!cursor.take(`${mark}]`)) {
    cursor.at = start;
    return null;
  }
  if (mark !== ':') throw cursor.fault('POSIX collating elements are not supported');
  const set = classes.posix(name);
  if (set === null) throw cursor.fault(`unknown POSIX class ${name}`);
  return negated ? complement(set, classes.max) : set;
}
