import { type AssertionKind, EMPTY_SEQUENCE, mapChildren, type PcreNode } from './ast.ts';

/** The characters next to a group in its route. */
export interface GroupNeighbours {
  /** `slash`: a `/` precedes the group. */
  readonly precedingCharacter: 'slash' | 'other';
  readonly followingCharacter: 'slash' | 'end' | 'other';
}

/**
 * Converts the body of a group to a pattern for the group's value. An assertion that depends on text outside of the group becomes
 * a widened node, unless it has the same result at the ends of the value.
 */
export function isolateGroup(node: PcreNode, neighbours: GroupNeighbours): PcreNode {
  if (node.kind !== 'assert') return mapChildren(node, (child) => isolateGroup(child, neighbours));
  if (isAssertionPreserved(node.at, neighbours)) return node;
  return { kind: 'widened', what: 'it tests the characters beside it in the path', body: EMPTY_SEQUENCE };
}

function isAssertionPreserved(at: AssertionKind, neighbours: GroupNeighbours): boolean {
  const { followingCharacter, precedingCharacter } = neighbours;
  if (at === 'boundary' || at === 'no-boundary')
    return precedingCharacter === 'slash' && followingCharacter !== 'other';
  return followingCharacter === 'end' && (at === 'end' || at === 'last-line-end');
}
