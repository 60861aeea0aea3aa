import { childrenOf, type PcreNode } from './ast.ts';

/** Minimum and maximum number of characters that a node matches. An unsupported construct has 0 and `Infinity`. */
export interface MatchLengths {
  readonly min: number;
  readonly max: number;
}

export function getMatchLengths(node: PcreNode): MatchLengths {
  switch (node.kind) {
    case 'set':
      return { min: 1, max: 1 };
    case 'look':
    case 'assert':
      return { min: 0, max: 0 };
    case 'backreference':
    case 'opaque':
      return { min: 0, max: Number.POSITIVE_INFINITY };
    case 'repeat': {
      const body = getMatchLengths(node.body);
      return { min: body.min * node.min, max: body.max === 0 || node.max === 0 ? 0 : body.max * node.max };
    }
    case 'alternation': {
      const options = node.options.map(getMatchLengths);
      return { min: Math.min(...options.map((o) => o.min)), max: Math.max(...options.map((o) => o.max)) };
    }
    default: {
      const parts = childrenOf(node).map(getMatchLengths);
      return { min: parts.reduce((sum, p) => sum + p.min, 0), max: parts.reduce((sum, p) => sum + p.max, 0) };
    }
  }
}

/** Counts the nodes of a pattern whose bounded repetitions are written out. This is the cost of its automaton. */
export function countExpandedNodes(node: PcreNode): number {
  const below = childrenOf(node).reduce((sum, child) => sum + countExpandedNodes(child), 0);
  if (node.kind !== 'repeat') return below + 1;
  return 1 + below * Math.max(1, Number.isFinite(node.max) ? node.max : node.min);
}

/** Whether each top-level branch has a fixed length, which PCRE2 before 10.43 requires of a lookbehind. */
export function hasFixedLengthBranches(body: PcreNode): boolean {
  const branches = body.kind === 'alternation' ? body.options : [body];
  return branches.every((branch) => {
    const { min, max } = getMatchLengths(branch);
    return min === max && !containsVariableRepeat(branch);
  });
}

/** PCRE assigns no fixed length to any variable repetition, even of an empty body. It ignores repetitions in lookarounds. */
function containsVariableRepeat(node: PcreNode): boolean {
  if (node.kind === 'look' || (node.kind === 'repeat' && node.body.kind === 'look')) return false;
  return (node.kind === 'repeat' && node.min !== node.max) || childrenOf(node).some(containsVariableRepeat);
}
