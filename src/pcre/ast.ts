import { type CharSet, containsCharacter } from './charset.ts';

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
interface SetNode {
  readonly kind: 'set';
  readonly set: CharSet;
  /** The character, if the pattern has a single character here and not a class. */
  readonly literal?: number;
}

interface GroupNode {
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
export const ASSERTION_KINDS = [
  'start',
  'end',
  'last-line-end',
  'line-start',
  'line-end',
  'boundary',
  'no-boundary',
] as const;
export type AssertionKind = (typeof ASSERTION_KINDS)[number];

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

/** Whether a node, or a node below it, fulfils a condition. */
export function someNode(node: PcreNode, test: (node: PcreNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => someNode(child, test));
}

/** Minimum and maximum number of characters that a node matches. An unsupported construct has 0 and `Infinity`. */
interface MatchLengths {
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

/** Returns the text of a node in its pattern, which was parsed by bytes; for a group, the text in its parentheses. */
export function getSourceText(node: PcreNode, pattern: string): string {
  if (node.kind === 'group') return node.source;
  const span = sourceSpan(node);
  if (span === null) return '';
  return new TextDecoder().decode(new TextEncoder().encode(pattern).slice(span[0], span[1]));
}

function sourceSpan(node: PcreNode): readonly [number, number] | null {
  if (node.span !== undefined) return node.span;
  const spans = childrenOf(node)
    .map(sourceSpan)
    .filter((span) => span !== null);
  const [first] = spans;
  const last = spans.at(-1);
  return first === undefined || last === undefined ? null : [first[0], last[1]];
}
