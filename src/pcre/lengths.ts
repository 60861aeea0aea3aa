import { childrenOf, type PcreNode } from './ast.ts';

/** How many characters a node can match. What may match anything counts as 0 to infinitely many. */
export interface Lengths {
  readonly min: number;
  readonly max: number;
}

export function lengthsOf(node: PcreNode): Lengths {
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
      const body = lengthsOf(node.body);
      return { min: body.min * node.min, max: body.max === 0 || node.max === 0 ? 0 : body.max * node.max };
    }
    case 'alternation': {
      const options = node.options.map(lengthsOf);
      return { min: Math.min(...options.map((o) => o.min)), max: Math.max(...options.map((o) => o.max)) };
    }
    default: {
      const parts = childrenOf(node).map(lengthsOf);
      return { min: parts.reduce((sum, p) => sum + p.min, 0), max: parts.reduce((sum, p) => sum + p.max, 0) };
    }
  }
}

/** How many characters a pattern spells once its bounded repeats are written out: what its automaton costs to build. */
export function spelledOut(node: PcreNode): number {
  const below = childrenOf(node).reduce((sum, child) => sum + spelledOut(child), 0);
  if (node.kind !== 'repeat') return below + 1;
  return 1 + below * Math.max(1, Number.isFinite(node.max) ? node.max : node.min);
}

/** What PCRE2 before 10.43 asks of a lookbehind: each of its top branches has one length. */
export function hasFixedBranches(body: PcreNode): boolean {
  const branches = body.kind === 'alternation' ? body.options : [body];
  return branches.every((branch) => {
    const { min, max } = lengthsOf(branch);
    return min === max && !holdsOpenRepeat(branch);
  });
}

/** Even a loop over nothing has no fixed length to PCRE; what stands in a lookaround is not looked at. */
function holdsOpenRepeat(node: PcreNode): boolean {
  if (node.kind === 'look' || (node.kind === 'repeat' && node.body.kind === 'look')) return false;
  return (node.kind === 'repeat' && node.min !== node.max) || childrenOf(node).some(holdsOpenRepeat);
}
