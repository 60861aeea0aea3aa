import { omitUndefined } from '../omit-undefined.ts';
import { type GroupNode, hasFixedLengthBranches, type PcreNode, type RepeatNode } from './ast.ts';
import {
  type CharClasses,
  type CharSet,
  complementCharSet,
  foldCase,
  foldCharacter,
  getCharClasses,
  unionCharSets,
} from './charset.ts';

/** The reason why a pattern does not parse. `unsupported`: PCRE may accept the pattern, this parser does not. */
type PcreErrorReason = 'invalid' | 'unsupported' | 'too-large';

/** Thrown inside the parser only. `parsePcre` returns it as a value. */
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

/** A reading position in the characters of a pattern, which are bytes or code points. */
class PatternCursor {
  readonly characters: readonly number[];
  position = 0;

  constructor(characters: readonly number[]) {
    this.characters = characters;
  }

  get isAtEnd(): boolean {
    return this.position >= this.characters.length;
  }

  /** The character at this distance from the position, as text; empty past the end. */
  peek(distance = 0): string {
    const point = this.characters[this.position + distance];
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  takeCharacter(): number {
    const point = this.characters[this.position];
    if (point === undefined) throw this.createError('the pattern ends too early');
    this.position += 1;
    return point;
  }

  /** Consumes `text` if it follows; returns whether it did. */
  takeIf(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      if (this.characters[this.position + i] !== text.charCodeAt(i)) return false;
    }
    this.position += text.length;
    return true;
  }

  /** Consumes and returns up to `limit` characters that `accept` matches. */
  takeWhile(accept: RegExp, limit: number = Number.POSITIVE_INFINITY): string {
    let text = '';
    while (text.length < limit && accept.test(this.peek())) {
      text += this.peek();
      this.position += 1;
    }
    return text;
  }

  /** Consumes the text up to `end`, and `end`. Returns the text without `end`. */
  takeUntil(end: string): string {
    const start = this.position;
    let text = '';
    while (!this.takeIf(end)) {
      if (this.isAtEnd) throw new PcreSyntaxError(`missing ${end}`, start);
      text += String.fromCodePoint(this.takeCharacter());
    }
    return text;
  }

  createError(message: string, reason: PcreErrorReason = 'invalid'): PcreSyntaxError {
    return new PcreSyntaxError(message, this.position, reason);
  }
}

/** Converts characters of a cursor back to text. */
function charactersToText(characters: readonly number[], unicode: boolean): string {
  if (!unicode) return new TextDecoder().decode(Uint8Array.from(characters));
  return characters.map((point) => String.fromCodePoint(point)).join('');
}

export type ParsedPcre =
  | {
      readonly ok: true;
      readonly root: PcreNode;
      /** The parsed text. The spans of the nodes are positions in it. */
      readonly source: string;
      /** All capturing groups by number. */
      readonly groups: readonly { readonly index: number; readonly name?: string }[];
      /** Reason why PCRE rejects the pattern although it parses, such as a duplicate group name. */
      readonly rejectionReason?: string;
    }
  | {
      readonly ok: false;
      readonly reason: PcreErrorReason;
      readonly message: string;
      /** Position in bytes, or in code points with `unicode`. */
      readonly offset: number;
    };

interface PcreParseOptions {
  /** PHP's `u` flag: code points and Unicode classes instead of UTF-8 bytes. */
  readonly unicode?: boolean;
  /** PHP's `i` flag. */
  readonly ignoreCase?: boolean;
}

/** Maximum pattern length. The analyses of a pattern may take quadratic time. */
const MAX_LENGTH = 8192;

/** Parses a pattern without delimiters and modifiers, see pcre2pattern(3). Errors are values; it never throws. */
export function parsePcre(source: string, options: PcreParseOptions = {}): ParsedPcre {
  if (source.length > MAX_LENGTH) {
    return {
      ok: false,
      reason: 'too-large',
      message: `longer than ${MAX_LENGTH} characters`,
      offset: MAX_LENGTH,
    };
  }
  const unicode = options.unicode ?? false;
  const characters = unicode
    ? [...source].map((c) => c.codePointAt(0) ?? 0)
    : [...new TextEncoder().encode(source)];
  try {
    return {
      ...new PcreParser(characters, unicode).parse({ ...NO_FLAGS, i: options.ignoreCase ?? false }),
      source,
    };
  } catch (error) {
    if (!(error instanceof PcreSyntaxError)) throw error;
    return { ok: false, reason: error.reason, message: error.message, offset: error.offset };
  }
}

