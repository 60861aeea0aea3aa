import { omitUndefined } from '../omit-undefined.ts';
import { hasFixedLengthBranches, type PcreNode, type RepeatNode } from './ast.ts';
import {
  type CharClasses,
  type CharSet,
  complementCharSet,
  foldCase,
  getCharClasses,
  unionCharSets,
} from './charset.ts';

/** The reason why a pattern does not parse. `unsupported`: PCRE may accept the pattern, this parser does not. */
type PcreErrorReason = 'invalid' | 'unsupported' | 'too-large';

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
export function parsePcre(
  source: string,
  { ignoreCase = false, unicode = false }: PcreParseOptions = {},
): ParsedPcre {
  if (source.length > MAX_LENGTH) {
    const message = `longer than ${MAX_LENGTH} characters`;
    return { ok: false, reason: 'too-large', message, offset: MAX_LENGTH };
  }
  const characters = unicode
    ? [...source].map((c) => c.codePointAt(0) ?? 0)
    : [...new TextEncoder().encode(source)];
  try {
    return { ok: true, source, ...new PcreParser(characters, unicode, ignoreCase).parse() };
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

function parseDelimited(source: string, delimiter: string, options: PcreParseOptions): ParsedPcre {
  const parsed = parsePcre(source, options);
  // PHP ignores classes and quotations when it looks for its closing delimiter.
  let end = 0;
  while (end < source.length && source[end] !== delimiter) end += source[end] === '\\' ? 2 : 1;
  if (end === source.length || !parsed.ok) return parsed;
  const rejectionReason = end > source.length ? 'a backslash at the end' : `an unescaped ${delimiter}`;
  return { ...parsed, rejectionReason };
}

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

/**
 * Flags that a pattern can set inside itself. See pcre2pattern(3), "Internal option setting". With `n` plain parentheses do not
 * capture, `U` swaps greedy and lazy quantifiers, and with `J` groups may share a name.
 */
type PcreFlags = Readonly<Record<'i' | 'm' | 's' | 'x' | 'xx' | 'n' | 'U' | 'J', boolean>>;

const RESET_FLAGS = { i: false, m: false, s: false, x: false, xx: false, n: false } as const;

/** PCRE2's limit on nesting (`parens_nest_limit`). No site can compile deeper patterns. */
const MAX_DEPTH = 250;

/** PCRE2's limit on the numbers in a quantifier. */
const MAX_COUNT = 65_535;

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
const GROUP_OPENINGS: readonly (readonly [string, (body: PcreNode) => PcreNode])[] = [
  [':', (body) => body],
  ['>', (body) => ({ kind: 'atomic', body })],
  ['=', (body) => ({ kind: 'look', ahead: true, negative: false, body })],
  ['!', (body) => ({ kind: 'look', ahead: true, negative: true, body })],
  ['<=', (body) => ({ kind: 'look', ahead: false, negative: false, body })],
  ['<!', (body) => ({ kind: 'look', ahead: false, negative: true, body })],
];

/** The texts that end the name of a reference, by the text that begins it. */
const REFERENCE_CLOSINGS: Readonly<Record<string, string>> = { '{': '}', '<': '>', "'": "'" };

const CONTROL_CHARACTERS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

const ESCAPED_ASSERTIONS: Readonly<Record<string, PcreNode>> = {
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

/**
 * The meaning of an escape sequence other than `\Q`: a character, a class, or something that is not in a class. `null` is a lone
 * `\E`, which has no effect.
 */
type PcreEscape = number | CharSet | PcreNode | null;

function isCharSet(item: CharSet | PcreNode): item is CharSet {
  return Array.isArray(item);
}

/**
 * Parses one pattern; an instance is used once.
 *
 * @throws {PcreSyntaxError} when the pattern is invalid or unsupported
 */
class PcreParser {
  /** Bytes, or code points with `unicode`. */
  readonly #characters: readonly number[];
  #position = 0;
  readonly #classes: CharClasses;
  readonly #isUnicode: boolean;
  #flags: PcreFlags;
  #depth = 0;
  /** Number of the last group. Branches of `(?|` start again from the same number. */
  #lastGroup = 0;
  readonly #groups: { readonly index: number; readonly name?: string }[] = [];
  readonly #references: (number | string)[] = [];
  #rejectionReason: string | undefined;

  constructor(characters: readonly number[], unicode: boolean, ignoreCase: boolean) {
    this.#characters = characters;
    this.#classes = getCharClasses(unicode);
    this.#isUnicode = unicode;
    this.#flags = { ...RESET_FLAGS, i: ignoreCase, U: false, J: false };
  }

  parse(): Pick<Extract<ParsedPcre, { ok: true }>, 'root' | 'groups' | 'rejectionReason'> {
    const root = this.#parseAlternation();
    if (!this.#isAtEnd) throw this.#createError('unmatched )');
    const dangling = this.#references.find(
      (to) => !this.#groups.some(({ index, name }) => index === to || name === to),
    );
    if (dangling !== undefined) {
      throw this.#createError(`a reference to the group ${dangling}, which does not exist`);
    }
    const groups = this.#groups.toSorted((a, b) => a.index - b.index);
    return { root, groups, ...omitUndefined({ rejectionReason: this.#rejectionReason }) };
  }

  /** Parses alternatives up to a `)` or the end. A flag that one alternative sets also applies to the following ones. */
  #parseAlternation(resetNumbers = false): PcreNode {
    const first = this.#lastGroup;
    let highest = first;
    const options: PcreNode[] = [this.#parseSequence()];
    while (this.#takeIf('|')) {
      highest = Math.max(highest, this.#lastGroup);
      if (resetNumbers) this.#lastGroup = first;
      options.push(this.#parseSequence());
    }
    this.#lastGroup = Math.max(highest, this.#lastGroup);
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'alternation', options };
  }

  #parseSequence(): PcreNode {
    const items: PcreNode[] = [];
    for (;;) {
      this.#skipExtended();
      const next = this.#peek();
      if (next === '' || next === '|' || next === ')') break;
      for (const node of this.#parseAtom()) items.push(node);
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
  }

  /** Parses one item with its quantifier. The result is empty for a comment or flags; `\Q…\E` gives several nodes. */
  #parseAtom(): readonly PcreNode[] {
    const start = this.#position;
    const quoted = this.#takeIf('\\Q') ? this.#parseQuoted() : null;
    const bare = quoted === null ? this.#parseUnquantified() : (quoted.pop() ?? null);
    if (bare === null) return quoted ?? [];
    this.#skipTrivia();
    const behind = this.#position;
    const quantifier = this.#parseQuantifier();
    if (quantifier !== null && bare.kind === 'assert') throw nothingToRepeat(behind);
    const span = [start, this.#position] as const;
    const node: PcreNode =
      quantifier === null ? { ...bare, span } : { kind: 'repeat', body: bare, ...quantifier, span };
    return quoted === null ? [node] : [...quoted, node];
  }

  #parseQuoted(): PcreNode[] {
    const nodes: PcreNode[] = [];
    while (!this.#isAtEnd && !this.#takeIf('\\E')) nodes.push(this.#literalNode(this.#takeCharacter()));
    return nodes;
  }

  #parseUnquantified(): PcreNode | null {
    const start = this.#position;
    const character = this.#takeCharacter();
    switch (String.fromCodePoint(character)) {
      case '(':
        return this.#parseGroup();
      case '[':
        return { kind: 'set', set: this.#parseClass() };
      case '.':
        return { kind: 'set', set: this.#complement(this.#flags.s ? [] : [[10, 10]]) };
      case '^':
        return { kind: 'assert', at: this.#flags.m ? 'line-start' : 'start' };
      case '$':
        return { kind: 'assert', at: this.#flags.m ? 'line-end' : 'last-line-end' };
      case '*':
      case '+':
      case '?':
        throw nothingToRepeat(start);
      case '{':
        this.#position = start;
        if (this.#parseQuantifier() !== null) throw nothingToRepeat(start);
        this.#position = start + 1;
        return this.#literalNode(character);
      case '\\': {
        const escaped = this.#parseEscape(false);
        if (escaped === null) return null;
        if (typeof escaped === 'number') return this.#literalNode(escaped);
        return isCharSet(escaped) ? { kind: 'set', set: escaped } : escaped;
      }
      default:
        return this.#literalNode(character);
    }
  }

  #literalNode(character: number): PcreNode {
    const set: CharSet = [[character, character]];
    return { kind: 'set', set: this.#flags.i ? foldCase(set, this.#isUnicode) : set, literal: character };
  }

  #complement(set: CharSet): CharSet {
    return complementCharSet(set, this.#classes.maxCharacter);
  }

  /** Parses a quantifier. Returns `null` and consumes nothing if none follows; a `{` may be a plain character. */
  #parseQuantifier(): Pick<RepeatNode, 'min' | 'max' | 'greed'> | null {
    const bounds = this.#parseBounds();
    if (bounds === null) return null;
    if (this.#takeIf('+')) return { ...bounds, greed: 'possessive' };
    return { ...bounds, greed: this.#takeIf('?') === this.#flags.U ? 'greedy' : 'lazy' };
  }

  #parseBounds(): Pick<RepeatNode, 'min' | 'max'> | null {
    if (this.#takeIf('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#takeIf('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#takeIf('?')) return { min: 0, max: 1 };
    const start = this.#position;
    if (!this.#takeIf('{')) return null;
    const low = this.#takeWhile(/^\d$/, 6);
    const comma = low !== '' && this.#takeIf(',');
    const high = comma ? this.#takeWhile(/^\d$/, 6) : low;
    if (low === '' || !this.#takeIf('}')) {
      this.#position = start;
      return null;
    }
    const min = Number(low);
    const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY)) {
      throw this.#createError('the number in the quantifier is too big');
    }
    if (max < min) throw this.#createError('the numbers in the quantifier are out of order');
    return { min, max };
  }

  /** Skips the white space, comments and empty quotations that PCRE allows between an item and its quantifier. */
  #skipTrivia(): void {
    for (let start = -1; start !== this.#position; ) {
      start = this.#position;
      this.#skipExtended();
      this.#takeIf('\\E');
      this.#takeIf('\\Q\\E');
      if (this.#takeIf('(?#')) this.#takeUntil(')');
    }
  }

  /** Skips white space and `#` comments under `x`. */
  #skipExtended(): void {
    while (this.#flags.x) {
      if (/^[\t-\r ]$/.test(this.#peek())) this.#position += 1;
      else if (this.#takeIf('#')) while (!this.#isAtEnd && this.#takeCharacter() !== 10);
      else return;
    }
  }

  /** Parses a construct in parentheses, from after the `(`. Returns `null` for a comment, a callout or flags. */
  #parseGroup(): PcreNode | null {
    if (this.#peek() === '*' && /^[A-Za-z:]$/.test(this.#peek(1))) {
      throw this.#createError('verbs such as (*SKIP) are not supported', 'unsupported');
    }
    if (!this.#takeIf('?')) return this.#flags.n ? this.#parseNested() : this.#parseCapturing();
    if (this.#takeIf('#')) {
      this.#takeUntil(')');
      return null;
    }
    for (const [opening, build] of GROUP_OPENINGS) {
      if (!this.#takeIf(opening)) continue;
      const node = build(this.#parseNested());
      if (node.kind === 'look' && !node.ahead && !hasFixedLengthBranches(node.body)) {
        throw this.#createError('a lookbehind whose length is not fixed');
      }
      return node;
    }
    if (this.#takeIf('|')) return this.#parseNested(true);
    for (const [opening, close] of NAMED_GROUP_OPENINGS) {
      if (this.#takeIf(opening)) return this.#parseCapturing(this.#parseGroupName(close));
    }
    if (this.#takeIf('P=')) return this.#reference(this.#takeUntil(')'));
    if (this.#takeIf('C')) {
      this.#takeUntil(')');
      return null;
    }
    if (/^(?:R|P>|&|[-+]?\d)/.test(this.#peek() + this.#peek(1))) {
      this.#takeUntil(')');
      return { kind: 'opaque', what: 'recursion' };
    }
    if (this.#peek() === '(') throw this.#createError('conditions are not supported', 'unsupported');
    return this.#parseFlagGroup();
  }

  #parseGroupName(close: string): string {
    const name = this.#takeUntil(close);
    const valid = this.#isUnicode ? /^[\p{L}\p{Nd}_]{1,32}$/u : /^\w{1,32}$/;
    if (!valid.test(name) || /^\d/.test(name)) throw this.#createError(`${name} is not a valid group name`);
    return name;
  }

  /** Parses `(?i)`, which sets flags for the rest of the enclosing group, or `(?i:…)`, which sets them for its content. */
  #parseFlagGroup(): PcreNode | null {
    const outer = this.#flags;
    const flags = this.#parseFlags();
    if (this.#takeIf(')')) {
      this.#flags = flags;
      return null;
    }
    if (!this.#takeIf(':')) throw this.#createError('unrecognized character after (?');
    this.#flags = flags;
    const body = this.#parseNested();
    this.#flags = outer;
    return body;
  }

  /** Parses `i`, `i-m`, `^s` and so on, up to the `)` or `:` that follows. */
  #parseFlags(): PcreFlags {
    const flags = { ...this.#flags };
    if (this.#takeIf('^')) Object.assign(flags, RESET_FLAGS);
    let value = true;
    for (;;) {
      if (this.#takeIf('-')) value = false;
      else if (this.#takeIf('xx')) Object.assign(flags, { x: value, xx: value });
      else {
        const letter = this.#peek();
        if (!isFlag(letter)) return flags;
        this.#position += 1;
        flags[letter] = value;
        if (letter === 'x') flags.xx = false;
      }
    }
  }

  #parseCapturing(name?: string): PcreNode {
    this.#lastGroup += 1;
    const index = this.#lastGroup;
    if (name !== undefined) this.#checkName(name, index);
    this.#groups.push({ index, ...omitUndefined({ name }) });
    const start = this.#position;
    const body = this.#parseNested();
    const characters = this.#characters.slice(start, this.#position - 1);
    const source = this.#isUnicode
      ? characters.map((point) => String.fromCodePoint(point)).join('')
      : new TextDecoder().decode(Uint8Array.from(characters));
    return { kind: 'group', index, ...omitUndefined({ name }), body, source };
  }

  /** PCRE accepts a duplicate name only under `J`, or for the same number under `(?|`. */
  #checkName(name: string, index: number): void {
    const sameName = this.#groups.findLast((group) => group.name === name);
    if (sameName !== undefined && sameName.index !== index && !this.#flags.J) {
      this.#rejectionReason = `two groups are named ${name}`;
    }
    const sameIndex = this.#groups.findLast((group) => group.index === index && group.name !== undefined);
    if (sameIndex !== undefined && sameIndex.name !== name) {
      this.#rejectionReason = `one group is named ${name} and ${sameIndex.name}`;
    }
  }

  #parseNested(resetNumbers = false): PcreNode {
    if (this.#depth >= MAX_DEPTH) throw this.#createError(`groups nest deeper than ${MAX_DEPTH}`);
    this.#depth += 1;
    const flags = this.#flags;
    const start = this.#position;
    const body = this.#parseAlternation(resetNumbers);
    if (!this.#takeIf(')')) throw new PcreSyntaxError('unmatched (', start);
    this.#flags = flags;
    this.#depth -= 1;
    // PCRE allows a quantifier after `(?:\b)` but not after `\b`.
    return body.kind === 'assert' ? { kind: 'sequence', items: [body] } : body;
  }

  /** Parses a class, from after the `[`. See pcre2pattern(3), "Square brackets and character classes". */
  #parseClass(): CharSet {
    const start = this.#position;
    const negated = this.#takeIf('^');
    const sets: CharSet[] = [];
    let first = true;
    let quoting = false;
    for (;;) {
      if (this.#isAtEnd) throw this.#createError(`the class that opens at ${start - 1} has no ]`);
      if (quoting ? this.#takeIf('\\E') : this.#takeIf('\\Q')) {
        quoting = !quoting;
        continue;
      }
      if (!quoting && !first && this.#takeIf(']')) break;
      const item = quoting ? this.#takeCharacter() : this.#parseClassItem();
      if (item === null) continue;
      first = false;
      if (typeof item === 'number') sets.push(quoting ? [[item, item]] : this.#parseClassRange(item));
      else {
        // "invalid range in character class", unless the hyphen is last.
        if (this.#isAtRange()) throw this.#createError('a range in a class cannot start with a set');
        sets.push(item);
      }
    }
    const all = unionCharSets(...sets);
    const folded = this.#flags.i ? foldCase(all, this.#isUnicode) : all;
    return negated ? this.#complement(folded) : folded;
  }

  #isAtRange(): boolean {
    return this.#peek() === '-' && this.#peek(1) !== ']' && this.#peek(1) !== '';
  }

  /** Parses an element of a class: a character, which may begin a range, or a set, which may not. */
  #parseClassItem(): number | CharSet | null {
    if (this.#flags.xx && /^[ \t]$/.test(this.#peek())) {
      this.#position += 1;
      return null;
    }
    if (this.#peek() === '[' && /^[:.=]$/.test(this.#peek(1))) {
      const posix = this.#parsePosixClass();
      if (posix !== null) return posix;
    }
    if (!this.#takeIf('\\')) return this.#takeCharacter();
    const escaped = this.#parseEscape(true);
    return typeof escaped === 'number' || (escaped !== null && isCharSet(escaped)) ? escaped : null;
  }

  #parseClassRange(low: number): CharSet {
    this.#skipLoneEndQuotes();
    if (!this.#isAtRange()) return [[low, low]];
    this.#position += 1;
    this.#takeIf('\\Q');
    let high = this.#parseClassItem();
    while (high === null && !this.#isAtEnd) high = this.#parseClassItem();
    if (high === null) throw this.#createError('the class has no ]');
    this.#skipLoneEndQuotes();
    if (typeof high !== 'number') throw this.#createError('a range in a class cannot end with a set');
    if (high < low) throw this.#createError('the range in the class is out of order');
    return [[low, high]];
  }

  /** PCRE ignores a lone `\E` at any position. */
  #skipLoneEndQuotes(): void {
    while (this.#takeIf('\\E'));
  }

  /** Parses `[:alpha:]` or `[:^alpha:]`; `null` if the brackets are plain characters. */
  #parsePosixClass(): CharSet | null {
    const start = this.#position;
    const mark = this.#peek(1);
    this.#position += 2;
    const negated = this.#takeIf('^');
    const name = this.#takeWhile(/^[A-Za-z]$/);
    if (!this.#takeIf(`${mark}]`)) {
      this.#position = start;
      return null;
    }
    if (mark !== ':') throw this.#createError('POSIX collating elements are not supported');
    const set = this.#classes.getPosixSet(name);
    if (set === null) throw this.#createError(`unknown POSIX class ${name}`);
    return negated ? this.#complement(set) : set;
  }

  /** Parses an escape, from after the backslash. See pcre2pattern(3), "Backslash". */
  #parseEscape(inClass: boolean): PcreEscape {
    if (this.#isAtEnd) throw this.#createError('\\ at the end of the pattern');
    const letter = this.#peek();
    if (/[0-9]/.test(letter)) return this.#parseNumber(inClass);
    this.#position += 1;
    if (letter === 'E') return null;
    if (!/[A-Za-z]/.test(letter)) return letter.codePointAt(0) ?? 0;
    const control = Object.hasOwn(CONTROL_CHARACTERS, letter) ? CONTROL_CHARACTERS[letter] : undefined;
    if (control !== undefined) return control;
    if (inClass && letter === 'b') return 8;
    const assertion = Object.hasOwn(ESCAPED_ASSERTIONS, letter) ? ESCAPED_ASSERTIONS[letter] : undefined;
    if (!inClass && assertion !== undefined) return assertion;
    const lower = letter.toLowerCase();
    switch (lower) {
      case 'd':
      case 'w':
      case 's':
      case 'h':
      case 'v': {
        const set = this.#classes.setsByEscape[lower];
        return letter === lower ? set : this.#complement(set);
      }
      case 'p':
        return this.#parseProperty(letter === 'P');
    }
    switch (letter) {
      case 'x':
        return this.#checkRange(this.#parseHex());
      case 'o':
        if (!this.#takeIf('{')) throw this.#createError('\\o without {');
        return this.#checkRange(Number.parseInt(this.#takeUntil('}'), 8));
      case 'c':
        return this.#checkRange(String.fromCodePoint(this.#takeCharacter()).toUpperCase().charCodeAt(0) ^ 64);
    }
    if (!inClass) {
      if (letter === 'N') return this.#parseN();
      if (letter === 'R') return this.#lineBreak();
      if (letter === 'g' || letter === 'k') return this.#parseReference(letter);
      if (letter === 'X' || letter === 'C') return { kind: 'opaque', what: `\\${letter}` };
    }
    throw this.#createError(`\\${letter} has no meaning${inClass ? ' in a class' : ''}`);
  }

  #checkRange(character: number): number {
    if (!(character >= 0 && character <= this.#classes.maxCharacter))
      throw this.#createError('a character code is out of range');
    return character;
  }

  #parseHex(): number {
    if (!this.#takeIf('{')) return Number.parseInt(this.#takeWhile(/^[0-9A-Fa-f]$/, 2) || '0', 16);
    const digits = this.#takeUntil('}');
    return /^[0-9A-Fa-f]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  }

  /**
   * Parses the digits of an escape. Outside of classes they are a backreference if the number is below 10 or if that many
   * groups exist. Otherwise they are up to three octal digits.
   */
  #parseNumber(inClass: boolean): PcreEscape {
    const start = this.#position;
    const digits = this.#takeWhile(/^[0-9]$/);
    const number = Number.parseInt(digits, 10);
    const canRefer = number < 10 || /^[89]/.test(digits) || number <= this.#lastGroup;
    if (!inClass && digits[0] !== '0' && canRefer) return this.#reference(number);
    this.#position = start;
    const octal = this.#takeWhile(/^[0-7]$/, 3);
    if (octal === '') throw this.#createError('a digit that is neither octal nor a group');
    return this.#checkRange(Number.parseInt(octal, 8));
  }

  #parseProperty(negated: boolean): CharSet {
    const name = this.#takeIf('{') ? this.#takeUntil('}') : String.fromCodePoint(this.#takeCharacter());
    const inverted = name.startsWith('^');
    const set = this.#classes.getPropertySet(name.slice(inverted ? 1 : 0).trim());
    if (set === null) throw this.#createError(`unknown property ${name}`, 'unsupported');
    return inverted === negated ? set : this.#complement(set);
  }

  #parseN(): number | CharSet {
    if (!this.#takeIf('{U+')) return this.#complement([[10, 10]]);
    if (!this.#isUnicode) throw this.#createError('\\N{U+…} needs the u flag');
    return this.#checkRange(Number.parseInt(this.#takeUntil('}'), 16));
  }

  /** Creates the node of `\R`, any line break. `\r\n` is tried before its parts, and the match is atomic. */
  #lineBreak(): PcreNode {
    const crlf: PcreNode = {
      kind: 'sequence',
      items: [
        { kind: 'set', set: [[13, 13]], literal: 13 },
        { kind: 'set', set: [[10, 10]], literal: 10 },
      ],
    };
    const vertical: PcreNode = { kind: 'set', set: this.#classes.setsByEscape.v };
    return { kind: 'atomic', body: { kind: 'alternation', options: [crlf, vertical] } };
  }

  /** Parses `\g{n} \g-n \k<name> \k'name' \k{name}`, and the recursions `\g<n>` and `\g'n'`. */
  #parseReference(letter: 'g' | 'k'): PcreNode {
    const open = this.#peek();
    const close = REFERENCE_CLOSINGS[open];
    if (close === undefined) {
      if (letter === 'k') throw this.#createError('\\k without a name');
      return this.#numberedReference(this.#takeWhile(/^[-+0-9]$/));
    }
    this.#position += 1;
    const name = this.#takeUntil(close);
    if (letter === 'g' && open !== '{') return { kind: 'opaque', what: 'recursion' };
    return /^[-+]?\d+$/.test(name) && letter === 'g' ? this.#numberedReference(name) : this.#reference(name);
  }

  #numberedReference(text: string): PcreNode {
    if (!/^[-+]?\d{1,5}$/.test(text)) throw this.#createError('a reference without a number');
    const number = Number.parseInt(text, 10);
    if (text.startsWith('-')) return this.#reference(this.#lastGroup + 1 + number);
    return this.#reference(text.startsWith('+') ? this.#lastGroup + number : number);
  }

  /** Creates a backreference. Its group may follow later in the pattern. */
  #reference(to: number | string): PcreNode {
    this.#references.push(to);
    return { kind: 'backreference', to };
  }

  get #isAtEnd(): boolean {
    return this.#position >= this.#characters.length;
  }

  /** The character at this distance from the position, as text; empty past the end. */
  #peek(distance = 0): string {
    const point = this.#characters[this.#position + distance];
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  #takeCharacter(): number {
    const point = this.#characters[this.#position];
    if (point === undefined) throw this.#createError('the pattern ends too early');
    this.#position += 1;
    return point;
  }

  /** Consumes `text` if it follows; returns whether it did. */
  #takeIf(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      if (this.#characters[this.#position + i] !== text.charCodeAt(i)) return false;
    }
    this.#position += text.length;
    return true;
  }

  /** Consumes and returns up to `limit` characters that `accept` matches. */
  #takeWhile(accept: RegExp, limit: number = Number.POSITIVE_INFINITY): string {
    let text = '';
    while (text.length < limit && accept.test(this.#peek())) {
      text += this.#peek();
      this.#position += 1;
    }
    return text;
  }

  /** Consumes the text up to `end`, and `end`. Returns the text without `end`. */
  #takeUntil(end: string): string {
    const start = this.#position;
    let text = '';
    while (!this.#takeIf(end)) {
      if (this.#isAtEnd) throw new PcreSyntaxError(`missing ${end}`, start);
      text += String.fromCodePoint(this.#takeCharacter());
    }
    return text;
  }

  #createError(message: string, reason: PcreErrorReason = 'invalid'): PcreSyntaxError {
    return new PcreSyntaxError(message, this.#position, reason);
  }
}

function nothingToRepeat(offset: number): PcreSyntaxError {
  return new PcreSyntaxError('a quantifier with nothing to repeat', offset);
}

function isFlag(letter: string): letter is 'i' | 'm' | 's' | 'x' | 'n' | 'U' | 'J' {
  return letter.length === 1 && 'imsxnUJ'.includes(letter);
}
