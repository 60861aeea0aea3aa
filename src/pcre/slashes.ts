import { childrenOf, type PcreNode } from './ast.ts';
import { containsCharacter } from './charset.ts';

/** Whether the matches of a pattern contain a `/`. */
export type SlashOccurrence = 'never' | 'sometimes' | 'always';

const SLASH = 0x2f;

/** Determines whether the matches of a pattern contain a `/`. */
export function getSlashOccurrence(node: PcreNode): SlashOccurrence {
  if (!canContainSlash(node)) return 'never';
  return alwaysContainsSlash(node) ? 'always' : 'sometimes';
}

function canContainSlash(node: PcreNode): boolean {
  switch (node.kind) {
    case 'set':
      return containsCharacter(node.set, SLASH);
    case 'repeat':
      return node.max > 0 && canContainSlash(node.body);
    case 'look':
    case 'assert':
      return false;
    case 'backreference':
    case 'opaque':
      return true;
    default:
      return childrenOf(node).some(canContainSlash);
  }
}

function alwaysContainsSlash(node: PcreNode): boolean {
  switch (node.kind) {
    case 'set':
      return isSlash(node);
    case 'alternation':
      return node.options.every(alwaysContainsSlash);
    case 'repeat':
      return node.min > 0 && alwaysContainsSlash(node.body);
    case 'sequence':
    case 'group':
    case 'atomic':
      return childrenOf(node).some(alwaysContainsSlash);
    default:
      return false;
  }
}

/** Whether the node matches exactly `/`. */
export function isSlash(node: PcreNode): boolean {
  const [range] = node.kind === 'set' && node.set.length === 1 ? node.set : [];
  return range !== undefined && range[0] === SLASH && range[1] === SLASH;
}
