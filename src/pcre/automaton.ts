import type { PcreNode, RepeatNode } from './ast.ts';
import { type CharSet, intersection, MAX_CODE_POINT } from './charset.ts';

/**
 * The position automaton of a pattern (Glushkov): a state for each set in it, entered by reading a character of that
 * set. Edges count in how many ways the pattern itself leads from one state to the next without reading, up to 2: two
 * ways are an ambiguity of their own, which `(a*)*` has and `a*` has not.
 */
export interface Automaton {
  /** State 0 is the start, which reads nothing. */
  readonly states: number;
  /** For each state the states that may follow, with the number of ways, 1 or 2. */
  readonly edges: readonly ReadonlyMap<number, number>[];
  /** Whether one character can lead into both states. */
  overlap(a: number, b: number): boolean;
  /** States after which the whole pattern has matched. */
  readonly accepting: ReadonlySet<number>;
}

/** Beyond this a pattern is not built; whoever asks has to take it for unsafe. */
const MAX_STATES = 20_000;
const MAX_EDGES = 60_000;
/** Bounded repetitions are written out up to here, and taken for unbounded beyond. */
const MAX_COPIES_OF_SET = 64;
const MAX_COPIES = 4;

/** So many different sets are compared once and remembered. */
const MAX_KINDS = 256;

/** Stands for the end of the subject, where `$` and `\z` ask for it. */
export const END_OF_SUBJECT: CharSet = [[MAX_CODE_POINT + 1, MAX_CODE_POINT + 1]];

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

export function buildAutomaton(root: PcreNode): Automaton {
  const builder = new Builder();
  const whole = builder.build(root);
  for (const [state, ways] of whole.first) builder.link(0, state, ways);
  const { edges, sets } = builder;
  const numbers = new Map<string, number>();
  const representatives: CharSet[] = [];
  const kindOf = sets.map((set) => {
    const key = set.join(';');
    const kind = numbers.get(key) ?? representatives.push(set) - 1;
    numbers.set(key, kind);
    return kind;
  });
  const { length } = representatives;
  const kinds = Math.min(length, MAX_KINDS);
  // 0: not asked yet, 1: no, 2: yes.
  const overlaps = new Uint8Array(kinds * kinds);
  const ask = (a: number, b: number): boolean =>
    intersection(representatives[a] ?? [], representatives[b] ?? []).length > 0;
  return {
    states: sets.length,
    edges,
    accepting: new Set(whole.last.keys()),
    overlap: (a, b) => {
      const left = kindOf[a] ?? 0;
      const right = kindOf[b] ?? 0;
      if (left >= kinds || right >= kinds) return ask(left, right);
      const known = overlaps[left * kinds + right];
      if (known !== 0) return known === 2;
      const is = ask(left, right);
      overlaps[left * kinds + right] = is ? 2 : 1;
      return is;
    },
  };
}

/** States by the number of ways, 1 or 2. */
type Ways = ReadonlyMap<number, number>;

/** A part of the pattern: in how many ways it matches nothing, and where its matches begin and end. */
interface Part {
  readonly empty: number;
  readonly first: Ways;
  readonly last: Ways;
}

const NOTHING: Part = { empty: 1, first: new Map(), last: new Map() };

class Builder {
  readonly sets: CharSet[] = [[]];
  readonly edges: Map<number, number>[] = [new Map()];
  #edgeCount = 0;

  build(node: PcreNode): Part {
    switch (node.kind) {
      case 'set':
        return this.#state(node.set);
      case 'sequence':
        return node.items.reduce((before, item) => this.#concatenate(before, this.build(item)), NOTHING);
      case 'alternation':
        return this.#alternation(node.options);
      case 'group':
      case 'atomic':
        return this.build(node.body);
      case 'repeat':
        return this.#repeat(node);
      case 'assert':
        return node.at === 'end' || node.at === 'last-line-end' ? this.#state(END_OF_SUBJECT) : NOTHING;
      case 'look':
        return NOTHING;
      case 'backreference':
      case 'opaque':
        return this.#loop(this.#state([[0, MAX_CODE_POINT]]), true, 1);
    }
  }

  link(from: number, to: number, ways: number): void {
    const edges = this.edges[from];
    if (edges === undefined || ways === 0) return;
    this.#edgeCount += 1;
    if (this.#edgeCount > MAX_EDGES) throw new TooLargeError();
    edges.set(to, capped((edges.get(to) ?? 0) + ways));
  }

  #state(set: CharSet): Part {
    if (this.sets.length >= MAX_STATES) throw new TooLargeError();
    const state = this.sets.push(set) - 1;
    this.edges.push(new Map());
    const only = new Map([[state, 1]]);
    return { empty: 0, first: only, last: only };
  }

  #concatenate(a: Part, b: Part): Part {
    this.#linkAll(a.last, b.first, 1);
    return {
      empty: capped(a.empty * b.empty),
      first: a.empty === 0 ? a.first : sum(a.first, times(b.first, a.empty)),
      last: b.empty === 0 ? b.last : sum(b.last, times(a.last, b.empty)),
    };
  }

  #alternation(options: readonly PcreNode[]): Part {
    let empty = 0;
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    for (const option of options) {
      const part = this.build(option);
      empty = capped(empty + part.empty);
      // The states of two options are never the same.
      for (const [state, ways] of part.first) first.set(state, ways);
      for (const [state, ways] of part.last) last.set(state, ways);
    }
    return { empty, first, last };
  }

  #linkAll(from: Ways, to: Ways, factor: number): void {
    for (const [a, left] of from) for (const [b, right] of to) this.link(a, b, capped(left * right * factor));
  }

  #repeat(node: RepeatNode): Part {
    const { body, min, max } = node;
    if (max === 0) return NOTHING;
    const limit = isSet(body) ? MAX_COPIES_OF_SET : MAX_COPIES;
    const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max;
    if (copies > limit) {
      const once = this.build(body);
      // Rounds that may be empty can be told apart in ways that a loop does not show.
      return this.#loop(once, min === 0, once.empty > 0 ? 2 : 1);
    }
    let whole = NOTHING;
    for (let i = 0; i < min - (max === Number.POSITIVE_INFINITY ? 1 : 0); i += 1) {
      whole = this.#concatenate(whole, this.build(body));
    }
    if (max === Number.POSITIVE_INFINITY) {
      return this.#concatenate(
        whole,
        this.#loop(this.build(body), min === 0, min > 1 && whole.empty > 0 ? 2 : 1),
      );
    }
    return this.#concatenate(whole, this.#optional(body, max - min));
  }

  /** `(X(X(X)?)?)?` */
  #optional(body: PcreNode, count: number): Part {
    let tail = NOTHING;
    for (let i = 0; i < count; i += 1) {
      const longer = this.#concatenate(this.build(body), tail);
      tail = { ...longer, empty: capped(longer.empty + 1) };
    }
    return tail;
  }

  #loop(once: Part, skippable: boolean, ways: number): Part {
    this.#linkAll(once.last, once.first, ways);
    return { ...once, empty: capped(once.empty + (skippable ? 1 : 0)) };
  }
}

function isSet(node: PcreNode): boolean {
  return node.kind === 'set' || (node.kind === 'group' && isSet(node.body));
}

function capped(ways: number): number {
  return Math.min(ways, 2);
}

function sum(a: Ways, b: Ways): Ways {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const all = new Map(a);
  for (const [state, ways] of b) all.set(state, capped((all.get(state) ?? 0) + ways));
  return all;
}

function times(ways: Ways, factor: number): Ways {
  return factor === 1 ? ways : new Map([...ways].map(([state, count]) => [state, capped(count * factor)]));
}
