import { childrenOf, type PcreNode } from './ast.ts';
import { type Automaton, buildAutomaton, END_OF_SUBJECT, TooLargeError } from './automaton.ts';
import { MAX_CODE_POINT } from './charset.ts';
import { components } from './components.ts';
import { startsAtStart } from './facts.ts';
import { lengthsOf } from './lengths.ts';

/**
 * How the number of ways that a backtracking engine may have to try grows with the subject. `none`: not at all.
 * `unknown`: the pattern is too large to tell, or refers back to what it matched; take it for unsafe.
 */
export type Ambiguity = 'none' | 'polynomial' | 'exponential' | 'unknown';

/** So many steps at most are taken to find out. */
const MAX_STEPS = 100_000;
/** A fixed number of ways that is still harmless: each costs one more run over the subject. */
const MAX_FIXED_WAYS = 64;

/**
 * Decides it on the pattern's automaton: exponential if some state leads back to itself in two ways on one word,
 * polynomial if two states lead to themselves and the first to the second, all on one word (Weber and Seidl, "On the
 * degree of ambiguity of finite automata", 1991: EDA and IDA).
 *
 * `anchored`: the pattern has to match a whole subject; else it is searched for, and may stop where it has matched.
 */
export function ambiguityOf(root: PcreNode, options: { readonly anchored: boolean }): Ambiguity {
  if (refersBack(root)) return 'unknown';
  const steps = new Steps();
  try {
    const looks = bodiesOfLooks(root).map((body) => verdict(body, false, steps));
    const found = [verdict(framed(root, options.anchored), options.anchored, steps), ...looks];
    // A lookaround without bounds is run anew from each place.
    if (bodiesOfLooks(root).some((body) => lengthsOf(body).max === Number.POSITIVE_INFINITY))
      found.push('polynomial');
    return ORDER.find((ambiguity) => found.includes(ambiguity)) ?? 'none';
  } catch (error) {
    if (error instanceof TooLargeError) return 'unknown';
    throw error;
  }
}

const ORDER: readonly Ambiguity[] = ['exponential', 'polynomial', 'unknown'];

class Steps {
  #left = MAX_STEPS;

  take(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new TooLargeError();
  }
}

