import { getOrCreate } from '../memoize.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { ANYTHING, type AssertionKind, EMPTY_SEQUENCE, type PcreNode, type SetNode } from './ast.ts';
import {
  ANY,
  type ClassItem,
  createClass,
  createLiteral,
  createRange,
  DOT,
  getEscapeItem,
  getPropertyItem,
} from './charset.ts';

/** `unsupported`: PCRE can accept the pattern, this parser doesn't. */
type PcreErrorReason = 'invalid' | 'unsupported' | 'too-large';

export type ParsedPcre =
  | {
      readonly ok: true;
      readonly root: PcreNode;
      readonly groups: readonly { readonly index: number; readonly name?: string }[];
      /** Reason why PCRE rejects a pattern that parses, e.g. a duplicate group name. */
      readonly rejectionReason?: string;
    }
  | {
      readonly ok: false;
      readonly reason: PcreErrorReason;
      readonly message: string;
      readonly offset: number;
    };

interface PcreParseOptions {
  readonly unicode?: boolean;
  readonly ignoreCase?: boolean;
}

const MAX_LENGTH = 8192;
const MAX_UNICODE_LENGTH = 2048;

/** Parses a pattern without delimiters and modifiers, see pcre2pattern(3). Never throws. */
function parsePcre(
  source: string,
  { ignoreCase = false, unicode = false }: PcreParseOptions = {},
): ParsedPcre {
  const limit = unicode ? MAX_UNICODE_LENGTH : MAX_LENGTH;
  if (source.length > limit) {
    const message = `longer than ${limit} characters`;
    return { ok: false, reason: 'too-large', message, offset: limit };
  }
  const text = unicode ? source : String.fromCharCode(...new TextEncoder().encode(source));
  try {
    return { ok: true, ...new PcreParser(text, unicode, ignoreCase).parse() };
  } catch (error) {
    if (!(error instanceof PcreSyntaxError)) throw error;
    return { ok: false, reason: error.reason, message: error.message, offset: error.offset };
  }
}

/** As `'@^' . $route . '$@i'` (`WP_REST_Server::match_request_to_handler()`). */
export function parseRoutePattern(route: string): ParsedPcre {
  return parseDelimited(`^${route}$`, '@', { ignoreCase: true });
}

/** As `'#' . str_replace('#', '\#', $pattern) . '#u'`, in which `\#` becomes `\\#` and ends the pattern. */
export function parseArgumentPattern(pattern: string): ParsedPcre {
  return parseDelimited(pattern.replaceAll('#', '\\#'), '#', { unicode: true });
}

function parseDelimited(source: string, delimiter: string, options: PcreParseOptions): ParsedPcre {
  const parsed = parsePcre(source, options);
  // PHP looks for its closing delimiter also in classes and quotations.
  let end = 0;
  while (end < source.length && source[end] !== delimiter) end += source[end] === '\\' ? 2 : 1;
  if (end === source.length || !parsed.ok) return parsed;
  const rejectionReason = end > source.length ? 'a backslash at the end' : `an unescaped ${delimiter}`;
  return { ...parsed, rejectionReason };
}

class PcreSyntaxError extends Error {
  override readonly name = 'PcreSyntaxError';
  readonly offset: number;
  readonly reason: PcreErrorReason;

  constructor(message: string, offset: number, reason: PcreErrorReason = 'invalid') {
    super(message);
    this.offset = offset;
    this.reason = reason;
  }
}

const MAX_DEPTH = 250;

const MAX_COUNT = 65_535;

const CONTROL_CHARACTERS = new Map(Object.entries({ a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }));

/** `\G` is the start of the subject, because `preg_match` starts at offset 0. */
const ESCAPED_ASSERTIONS = new Map<string, AssertionKind>([
  ['A', 'start'],
  ['G', 'start'],
  ['Z', 'last-line-end'],
  ['z', 'end'],
  ['b', 'boundary'],
  ['B', 'no-boundary'],
]);

const ATOMIC = 'an atomic group or possessive quantifier';

const MAX_BYTE = 0xff;
const MAX_CODE_POINT = 0x10ffff;

class PcreParser {
  readonly #text: string;
  #at = 0;
  readonly #isUnicode: boolean;
  #flags: Readonly<Record<'i' | 's', boolean>>;
  #depth = 0;
  readonly #groups: { readonly index: number; readonly name?: string }[] = [];
  #rejectionReason: string | undefined;
  readonly #classes = new Map<string, SetNode>();

