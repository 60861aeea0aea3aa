import { type AssertionKind, EMPTY_SEQUENCE, isSlash, mapChildren, type PcreNode } from './ast.ts';
import {
  type CharSet,
  complementCharSet,
  DIGITS,
  getCharClasses,
  intersectCharSets,
  isSameCharSet,
  isSubset,
  MAX_BYTE,
  MAX_CODE_POINT,
  unionCharSets,
} from './charset.ts';

/** A pattern in ECMAScript syntax. It is valid with the `u` flag, which JSON Schema validators use, and with `v`. */
export interface EcmaPattern {
  readonly pattern: string;
  /** Whether it accepts exactly what the site accepts; otherwise it accepts more. */
  readonly exact: boolean;
  /** Reasons why it accepts more than the site; empty if it accepts the same. */
  readonly wideningReasons: readonly string[];
}

interface EcmaOptions {
  /** Whether the pattern was parsed by code points (PHP's `u` flag) instead of bytes. */
  readonly unicode: boolean;
  /** Whether the whole value must match. If so, the pattern is put between `^` and `$`. */
  readonly matchesWhole: boolean;
}

const NO_GROUPS: ReadonlySet<number> = new Set();

/** Prints a pattern for a document, without capturing groups, lazy quantifiers and flags. */
export function toEcmaPattern(node: PcreNode, options: EcmaOptions): EcmaPattern {
  const lifted: CodePointPattern = options.unicode ? { root: node } : bytesToCodePoints(node);
  const root = unwrap(lifted.root);
  const printed = print(root, options);
  const wideningReasons = [...printed.wideningReasons];
  if (lifted.widerRoot === undefined) {
    const pattern = options.matchesWhole ? anchored(printed.source, root) : printed.source;
    return { pattern, exact: wideningReasons.length === 0, wideningReasons };
  }
  const loose = unwrap(lifted.widerRoot);
  const wide = print(loose, options).source;
  wideningReasons.push('the site counts bytes, this pattern counts characters');
  return {
    pattern: options.matchesWhole ? strictOrLoose(printed.source, wide) : wide,
    exact: false,
    wideningReasons,
  };
}

function print(root: PcreNode, { unicode, matchesWhole }: EcmaOptions): PrintedPattern {
  return printEcmaPattern(root, {
    maxCharacter: MAX_CODE_POINT,
    unicodeWords: unicode,
    capturedGroups: NO_GROUPS,
    forMatching: false,
    isWholePattern: !matchesWhole,
  });
}

/** Combines both forms: ASCII values have to match `strict`; `wide` applies only to values with other characters. */
function strictOrLoose(strict: string, wide: string): string {
  return `^(?:${strict}|(?=[\\x00-\\x7f]*[^\\x00-\\x7f])(?:${wide}))$`;
}

function unwrap(node: PcreNode): PcreNode {
  return node.kind === 'group' ? unwrap(node.body) : node;
}

function anchored(source: string, root: PcreNode): string {
  return root.kind === 'alternation' ? `^(?:${source})$` : `^${source}$`;
}

interface EcmaPrintOptions {
  /** The highest character of the subject's alphabet. */
  readonly maxCharacter: number;
  /** Whether `\b` uses Unicode words instead of ASCII words. */
  readonly unicodeWords: boolean;
  /** PCRE numbers of the groups that must capture. All others are printed without captures. */
  readonly capturedGroups: ReadonlySet<number>;
  /** Whether a matcher uses the output, so that captures matter: lazy quantifiers and atomic groups are printed. */
  readonly forMatching: boolean;
  /** Whether nothing is appended to the output. If so, a final `$` may consume a newline. */
  readonly isWholePattern: boolean;
}

interface PrintedPattern {
  readonly source: string;
  /** PCRE numbers of the capturing groups in the order in `source`; 0 for an auxiliary group. */
  readonly groupNumbers: readonly number[];
  /** Reasons why the source accepts more than the pattern; empty if it accepts the same. */
  readonly wideningReasons: readonly string[];
}

