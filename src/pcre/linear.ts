import {
  ANYTHING,
  childrenOf,
  countExpandedNodes,
  isStartAnchored,
  type PcreNode,
  type RepeatNode,
} from './ast.ts';
import { type CharSet, intersectCharSets, isSubset, MAX_BYTE, MAX_CODE_POINT } from './charset.ts';

/**
 * Whether a backtracking engine needs linear time to search for a pattern, so that it can run in JavaScript's. `false` also for
 * some patterns with which it does: of the 670 patterns of recorded sites for six.
 */
export function isLinear(root: PcreNode): boolean {
  if (!isDeterministic(root, false)) return false;
  if (isStartAnchored(root) || isShort(root)) return true;
  // A search continues at the next character only if no path from the last one led to a match, unless a `\b` rejected it.
  return isDeterministic({ kind: 'sequence', items: [ANYTHING, root] }, !hasBoundary(root));
}

/**
 * Whether each text has one path at most through the automaton of a pattern.
 *
 * @param failing whether only paths that do not lead to a match are counted
 */
function isDeterministic(root: PcreNode, failing: boolean): boolean {
  const automaton = buildAutomaton(root);
  if (automaton === null || automaton.hasTwoPaths) return false;
  const { accepting, next, overlaps } = automaton;
  return next.every((targets, state) => {
    if (failing && accepting.has(state)) return true;
    const states = failing ? [...targets].filter((to) => !accepting.has(to)) : [...targets];
    return states.every((one, at) => states.slice(at + 1).every((other) => !overlaps(one, other)));
  });
}

/** Whether a pattern matches short texts only, so that a search reads each character a few times. */
function isShort(root: PcreNode): boolean {
  const hasLoop = (node: PcreNode): boolean =>
    (node.kind === 'repeat' && node.max > MAX_COPIES) || childrenOf(node).some(hasLoop);
  return !hasLoop(root) && countExpandedNodes(root) <= MAX_COPIES;
}

function hasBoundary(node: PcreNode): boolean {
  return (node.kind === 'assert' && /boundary/.test(node.at)) || childrenOf(node).some(hasBoundary);
}

/**
 * Whether a pattern over UTF-8 bytes means the same over code points: `[^\/]+` does, `[^\/]{3}` does not. Each set must contain all
 * bytes of characters beyond ASCII or none, repeat without bounds, and not be next to another that contains them.
 */
export function isSameForCodePoints(root: PcreNode): boolean {
  const automaton = buildAutomaton(root);
  if (automaton === null) return false;
  const { next, sets } = automaton;
  const beyondAscii = sets.map((set) => intersectCharSets(set, NON_ASCII_BYTES).length > 0);
  return next.every((targets, state) => {
    if (beyondAscii[state] !== true) return true;
    const isClosed = targets.has(state) && isSubset(NON_ASCII_BYTES, sets[state] ?? []);
    return isClosed && [...targets].every((to) => to === state || beyondAscii[to] !== true);
  });
}

export const NON_ASCII_BYTES: CharSet = [[0x80, MAX_BYTE]];

/** Limits of the automaton. A pattern that exceeds them counts as not linear. */
const MAX_STEPS = 1000;
/** Maximum number of copies of a bounded repetition. */
const MAX_COPIES = 64;
const MAX_EDGES = 10_000;

/** The end of the subject (`$`, `\z`): a character beyond Unicode. */
const END_OF_SUBJECT: CharSet = [[MAX_CODE_POINT + 1, MAX_CODE_POINT + 1]];