/** The pattern with what a search puts around it: anything before, unless it begins with an anchor. */
function framed(root: PcreNode, anchored: boolean): PcreNode {
  if (anchored) return { kind: 'sequence', items: [root, { kind: 'set', set: END_OF_SUBJECT }] };
  if (startsAtStart(root)) return root;
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

function verdict(root: PcreNode, anchored: boolean, steps: Steps): Ambiguity {
  const automaton = buildAutomaton(root);
  // A search that has matched is over, so what could follow there is never tried in vain; but an assertion may still
  // refuse what the automaton, which does not see it, accepts.
  const done = anchored || holdsHiddenAssertion(root) ? new Set<number>() : automaton.accepting;
  const next = automaton.edges.map((edges, state) =>
    done.has(state) ? [] : [...edges.keys()].filter((to) => !done.has(to) && automaton.overlap(to, to)),
  );
  if (isDeterministic(automaton, next, steps)) return 'none';
  const component = components(next);
  if (isExponential(automaton, next, component, steps)) return 'exponential';
  if (hasTooManyWays(automaton, next, steps)) return 'exponential';
  return isPolynomial(automaton, next, component, steps) ? 'polynomial' : 'none';
}

/** Whether each character leads to one state at most, in one way: then there is nothing to try twice. */
function isDeterministic(automaton: Automaton, next: Graph, steps: Steps): boolean {
  return next.every((targets, state) =>
    targets.every((to, i) => {
      if (automaton.edges[state]?.get(to) === 2) return false;
      for (let j = 0; j < i; j += 1) {
        steps.take();
        if (automaton.overlap(to, targets[j] ?? to)) return false;
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
  steps: Steps,
): boolean {
  const inside = next.map((targets, state) => targets.filter((to) => component[to] === component[state]));
  if (inside.some((targets, state) => targets.some((to) => automaton.edges[state]?.get(to) === 2)))
    return true;
  const pairs = new Map<number, number[]>();
  const size = automaton.states;
  const queue = inside.flatMap((targets, state) => (targets.length > 0 ? [state * size + state] : []));
  for (const pair of queue) pairs.set(pair, []);
  for (const pair of queue) {
    for (const a of inside[Math.floor(pair / size)] ?? []) {
      for (const b of inside[pair % size] ?? []) {
        steps.take();
        if (!automaton.overlap(a, b)) continue;
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
  // Backwards from the diagonal: whatever off it is met lies on a way out and back.
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
  steps: Steps,
): boolean {
  const looping = next.flatMap((targets, state) =>
    targets.some((to) => component[to] === component[state]) ? [state] : [],
  );
  return looping.some((p) =>
    looping.some(
      (q) => component[p] !== component[q] && haveOneWord(automaton, next, component, p, q, steps),
    ),
  );
}

function haveOneWord(
  automaton: Automaton,
  next: Graph,
  component: readonly number[],
  p: number,
  q: number,
  steps: Steps,
): boolean {
  const { overlap } = automaton;
  const start = [p, p, q] as const;
  const queue: (readonly [number, number, number])[] = [start];
  const seen = new Set([start.join()]);
  for (const [x, y, z] of queue) {
    for (const a of next[x] ?? []) {
      if (component[a] !== component[p]) continue;
      for (const c of next[z] ?? []) {
        steps.take();
        if (component[c] !== component[q] || !overlap(a, c)) continue;
        for (const b of next[y] ?? []) {
          steps.take();
          // Three sets that overlap in pairs may still share nothing; to take that for an overlap errs to caution.
          if (!overlap(a, b) || !overlap(b, c)) continue;
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
 * Whether the ways that do not grow with the subject are too many for all that: `a?a?a?…aaa` has one for each choice.
 * Counts, for each state, the others from which one word leads into it; their product is a bound.
 */
function hasTooManyWays(automaton: Automaton, next: Graph, steps: Steps): boolean {
  const size = automaton.states;
  const merging = new Map<number, Set<number>>();
  const queue = [0];
  const seen = new Set(queue);
  let ways = 1;
  const merge = (state: number, from: readonly number[]): void => {
    const known = merging.get(state) ?? new Set();
    ways /= Math.max(known.size, 1);
    for (const one of from) known.add(one);
    merging.set(state, known);
    ways *= known.size;
  };
  for (const pair of queue) {
    const left = Math.floor(pair / size);
    const right = pair % size;
    for (const a of next[left] ?? []) {
      for (const b of next[right] ?? []) {
        steps.take();
        if (!automaton.overlap(a, b)) continue;
        if (a === b && left !== right) merge(a, [left, right]);
        // The same two states in two ways: told apart by a number that is no state.
        if (a === b && left === right && automaton.edges[left]?.get(a) === 2) merge(a, [left, -1 - left]);
        if (ways > MAX_FIXED_WAYS) return true;
        const target = Math.min(a, b) * size + Math.max(a, b);
        if (!seen.has(target)) queue.push(target);
        seen.add(target);
      }
    }
  }
  return false;
}

function bodiesOfLooks(node: PcreNode): readonly PcreNode[] {
  const own = node.kind === 'look' ? [node.body] : [];
  return [...own, ...childrenOf(node).flatMap(bodiesOfLooks)];
}

function holdsHiddenAssertion(node: PcreNode): boolean {
  if (node.kind === 'look') return true;
  if (node.kind === 'assert') return !['start', 'end', 'last-line-end'].includes(node.at);
  return childrenOf(node).some(holdsHiddenAssertion);
}

function refersBack(node: PcreNode): boolean {
  return node.kind === 'backreference' || node.kind === 'opaque' || childrenOf(node).some(refersBack);
}
