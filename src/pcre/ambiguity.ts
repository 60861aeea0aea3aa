import {
  childrenOf,
  getMatchLengths,
  isStartAnchored,
  type PcreNode,
  type RepeatNode,
  someNode,
} from './ast.ts';
import { type CharSet, intersectCharSets, MAX_CODE_POINT } from './charset.ts';

/**
 * Growth of the number of paths that a backtracking engine tries with the length of the subject. `none`: it does not
 * grow. `unknown`: the pattern is too large to analyse or contains a backreference, so it is treated as unsafe.
 */
export type Ambiguity = 'none' | 'polynomial' | 'exponential' | 'unknown';

const MAX_STEPS = 100_000;
/** Maximum number of paths that is harmless if it does not grow with the subject. Each path costs one pass more. */
const MAX_FIXED_PATHS = 64;

/**
 * Determines the ambiguity of a pattern from its automaton. It is exponential if a state leads back to itself by two paths
 * on one word, and polynomial if two states lead to themselves and the first to the second, all on one word (Weber and
 * Seidl, "On the degree of ambiguity of finite automata", 1991: EDA and IDA).
 *
 * @param options.matchesWhole whether the pattern must match the whole subject instead of a part of it
 */
export function analyzeAmbiguity(root: PcreNode, options: { readonly matchesWhole: boolean }): Ambiguity {
  if (someNode(root, ({ kind }) => kind === 'backreference' || kind === 'opaque')) return 'unknown';
  const steps = new StepBudget();
  try {
    const looks = lookaroundBodies(root);
    const found = [
      ...looks.map((body) => classifyAutomaton(body, false, steps)),
      classifyAutomaton(embedInSearch(root, options.matchesWhole), options.matchesWhole, steps),
    ];
    // An unbounded lookaround runs again at each position.
    if (looks.some((body) => getMatchLengths(body).max === Number.POSITIVE_INFINITY))
      found.push('polynomial');
    return BY_SEVERITY.find((ambiguity) => found.includes(ambiguity)) ?? 'none';
  } catch (error) {
    if (error instanceof AnalysisLimitError) return 'unknown';
    throw error;
  }
}

const BY_SEVERITY: readonly Ambiguity[] = ['exponential', 'polynomial', 'unknown'];

class StepBudget {
  #left = MAX_STEPS;

  take(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new AnalysisLimitError();
  }
}

/** Adds the end of the subject, or the text before a match that a search skips. */
function embedInSearch(root: PcreNode, anchored: boolean): PcreNode {
  if (anchored) return { kind: 'sequence', items: [root, { kind: 'set', set: END_OF_SUBJECT }] };
  if (isStartAnchored(root)) return root;
  const body: PcreNode = { kind: 'set', set: [[0, MAX_CODE_POINT]] };
  const max = Number.POSITIVE_INFINITY;
  return { kind: 'sequence', items: [{ kind: 'repeat', body, min: 0, max, greed: 'lazy' }, root] };
}

function classifyAutomaton(root: PcreNode, anchored: boolean, steps: StepBudget): Ambiguity {
  const automaton = buildAutomaton(root);
  // A search ends with its first match, so the successors of accepting states do not matter. An assertion that the
  // automaton does not model may still reject such a match.
  const done = anchored || someNode(root, isUnmodelled) ? new Set<number>() : automaton.acceptingStates;
  const next = automaton.edges.map((edges, state) =>
    done.has(state) ? [] : [...edges.keys()].filter((to) => !done.has(to) && automaton.canOverlap(to, to)),
  );
  if (isDeterministic(automaton, next, steps)) return 'none';
  const component = findStrongComponents(next);
  if (isExponential(automaton, next, component, steps)) return 'exponential';
  if (hasTooManyPaths(automaton, next, steps)) return 'exponential';
  return isPolynomial(automaton, next, component, steps) ? 'polynomial' : 'none';
}

/** Whether each character leads to at most one state by one path, so that nothing is tried twice. */
function isDeterministic(automaton: Automaton, next: Graph, steps: StepBudget): boolean {
  return next.every((targets, state) =>
    targets.every((to, i) => {
      if (automaton.edges[state]?.get(to) === 2) return false;
      for (let j = 0; j < i; j += 1) {
        steps.take();
        if (automaton.canOverlap(to, targets[j] ?? to)) return false;
      }
      return true;
    }),
  );
}

