import type { PcreNode } from './ast.ts';

/** Maximum number of instructions. A repetition that would exceed it becomes unbounded. */
export const MAX_INSTRUCTIONS = 2000;

/** Estimates the number of instructions that a node compiles to. */
export function estimateInstructions(node: PcreNode): number {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + estimateInstructions(item), 0);
    case 'alternation':
      return node.options.reduce((sum, option) => sum + estimateInstructions(option) + 2, 0);
    case 'group':
    case 'look':
    case 'atomic':
      return estimateInstructions(node.body) + 2;
    case 'repeat': {
      const copies = node.max === Number.POSITIVE_INFINITY ? Math.max(node.min, 1) : Math.max(node.max, 1);
      return Math.min(copies * (estimateInstructions(node.body) + 1) + 3, 2 * MAX_INSTRUCTIONS);
    }
    default:
      return 1;
  }
}