/** Prints a pattern in ECMAScript syntax. Constructs without an equivalent are widened, never narrowed. */
export function printEcmaPattern(root: PcreNode, options: EcmaPrintOptions): PrintedPattern {
  const printer = new Printer(options);
  const source = printer.alternatives(root, options.isWholePattern);
  return { source, groupNumbers: printer.captures, wideningReasons: [...printer.widened] };
}

const ASSERTIONS: Readonly<Record<AssertionKind, string>> = {
  start: '^',
  end: '$',
  'last-line-end': '(?=\\n?$)',
  'line-start': '(?:^|(?<=\\n)(?!$))',
  'line-end': '(?=\\n|$)',
  boundary: '\\b',
  'no-boundary': '\\B',
};

/** Word characters of `\b` under PCRE2_UCP. */
const WORD = '[\\p{L}\\p{N}_]';
const UNICODE_BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const UNICODE_NO_BOUNDARY = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;

class Printer {
  readonly captures: number[] = [];
  readonly widened = new Set<string>();
  readonly #options: EcmaPrintOptions;

  constructor(options: EcmaPrintOptions) {
    this.#options = options;
  }

  /** Prints a node at a position where alternatives need no parentheses. `last`: nothing follows it in the pattern. */
  alternatives(node: PcreNode, last: boolean): string {
    if (node.kind !== 'alternation') return this.#node(node, last, undefined);
    return node.options.map((option) => this.#node(option, last, undefined)).join('|');
  }

  #node(node: PcreNode, last: boolean, next: PcreNode | undefined): string {
    switch (node.kind) {
      case 'set':
        return isSlash(node) ? '/' : printCharSet(node.set, this.#options.maxCharacter);
      case 'sequence':
        return node.items
          .map((item, i) => {
            const isLast = i === node.items.length - 1;
            return this.#node(item, last && isLast, isLast ? next : node.items[i + 1]);
          })
          .join('');
      case 'alternation':
        return `(?:${this.alternatives(node, false)})`;
      case 'group':
        return this.#group(node, last, next);
      case 'repeat':
        return this.#repeat(node, next);
      case 'look':
        return this.#look(node);
      case 'atomic':
        return this.#atomic(node.body, () => this.alternatives(node.body, false));
      case 'assert':
        return this.#assert(node.at, last);
      case 'backreference':
        return this.#printWildcard('a backreference');
      case 'opaque':
        return this.#printWildcard(node.what);
    }
  }

  #group({ body, index }: PcreNode & { kind: 'group' }, last: boolean, next: PcreNode | undefined): string {
    const isCaptured = this.#options.capturedGroups.has(index);
    if (!isCaptured && body.kind !== 'alternation') return this.#node(body, last, next);
    if (isCaptured) this.captures.push(index);
    return `${isCaptured ? '(' : '(?:'}${this.alternatives(body, false)})`;
  }

  #repeat(node: PcreNode & { kind: 'repeat' }, next: PcreNode | undefined): string {
    const { min, max, greed } = node;
    const print = (): string => {
      const lazy = greed === 'lazy' && this.#options.forMatching ? '?' : '';
      return `${this.#unit(node.body)}${quantifier(min, max)}${lazy}`;
    };
    if (greed !== 'possessive' || isBacktrackingUseless(node, next)) return print();
    return this.#atomic(node, print);
  }

  /** Prints a node as one item that a quantifier can follow. */
  #unit(node: PcreNode): string {
    let inner = node;
    while (inner.kind === 'group' && !this.#options.capturedGroups.has(inner.index)) inner = inner.body;
    if (inner.kind === 'set' || inner.kind === 'alternation' || inner.kind === 'group') {
      return this.#node(inner, false, undefined);
    }
    return `(?:${this.#node(inner, false, undefined)})`;
  }

  #look(node: PcreNode & { kind: 'look' }): string {
    const known = this.widened.size;
    const body = this.alternatives(node.body, false);
    // A widened body would narrow a negative lookaround, so the lookaround is left out.
    if (this.widened.size > known && node.negative) return '';
    return `(?${node.ahead ? '' : '<'}${node.negative ? '!' : '='}${body})`;
  }

  /** JavaScript has no atomic groups. A lookahead with a backreference is equivalent. */
  #atomic(node: PcreNode, print: () => string): string {
    if (!this.#options.forMatching) {
      this.widened.add('an atomic group or possessive quantifier');
      return node.kind === 'repeat' ? print() : `(?:${print()})`;
    }
    this.captures.push(0);
    const number = this.captures.length;
    return `(?:(?=(${print()}))\\${number})`;
  }

  #assert(at: AssertionKind, last: boolean): string {
    if (at === 'last-line-end' && last) return '\\n?$';
    if (!this.#options.unicodeWords) return ASSERTIONS[at];
    if (at === 'boundary') return UNICODE_BOUNDARY;
    return at === 'no-boundary' ? UNICODE_NO_BOUNDARY : ASSERTIONS[at];
  }

  #printWildcard(what: string): string {
    this.widened.add(what);
    return '[\\s\\S]*';
  }
}

function quantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** Whether backtracking into a possessive repetition cannot help, as in `[^/]++/`: a greedy one matches the same. */
function isBacktrackingUseless(node: PcreNode & { kind: 'repeat' }, next: PcreNode | undefined): boolean {
  if (node.body.kind !== 'set') return false;
  let first = next;
  while (first !== undefined && first.kind !== 'set') {
    if (first.kind === 'group') first = first.body;
    else if (first.kind === 'repeat' && first.min > 0) first = first.body;
    else if (first.kind === 'sequence') first = first.items[0];
    else return first.kind === 'assert' && first.at === 'end';
  }
  return first !== undefined && intersectCharSets(node.body.set, first.set).length === 0;
}

interface NamedSet {
  readonly set: CharSet;
  /** Class contents, without brackets. */
  readonly text: string;
}

/**
 * Prints a set as a short ECMAScript class with the same meaning under `u`, under `v` and without flags: `\d`, `[\w\-]`,
 * `[^\/]`.
 *
 * @param max the highest character of the subject's alphabet: 0xFF for byte strings
 */
function printCharSet(set: CharSet, max: number): string {
  const [first] = set;
  if (first === undefined) return '[]';
  if (set.length === 1 && first[0] === first[1]) return escapeCharacter(first[0]);
  const outside = complementCharSet(set, max);
  if (outside.length === 0) return '[\\s\\S]';
  const names = namedSets(set, max);
  for (const { set: named, text } of names) {
    if (!/^\\[dw]$/.test(text)) break;
    if (isSameCharSet(named, set)) return text;
    if (isSameCharSet(named, outside)) return text.toUpperCase();
  }
  const positive = `[${classContents(set, names)}]`;
  // A set that contains the highest character was almost always written as a negation.
  if (set.at(-1)?.[1] !== max) return positive;
  const negative = `[^${classContents(outside, namedSets(outside, max))}]`;
  return negative.length <= positive.length ? negative : positive;
}

/** Returns the named classes that the set contains, the largest first. */
function namedSets(set: CharSet, max: number): readonly NamedSet[] {
  const ascii = getCharClasses(false).setsByEscape;
  // In ECMAScript `\w` and `\d` are ASCII, regardless of their meaning in PCRE.
  const candidates: NamedSet[] = [
    { set: ascii.w, text: '\\w' },
    { set: DIGITS, text: '\\d' },
  ];
  if (max > MAX_BYTE && set.length > UNICODE_CLASS_RANGES) {
    const { setsByEscape } = getCharClasses(true);
    // Word characters include the digits, and each class takes milliseconds to compute.
    if (isSubset(setsByEscape.w, set)) return [{ set: setsByEscape.w, text: '\\p{L}\\p{N}_' }];
    candidates.unshift({ set: setsByEscape.d, text: '\\p{Nd}' });
  }
  return candidates.filter((candidate) => isSubset(candidate.set, set));
}

/** Sets with fewer ranges are not compared with Unicode classes, the smallest of which has 60. */
const UNICODE_CLASS_RANGES = 50;

