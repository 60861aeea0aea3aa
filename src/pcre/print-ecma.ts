import type { AssertionKind, PcreNode } from './ast.ts';
import { intersectCharSets } from './charset.ts';
import { printCharSet } from './print-charset.ts';

export interface EcmaPrintOptions {
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

export interface PrintedPattern {
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
        return node.set.length === 1 && node.set[0]?.[0] === 0x2f && node.set[0][1] === 0x2f
          ? '/'
          : printCharSet(node.set, this.#options.maxCharacter);
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
        return this.#printWildcard('a backreference');
      case 'opaque':
        return this.#printWildcard(node.what);
    }
  }

  #group(
    index: number,
    body: () => string,
    node: PcreNode,
    last: boolean,
    next: PcreNode | undefined,
  ): string {
    if (!this.#options.capturedGroups.has(index)) {
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
