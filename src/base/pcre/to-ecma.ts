import { getOrCreate } from '../memoize.ts';
import {
  type AssertionKind,
  childrenOf,
  isCharacter,
  isNullable,
  mapChildren,
  type PcreNode,
  type RepeatNode,
  SLASH,
} from './ast.ts';
import {
  type CharSet,
  complementCharSet,
  DIGITS,
  getAsciiMembers,
  getEscapeItem,
  intersectCharSets,
  isSameCharSet,
  isSubset,
  MAX_BYTE,
  MAX_CODE_POINT,
  NON_ASCII_BYTES,
  toRe2Name,
  type UnicodeClass,
  unionCharSets,
} from './charset.ts';

export interface EcmaPattern {
  readonly pattern: string;
  readonly exact: boolean;
  readonly wideningReasons: readonly string[];
}

/** PHP matches bytes of routes, readers characters: where that makes a difference, it is widened beyond ASCII. */
export function toEcmaPattern(
  node: PcreNode,
  { matchesWhole, unicode }: Readonly<Record<'matchesWhole' | 'unicode', boolean>>,
): EcmaPattern {
  const print = (root: PcreNode): PrintedPattern =>
    printPattern(root, { target: 'document', unicode, isWholePattern: !matchesWhole });
  const root = unwrap(unicode ? node : toCodePoints(node));
  const { source, wideningReasons } = print(root);
  if (unicode || readBeyondAscii(node).isSame) {
    const whole = root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
    return { pattern: matchesWhole ? whole : source, exact: wideningReasons.length === 0, wideningReasons };
  }
  return {
    pattern: matchesWhole ? '^[\\s\\S]*$' : '',
    exact: false,
    wideningReasons: [...wideningReasons, 'the site counts bytes, this pattern counts characters'],
  };
}

interface BeyondAscii {
  readonly isEmpty: boolean;
  readonly first: boolean;
  readonly last: boolean;
  readonly isSame: boolean;
}