function classContents(set: CharSet, names: readonly NamedSet[]): string {
  let rest = set;
  let text = '';
  for (const { set: named, text: name } of [...names, ...LETTERS]) {
    // `A-Za-z0-9` is more readable than `\dA-Za-z`.
    if (!isSubset(named, rest) || (name === '\\d' && intersectCharSets(rest, ANY_LETTER).length > 0))
      continue;
    text += name;
    rest = without(rest, named);
  }
  // The hyphen is printed last, as is the convention.
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

const ANY_LETTER: CharSet = [
  [0x41, 0x5a],
  [0x61, 0x7a],
];

/** Ranges printed first, in this order: `[A-Za-z0-9_]`, not `[0-9A-Z_a-z]`. */
const LETTERS: readonly NamedSet[] = [
  { set: [[0x41, 0x5a]], text: 'A-Z' },
  { set: [[0x61, 0x7a]], text: 'a-z' },
  { set: DIGITS, text: '0-9' },
];

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
  return character <= 0x7e ? text : unicodeEscape(character);
}

/** Prints a character inside of brackets, where the `u` and `v` flags require other escapes than outside. */
function escapeInClass(character: number): string {
  const text = String.fromCodePoint(character);
  if (/[$.*+?]/.test(text)) return text;
  return text === '-' ? '\\-' : escapeCharacter(character);
}

function unicodeEscape(character: number): string {
  const hex = character.toString(16);
  return character > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/**
 * A pattern over UTF-8 bytes, converted to code points. PHP matches routes without the `u` flag, so `[^\/]` is one byte
 * there, while readers of the document match characters. `[^\/]+` means the same for both, `[^\/]{3}` does not.
 */
interface CodePointPattern {
  /** The pattern with one character for each byte. It is correct for ASCII, and for any text if `widerRoot` is absent. */
  readonly root: PcreNode;
  /** A wider pattern for texts that are not ASCII, because `root` may reject some that the site accepts. */
  readonly widerRoot?: PcreNode;
}

/** Converts a pattern over UTF-8 bytes to a pattern over code points. */
function bytesToCodePoints(root: PcreNode): CodePointPattern {
  const decoded = decodeLiterals(root);
  const strict = toCodePoints(decoded, false);
  return byteBoundaries(decoded).whole
    ? { root: strict }
    : { root: strict, widerRoot: toCodePoints(decoded, true) };
}

/** Replaces runs of non-ASCII byte literals by the characters that they encode, offset by {@link DECODED_OFFSET}. */
function decodeLiterals(node: PcreNode): PcreNode {
  if (node.kind !== 'sequence') return mapChildren(node, decodeLiterals);
  const items: PcreNode[] = [];
  for (let i = 0; i < node.items.length; ) {
    const run: number[] = [];
    while (run.length < 4) {
      const item = node.items[i + run.length];
      if (item?.kind !== 'set' || item.literal === undefined || item.literal < 0x80) break;
      run.push(item.literal);
    }
    const character = firstCharacter(run);
    const item = node.items[i];
    if (character !== null) {
      items.push({ kind: 'set', set: [[character.point, character.point]], literal: character.point });
      i += character.bytes;
    } else {
      if (item !== undefined) items.push(decodeLiterals(item));
      i += 1;
    }
  }
  return { kind: 'sequence', items };
}

function firstCharacter(bytes: readonly number[]): { point: number; bytes: number } | null {
  for (let count = 2; count <= bytes.length; count += 1) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from(bytes.slice(0, count)),
      );
      // Characters up to U+00FF would look like bytes. `toCodePoints` removes the offset.
      return { point: (text.codePointAt(0) ?? 0) + DECODED_OFFSET, bytes: count };
    } catch {
      // The bytes are not a complete character yet.
    }
  }
  return null;
}

/** Added to decoded characters, to distinguish them from bytes. */
const DECODED_OFFSET = MAX_CODE_POINT + 1;

