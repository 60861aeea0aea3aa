import { ANY, type CharSet } from './charset.ts';

/** A parsed PCRE pattern with all flags applied: a letter under `i` is a set of two characters. */
export type PcreNode =
  | SetNode
  | { readonly kind: 'sequence'; readonly items: readonly PcreNode[] }
  | { readonly kind: 'alternation'; readonly options: readonly PcreNode[] }
  | GroupNode
  | RepeatNode
  | { readonly kind: 'assert'; readonly at: AssertionKind }
  /** A construct that RE2 doesn't have. `body` accepts more. */
  | { readonly kind: 'widened'; readonly what: string; readonly body: PcreNode };

export interface SetNode extends CharSet {
  readonly kind: 'set';
  readonly literal?: number;
}

interface GroupNode {
  readonly kind: 'group';
  readonly index: number;
  readonly name?: string;
  readonly body: PcreNode;
  readonly source: string;
}

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: PcreNode;
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
}

export type AssertionKind = 'start' | 'end' | 'last-line-end' | 'boundary' | 'no-boundary';

export const EMPTY_SEQUENCE: PcreNode = { kind: 'sequence', items: [] };

export const ANYTHING: PcreNode = {
  kind: 'repeat',
  body: { kind: 'set', ...ANY },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  isLazy: false,
};

export function childrenOf(node: PcreNode): readonly PcreNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'alternation':
      return node.options;
    case 'set':
    case 'assert':
      return [];
    default:
      return [node.body];
  }
}

function mapChildren(node: PcreNode, replace: (child: PcreNode) => PcreNode): PcreNode {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(replace) };
    case 'alternation':
      return { kind: 'alternation', options: node.options.map(replace) };
    case 'set':
    case 'assert':
      return node;
    default:
      return { ...node, body: replace(node.body) };
  }
}

/** A pattern for a group's value alone, without assertions about the text around it. */
export function isolateGroup(node: PcreNode): PcreNode {
  return node.kind === 'assert'
    ? { kind: 'widened', what: 'it tests the characters beside it in the path', body: EMPTY_SEQUENCE }
    : mapChildren(node, isolateGroup);
}

export function isNullable(node: PcreNode): boolean {
  if (node.kind === 'repeat') return node.min === 0 || isNullable(node.body);
  if (node.kind === 'alternation') return node.options.some(isNullable);
  return node.kind !== 'set' && childrenOf(node).every(isNullable);
}

export function countExpandedNodes(node: PcreNode): number {
  const below = childrenOf(node).reduce((sum, child) => sum + countExpandedNodes(child), 0);
  if (node.kind !== 'repeat') return below + 1;
  return 1 + below * Math.max(1, Number.isFinite(node.max) ? node.max : node.min);
}

export type Occurrence = 'never' | 'sometimes' | 'always';

export const SLASH = 0x2f;
export const QUESTION_MARK = 0x3f;

export function getOccurrence(node: PcreNode, character: number): Occurrence {
  if (node.kind === 'set') {
    if (isCharacter(node, character)) return 'always';
    return node.members.has(character) ? 'sometimes' : 'never';
  }
  const inner = node.kind === 'repeat' && node.max === 0 ? [] : childrenOf(node);
  const below = inner.map((child) => getOccurrence(child, character));
  if (below.every((one) => one === 'never')) return 'never';
  if (node.kind === 'alternation') return below.every((one) => one === 'always') ? 'always' : 'sometimes';
  return below.includes('always') && !(node.kind === 'repeat' && node.min === 0) ? 'always' : 'sometimes';
}

export function isCharacter(node: PcreNode, character: number): boolean {
  return node.kind === 'set' && node.members.size === 1 && node.members.has(character);
}