/**
 * Parses a route as WordPress passes it to PCRE: `'@^' . $route . '$@i'` (WP_REST_Server::match_request_to_handler). The
 * anchors bind tighter than a top-level `|`, and an unescaped `@` ends the pattern early, which PHP rejects.
 */
export function parseRoutePattern(route: string): ParsedPcre {
  return parseDelimited(`^${route}$`, '@', { ignoreCase: true });
}

/**
 * Parses the `pattern` of an argument as WordPress passes it to PCRE: `'#' . str_replace('#', '\#', $pattern) . '#u'`
 * (rest_validate_json_schema_pattern). A pattern that contains `\#` becomes `\\#`, which ends the pattern early.
 */
export function parseArgumentPattern(pattern: string): ParsedPcre {
  return parseDelimited(pattern.replaceAll('#', '\\#'), '#', { unicode: true });
}

function parseDelimited(
  source: string,
  delimiter: string,
  options: { unicode?: boolean; ignoreCase?: boolean },
): ParsedPcre {
  const parsed = parsePcre(source, options);
  const end = closingDelimiterIndex(source, delimiter);
  if (end === source.length || !parsed.ok) return parsed;
  const rejectionReason = end > source.length ? 'a backslash at the end' : `an unescaped ${delimiter}`;
  return { ...parsed, rejectionReason };
}

/** Returns the index of PHP's closing delimiter, past the end if there is none. PHP ignores classes and quotations. */
function closingDelimiterIndex(source: string, delimiter: string): number {
  for (let i = 0; i <= source.length; i += 1) {
    if (i === source.length || source[i] === delimiter) return i;
    if (source[i] === '\\') i += 1;
  }
  return source.length + 1;
}

/** PCRE2's limit on nesting (`parens_nest_limit`). No site can compile deeper patterns. */
const MAX_DEPTH = 250;

/**
 * Parses one pattern; an instance is used once.
 *
 * @throws {PcreSyntaxError} when the pattern is invalid or unsupported
 */
class PcreParser {
  readonly #cursor: PatternCursor;
  readonly #classes: CharClasses;
  readonly #isUnicode: boolean;
  readonly #groups = new GroupRegistry();
  #depth = 0;
  #flags: PcreFlags = NO_FLAGS;

  constructor(characters: readonly number[], unicode: boolean) {
    this.#cursor = new PatternCursor(characters);
    this.#classes = getCharClasses(unicode);
    this.#isUnicode = unicode;
  }

