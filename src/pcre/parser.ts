import type { GroupNode, PcreNode } from './ast.ts';
import { complement, foldCharacter } from './charset.ts';
import { readClass } from './class-parser.ts';
import { type CharClasses, classesFor } from './classes.ts';
import { Cursor, PcreSyntaxError } from './cursor.ts';
import { readEscape } from './escape.ts';
import { type Flags, NO_FLAGS, readFlags } from './flags.ts';
import { hasFixedBranches } from './lengths.ts';
import { readQuantifier } from './quantifier.ts';

/** PCRE2's own limit on nesting (`parens_nest_limit`): what is deeper, no site could compile. */
const MAX_DEPTH = 250;

export interface Parsed {
  readonly ok: true;
  readonly root: PcreNode;
  readonly groups: readonly { readonly index: number; readonly name?: string }[];
  readonly refused?: string;
}

/** Characters as the parser reads them, back as text. */
export function textOf(characters: readonly number[], unicode: boolean): string {
  if (!unicode) return new TextDecoder().decode(Uint8Array.from(characters));
  return characters.map((point) => String.fromCodePoint(point)).join('');
}

/** The parser proper: one use, one pattern. Throws `PcreSyntaxError`. */
export class Parser {
  readonly #cursor: Cursor;
  readonly #classes: CharClasses;
  readonly #groups: { index: number; name?: string }[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #names = new Map<number, string>();
  readonly #references: (number | string)[] = [];
  #count = 0;
  #depth = 0;
  #refused: string | undefined;
  #flags: Flags = NO_FLAGS;

  constructor(characters: readonly number[], unicode: boolean) {
    this.#cursor = new Cursor(characters);
    this.#classes = classesFor(unicode);
  }

