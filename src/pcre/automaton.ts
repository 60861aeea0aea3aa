import type { PcreNode, RepeatNode } from './ast.ts';
import { type CharSet, intersectCharSets, MAX_CODE_POINT } from './charset.ts';

/**
 * The position automaton of a pattern (Glushkov). It has a state for each set of the pattern, entered by reading a
 * character of that set. An edge counts the paths through the pattern between two states, up to 2. Two paths are an
 * ambiguity, which `(a*)*` has and `a*` does not.
 */
export interface Automaton {
  /** Number of states. State 0 is the start, which reads nothing. */
  readonly stateCount: number;
  /** For each state: its successors with the number of paths, 1 or 2. */
  readonly edges: readonly ReadonlyMap<number, number>[];
  /** Whether one character can lead into both states. */
  canOverlap(a: number, b: number): boolean;
  /** States in which the whole pattern has matched. */
  readonly acceptingStates: ReadonlySet<number>;
}

/** Limits of the automaton. A pattern that exceeds them is treated as unsafe. */
const MAX_STATES = 20_000;
const MAX_EDGES = 60_000;
/** Bounded repetitions are copied up to these limits and treated as unbounded beyond. */
const MAX_COPIES_OF_SET = 64;
const MAX_COPIES = 4;

/** Number of distinct sets whose comparisons are cached. */
const MAX_CACHED_SETS = 256;

/** A set that stands for the end of the subject (`$`, `\z`). It contains a character beyond Unicode. */
export const END_OF_SUBJECT: CharSet = [[MAX_CODE_POINT + 1, MAX_CODE_POINT + 1]];

/** Thrown when a pattern exceeds a limit of the analysis. */
export class AnalysisLimitError extends Error {
  override readonly name = 'AnalysisLimitError';
}

/**
 * Builds the automaton of a pattern.
 *
 * @throws {AnalysisLimitError} when it has too many states or edges
 */
export function buildAutomaton(root: PcreNode): Automaton {
  const builder = new Builder();
  const whole = builder.build(root);
  for (const [state, paths] of whole.first) builder.link(0, state, paths);
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
  const kinds = Math.min(length, MAX_CACHED_SETS);
  // 0: unknown, 1: no, 2: yes.
  const overlaps = new Uint8Array(kinds * kinds);
  const computeOverlap = (a: number, b: number): boolean =>
    intersectCharSets(representatives[a] ?? [], representatives[b] ?? []).length > 0;
  return {
    stateCount: sets.length,
    edges,
    acceptingStates: new Set(whole.last.keys()),
    canOverlap: (a, b) => {
      const left = kindOf[a] ?? 0;
      const right = kindOf[b] ?? 0;
      if (left >= kinds || right >= kinds) return computeOverlap(left, right);
      const known = overlaps[left * kinds + right];
      if (known !== 0) return known === 2;
      const isOverlapping = computeOverlap(left, right);
      overlaps[left * kinds + right] = isOverlapping ? 2 : 1;
      return isOverlapping;
    },
  };
}

/** Number of paths, 1 or 2, by state. */
type PathCounts = ReadonlyMap<number, number>;

/** The automaton of a part of the pattern: its number of empty matches, its first and its last states. */
interface Fragment {
  readonly empty: number;
  readonly first: PathCounts;
  readonly last: PathCounts;
}

const EMPTY_FRAGMENT: Fragment = { empty: 1, first: new Map(), last: new Map() };

class Builder {
  readonly sets: CharSet[] = [[]];
  readonly edges: Map<number, number>[] = [new Map()];
  #edgeCount = 0;