  parse(flags: PcreFlags): PcreParserResult {
    this.#flags = flags;
    const root = this.#parseAlternation();
    if (!this.#cursor.isAtEnd) throw this.#cursor.createError('unmatched )');
    const dangling = this.#groups.findDanglingReference();
    if (dangling !== undefined) {
      throw this.#cursor.createError(`a reference to the group ${dangling}, which does not exist`);
    }
    const { groups, rejectionReason } = this.#groups;
    return { ok: true, root, groups, ...omitUndefined({ rejectionReason }) };
  }

  /** Parses alternatives up to a `)` or the end. A flag that one alternative sets also applies to the following ones. */
  #parseAlternation(resetNumbers = false): PcreNode {
    const first = this.#groups.lastNumber;
    let highest = first;
    const options: PcreNode[] = [this.#parseSequence()];
    while (this.#cursor.takeIf('|')) {
      highest = Math.max(highest, this.#groups.lastNumber);
      if (resetNumbers) this.#groups.lastNumber = first;
      options.push(this.#parseSequence());
    }
    this.#groups.lastNumber = Math.max(highest, this.#groups.lastNumber);
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'alternation', options };
  }

  #parseSequence(): PcreNode {
    const items: PcreNode[] = [];
    for (;;) {
      const plain = this.#parsePlainCharacter();
      if (plain !== null) {
        items.push(plain);
        continue;
      }
      skipExtended(this.#cursor, this.#flags);
      const next = this.#cursor.peek();
      if (next === '' || next === '|' || next === ')') break;
      for (const node of this.#parseAtom()) items.push(node);
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
  }

  /** Parses a literal character without a quantifier; `null` for anything else. This is the fast path of `#parseAtom`. */
  #parsePlainCharacter(): PcreNode | null {
    const { characters, position } = this.#cursor;
    const character = characters[position];
    if (character === undefined || this.#flags.x) return null;
    if (!isPlainCharacter(character, characters[position + 1])) return null;
    this.#cursor.position += 1;
    const literal = this.#literalNode(character);
    return { ...literal, span: [position, position + 1] };
  }

  /** Parses one item with its quantifier. The result is empty for a comment or flags; `\Q…\E` gives several nodes. */
  #parseAtom(): readonly PcreNode[] {
    const start = this.#cursor.position;
    const quoted = this.#cursor.takeIf('\\Q') ? this.#parseQuoted() : null;
    const bare = quoted === null ? this.#parseUnquantified() : (quoted.pop() ?? null);
    if (bare === null) return quoted ?? [];
    if (this.#flags.x || STARTS_TRIVIA_OR_QUANTIFIER.test(this.#cursor.peek()))
      skipTrivia(this.#cursor, this.#flags);
    const behind = this.#cursor.position;
    const quantifier = parseQuantifier(this.#cursor, this.#flags);
    if (quantifier !== null && bare.kind === 'assert') throw new PcreSyntaxError(NOTHING_TO_REPEAT, behind);
    const span = [start, this.#cursor.position] as const;
    const node: PcreNode =
      quantifier === null ? { ...bare, span } : { kind: 'repeat', body: bare, ...quantifier, span };
    return quoted === null ? [node] : [...quoted, node];
  }

  #parseQuoted(): PcreNode[] {
    const nodes: PcreNode[] = [];
    while (!this.#cursor.isAtEnd && !this.#cursor.takeIf('\\E')) {
      nodes.push(this.#literalNode(this.#cursor.takeCharacter()));
    }
    return nodes;
  }

  #parseUnquantified(): PcreNode | null {
    const cursor = this.#cursor;
    const start = cursor.position;
    const character = cursor.takeCharacter();
    switch (String.fromCodePoint(character)) {
      case '(':
        return this.#parseGroup();
      case '[':
        return { kind: 'set', set: parseClass(cursor, this.#classes, this.#flags) };
      case '.':
        return {
          kind: 'set',
          set: complementCharSet(this.#flags.s ? [] : [[10, 10]], this.#classes.maxCharacter),
        };
      case '^':
        return { kind: 'assert', at: this.#flags.m ? 'line-start' : 'start' };
      case '$':
        return { kind: 'assert', at: this.#flags.m ? 'line-end' : 'last-line-end' };
      case '*':
      case '+':
      case '?':
        throw new PcreSyntaxError(NOTHING_TO_REPEAT, start);
      case '{':
        cursor.position = start;
        if (parseQuantifier(cursor, this.#flags) !== null) {
          throw new PcreSyntaxError(NOTHING_TO_REPEAT, start);
        }
        cursor.position = start + 1;
        return this.#literalNode(character);
      case '\\':
        return this.#parseEscape();
      default:
        return this.#literalNode(character);
    }
  }

  #parseEscape(): PcreNode | null {
    const escaped = parseEscape(this.#cursor, this.#classes, {
      inClass: false,
      groups: this.#groups.lastNumber,
    });
    if (escaped.kind === 'nothing') return null;
    if (escaped.kind === 'literal') return this.#literalNode(escaped.character);
    if (escaped.kind === 'class') return { kind: 'set', set: escaped.set };
    return this.#recordReference(escaped.node);
  }

  #recordReference(node: PcreNode): PcreNode {
    if (node.kind === 'backreference') this.#groups.addReference(node.to);
    return node;
  }

  #literalNode(character: number): PcreNode {
    return {
      kind: 'set',
      set: this.#flags.i ? foldCharacter(character, this.#isUnicode) : [[character, character]],
      literal: character,
    };
  }

  /** Parses a construct in parentheses, from after the `(`. Returns `null` for a comment, a callout or flags. */
  #parseGroup(): PcreNode | null {
    const cursor = this.#cursor;
    if (cursor.peek() === '*' && /^[A-Za-z:]$/.test(cursor.peek(1))) {
      throw cursor.createError('verbs such as (*SKIP) are not supported', 'unsupported');
    }
    if (!cursor.takeIf('?')) return this.#flags.n ? this.#parseNested() : this.#parseCapturing();
    if (cursor.takeIf('#')) {
      cursor.takeUntil(')');
      return null;
    }
    for (const [opening, build] of GROUP_OPENINGS) {
      if (!cursor.takeIf(opening)) continue;
      const node = build(() => this.#parseNested());
      if (node.kind === 'look' && !node.ahead && !hasFixedLengthBranches(node.body)) {
        throw cursor.createError('a lookbehind whose length is not fixed');
      }
      return node;
    }
    if (cursor.takeIf('|')) return this.#parseNested(true);
    for (const [opening, close] of NAMED_GROUP_OPENINGS) {
      if (cursor.takeIf(opening)) return this.#parseCapturing(parseGroupName(cursor, close, this.#isUnicode));
    }
    if (cursor.takeIf('P='))
      return this.#recordReference({ kind: 'backreference', to: cursor.takeUntil(')') });
    if (cursor.takeIf('C')) {
      cursor.takeUntil(')');
      return null;
    }
    if (/^(?:R|P>|&|[-+]?\d)/.test(cursor.peek() + cursor.peek(1))) {
      cursor.takeUntil(')');
      return { kind: 'opaque', what: 'recursion' };
    }
    if (cursor.peek() === '(') throw cursor.createError('conditions are not supported', 'unsupported');
    return this.#parseFlagGroup();
  }

  /** Parses `(?i)`, which sets flags for the rest of the enclosing group, or `(?i:…)`, which sets them for its content. */
  #parseFlagGroup(): PcreNode | null {
    const outer = this.#flags;
    const flags = parseFlags(this.#cursor, outer);
    if (this.#cursor.takeIf(')')) {
      this.#flags = flags;
      return null;
    }
    if (!this.#cursor.takeIf(':')) throw this.#cursor.createError('unrecognized character after (?');
    this.#flags = flags;
    const body = this.#parseNested();
    this.#flags = outer;
    return body;
  }

  #parseCapturing(name?: string): GroupNode {
    const index = this.#groups.add(name, this.#flags.J);
    const start = this.#cursor.position;
    const body = this.#parseNested();
    const characters = this.#cursor.characters.slice(start, this.#cursor.position - 1);
    const source = charactersToText(characters, this.#isUnicode);
    return { kind: 'group', index, ...omitUndefined({ name }), body, source };
  }

  #parseNested(resetNumbers = false): PcreNode {
    if (this.#depth >= MAX_DEPTH) throw this.#cursor.createError(`groups nest deeper than ${MAX_DEPTH}`);
    this.#depth += 1;
    const flags = this.#flags;
    const start = this.#cursor.position;
    const body = this.#parseAlternation(resetNumbers);
    if (!this.#cursor.takeIf(')')) throw new PcreSyntaxError('unmatched (', start);
    this.#flags = flags;
    this.#depth -= 1;
    // PCRE allows a quantifier after `(?:\b)` but not after `\b`.
    return body.kind === 'assert' ? { kind: 'sequence', items: [body] } : body;
  }
}

type Quantifier = Pick<RepeatNode, 'min' | 'max' | 'greed'>;

const SINGLE_CHARACTER_QUANTIFIERS: readonly (readonly [string, number, number])[] = [
  ['*', 0, Number.POSITIVE_INFINITY],
  ['+', 1, Number.POSITIVE_INFINITY],
  ['?', 0, 1],
];

/** Message for a quantifier without an item before it. */
const NOTHING_TO_REPEAT = 'a quantifier with nothing to repeat';

/** PCRE2's limit on the numbers in a quantifier. */
const MAX_COUNT = 65_535;

/** Parses a quantifier. Returns `null` and consumes nothing if none follows; a `{` may be a plain character. */
function parseQuantifier(cursor: PatternCursor, flags: PcreFlags): Quantifier | null {
  const bounds = parseBounds(cursor);
  if (bounds === null) return null;
  if (cursor.takeIf('+')) return { ...bounds, greed: 'possessive' };
  return { ...bounds, greed: cursor.takeIf('?') === flags.U ? 'greedy' : 'lazy' };
}

function parseBounds(cursor: PatternCursor): Pick<Quantifier, 'min' | 'max'> | null {
  if (!/^[*+?{]/.test(cursor.peek())) return null;
  for (const [sign, min, max] of SINGLE_CHARACTER_QUANTIFIERS) if (cursor.takeIf(sign)) return { min, max };
  const start = cursor.position;
  if (!cursor.takeIf('{')) return null;
  const low = cursor.takeWhile(/^\d$/, 6);
  const comma = low !== '' && cursor.takeIf(',');
  const high = comma ? cursor.takeWhile(/^\d$/, 6) : low;
  if (low === '' || !cursor.takeIf('}')) {
    cursor.position = start;
    return null;
  }
  const min = Number(low);
  const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY)) {
    throw cursor.createError('the number in the quantifier is too big');
  }
  if (max < min) throw cursor.createError('the numbers in the quantifier are out of order');
  return { min, max };
}

/** First character of a quantifier, a comment or an empty quotation. */
const STARTS_TRIVIA_OR_QUANTIFIER: RegExp = /^[*+?{(\\]/;

/** Skips the white space, comments and empty quotations that PCRE allows between an item and its quantifier. */
function skipTrivia(cursor: PatternCursor, flags: PcreFlags): void {
  for (let start = -1; start !== cursor.position; ) {
    start = cursor.position;
    skipExtended(cursor, flags);
    cursor.takeIf('\\E');
    cursor.takeIf('\\Q\\E');
    if (cursor.takeIf('(?#')) cursor.takeUntil(')');
  }
}

/** Skips white space and `#` comments under `x`. */
function skipExtended(cursor: PatternCursor, flags: PcreFlags): void {
  while (flags.x) {
    if (/^[\t-\r ]$/.test(cursor.peek())) cursor.position += 1;
    else if (cursor.takeIf('#')) while (!cursor.isAtEnd && cursor.takeCharacter() !== 10);
    else return;
  }
}

const CLOSING_PARENTHESIS = 0x29;

/**
 * Whether a character is a literal that the next character cannot quantify.
 *
 * @param next the character that follows; `undefined` at the end of the pattern
 */
function isPlainCharacter(character: number, next: number | undefined): boolean {
  return isLiteral(character) && (next === undefined || isLiteral(next) || next === CLOSING_PARENTHESIS);
}

/** Whether a character is `-`, `/`, `_`, a digit or an ASCII letter. */
function isLiteral(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x2d && character <= 0x39 && character !== 0x2e) ||
    character === 0x5f
  );
}

/** Flags that a pattern can set inside itself. See pcre2pattern(3), "Internal option setting". */
interface PcreFlags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  readonly xx: boolean;
  /** Plain parentheses do not capture. */
  readonly n: boolean;
  /** Swaps greedy and lazy quantifiers. */
  readonly U: boolean;
  /** Groups may share a name. */
  readonly J: boolean;
}

const NO_FLAGS: PcreFlags = {
  i: false,
  m: false,
  s: false,
  x: false,
  xx: false,
  n: false,
  U: false,
  J: false,
};

/** Parses `i`, `i-m`, `^s` and so on, up to the `)` or `:` that follows. */
function parseFlags(cursor: PatternCursor, current: PcreFlags): PcreFlags {
  const flags = { ...current };
  if (cursor.takeIf('^'))
    Object.assign(flags, { i: false, m: false, s: false, x: false, xx: false, n: false });
  let value = true;
  for (;;) {
    if (cursor.takeIf('-')) value = false;
    else if (cursor.takeIf('xx')) Object.assign(flags, { x: value, xx: value });
    else {
      const letter = cursor.peek();
      if (!isFlag(letter)) return flags;
      cursor.position += 1;
      flags[letter] = value;
      if (letter === 'x') flags.xx = false;
    }
  }
}

function isFlag(letter: string): letter is 'i' | 'm' | 's' | 'x' | 'n' | 'U' | 'J' {
  return letter.length === 1 && 'imsxnUJ'.includes(letter);
}

/** The texts after `(?` that begin a named capturing group, and the text that ends its name. */
const NAMED_GROUP_OPENINGS: readonly (readonly [opening: string, close: string])[] = [
  ['P<', '>'],
  ['<', '>'],
  ["'", "'"],
];

/**
 * The texts after `(?` that begin other groups, and the function that creates a node from the group's body. They are tried
 * before those of named groups, because `<` also begins a name.
 */
const GROUP_OPENINGS: readonly (readonly [string, (body: () => PcreNode) => PcreNode])[] = [
  [':', (body) => body()],
  ['>', (body) => ({ kind: 'atomic', body: body() })],
  ['=', (body) => ({ kind: 'look', ahead: true, negative: false, body: body() })],
  ['!', (body) => ({ kind: 'look', ahead: true, negative: true, body: body() })],
  ['<=', (body) => ({ kind: 'look', ahead: false, negative: false, body: body() })],
  ['<!', (body) => ({ kind: 'look', ahead: false, negative: true, body: body() })],
];

/** Parses the name of a capturing group and the text that ends it. */
function parseGroupName(cursor: PatternCursor, close: string, unicode: boolean): string {
  const name = cursor.takeUntil(close);
  const valid = unicode ? /^[\p{L}\p{Nd}_]{1,32}$/u : /^\w{1,32}$/;
  if (!valid.test(name) || /^\d/.test(name)) throw cursor.createError(`${name} is not a valid group name`);
  return name;
}

/** A capturing group of a pattern. */
interface CapturingGroup {
  readonly index: number;
  readonly name?: string;
}

/** A parsed pattern with its capturing groups. */
interface PcreParserResult {
  readonly ok: true;
  readonly root: PcreNode;
  readonly groups: readonly CapturingGroup[];
  readonly rejectionReason?: string;
}

/** Numbers the capturing groups of a pattern while it is parsed, and checks their names and references. */
class GroupRegistry {
  /** Number of the last group. Branches of `(?|` start again from the same number. */
  lastNumber = 0;
  readonly #groups: CapturingGroup[] = [];
  readonly #indexByName = new Map<string, number>();
  readonly #nameByIndex = new Map<number, string>();
  readonly #references: (number | string)[] = [];
  #rejectionReason: string | undefined;

  /** Reason why PCRE rejects the pattern because of its group names. */
  get rejectionReason(): string | undefined {
    return this.#rejectionReason;
  }

  /** All groups by number. */
  get groups(): readonly CapturingGroup[] {
    return this.#groups.toSorted((a, b) => a.index - b.index);
  }

  /** @returns the number of the new group */
  add(name: string | undefined, allowsDuplicateNames: boolean): number {
    this.lastNumber += 1;
    if (name !== undefined) this.#addName(name, this.lastNumber, allowsDuplicateNames);
    this.#groups.push(name === undefined ? { index: this.lastNumber } : { index: this.lastNumber, name });
    return this.lastNumber;
  }

  /** Records a backreference. Its group may follow later in the pattern. */
  addReference(to: number | string): void {
    this.#references.push(to);
  }

  /** The first reference to a group that does not exist. */
  findDanglingReference(): number | string | undefined {
    return this.#references.find(
      (to) => !this.#groups.some((group) => group.index === to || group.name === to),
    );
  }

  /** PCRE accepts a duplicate name only under `J`, or for the same number under `(?|`. */
  #addName(name: string, index: number, allowsDuplicateNames: boolean): void {
    const otherIndex = this.#indexByName.get(name);
    if (otherIndex !== undefined && otherIndex !== index && !allowsDuplicateNames) {
      this.#rejectionReason = `two groups are named ${name}`;
    }
    const otherName = this.#nameByIndex.get(index);
    if (otherName !== undefined && otherName !== name) {
      this.#rejectionReason = `one group is named ${name} and ${otherName}`;
    }
    this.#indexByName.set(name, index);
    this.#nameByIndex.set(index, name);
  }
}

/** An element of a class: a character, which may begin a range, or a set, which may not. */
type ClassItem = { readonly character: number } | { readonly set: CharSet };

/** Parses a class, from after the `[`. See pcre2pattern(3), "Square brackets and character classes". */
function parseClass(
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

/** The meaning of an escape sequence other than `\Q`. */
type PcreEscape =
  | { readonly kind: 'literal'; readonly character: number }
  | { readonly kind: 'class'; readonly set: CharSet }
  | { readonly kind: 'node'; readonly node: PcreNode }
  /** A lone `\E`, which has no effect. */
  | { readonly kind: 'nothing' };

const CONTROL_CHARACTERS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

const ASSERTIONS: Readonly<Record<string, PcreNode>> = {
  A: { kind: 'assert', at: 'start' },
  // preg_match starts at offset 0, so the first attempt is the start of the subject.
  G: { kind: 'assert', at: 'start' },
  Z: { kind: 'assert', at: 'last-line-end' },
  z: { kind: 'assert', at: 'end' },
  b: { kind: 'assert', at: 'boundary' },
  B: { kind: 'assert', at: 'no-boundary' },
  // `\K` moves the start of the reported match, which is not used here.
  K: { kind: 'sequence', items: [] },
};

/** Parses an escape, from after the backslash. See pcre2pattern(3), "Backslash". */
function parseEscape(
  cursor: PatternCursor,
  classes: CharClasses,
  where: { readonly inClass: boolean; readonly groups: number },
): PcreEscape {
  if (cursor.isAtEnd) throw cursor.createError('\\ at the end of the pattern');
  const letter = cursor.peek();
  if (/[0-9]/.test(letter)) return parseNumber(cursor, classes, where);
  cursor.position += 1;
  if (letter === 'E') return { kind: 'nothing' };
  if (!/[A-Za-z]/.test(letter)) return { kind: 'literal', character: letter.codePointAt(0) ?? 0 };
  if (Object.hasOwn(CONTROL_CHARACTERS, letter))
    return { kind: 'literal', character: CONTROL_CHARACTERS[letter] ?? 0 };
  if (where.inClass && letter === 'b') return { kind: 'literal', character: 8 };
  if (!where.inClass && Object.hasOwn(ASSERTIONS, letter)) {
    return { kind: 'node', node: ASSERTIONS[letter] ?? { kind: 'opaque', what: `\\${letter}` } };
  }
  switch (letter) {
    case 'd':
    case 'w':
    case 's':
    case 'h':
    case 'v':
      return { kind: 'class', set: classes.setsByEscape[letter] };
    case 'D':
    case 'W':
    case 'S':
    case 'H':
    case 'V':
      return {
        kind: 'class',
        set: complementCharSet(classes.setsByEscape[NEGATED_CLASS_LETTERS[letter]], classes.maxCharacter),
      };
    case 'p':
    case 'P':
      return parseProperty(cursor, classes, letter === 'P');
    case 'x':
      return literal(cursor, classes, parseHex(cursor));
    case 'o':
      if (!cursor.takeIf('{')) throw cursor.createError('\\o without {');
      return literal(cursor, classes, Number.parseInt(cursor.takeUntil('}'), 8));
    case 'c':
      return literal(
        cursor,
        classes,
        String.fromCodePoint(cursor.takeCharacter()).toUpperCase().charCodeAt(0) ^ 64,
      );
  }
  if (!where.inClass) {
    if (letter === 'N') return parseN(cursor, classes);
    if (letter === 'R') return { kind: 'node', node: lineBreak(classes) };
    if (letter === 'g' || letter === 'k')
      return { kind: 'node', node: parseReference(cursor, letter, where.groups) };
    if (letter === 'X' || letter === 'C')
      return { kind: 'node', node: { kind: 'opaque', what: `\\${letter}` } };
  }
  throw cursor.createError(`\\${letter} has no meaning${where.inClass ? ' in a class' : ''}`);
}

const NEGATED_CLASS_LETTERS = { D: 'd', W: 'w', S: 's', H: 'h', V: 'v' } as const;

function literal(cursor: PatternCursor, classes: CharClasses, character: number): PcreEscape {
  if (!(character >= 0 && character <= classes.maxCharacter))
    throw cursor.createError('a character code is out of range');
  return { kind: 'literal', character };
}

function parseHex(cursor: PatternCursor): number {
  if (!cursor.takeIf('{')) return Number.parseInt(cursor.takeWhile(/^[0-9A-Fa-f]$/, 2) || '0', 16);
  const digits = cursor.takeUntil('}');
  return /^[0-9A-Fa-f]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
}

/**
 * Parses the digits of an escape. Outside of classes they are a backreference if the number is below 10 or if that many
 * groups exist. Otherwise they are up to three octal digits.
 */
function parseNumber(
  cursor: PatternCursor,
  classes: CharClasses,
  where: { readonly inClass: boolean; readonly groups: number },
): PcreEscape {
  const start = cursor.position;
  const digits = cursor.takeWhile(/^[0-9]$/);
  const number = Number.parseInt(digits, 10);
  if (
    !where.inClass &&
    digits[0] !== '0' &&
    (number < 10 || /^[89]/.test(digits) || number <= where.groups)
  ) {
    return { kind: 'node', node: { kind: 'backreference', to: number } };
  }
  cursor.position = start;
  const octal = cursor.takeWhile(/^[0-7]$/, 3);
  if (octal === '') throw cursor.createError('a digit that is neither octal nor a group');
  return literal(cursor, classes, Number.parseInt(octal, 8));
}

function parseProperty(cursor: PatternCursor, classes: CharClasses, negated: boolean): PcreEscape {
  const name = cursor.takeIf('{') ? cursor.takeUntil('}') : String.fromCodePoint(cursor.takeCharacter());
  const inverted = name.startsWith('^');
  const set = classes.getPropertySet(name.slice(inverted ? 1 : 0).trim());
  if (set === null) throw cursor.createError(`unknown property ${name}`, 'unsupported');
  return { kind: 'class', set: inverted === negated ? set : complementCharSet(set, classes.maxCharacter) };
}

function parseN(cursor: PatternCursor, classes: CharClasses): PcreEscape {
  if (cursor.takeIf('{U+')) {
    if (classes.maxCharacter === 0xff) throw cursor.createError('\\N{U+…} needs the u flag');
    return literal(cursor, classes, Number.parseInt(cursor.takeUntil('}'), 16));
  }
  return { kind: 'class', set: complementCharSet([[10, 10]], classes.maxCharacter) };
}

/** Creates the node of `\R`, any line break. `\r\n` is tried before its parts, and the match is atomic. */
function lineBreak(classes: CharClasses): PcreNode {
  const crlf: PcreNode = {
    kind: 'sequence',
    items: [
      { kind: 'set', set: [[13, 13]], literal: 13 },
      { kind: 'set', set: [[10, 10]], literal: 10 },
    ],
  };
  return {
    kind: 'atomic',
    body: { kind: 'alternation', options: [crlf, { kind: 'set', set: classes.setsByEscape.v }] },
  };
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '<': '>', "'": "'" };

/** Parses `\g{n} \g-n \k<name> \k'name' \k{name}`, and the recursions `\g<n>` and `\g'n'`. */
function parseReference(cursor: PatternCursor, letter: 'g' | 'k', groups: number): PcreNode {
  const open = cursor.peek();
  const close = CLOSING[open];
  if (close === undefined) {
    if (letter === 'k') throw cursor.createError('\\k without a name');
    return numberedReference(cursor, cursor.takeWhile(/^[-+0-9]$/), groups);
  }
  cursor.position += 1;
  const name = cursor.takeUntil(close);
  if (letter === 'g' && open !== '{') return { kind: 'opaque', what: 'recursion' };
  return /^[-+]?\d+$/.test(name) && letter === 'g'
    ? numberedReference(cursor, name, groups)
    : { kind: 'backreference', to: name };
}

function numberedReference(cursor: PatternCursor, text: string, groups: number): PcreNode {
  if (!/^[-+]?\d{1,5}$/.test(text)) throw cursor.createError('a reference without a number');
  const number = Number.parseInt(text, 10);
  if (text.startsWith('-')) return { kind: 'backreference', to: groups + 1 + number };
  return { kind: 'backreference', to: text.startsWith('+') ? groups + number : number };
}