  parse(flags: Flags): Parsed {
    this.#flags = flags;
    const root = this.#alternation();
    if (!this.#cursor.done) throw this.#cursor.fault('a ) without its (');
    for (const to of this.#references) {
      const stands = this.#groups.some((group) => group.index === to || group.name === to);
      if (!stands) throw this.#cursor.fault(`a reference to the group ${to}, which does not exist`);
    }
    const groups = this.#groups.sort((a, b) => a.index - b.index);
    return { ok: true, root, groups, ...(this.#refused === undefined ? {} : { refused: this.#refused }) };
  }

  /** Alternatives up to a `)` or the end. Flags set inside hold to the end of the group, over `|` too. */
  #alternation(resetNumbers = false): PcreNode {
    const first = this.#count;
    let highest = first;
    const options: PcreNode[] = [this.#sequence()];
    while (this.#cursor.take('|')) {
      highest = Math.max(highest, this.#count);
      if (resetNumbers) this.#count = first;
      options.push(this.#sequence());
    }
    this.#count = Math.max(highest, this.#count);
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'alternation', options };
  }

  #sequence(): PcreNode {
    const items: PcreNode[] = [];
    for (;;) {
      const plain = this.#plain();
      if (plain !== null) {
        items.push(plain);
        continue;
      }
      this.#skipExtended();
      const next = this.#cursor.peek();
      if (next === '' || next === '|' || next === ')') break;
      for (const node of this.#atom()) items.push(node);
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
  }

  /** A character that means itself and that nothing can follow up, as most do: the short way through `#atom`. */
  #plain(): PcreNode | null {
    const { characters, at } = this.#cursor;
    const character = characters[at];
    if (character === undefined || this.#flags.x || !isPlain(character)) return null;
    const next = characters[at + 1] ?? SLASH;
    if (!isPlain(next) && next !== CLOSING) return null;
    this.#cursor.at += 1;
    const literal = this.#literal(character);
    return { ...literal, span: [at, at + 1] };
  }

  /** One item with its quantifiers; none for a comment or a change of flags, several for `\Q…\E`. */
  #atom(): readonly PcreNode[] {
    const start = this.#cursor.at;
    const quoted = this.#cursor.take('\\Q') ? this.#quoted() : null;
    const bare = quoted === null ? this.#bare() : (quoted.pop() ?? null);
    if (bare === null) return quoted ?? [];
    if (this.#flags.x || MAY_CONTINUE.test(this.#cursor.peek())) this.#skipTrivia();
    const behind = this.#cursor.at;
    const quantifier = readQuantifier(this.#cursor, this.#flags);
    if (quantifier !== null && bare.kind === 'assert') throw new PcreSyntaxError(NOTHING_TO_REPEAT, behind);
    const span = [start, this.#cursor.at] as const;
    const node: PcreNode =
      quantifier === null ? { ...bare, span } : { kind: 'repeat', body: bare, ...quantifier, span };
    return quoted === null ? [node] : [...quoted, node];
  }

  #quoted(): PcreNode[] {
    const nodes: PcreNode[] = [];
    while (!this.#cursor.done && !this.#cursor.take('\\E')) nodes.push(this.#literal(this.#cursor.next()));
    return nodes;
  }

  #bare(): PcreNode | null {
    const cursor = this.#cursor;
    const start = cursor.at;
    const character = cursor.next();
    switch (String.fromCodePoint(character)) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: readClass(cursor, this.#classes, this.#flags) };
      case '.':
        return { kind: 'set', set: complement(this.#flags.s ? [] : [[10, 10]], this.#classes.max) };
      case '^':
        return { kind: 'assert', at: this.#flags.m ? 'line-start' : 'start' };
      case '$':
        return { kind: 'assert', at: this.#flags.m ? 'line-end' : 'last-line-end' };
      case '*':
      case '+':
      case '?':
        throw new PcreSyntaxError(NOTHING_TO_REPEAT, start);
      case '{':
        cursor.at = start;
        if (readQuantifier(cursor, this.#flags) !== null) throw new PcreSyntaxError(NOTHING_TO_REPEAT, start);
        cursor.at = start + 1;
        return this.#literal(character);
      case '\\':
        return this.#escape();
      default:
        return this.#literal(character);
    }
  }

  #escape(): PcreNode | null {
    const escaped = readEscape(this.#cursor, this.#classes, { inClass: false, groups: this.#count });
    if (escaped.kind === 'nothing') return null;
    if (escaped.kind === 'literal') return this.#literal(escaped.character);
    if (escaped.kind === 'class') return { kind: 'set', set: escaped.set };
    return this.#noted(escaped.node);
  }

  #noted(node: PcreNode): PcreNode {
    if (node.kind === 'backreference') this.#references.push(node.to);
    return node;
  }

  #literal(character: number): PcreNode {
    return {
      kind: 'set',
      set: this.#flags.i ? foldCharacter(character, this.#classes.max > 0xff) : [[character, character]],
      literal: character,
    };
  }

  /** A parenthesis; the cursor stands behind it. */
  #group(): PcreNode | null {
    const cursor = this.#cursor;
    if (cursor.peek() === '*' && /^[A-Za-z:]$/.test(cursor.peek(1))) {
      throw cursor.fault('verbs such as (*SKIP) are not supported', 'unsupported');
    }
    if (!cursor.take('?')) return this.#flags.n ? this.#nested() : this.#capturing();
    if (cursor.take('#')) {
      cursor.takeUntil(')');
      return null;
    }
    for (const [opening, build] of OPENINGS) {
      if (!cursor.take(opening)) continue;
      const node = build(() => this.#nested());
      if (node.kind === 'look' && !node.ahead && !hasFixedBranches(node.body)) {
        throw cursor.fault('a lookbehind whose length is not fixed');
      }
      return node;
    }
    if (cursor.take('|')) return this.#nested(true);
    for (const [opening, close] of NAMED) {
      if (cursor.take(opening)) return this.#capturing(this.#name(close));
    }
    if (cursor.take('P=')) return this.#noted({ kind: 'backreference', to: cursor.takeUntil(')') });
    if (cursor.take('C')) {
      cursor.takeUntil(')');
      return null;
    }
    if (/^(?:R|P>|&|[-+]?\d)/.test(cursor.peek() + cursor.peek(1))) {
      cursor.takeUntil(')');
      return { kind: 'opaque', what: 'recursion' };
    }
    if (cursor.peek() === '(') throw cursor.fault('conditions are not supported', 'unsupported');
    return this.#flagged();
  }

  /** `(?i)` for the rest of the group, `(?i:…)` for its own content. */
  #flagged(): PcreNode | null {
    const outer = this.#flags;
    const flags = readFlags(this.#cursor, outer);
    if (this.#cursor.take(')')) {
      this.#flags = flags;
      return null;
    }
    if (!this.#cursor.take(':')) throw this.#cursor.fault('unrecognized character after (?');
    this.#flags = flags;
    const body = this.#nested();
    this.#flags = outer;
    return body;
  }

  #name(close: string): string {
    const cursor = this.#cursor;
    const name = cursor.takeUntil(close);
    const valid = this.#classes.max > 0xff ? /^[\p{L}\p{Nd}_]{1,32}$/u : /^\w{1,32}$/;
    if (!valid.test(name) || /^\d/.test(name)) throw cursor.fault(`${name} is no name for a group`);
    return name;
  }

  #capturing(name?: string): GroupNode {
    this.#count += 1;
    const index = this.#count;
    if (name !== undefined) this.#check(name, index);
    const named = name === undefined ? {} : { name };
    this.#groups.push({ index, ...named });
    const start = this.#cursor.at;
    const body = this.#nested();
    const pcre = textOf(this.#cursor.characters.slice(start, this.#cursor.at - 1), this.#classes.max > 0xff);
    return { kind: 'group', index, ...named, body, pcre };
  }

  /** PCRE takes a name twice only under `J`, or for one number under `(?|`. */
  #check(name: string, index: number): void {
    const other = this.#indexes.get(name);
    if (other !== undefined && other !== index && !this.#flags.J)
      this.#refused = `two groups are named ${name}`;
    const otherwise = this.#names.get(index);
    if (otherwise !== undefined && otherwise !== name)
      this.#refused = `one group is named ${name} and ${otherwise}`;
    this.#indexes.set(name, index);
    this.#names.set(index, name);
  }

  #nested(resetNumbers = false): PcreNode {
    if (this.#depth >= MAX_DEPTH) throw this.#cursor.fault(`groups nest deeper than ${MAX_DEPTH}`);
    this.#depth += 1;
    const flags = this.#flags;
    const start = this.#cursor.at;
    const body = this.#alternation(resetNumbers);
    if (!this.#cursor.take(')')) throw new PcreSyntaxError('a ( without its )', start);
    this.#flags = flags;
    this.#depth -= 1;
    // A quantifier may follow `(?:\b)`, though none may follow `\b`.
    return body.kind === 'assert' ? { kind: 'sequence', items: [body] } : body;
  }

  /** What may stand between an item and its quantifier without parting them. */
  #skipTrivia(): void {
    for (let start = -1; start !== this.#cursor.at; ) {
      start = this.#cursor.at;
      this.#skipExtended();
      this.#cursor.take('\\E');
      this.#cursor.take('\\Q\\E');
      if (this.#cursor.take('(?#')) this.#cursor.takeUntil(')');
    }
  }

  /** White space and `#` comments under `x`. */
  #skipExtended(): void {
    while (this.#flags.x) {
      if (/^[\t-\r ]$/.test(this.#cursor.peek())) this.#cursor.at += 1;
      else if (this.#cursor.take('#')) while (!this.#cursor.done && this.#cursor.next() !== 10);
      else return;
    }
  }
}

const SLASH = 0x2f;
const CLOSING = 0x29;

/** `-`, `/`, `_`, digits and ASCII's letters. */
function isPlain(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x2d && character <= 0x39 && character !== 0x2e) ||
    character === 0x5f
  );
}

/** What a quantifier, a comment or an empty quotation begins with. */
const MAY_CONTINUE = /^[*+?{(\\]/;

const NOTHING_TO_REPEAT = 'a quantifier with nothing to repeat';

const NAMED: readonly (readonly [opening: string, close: string])[] = [
  ['P<', '>'],
  ['<', '>'],
  ["'", "'"],
];

/** Longer openings first: `<=` is no name. */
const OPENINGS: readonly (readonly [string, (body: () => PcreNode) => PcreNode])[] = [
  [':', (body) => body()],
  ['>', (body) => ({ kind: 'atomic', body: body() })],
  ['=', (body) => ({ kind: 'look', ahead: true, negative: false, body: body() })],
  ['!', (body) => ({ kind: 'look', ahead: true, negative: true, body: body() })],
  ['<=', (body) => ({ kind: 'look', ahead: false, negative: false, body: body() })],
  ['<!', (body) => ({ kind: 'look', ahead: false, negative: true, body: body() })],
];
