import { childrenOf, type PcreNode } from './ast.ts';
import { AnalysisLimitError, type Automaton, buildAutomaton, END_OF_SUBJECT } from './automaton.ts';
import { MAX_CODE_POINT } from './charset.ts';
import { getMatchLengths } from './lengths.ts';
import { isStartAnchored } from './start-anchor.ts';
import { findStrongComponents } from './strongly-connected-components.ts';

/**
 * Growth of the number of paths that a backtracking engine tries with the length of the subject. `none`: it does not
 * grow. `unknown`: the pattern is too large to analyse or contains a backreference, so it is treated as unsafe.
 */
export type Ambiguity = 'none' | 'polynomial' | 'exponential' | 'unknown';

/** Maximum number of steps of an analysis. */
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
  if (containsBackreference(root)) return 'unknown';
  const steps = new StepBudget();
  try {
    const looks = lookaroundBodies(root).map((body) => classifyAutomaton(body, false, steps));
    const found = [
      classifyAutomaton(embedInSearch(root, options.matchesWhole), options.matchesWhole, steps),
      ...looks,
    ];
    // An unbounded lookaround runs again at each position.
    if (lookaroundBodies(root).some((body) => getMatchLengths(body).max === Number.POSITIVE_INFINITY))
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
  const anything: PcreNode = { kind: 'set', set: [[0, MAX_CODE_POINT]] };
  const before: PcreNode = {
    kind: 'repeat',
    body: anything,
    min: 0,
    max: Number.POSITIVE_INFINITY,
    greed: 'lazy',
  };
  return { kind: 'sequence', items: [before, root] };
}

function classifyAutomaton(root: PcreNode, anchored: boolean, steps: StepBudget): Ambiguity {
  const automaton = buildAutomaton(root);
  // A search ends with its first match, so the successors of accepting states do not matter. An assertion that the
  // automaton does not model may still reject such a match.
  const done = anchored || containsUnmodelledAssertion(root) ? new Set<number>() : automaton.acceptingStates;
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

function containsUnmodelledAssertion(node: PcreNode): boolean {
  if (node.kind === 'look') return true;
  if (node.kind === 'assert') return !['start', 'end', 'last-line-end'].includes(node.at);
  return childrenOf(node).some(containsUnmodelledAssertion);
}

function containsBackreference(node: PcreNode): boolean {
  return (
    node.kind === 'backreference' || node.kind === 'opaque' || childrenOf(node).some(containsBackreference)
  );
}