type Graph = readonly (readonly number[])[];

/** EDA: within one component, two states that one word reaches from one state and leads back to one state. */
function isExponential(
  automaton: Automaton,
  next: Graph,
  component: readonly number[],
  steps: StepBudget,
): boolean {
  const inside = next.map((targets, state) => targets.filter((to) => component[to] === component[state]));
  if (inside.some((targets, state) => targets.some((to) => automaton.edges[state]?.get(to) === 2)))
    return true;
  const pairs = new Map<number, number[]>();
  const size = automaton.stateCount;
  const queue = inside.flatMap((targets, state) => (targets.length > 0 ? [state * size + state] : []));
  for (const pair of queue) pairs.set(pair, []);
  for (const pair of queue) {
    for (const a of inside[Math.floor(pair / size)] ?? []) {
      for (const b of inside[pair % size] ?? []) {
        steps.take();
        if (!automaton.canOverlap(a, b)) continue;
        const target = a * size + b;
        const known = pairs.get(target);
        if (known !== undefined) known.push(pair);
        else {
          queue.push(target);
          pairs.set(target, [pair]);
        }
      }
    }
  }
  // Backwards from the diagonal: a pair off the diagonal lies on a cycle that leaves it and returns.
  const back = queue.filter((pair) => Math.floor(pair / size) === pair % size);
  const seen = new Set(back);
  for (const pair of back) {
    for (const from of pairs.get(pair) ?? []) {
      steps.take();
      if (Math.floor(from / size) !== from % size) return true;
      if (!seen.has(from)) back.push(from);
      seen.add(from);
    }
  }
  return false;
}

/** IDA: two states in loops, `p` before `q`, and a word that leads from p to p, from p to q and from q to q. */
function isPolynomial(
  automaton: Automaton,
  next: Graph,
  component: readonly number[],
  steps: StepBudget,
): boolean {
  const looping = next.flatMap((targets, state) =>
    targets.some((to) => component[to] === component[state]) ? [state] : [],
  );
  return looping.some((p) =>
    looping.some(
      (q) => component[p] !== component[q] && shareOneWord(automaton, next, component, p, q, steps),
    ),
  );
}

function shareOneWord(
  automaton: Automaton,
  next: Graph,
  component: readonly number[],
  p: number,
  q: number,
  steps: StepBudget,
): boolean {
  const { canOverlap } = automaton;
  const start = [p, p, q] as const;
  const queue: (readonly [number, number, number])[] = [start];
  const seen = new Set([start.join()]);
  for (const [x, y, z] of queue) {
    for (const a of next[x] ?? []) {
      if (component[a] !== component[p]) continue;
      for (const c of next[z] ?? []) {
        steps.take();
        if (component[c] !== component[q] || !canOverlap(a, c)) continue;
        for (const b of next[y] ?? []) {
          steps.take();
          // Three sets that overlap in pairs may have no common character. Treating them as overlapping is the safe error.
          if (!canOverlap(a, b) || !canOverlap(b, c)) continue;
          if (a === p && b === q && c === q) return true;
          const key = `${a},${b},${c}`;
          if (!seen.has(key)) queue.push([a, b, c]);
          seen.add(key);
        }
      }
    }
  }
  return false;
}

/**
 * Whether the number of paths is too large although it does not grow with the subject, as in `a?a?a?…aaa`. For each state
 * it counts the states from which one word leads into it. The product of the counts is an upper bound.
 */
function hasTooManyPaths(automaton: Automaton, next: Graph, steps: StepBudget): boolean {
  const size = automaton.stateCount;
  const merging = new Map<number, Set<number>>();
  const queue = [0];
  const seen = new Set(queue);
  let paths = 1;
  const merge = (state: number, from: readonly number[]): void => {
    const known = merging.get(state) ?? new Set();
    paths /= Math.max(known.size, 1);
    for (const one of from) known.add(one);
    merging.set(state, known);
    paths *= known.size;
  };
  for (const pair of queue) {
    const left = Math.floor(pair / size);
    const right = pair % size;
    for (const a of next[left] ?? []) {
      for (const b of next[right] ?? []) {
        steps.take();
        if (!automaton.canOverlap(a, b)) continue;
        if (a === b && left !== right) merge(a, [left, right]);
        // Two paths between the same states. The negative number distinguishes the second path.
        if (a === b && left === right && automaton.edges[left]?.get(a) === 2) merge(a, [left, -1 - left]);
        if (paths > MAX_FIXED_PATHS) return true;
        const target = Math.min(a, b) * size + Math.max(a, b);
        if (!seen.has(target)) queue.push(target);
        seen.add(target);
      }
    }
  }
  return false;
}