interface ByteBoundaries {
  /** Whether bytes and characters give the same result, because no non-ASCII character can span two nodes. */
  readonly whole: boolean;
  /** Whether a match may begin with a byte inside a character. */
  readonly first: boolean;
  /** Whether a match may end with a byte inside a character. */
  readonly last: boolean;
  readonly nullable: boolean;
}

function byteBoundaries(node: PcreNode): ByteBoundaries {
  switch (node.kind) {
    case 'set':
      return containsNonAsciiBytes(node.set)
        ? { whole: false, first: true, last: true, nullable: false }
        : { whole: true, first: false, last: false, nullable: false };
    case 'repeat':
      return repeatBoundaries(node);
    case 'alternation': {
      const options = node.options.map(byteBoundaries);
      return {
        whole: options.every((o) => o.whole),
        first: options.some((o) => o.first),
        last: options.some((o) => o.last),
        nullable: options.some((o) => o.nullable),
      };
    }
    case 'sequence':
      return node.items.map(byteBoundaries).reduce(concatenateBoundaries, NOTHING);
    case 'group':
    case 'atomic':
      return byteBoundaries(node.body);
    case 'look':
      return { ...NOTHING, whole: byteBoundaries(node.body).whole };
    default:
      return NOTHING;
  }
}

const NOTHING: ByteBoundaries = { whole: true, first: false, last: false, nullable: true };

function concatenateBoundaries(a: ByteBoundaries, b: ByteBoundaries): ByteBoundaries {
  return {
    whole: a.whole && b.whole && !(a.last && b.first),
    first: a.first || (a.nullable && b.first),
    last: b.last || (b.nullable && a.last),
    nullable: a.nullable && b.nullable,
  };
}

function repeatBoundaries(node: PcreNode & { kind: 'repeat' }): ByteBoundaries {
  const loops = node.max === Number.POSITIVE_INFINITY && node.min <= 1;
  // A repetition of all non-ASCII bytes cannot split a character.
  if (loops && node.body.kind === 'set' && isSubset(NON_ASCII_BYTES, node.body.set)) {
    return { whole: true, first: true, last: true, nullable: node.min === 0 };
  }
  const body = byteBoundaries(node.body);
  const once = node.max <= 1;
  return {
    ...body,
    whole: body.whole && (once || !(body.last && body.first)),
    nullable: body.nullable || node.min === 0,
  };
}

function containsNonAsciiBytes(set: CharSet): boolean {
  const last = set.at(-1)?.[1] ?? 0;
  return last >= 0x80 && last < DECODED_OFFSET;
}

const NON_ASCII_BYTES: CharSet = [[0x80, MAX_BYTE]];

function toCodePoints(node: PcreNode, loosely: boolean): PcreNode {
  if (node.kind === 'set') {
    const set = setToCodePoints(node.set);
    if (loosely && containsNonAsciiBytes(node.set))
      return { kind: 'repeat', body: { kind: 'set', set }, min: 0, max: 1, greed: 'greedy' };
    return node.literal === undefined || node.literal < 0x80
      ? { ...node, set }
      : { kind: 'set', set, literal: node.literal - DECODED_OFFSET };
  }
  // A lookaround must not see more than it does at the site, so the loose form omits it.
  if (loosely && node.kind === 'look') return EMPTY_SEQUENCE;
  if (loosely && node.kind === 'repeat' && node.body.kind === 'set' && containsNonAsciiBytes(node.body.set))
    return { ...node, min: 0, body: { kind: 'set', set: setToCodePoints(node.body.set) } };
  return mapChildren(node, (child) => toCodePoints(child, loosely));
}

function setToCodePoints(set: CharSet): CharSet {
  const [first] = set;
  if (first !== undefined && first[0] >= DECODED_OFFSET)
    return set.map(([low, high]) => [low - DECODED_OFFSET, high - DECODED_OFFSET] as const);
  if (!containsNonAsciiBytes(set)) return set;
  const ascii = set.filter(([low]) => low < 0x80);
  return unionCharSets(ascii, [[0x80, MAX_CODE_POINT]]);
}
