import type { PcreNode } from './ast.ts';

/** Whether every match begins at the start of the subject, because the pattern says so. */
export function startsAtStart(node: PcreNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.at === 'start';
    case 'sequence':
      return node.items[0] !== undefined && startsAtStart(node.items[0]);
    case 'alternation':
      return node.options.every(startsAtStart);
    case 'group':
    case 'atomic':
      return startsAtStart(node.body);
    default:
      return false;
  }
}