function lookaroundBodies(node: PcreNode): readonly PcreNode[] {
  const own = node.kind === 'look' ? [node.body] : [];
  return [...own, ...childrenOf(node).flatMap(lookaroundBodies)];
}

/** Whether a node is an assertion that the automaton does not model. */
function isUnmodelled(node: PcreNode): boolean {
  if (node.kind !== 'assert') return node.kind === 'look';
  return !['start', 'end', 'last-line-end'].includes(node.at);
}

/**
 * The position automaton of a pattern (Glushkov). It has a state for each set of the pattern, entered by reading a
 * character of that set. An edge counts the paths through the pattern between two states, up to 2. Two paths are an
 * ambiguity, which `(a*)*` has and `a*` does not.
 */
interface Automaton {
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

/** A set that stands for the end of the subject (`$`, `\z`). It contains a character beyond Unicode. */
const END_OF_SUBJECT: CharSet = [[MAX_CODE_POINT + 1, MAX_CODE_POINT + 1]];

/** Thrown when a pattern exceeds a limit of the analysis. */
class AnalysisLimitError extends Error {
  override readonly name = 'AnalysisLimitError';
}

/**
 * Builds the automaton of a pattern.
 *
 * @throws {AnalysisLimitError} when it has too many states or edges
 */
function buildAutomaton(root: PcreNode): Automaton {
  const builder = new Builder();
  const whole = builder.build(root);
  for (const [state, paths] of whole.first) builder.link(0, state, paths);
  const { edges, sets } = builder;
  // The copies of a repetition share their set.
  const numbers = new Map<CharSet, number>();
  const numberOf = sets.map((set) => {
    const number = numbers.get(set) ?? numbers.size;
    numbers.set(set, number);
    return number;
  });
  const overlaps = new Map<number, boolean>();
  return {
    stateCount: sets.length,
    edges,
    acceptingStates: new Set(whole.last.keys()),
    canOverlap: (a, b) => {
      const pair = (numberOf[a] ?? 0) * numbers.size + (numberOf[b] ?? 0);
      const isOverlapping = overlaps.get(pair) ?? intersectCharSets(sets[a] ?? [], sets[b] ?? []).length > 0;
      overlaps.set(pair, isOverlapping);
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

/**
 * Numbers the strongly connected component of each node of a graph (Tarjan 1972). It does not recurse, because long
 * patterns would overflow the stack.
 *
 * @param next the successors of each node
 */
export function findStrongComponents(next: readonly (readonly number[])[]): readonly number[] {
  const order = new Int32Array(next.length).fill(-1);
  const low = new Int32Array(next.length);
  const component = new Int32Array(next.length).fill(-1);
  const open: number[] = [];
  let visited = 0;
  let found = 0;
  const close = (state: number): void => {
    if (low[state] !== order[state]) return;
    for (let member = -1; member !== state; ) {
      member = open.pop() ?? state;
      component[member] = found;
    }
    found += 1;
  };
  for (let root = 0; root < next.length; root += 1) {
    if (order[root] !== -1) continue;
    const path: { readonly state: number; edge: number }[] = [];
    const enter = (state: number): void => {
      order[state] = low[state] = visited;
      visited += 1;
      open.push(state);
      path.push({ state, edge: 0 });
    };
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { state } = step;
      const to = next[state]?.[step.edge];
      step.edge += 1;
      if (to === undefined) {
        close(state);
        path.pop();
        const parent = path.at(-1)?.state;
        if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[state] ?? 0);
      } else if (order[to] === -1) enter(to);
      else if (component[to] === -1) low[state] = Math.min(low[state] ?? 0, order[to] ?? 0);
    }
  }
  return [...component];
}