/** A part of the automaton: whether it matches the empty text, its first and its last states. */
interface Fragment {
  readonly isEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Fragment = { isEmpty: true, first: [], last: [] };

/**
 * Builds the position automaton of a pattern (Glushkov); `null` if it exceeds a limit. It has a state for each set of the pattern,
 * entered by reading a character of that set. State 0 is the start. `accepting`: states in which the whole pattern has matched;
 * `hasTwoPaths`: whether there are two paths between two states, as in `(a*)*`; `overlaps`: whether one character can lead into both.
 */
function buildAutomaton(root: PcreNode) {
  const sets: CharSet[] = [[]];
  const next: Set<number>[] = [new Set()];
  let steps = 0;
  let edges = 0;
  let hasTwoPaths = false;

  const link = (from: readonly number[], to: readonly number[]): void => {
    edges += from.length * to.length;
    if (edges > MAX_EDGES) return;
    for (const a of from) {
      for (const b of to) {
        hasTwoPaths ||= next[a]?.has(b) === true;
        next[a]?.add(b);
      }
    }
  };
  const readSet = (set: CharSet): Fragment => {
    next.push(new Set());
    const state = sets.push(set) - 1;
    return { isEmpty: false, first: [state], last: [state] };
  };
  const concatenate = (a: Fragment, b: Fragment): Fragment => {
    link(a.last, b.first);
    return {
      isEmpty: a.isEmpty && b.isEmpty,
      first: a.isEmpty ? [...a.first, ...b.first] : a.first,
      last: b.isEmpty ? [...a.last, ...b.last] : b.last,
    };
  };
  const optional = (part: Fragment): Fragment => {
    hasTwoPaths ||= part.isEmpty;
    return { ...part, isEmpty: true };
  };
  const repeat = ({ body, max, min }: RepeatNode): Fragment => {
    const isBounded = max <= MAX_COPIES;
    const isLarge = !isBounded && max !== Number.POSITIVE_INFINITY;
    // A large bound is treated as none, after one copy, which reads a byte alone.
    const copies = isBounded ? min : Math.max(Math.min(min, MAX_COPIES) - 1, isLarge ? 1 : 0);
    let whole = EMPTY;
    for (let i = 0; i < copies; i += 1) whole = concatenate(whole, build(body));
    if (!isBounded) {
      const once = build(body);
      link(once.last, once.first);
      hasTwoPaths ||= once.isEmpty;
      whole = concatenate(whole, isLarge || min === 0 ? optional(once) : once);
      return isLarge && min === 0 ? optional(whole) : whole;
    }
    let tail = EMPTY;
    for (let i = min; i < max; i += 1) tail = optional(concatenate(build(body), tail));
    return concatenate(whole, tail);
  };
  const build = (node: PcreNode): Fragment => {
    steps += 1;
    if (steps > MAX_STEPS || edges > MAX_EDGES) return EMPTY;
    switch (node.kind) {
      case 'set':
        return readSet(node.set);
      case 'assert':
        return node.at === 'end' || node.at === 'last-line-end' ? readSet(END_OF_SUBJECT) : EMPTY;
      case 'repeat':
        return repeat(node);
      case 'alternation': {
        const parts = node.options.map(build);
        hasTwoPaths ||= parts.filter((part) => part.isEmpty).length > 1;
        return {
          isEmpty: parts.some((part) => part.isEmpty),
          first: parts.flatMap((part) => part.first),
          last: parts.flatMap((part) => part.last),
        };
      }
      default:
        return childrenOf(node).map(build).reduce(concatenate, EMPTY);
    }
  };
  const whole = build(root);
  link([0], whole.first);
  if (steps > MAX_STEPS || edges > MAX_EDGES) return null;
  // The copies of a repetition share their set.
  const unique = [...new Set(sets)];
  const numbers = sets.map((set) => unique.indexOf(set));
  const known = new Map<number, boolean>();
  const overlaps = (a: number, b: number): boolean => {
    const pair = (numbers[a] ?? 0) * unique.length + (numbers[b] ?? 0);
    const isOverlapping = known.get(pair) ?? intersectCharSets(sets[a] ?? [], sets[b] ?? []).length > 0;
    known.set(pair, isOverlapping);
    return isOverlapping;
  };
  const accepting = new Set(whole.isEmpty ? [0, ...whole.last] : whole.last);
  return { sets, next, hasTwoPaths, overlaps, accepting };
}
