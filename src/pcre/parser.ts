import { omitUndefined } from '../omit-undefined.ts';
import type { GroupNode, PcreNode } from './ast.ts';
import { complementCharSet, foldCharacter } from './charset.ts';
import { type CharClasses, getCharClasses } from './classes.ts';
import { charactersToText, PatternCursor, PcreSyntaxError } from './cursor.ts';
import { GROUP_OPENINGS, NAMED_GROUP_OPENINGS, parseGroupName } from './group-openings.ts';
import { GroupRegistry, type PcreParserResult } from './group-registry.ts';
import { hasFixedLengthBranches } from './lengths.ts';
import { parseClass } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import { NO_FLAGS, type PcreFlags, parseFlags } from './parse-flags.ts';
import { NOTHING_TO_REPEAT, parseQuantifier } from './parse-quantifier.ts';
import { isPlainCharacter, STARTS_TRIVIA_OR_QUANTIFIER, skipExtended, skipTrivia } from './trivia.ts';

/** PCRE2's limit on nesting (`parens_nest_limit`). No site can compile deeper patterns. */
const MAX_DEPTH = 250;

/**
 * Parses one pattern; an instance is used once.
 *
 * @throws {PcreSyntaxError} when the pattern is invalid or unsupported
 */
export class PcreParser {
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