  build(node: PcreNode): Fragment {
    switch (node.kind) {
      case 'set':
        return this.#state(node.set);
      case 'sequence':
        return node.items.reduce(
          (before, item) => this.#concatenate(before, this.build(item)),
          EMPTY_FRAGMENT,
        );
      case 'alternation':
        return this.#alternation(node.options);
      case 'group':
      case 'atomic':
        return this.build(node.body);
      case 'repeat':
        return this.#repeat(node);
      case 'assert':
        return node.at === 'end' || node.at === 'last-line-end'
          ? this.#state(END_OF_SUBJECT)
          : EMPTY_FRAGMENT;
      case 'look':
        return EMPTY_FRAGMENT;
      case 'backreference':
      case 'opaque':
        return this.#loop(this.#state([[0, MAX_CODE_POINT]]), true, 1);
    }
  }

  link(from: number, to: number, paths: number): void {
    const edges = this.edges[from];
    if (edges === undefined || paths === 0) return;
    this.#edgeCount += 1;
    if (this.#edgeCount > MAX_EDGES) throw new AnalysisLimitError();
    edges.set(to, capAtTwo((edges.get(to) ?? 0) + paths));
  }

  #state(set: CharSet): Fragment {
    if (this.sets.length >= MAX_STATES) throw new AnalysisLimitError();
    const state = this.sets.push(set) - 1;
    this.edges.push(new Map());
    const only = new Map([[state, 1]]);
    return { empty: 0, first: only, last: only };
  }

  #concatenate(a: Fragment, b: Fragment): Fragment {
    this.#linkAll(a.last, b.first, 1);
    return {
      empty: capAtTwo(a.empty * b.empty),
      first: a.empty === 0 ? a.first : sum(a.first, scale(b.first, a.empty)),
      last: b.empty === 0 ? b.last : sum(b.last, scale(a.last, b.empty)),
    };
  }

  #alternation(options: readonly PcreNode[]): Fragment {
    let empty = 0;
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    for (const option of options) {
      const part = this.build(option);
      empty = capAtTwo(empty + part.empty);
      // Two options never share a state.
      for (const [state, paths] of part.first) first.set(state, paths);
      for (const [state, paths] of part.last) last.set(state, paths);
    }
    return { empty, first, last };
  }

  #linkAll(from: PathCounts, to: PathCounts, factor: number): void {
    for (const [a, left] of from)
      for (const [b, right] of to) this.link(a, b, capAtTwo(left * right * factor));
  }

  #repeat(node: RepeatNode): Fragment {
    const { body, min, max } = node;
    if (max === 0) return EMPTY_FRAGMENT;
    const limit = isSet(body) ? MAX_COPIES_OF_SET : MAX_COPIES;
    const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max;
    if (copies > limit) {
      const once = this.build(body);
      // Possibly empty iterations are ambiguous in a way that a loop does not show.
      return this.#loop(once, min === 0, once.empty > 0 ? 2 : 1);
    }
    let whole = EMPTY_FRAGMENT;
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
  #optional(body: PcreNode, count: number): Fragment {
    let tail = EMPTY_FRAGMENT;
    for (let i = 0; i < count; i += 1) {
      const longer = this.#concatenate(this.build(body), tail);
      tail = { ...longer, empty: capAtTwo(longer.empty + 1) };
    }
    return tail;
  }

  #loop(once: Fragment, skippable: boolean, paths: number): Fragment {
    this.#linkAll(once.last, once.first, paths);
    return { ...once, empty: capAtTwo(once.empty + (skippable ? 1 : 0)) };
  }
}

function isSet(node: PcreNode): boolean {
  return node.kind === 'set' || (node.kind === 'group' && isSet(node.body));
}

function capAtTwo(paths: number): number {
  return Math.min(paths, 2);
}

function sum(a: PathCounts, b: PathCounts): PathCounts {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const all = new Map(a);
  for (const [state, paths] of b) all.set(state, capAtTwo((all.get(state) ?? 0) + paths));
  return all;
}

function scale(paths: PathCounts, factor: number): PathCounts {
  return factor === 1
    ? paths
    : new Map([...paths].map(([state, count]) => [state, capAtTwo(count * factor)]));
}