  constructor(text: string, unicode: boolean, ignoreCase: boolean) {
    this.#text = text;
    this.#isUnicode = unicode;
    this.#flags = { i: ignoreCase, s: false };
  }

  parse(): Pick<Extract<ParsedPcre, { ok: true }>, 'root' | 'groups' | 'rejectionReason'> {
    const root = this.#parseAlternation();
    if (!this.#isAtEnd) throw this.#createError('unmatched )');
    return { root, groups: this.#groups, ...omitUndefined({ rejectionReason: this.#rejectionReason }) };
  }

  /** A flag applies to the following alternatives too. */
  #parseAlternation(): PcreNode {
    const first = this.#parseSequence();
    const others: PcreNode[] = [];
    while (this.#takeIf('|')) others.push(this.#parseSequence());
    return others.length === 0 ? first : { kind: 'alternation', options: [first, ...others] };
  }

  #parseSequence(): PcreNode {
    const items: PcreNode[] = [];
    for (;;) {
      this.#skipTrivia();
      if (this.#isAtEnd || this.#peek() === '|' || this.#peek() === ')') break;
      const item = this.#parseItem();
      if (item === null) continue;
      this.#skipTrivia();
      items.push(this.#parseQuantified(item));
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
  }

  #skipTrivia(): void {
    const next = this.#peek();
    if (next === '(' || next === '\\') this.#take(/(?:\(\?#[^)]*\)|\\E)*/y);
  }

  #parseItem(): PcreNode | null {
    const start = this.#at;
    const character = this.#takeCharacter();
    switch (String.fromCodePoint(character)) {
      case '(':
        return this.#parseGroup();
      case '[':
        return this.#parseClass();
      case '.':
        return { kind: 'set', ...(this.#flags.s ? ANY : DOT) };
      case '^':
        return { kind: 'assert', at: 'start' };
      case '$':
        return { kind: 'assert', at: 'last-line-end' };
      case '*':
      case '+':
      case '?':
        throw nothingToRepeat(start);
      case '{':
        if (/^\{\d+(?:,\d*)?\}/.test(this.#text.slice(start, start + 20))) throw nothingToRepeat(start);
        break;
      case '\\': {
        const escaped = this.#parseEscape(false);
        if (typeof escaped === 'number') return this.#literalNode(escaped);
        return 'kind' in escaped ? escaped : { kind: 'set', ...createClass([escaped], false) };
      }
    }
    return this.#literalNode(character);
  }

  #literalNode(character: number): PcreNode {
    return { kind: 'set', ...createLiteral(character, this.#flags.i), literal: character };
  }

  #parseQuantified(body: PcreNode): PcreNode {
    const start = this.#at;
    if (!'*+?{'.includes(this.#peek() || 'a')) return body;
    const found = this.#take(/([*+?])|\{(\d{1,6})(?:,(\d{0,6}))?\}/y);
    if (found === null) return body;
    if (body.kind === 'assert') throw nothingToRepeat(start);
    const [, mark, low, high = low] = found;
    const min = mark === undefined ? Number(low) : mark === '+' ? 1 : 0;
    const max =
      mark === '?' ? 1 : mark !== undefined || high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (Math.max(min, max === Number.POSITIVE_INFINITY ? 0 : max) > MAX_COUNT)
      throw this.#createError('the number in the quantifier is too big');
    if (max < min) throw this.#createError('the numbers in the quantifier are out of order');
    const isPossessive = this.#takeIf('+');
    const node: PcreNode = { kind: 'repeat', body, min, max, isLazy: !isPossessive && this.#takeIf('?') };
    return isPossessive ? { kind: 'widened', what: ATOMIC, body: node } : node;
  }

  #parseGroup(): PcreNode | null {
    if (this.#take(/\*[A-Za-z:]/y))
      throw this.#createError('verbs such as (*SKIP) are not supported', 'unsupported');
    if (!this.#takeIf('?')) return this.#parseCapturing();
    if (this.#takeIf(':')) return this.#parseNested();
    if (this.#takeIf('>')) return { kind: 'widened', what: ATOMIC, body: this.#parseNested() };
    if (this.#take(/<?[=!]/y)) {
      this.#parseNested();
      return { kind: 'widened', what: 'a lookaround', body: EMPTY_SEQUENCE };
    }
    const named = this.#take(/P?<([^>]*)>|'([^']*)'/y);
    if (named !== null) return this.#parseCapturing(this.#checkName(named[1] ?? named[2] ?? ''));
    if (this.#take(/P=[^)]*\)/y)) return { kind: 'widened', what: 'a backreference', body: ANYTHING };
    if (this.#take(/(?:R|P>|&|[-+]?\d)[^)]*\)/y))
      return { kind: 'widened', what: 'recursion', body: ANYTHING };
    if (/[|(C]/.test(this.#peek()))
      throw this.#createError('conditions, callouts and (?| are not supported', 'unsupported');
    return this.#parseFlagGroup();
  }

  /** `(?i)` sets flags for the rest of the enclosing group, `(?i:…)` for its content. */
  #parseFlagGroup(): PcreNode | null {
    const outer = this.#flags;
    const found = this.#take(/(\^?)([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/y);
    const [, reset, set = '', unset = '', end] = found ?? [];
    if (found === null || /[^imsxnUJ]/.test(set + unset))
      throw this.#createError('unrecognized character after (?');
    if (/[mnxUJ]/.test(set + unset) || (this.#isUnicode && set.includes('i')))
      throw this.#createError('an option is not supported', 'unsupported');
    const flags = reset === '^' ? { i: false, s: false } : { ...outer };
    for (const flag of ['i', 's'] as const) {
      if (set.includes(flag)) flags[flag] = true;
      if (unset.includes(flag)) flags[flag] = false;
    }
    this.#flags = flags;
    if (end === ')') return null;
    const body = this.#parseNested();
    this.#flags = outer;
    return body;
  }

  #checkName(name: string): string {
    const valid = this.#isUnicode ? /^[\p{L}\p{Nd}_]{1,32}$/u : /^\w{1,32}$/;
    if (!valid.test(name) || /^\d/.test(name)) throw this.#createError(`${name} is not a valid group name`);
    if (this.#groups.some((group) => group.name === name))
      this.#rejectionReason = `two groups are named ${name}`;
    return name;
  }

  #parseCapturing(name?: string): PcreNode {
    const index = this.#groups.length + 1;
    this.#groups.push({ index, ...omitUndefined({ name }) });
    const start = this.#at;
    const body = this.#parseNested();
    const text = this.#text.slice(start, this.#at - 1);
    const source = this.#isUnicode
      ? text
      : new TextDecoder().decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
    return { kind: 'group', index, ...omitUndefined({ name }), body, source };
  }

  #parseNested(): PcreNode {
    if (this.#depth >= MAX_DEPTH) throw this.#createError(`groups nest deeper than ${MAX_DEPTH}`);
    this.#depth += 1;
    const flags = this.#flags;
    const start = this.#at;
    const body = this.#parseAlternation();
    if (!this.#takeIf(')')) throw new PcreSyntaxError('unmatched (', start);
    this.#flags = flags;
    this.#depth -= 1;
    // A quantifier can follow `(?:\b)` but not `\b`.
    return body.kind === 'assert' ? { kind: 'sequence', items: [body] } : body;
  }

  /** Continues after the `[`. See pcre2pattern(3), "Square brackets and character classes". */
  #parseClass(): SetNode {
    const start = this.#at;
    this.#refusePosixSyntax();
    const negated = this.#takeIf('^');
    const items: ClassItem[] = [];
    for (let first = true; first || !this.#takeIf(']'); first = false) {
      if (this.#isAtEnd) throw this.#createError(`the class that opens at ${start - 1} has no ]`);
      const low = this.#parseClassItem();
      if (!/-[^\]]/y.test(this.#text.slice(this.#at, this.#at + 2))) {
        items.push(...(typeof low === 'number' ? createRange(low, low, this.#flags.i) : [low]));
        continue;
      }
      if (typeof low !== 'number') throw this.#createError('a range in a class cannot start with a set');
      this.#at += 1;
      const high = this.#parseClassItem();
      if (typeof high !== 'number') throw this.#createError('a range in a class cannot end with a set');
      if (high < low) throw this.#createError('the range in the class is out of order');
      items.push(...createRange(low, high, this.#flags.i));
    }
    const text = `${this.#text.slice(start, this.#at)}${this.#flags.i}`;
    return getOrCreate(this.#classes, text, () => ({ kind: 'set', ...createClass(items, negated) }));
  }

  #parseClassItem(): number | ClassItem {
    const character = this.#takeCharacter();
    if (character === 0x5b) this.#refusePosixSyntax();
    if (character !== 0x5c) return character;
    const escaped = this.#parseEscape(true);
    if (typeof escaped === 'number' || !('kind' in escaped)) return escaped;
    throw this.#createError('this escape has no meaning in a class');
  }

  /** After a `[`, see check_posix_syntax() of pcre2_compile.c. */
  #refusePosixSyntax(): void {
    if (this.#take(/([:.=])(?:\\[\\\]]|(?!\1\]|\[\1|\\[\\\]])[^\]])*\1\]/y) !== null)
      throw this.#createError('POSIX classes are not supported', 'unsupported');
  }

  /** Continues after the backslash. See pcre2pattern(3), "Backslash". */
  #parseEscape(inClass: boolean): number | ClassItem | PcreNode {
    if (this.#isAtEnd) throw this.#createError('\\ at the end of the pattern');
    const letter = this.#peek();
    const character = this.#takeCharacter();
    if (!/[A-Za-z0-9]/.test(letter)) return character;
    const control = CONTROL_CHARACTERS.get(letter);
    if (control !== undefined) return control;
    const item = getEscapeItem(letter, this.#isUnicode);
    if (item !== undefined) return item;
    switch (letter) {
      case 'W': {
        const word = getEscapeItem('w', this.#isUnicode);
        if (inClass || word === undefined) break;
        return { kind: 'set', ...createClass([word], true) };
      }
      case '0':
        return Number.parseInt(`0${this.#take(/[0-7]{0,2}/y)?.[0]}`, 8);
      case 'x':
        return this.#parseHex();
      case 'p':
      case 'P':
        return this.#parseProperty(letter === 'P');
      case 'h':
      case 'H':
      case 'v':
      case 'V':
      case 'K':
      case 'R':
      case 'X':
      case 'C':
      case 'o':
      case 'c':
      case 'N':
      case 'Q':
      case 'E':
        throw this.#createError(`\\${letter} is not supported`, 'unsupported');
    }
    if (/[0-9]/.test(letter) && (inClass || /[0-9]/.test(this.#peek())))
      throw this.#createError('an octal code is not supported', 'unsupported');
    if (inClass && letter === 'b') return 8;
    const meaning = inClass ? null : this.#parseOutsideEscape(letter);
    if (meaning !== null) return meaning;
    throw this.#createError(`\\${letter} has no meaning${inClass ? ' in a class' : ''}`);
  }

  #parseOutsideEscape(letter: string): PcreNode | null {
    const at = ESCAPED_ASSERTIONS.get(letter);
    if (at !== undefined) return { kind: 'assert', at };
    const isReference =
      letter === 'g' || letter === 'k'
        ? this.#take(/\{[^}]*\}|<[^>]*>|'[^']*'|[-+]?\d+/y) !== null
        : /[1-9]/.test(letter);
    return isReference ? { kind: 'widened', what: 'a backreference', body: ANYTHING } : null;
  }

  #parseHex(): number {
    const [, braced, plain] = this.#take(/\{([^}]*)\}|([0-9A-Fa-f]{0,2})/y) ?? [];
    const digits = braced ?? (plain === '' ? '0' : (plain ?? ''));
    const code = /^[0-9A-Fa-f]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(code <= (this.#isUnicode ? MAX_CODE_POINT : MAX_BYTE)))
      throw this.#createError('a character code is out of range');
    return code;
  }

  #parseProperty(negated: boolean): ClassItem {
    const [, inverted, braced, letter] = this.#take(/\{(\^?)([^}]*)\}|([A-Za-z])/y) ?? [];
    const name = (braced ?? letter ?? '').trim();
    // Without UTF, PCRE reads bytes as the code points U+0000–U+00FF.
    const item = this.#isUnicode ? getPropertyItem(name, (inverted === '^') !== negated) : null;
    if (item === null) throw this.#createError(`unknown property ${name}`, 'unsupported');
    return item;
  }

  get #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #takeCharacter(): number {
    const point = this.#text.codePointAt(this.#at);
    if (point === undefined) throw this.#createError('the pattern ends too early');
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  #takeIf(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #createError(message: string, reason: PcreErrorReason = 'invalid'): PcreSyntaxError {
    return new PcreSyntaxError(message, this.#at, reason);
  }
}

function nothingToRepeat(offset: number): PcreSyntaxError {
  return new PcreSyntaxError('a quantifier with nothing to repeat', offset);
}
