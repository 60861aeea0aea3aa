import { type CharSet, complementCharSet, foldCase, unionCharSets } from './charset.ts';
import type { CharClasses } from './classes.ts';
import type { PatternCursor } from './cursor.ts';
import { parseEscape } from './parse-escape.ts';

/** An element of a class: a character, which may begin a range, or a set, which may not. */
type ClassItem = { readonly character: number } | { readonly set: CharSet };

/** Parses a class, from after the `[`. See pcre2pattern(3), "Square brackets and character classes". */
export function parseClass(
  cursor: PatternCursor,
  classes: CharClasses,
  flags: { readonly i: boolean; readonly xx: boolean },
): CharSet {
  const start = cursor.position;
  const negated = cursor.takeIf('^');
  const sets: CharSet[] = [];
  const single = (character: number): CharSet => [[character, character]];
  let first = true;
  let quoting = false;
  for (;;) {
    if (cursor.isAtEnd) throw cursor.createError(`the class that opens at ${start - 1} has no ]`);
    if (quoting ? cursor.takeIf('\\E') : cursor.takeIf('\\Q')) {
      quoting = !quoting;
      continue;
    }
    if (!quoting && !first && cursor.takeIf(']')) break;
    const item = quoting ? { character: cursor.takeCharacter() } : parseClassItem(cursor, classes, flags.xx);
    if (item === null) continue;
    first = false;
    if ('set' in item) {
      rejectRangeAfterSet(cursor);
      sets.push(item.set);
      continue;
    }
    sets.push(quoting ? single(item.character) : parseClassRange(cursor, classes, flags.xx, item.character));
  }
  const folded = flags.i
    ? foldCase(unionCharSets(...sets), classes.maxCharacter > 0xff)
    : unionCharSets(...sets);
  return negated ? complementCharSet(folded, classes.maxCharacter) : folded;
}

/** PCRE rejects `[\d-z]`, unless the hyphen is last: "invalid range in character class". */
function rejectRangeAfterSet(cursor: PatternCursor): void {
  if (cursor.peek() !== '-' || cursor.peek(1) === ']' || cursor.peek(1) === '') return;
  throw cursor.createError('a range in a class cannot start with a set');
}

function parseClassItem(cursor: PatternCursor, classes: CharClasses, xx: boolean): ClassItem | null {
  if (xx && /^[ \t]$/.test(cursor.peek())) {
    cursor.position += 1;
    return null;
  }
  if (cursor.peek() === '[' && /^[:.=]$/.test(cursor.peek(1))) {
    const posix = parsePosixClass(cursor, classes);
    if (posix !== null) return { set: posix };
  }
  if (!cursor.takeIf('\\')) return { character: cursor.takeCharacter() };
  const escaped = parseEscape(cursor, classes, { inClass: true, groups: 0 });
  if (escaped.kind === 'literal') return { character: escaped.character };
  if (escaped.kind === 'class') return { set: escaped.set };
  return null;
}

function parseClassRange(cursor: PatternCursor, classes: CharClasses, xx: boolean, low: number): CharSet {
  skipLoneEndQuotes(cursor);
  const isRange = cursor.peek() === '-' && cursor.peek(1) !== ']' && cursor.peek(1) !== '';
  if (!isRange) return [[low, low]];
  cursor.position += 1;
  cursor.takeIf('\\Q');
  let high = parseClassItem(cursor, classes, xx);
  while (high === null && !cursor.isAtEnd) high = parseClassItem(cursor, classes, xx);
  if (high === null) throw cursor.createError('the class has no ]');
  skipLoneEndQuotes(cursor);
  if ('set' in high) throw cursor.createError('a range in a class cannot end with a set');
  if (high.character < low) throw cursor.createError('the range in the class is out of order');
  return [[low, high.character]];
}

/** PCRE ignores a lone `\E` at any position. */
function skipLoneEndQuotes(cursor: PatternCursor): void {
  while (cursor.takeIf('\\E'));
}

/** Parses `[:alpha:]` or `[:^alpha:]`; `null` if the brackets are plain characters. */
function parsePosixClass(cursor: PatternCursor, classes: CharClasses): CharSet | null {
  const start = cursor.position;
  const mark = cursor.peek(1);
  cursor.position += 2;
  const negated = cursor.takeIf('^');
  const name = cursor.takeWhile(/^[A-Za-z]$/);
  if (!cursor.takeIf(`${mark}]`)) {
    cursor.position = start;
    return null;
  }
  if (mark !== ':') throw cursor.createError('POSIX collating elements are not supported');
  const set = classes.getPosixSet(name);
  if (set === null) throw cursor.createError(`unknown POSIX class ${name}`);
  return negated ? complementCharSet(set, classes.maxCharacter) : set;
}
