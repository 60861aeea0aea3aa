import type { CharSet } from './charset.ts';

/**
 * A parsed PCRE pattern. The parser has applied all flags: a letter under `i` is a set of two characters. Non-capturing
 * groups and comments do not appear.
 */
export type PcreNode = PcreNodeVariant & {
  /** Position in the pattern, quantifier included. Absent on nodes without their own text. */
  readonly span?: readonly [start: number, end: number];
};

type PcreNodeVariant =
  | SetNode
  | { readonly kind: 'sequence'; readonly items: readonly PcreNode[] }
  | { readonly kind: 'alternation'; readonly options: readonly PcreNode[] }
  | GroupNode
  | RepeatNode
  | { readonly kind: 'look'; readonly body: PcreNode; readonly ahead: boolean; readonly negative: boolean }
  | { readonly kind: 'atomic'; readonly body: PcreNode }
  | { readonly kind: 'assert'; readonly at: AssertionKind }
  | { readonly kind: 'backreference'; readonly to: number | string }
  /** A construct that the parser does not support, such as recursion. It is treated as if it matched anything. */
  | { readonly kind: 'opaque'; readonly what: string };

/** One character out of a set. */
export interface SetNode {
  readonly kind: 'set';
  readonly set: CharSet;
  /** The character, if the pattern has a single character here and not a class. */
  readonly literal?: number;
}

/** A capturing group. */
export interface GroupNode {
  readonly kind: 'group';
  readonly index: number;
  readonly name?: string;
  readonly body: PcreNode;
  /** The text of the group in the pattern, without its parentheses and name. */
  readonly source: string;
}

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: PcreNode;
  readonly min: number;
  /** `Infinity` if unbounded. */
  readonly max: number;
  readonly greed: 'greedy' | 'lazy' | 'possessive';
}

/**
 * `start`, `end`: of the subject. `last-line-end`: the end, or before a final newline, the meaning of `$` and `\Z`.
 * `line-start`, `line-end`: `^` and `$` under `m`.
 */
export type AssertionKind =
  | 'start'
  | 'end'
  | 'last-line-end'
  | 'line-start'
  | 'line-end'
  | 'boundary'
  | 'no-boundary';

export const EMPTY_SEQUENCE: PcreNode = { kind: 'sequence', items: [] };

/** The direct children of a node, in order. */
export function childrenOf(node: PcreNode): readonly PcreNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items;
    case 'alternation':
      return node.options;
    case 'group':
    case 'repeat':
    case 'look':
    case 'atomic':
      return [node.body];
    default:
      return [];
  }
}

/** Copies a node with each child replaced. */
export function mapChildren(node: PcreNode, replace: (child: PcreNode) => PcreNode): PcreNode {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(replace) };
    case 'alternation':
      return { kind: 'alternation', options: node.options.map(replace) };
    case 'group':
    case 'repeat':
    case 'look':
    case 'atomic':
      return { ...node, body: replace(node.body) };
    default:
      return node;
  }
}
