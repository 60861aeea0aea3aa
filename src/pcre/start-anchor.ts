import type { PcreNode } from './ast.ts';

/** Whether the pattern allows matches at the start of the subject only. */
export function isStartAnchored(node: PcreNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.at === 'start';
    case 'sequence':
      return node.items[0] !== undefined && isStartAnchored(node.items[0]);
    case 'alternation':
      return node.options.every(isStartAnchored);
    case 'group':
    case 'atomic':
      return isStartAnchored(node.body);
    default:
      return false;
  }
}
