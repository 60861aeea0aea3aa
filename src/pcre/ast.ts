import type { CharSet } from './charset.ts';

/**
 * A PCRE pattern, read. Flags and case-insensitivity are already settled: a letter under `i` is a set of two
 * characters. Non-capturing groups and comments leave no trace.
 */
export type PcreNode = Shape & {
  /** Where it stands in the pattern, its quantifier included; absent on what has no text of its own. */
  readonly span?: readonly [start: number, end: number];
};

type Shape =
  | SetNode
  | { readonly kind: 'sequence'; readonly items: readonly PcreNode[] }
  | { readonly kind: 'alternation'; readonly options: readonly PcreNode[] }
  | GroupNode
  | RepeatNode
  | { readonly kind: 'look'; readonly body: PcreNode; readonly ahead: boolean; readonly negative: boolean }
  | { readonly kind: 'atomic'; readonly body: PcreNode }
  | { readonly kind: 'assert'; readonly at: Assertion }
  | { readonly kind: 'backreference'; readonly to: number | string }
  /** Recursion, conditions, verbs: known to PCRE, not carried here. It may match anything. */
  | { readonly kind: 'opaque'; readonly what: string };

/** One character out of a set. */
export interface SetNode {
  readonly kind: 'set';
  readonly set: CharSet;
  /** The character as it was written, where it was written as one and not as a class. */
  readonly literal?: number;
}

/** A capturing group. */
export interface GroupNode {
  readonly kind: 'group';
  readonly index: number;
  readonly name?: string;
  readonly body: PcreNode;
  /** The text between its parentheses, without the name. */
  readonly pcre: string;
}

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: PcreNode;
  readonly min: number;
  /** `Infinity` where there is no bound. */
  readonly max: number;
  readonly greed: 'greedy' | 'lazy' | 'possessive';
}

/**
 * `start`, `end`: of the subject. `last-line-end`: there, or before a newline that ends the subject, which is what
 * `$` and `\Z` mean. `line-…`: `^` and `$` under `m`.
 */
export type Assertion =
  | 'start'
  | 'end'
  | 'last-line-end'
  | 'line-start'
  | 'line-end'
  | 'boundary'
  | 'no-boundary';

export const EMPTY: PcreNode = { kind: 'sequence', items: [] };

/** The nodes below a node, in order. */
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
