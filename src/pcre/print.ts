import type { Assertion, PcreNode } from './ast.ts';
import { intersection } from './charset.ts';
import { printSet } from './print-set.ts';

export interface PrintOptions {
  /** The highest character of the subject's alphabet. */
  readonly max: number;
  /** Whether `\b` asks for Unicode's words or for ASCII's. */
  readonly unicodeWords: boolean;
  /** Groups that have to capture, by their PCRE number; all others are printed without. */
  readonly captured: ReadonlySet<number>;
  /** For a matcher and not for a reader: laziness is kept, which changes captures but no verdict. */
  readonly forMatching: boolean;
  /** Whether the end of the pattern is the end of what is printed, so that a `$` there may take the newline. */
  readonly ends: boolean;
}

export interface Printed {
  readonly source: string;
  /** PCRE numbers of the captures, in the order in which they open in `source`; 0 for one that only helps. */
  readonly captures: readonly number[];
  /** Why the source accepts more than the pattern; empty where it accepts the same. */
  readonly widened: readonly string[];
}

/** Prints a pattern for another engine. What the engine cannot say is widened, never narrowed. */
export function printPattern(root: PcreNode, options: PrintOptions): Printed {
  const printer = new Printer(options);
  const source = printer.alternatives(root, options.ends);
  return { source, captures: printer.captures, widened: [...printer.widened] };
}

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  start: '^',
  end: '$',
  'last-line-end': '(?=\\n?$)',
  'line-start': '(?:^|(?<=\\n)(?!$))',
  'line-end': '(?=\\n|$)',
  boundary: '\\b',
  'no-boundary': '\\B',
};

/** `\b` by Unicode's idea of a word, as PCRE2_UCP has it. */
const WORD = '[\\p{L}\\p{N}_]';
const UNICODE_BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const UNICODE_NO_BOUNDARY = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;

class Printer {
  readonly captures: number[] = [];
  readonly widened = new Set<string>();
  readonly #options: PrintOptions;

  constructor(options: PrintOptions) {
    this.#options = options;
  }

  /** A node where alternatives need no parentheses. `last`: nothing comes after it in the pattern. */
  alternatives(node: PcreNode, last: boolean): string {
    if (node.kind !== 'alternation') return this.#node(node, last, undefined);
    return node.options.map((option) => this.#node(option, last, undefined)).join('|');
  }

  #node(node: PcreNode, last: boolean, next: PcreNode | undefined): string {
    switch (node.kind) {
      case 'set':
        return node.set.length === 1 && node.set[0]?.[0] === 0x2f && node.set[0][1] === 0x2f
          ? '/'
          : printSet(node.set, this.#options.max);
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
        return this.#group(node.index, () => this.alternatives(node.body, false), node.body, last, next);
      case 'repeat':
        return this.#repeat(node, next);
      case 'look':
        return this.#look(node);
      case 'atomic':
        return this.#atomic(node.body, () => this.alternatives(node.body, false));
      case 'assert':
        return this.#assert(node.at, last);
      case 'backreference':
        return this.#anything('a backreference');
      case 'opaque':
        return this.#anything(node.what);
    }
  }

  #group(
    index: number,
    body: () => string,
    node: PcreNode,
    last: boolean,
    next: PcreNode | undefined,
  ): string {
    if (!this.#options.captured.has(index)) {
      return node.kind === 'alternation' ? `(?:${body()})` : this.#node(node, last, next);
    }
    this.captures.push(index);
    return `(${body()})`;
  }

  #repeat(node: PcreNode & { kind: 'repeat' }, next: PcreNode | undefined): string {
    const { min, max, greed } = node;
    const print = (): string => {
      const lazy = greed === 'lazy' && this.#options.forMatching ? '?' : '';
      return `${this.#unit(node.body)}${quantifier(min, max)}${lazy}`;
    };
    if (greed !== 'possessive' || handsNothingBack(node, next)) return print();
    return this.#atomic(node, print);
  }

  /** A node as one item that a quantifier can follow. */
  #unit(node: PcreNode): string {
    let inner = node;
    while (inner.kind === 'group' && !this.#options.captured.has(inner.index)) inner = inner.body;
    if (inner.kind === 'set' || inner.kind === 'alternation' || inner.kind === 'group') {
      return this.#node(inner, false, undefined);
    }
    return `(?:${this.#node(inner, false, undefined)})`;
  }

  #look(node: PcreNode & { kind: 'look' }): string {
    const known = this.widened.size;
    const body = this.alternatives(node.body, false);
    // A wider body makes a narrower refusal: then better none at all.
    if (this.widened.size > known && node.negative) return '';
    return `(?${node.ahead ? '' : '<'}${node.negative ? '!' : '='}${body})`;
  }

  /** JavaScript has no atomic groups, but a lookahead is one. */
  #atomic(node: PcreNode, print: () => string): string {
    if (!this.#options.forMatching) {
      this.widened.add('an atomic group or possessive quantifier');
      return node.kind === 'repeat' ? print() : `(?:${print()})`;
    }
    this.captures.push(0);
    const number = this.captures.length;
    return `(?:(?=(${print()}))\\${number})`;
  }

  #assert(at: Assertion, last: boolean): string {
    if (at === 'last-line-end' && last) return '\\n?$';
    if (!this.#options.unicodeWords) return ASSERTIONS[at];
    if (at === 'boundary') return UNICODE_BOUNDARY;
    return at === 'no-boundary' ? UNICODE_NO_BOUNDARY : ASSERTIONS[at];
  }

  #anything(what: string): string {
    this.widened.add(what);
    return '[\\s\\S]*';
  }
}

function quantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** Whether giving back could not help anyway: `[^/]++/`. */
function handsNothingBack(node: PcreNode & { kind: 'repeat' }, next: PcreNode | undefined): boolean {
  if (node.body.kind !== 'set') return false;
  let first = next;
  while (first !== undefined && first.kind !== 'set') {
    if (first.kind === 'group') first = first.body;
    else if (first.kind === 'repeat' && first.min > 0) first = first.body;
    else if (first.kind === 'sequence') first = first.items[0];
    else return first.kind === 'assert' && first.at === 'end';
  }
  return first !== undefined && intersection(node.body.set, first.set).length === 0;
}