/** Whether a pattern over UTF-8 bytes means the same over code points: `[^\/]+` does, `[^\/]{3}` doesn't. */
function readBeyondAscii(node: PcreNode): BeyondAscii {
  const isEmpty = isNullable(node);
  if (node.kind === 'set') {
    const isBeyond = isBeyondAscii(node.set);
    return { isEmpty, first: isBeyond, last: isBeyond, isSame: !isBeyond };
  }
  if (node.kind === 'repeat') {
    const { body, max, min } = node;
    if (body.kind === 'set' && isBeyondAscii(body.set)) {
      const isSame = max === Number.POSITIVE_INFINITY && min <= 1 && isSubset(NON_ASCII_BYTES, body.set);
      return { isEmpty, first: true, last: true, isSame };
    }
    const { first, isSame, last } = readBeyondAscii(body);
    return { isEmpty, first, last, isSame: isSame && !(max > 1 && first && last) };
  }
  const parts = childrenOf(node).map(readBeyondAscii);
  if (node.kind === 'alternation') {
    const has = (member: 'first' | 'last'): boolean => parts.some((part) => part[member]);
    return { isEmpty, first: has('first'), last: has('last'), isSame: parts.every((part) => part.isSame) };
  }
  return parts.reduce(
    (before, part): BeyondAscii => ({
      isEmpty: before.isEmpty && part.isEmpty,
      first: before.first || (before.isEmpty && part.first),
      last: part.last || (part.isEmpty && before.last),
      isSame: before.isSame && part.isSame && !(before.last && part.first),
    }),
    { isEmpty: true, first: false, last: false, isSame: true },
  );
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function toCodePoints(node: PcreNode): PcreNode {
  if (node.kind !== 'set' || !isBeyondAscii(node.set)) return mapChildren(node, toCodePoints);
  const ascii = intersectCharSets(node.set, ASCII);
  return { kind: 'set', set: unionCharSets(ascii, [[0x80, MAX_CODE_POINT]]) };
}

const ASCII: CharSet = [[0, 0x7f]];

function isBeyondAscii(set: CharSet): boolean {
  return intersectCharSets(set, NON_ASCII_BYTES).length > 0;
}

interface PrintOptions {
  readonly target: 'document' | 'native' | 're2';
  readonly unicode: boolean;
  readonly isWholePattern: boolean;
}

interface PrintedPattern {
  readonly source: string;
  readonly groupNumbers: readonly number[];
  readonly wideningReasons: readonly string[];
}

const ASSERTIONS: Readonly<Record<AssertionKind, string>> = {
  start: '^',
  end: '$',
  'last-line-end': '(?=\\n?$)',
  boundary: '\\b',
  'no-boundary': '\\B',
};

const WORD = '[\\p{L}\\p{N}_]';
const UNICODE_ASSERTIONS: Readonly<Record<AssertionKind, string>> = {
  ...ASSERTIONS,
  boundary: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  'no-boundary': `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
};

export function printPattern(root: PcreNode, options: PrintOptions): PrintedPattern {
  const { isWholePattern, target, unicode } = options;
  const groupNumbers: number[] = [];
  const widened = new Set<string>();
  const printedSets = new Map<CharSet, string>();
  const isCapturing = target !== 'document' && !unicode;
  const max = unicode || target === 'document' ? MAX_CODE_POINT : MAX_BYTE;

  const printAlternatives = (node: PcreNode, last: boolean): string =>
    node.kind === 'alternation'
      ? node.options.map((option) => print(option, last)).join('|')
      : print(node, last);

  const print = (node: PcreNode, last: boolean): string => {
    switch (node.kind) {
      case 'set':
        if (target === 're2') return printRe2Set(node.set, node.unicode);
        if (isCharacter(node, SLASH)) return '/';
        return getOrCreate(printedSets, node.set, (set) =>
          node.unicode === undefined ? printCharSet(set, max) : printUnicodeClass(node.unicode),
        );
      case 'sequence':
        return node.items.map((item, i) => print(item, last && i === node.items.length - 1)).join('');
      case 'alternation':
        return `(?:${printAlternatives(node, false)})`;
      case 'group':
        if (!isCapturing) return print(node.body, last);
        groupNumbers.push(node.index);
        return `(${printAlternatives(node.body, false)})`;
      case 'repeat':
        // After an empty iteration, RE2 ends a repetition by other rules, which changes the groups.
        if (target === 're2' && isCapturing && node.max > 1 && isNullable(node.body))
          widened.add('a repetition of what may be empty');
        return `${printUnit(node.body)}${quantifier(node)}${node.isLazy && isCapturing ? '?' : ''}`;
      case 'widened':
        widened.add(node.what);
        return print(node.body, false);
      case 'assert':
        if (node.at === 'last-line-end' && last) return '\\n?$';
        if (target === 're2' && (node.at === 'last-line-end' || (unicode && node.at.endsWith('boundary')))) {
          widened.add('an assertion');
          return '';
        }
        return (unicode ? UNICODE_ASSERTIONS : ASSERTIONS)[node.at];
    }
  };

  const printUnit = (node: PcreNode): string => {
    const inner = isCapturing ? node : unwrap(node);
    return ['set', 'alternation', 'group'].includes(inner.kind)
      ? print(inner, false)
      : `(?:${print(inner, false)})`;
  };

  const source = printAlternatives(root, isWholePattern);
  return { source, groupNumbers, wideningReasons: [...widened] };
}

function printRe2Set(set: CharSet, unicode?: UnicodeClass): string {
  const listed = unicode?.listed ?? set;
  const names = (unicode?.names ?? []).map(toRe2Name);
  const ranges = listed.map(([low, high]) => `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`);
  const contents = [...ranges, ...names].join('');
  return contents === '' ? '[^\\s\\S]' : `[${unicode?.isNegated ? '^' : ''}${contents}]`;
}

function printUnicodeClass({ isNegated, listed, names }: UnicodeClass): string {
  const rest = names.reduce((set, name) => without(set, getAsciiMembers(name)), listed);
  return `[${isNegated ? '^' : ''}${names.join('')}${classContents(rest, [])}]`;
}

function quantifier({ max, min }: RepeatNode): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

interface NamedSet {
  readonly set: CharSet;
  readonly text: string;
}

/** The same meaning under `u`, `v` and no flag. @param max the highest character of the alphabet */
function printCharSet(set: CharSet, max: number): string {
  const [first] = set;
  if (first === undefined) return '[^\\s\\S]';
  if (set.length === 1 && first[0] === first[1]) return escapeCharacter(first[0]);
  const outside = complementCharSet(set, max);
  if (outside.length === 0) return '[\\s\\S]';
  for (const { set: named, text } of NAMED_SETS) {
    if (isSameCharSet(named, set)) return text;
    if (isSameCharSet(named, outside)) return text.toUpperCase();
  }
  const positive = `[${classContents(set, NAMED_SETS)}]`;
  if (set.at(-1)?.[1] !== max) return positive;
  const negative = `[^${classContents(outside, NAMED_SETS)}]`;
  return negative.length <= positive.length ? negative : positive;
}

const NAMED_SETS: readonly NamedSet[] = [
  { set: getEscapeItem('w', false)?.set ?? [], text: '\\w' },
  { set: DIGITS, text: '\\d' },
];

function classContents(set: CharSet, names: readonly NamedSet[]): string {
  let rest = set;
  let text = '';
  for (const { set: named, text: name } of [...names, ...LETTERS]) {
    if (!isSubset(named, rest) || (name === '\\d' && intersectCharSets(rest, ANY_LETTER).length > 0))
      continue;
    text += name;
    rest = without(rest, named);
  }
  const hyphen = rest.some(([low, high]) => low <= 0x2d && high >= 0x2d && high - low <= 2);
  for (const [low, high] of rest) {
    if (high - low > 2) text += `${escapeInClass(low)}-${escapeInClass(high)}`;
    else
      for (let character = low; character <= high; character += 1) {
        if (character !== 0x2d) text += escapeInClass(character);
      }
  }
  return hyphen ? `${text}\\-` : text;
}

const LETTERS: readonly NamedSet[] = [
  { set: [[0x41, 0x5a]], text: 'A-Z' },
  { set: [[0x61, 0x7a]], text: 'a-z' },
  { set: DIGITS, text: '0-9' },
];
const ANY_LETTER: CharSet = LETTERS.slice(0, 2).flatMap(({ set }) => set);

function without(set: CharSet, part: CharSet): CharSet {
  return intersectCharSets(set, complementCharSet(part, set.at(-1)?.[1] ?? 0));
}

const SHORT: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };

function escapeCharacter(character: number): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const text = String.fromCodePoint(character);
  if (character > 0x7e && /^[\p{L}\p{N}]$/u.test(text)) return text;
  if (character < 0x20 || (character >= 0x7f && character <= 0xff)) {
    return `\\x${character.toString(16).padStart(2, '0')}`;
  }
  if (/[\^$\\.*+?()[\]{}|/]/.test(text)) return `\\${text}`;
  if (character <= 0x7e) return text;
  const hex = character.toString(16);
  return character > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

function escapeInClass(character: number): string {
  const text = String.fromCodePoint(character);
  if (/[$.*+?]/.test(text)) return text;
  return text === '-' ? '\\-' : escapeCharacter(character);
}
