import { childrenOf, type PcreNode } from './ast.ts';
import { contains } from './charset.ts';

/** Whether what a pattern matches contains a `/`. */
export type Slashes = 'never' | 'sometimes' | 'always';

const SLASH = 0x2f;

export function slashesOf(node: PcreNode): Slashes {
  if (!mayContain(node)) return 'never';
  return mustContain(node) ? 'always' : 'sometimes';
}

function mayContain(node: PcreNode): boolean {
  switch (node.kind) {
    case 'set':
      return contains(node.set, SLASH);
    case 'repeat':
      return node.max > 0 && mayContain(node.body);
    case 'look':
    case 'assert':
      return false;
    case 'backreference':
    case 'opaque':
      return true;
    default:
      return childrenOf(node).some(mayContain);
  }
}

function mustContain(node: PcreNode): boolean {
  switch (node.kind) {
    case 'set':
      return isSlash(node);
    case 'alternation':
      return node.options.every(mustContain);
    case 'repeat':
      return node.min > 0 && mustContain(node.body);
    case 'sequence':
    case 'group':
    case 'atomic':
      return childrenOf(node).some(mustContain);
    default:
      return false;
  }
}

/** Whether the node is a `/` and nothing else. */
export function isSlash(node: PcreNode): boolean {
  const [range] = node.kind === 'set' && node.set.length === 1 ? node.set : [];
  return range !== undefined && range[0] === SLASH && range[1] === SLASH;
}
