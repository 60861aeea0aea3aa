import {
  EMPTY_SEQUENCE,
  getMatchLengths,
  getSlashOccurrence,
  mapChildren,
  type PcreNode,
  someNode,
} from './ast.ts';

/** The characters next to a group in its route. */
export interface GroupNeighbours {
  /** `slash`: a `/` precedes the group. */
  readonly precedingCharacter: 'slash' | 'other';
  readonly followingCharacter: 'slash' | 'end' | 'other';
}

/**
 * Converts the body of a group to a pattern for the group's value. An assertion or lookaround that depends on text outside
 * of the group is removed, unless it has the same result at the ends of the value.
 *
 * @returns the body; `exact` is `false` if something was removed
 */
export function isolateGroup(
  node: PcreNode,
  neighbours: GroupNeighbours,
): { readonly node: PcreNode; readonly exact: boolean } {
  let exact = true;
  const visit = (current: PcreNode): PcreNode => {
    const keeps =
      (current.kind !== 'look' && current.kind !== 'assert') ||
      (current.kind === 'look'
        ? isLookaroundPreserved(current, neighbours)
        : isAssertionPreserved(current.at, neighbours));
    if (!keeps) {
      exact = false;
      return EMPTY_SEQUENCE;
    }
    return current.kind === 'look' ? current : mapChildren(current, visit);
  };
  return { node: visit(node), exact };
}

/** A lookaround whose body matches no slash has the same result before a slash and at the end of the value. */
function isLookaroundPreserved(look: PcreNode & { kind: 'look' }, neighbours: GroupNeighbours): boolean {
  const hasAssertion = someNode(look.body, ({ kind }) => kind === 'assert' || kind === 'look');
  const stops = getSlashOccurrence(look.body) === 'never' && !hasAssertion;
  if (!look.ahead)
    return stops && (neighbours.precedingCharacter === 'slash' || getMatchLengths(look.body).max === 0);
  return neighbours.followingCharacter === 'end' || (stops && neighbours.followingCharacter === 'slash');
}

function isAssertionPreserved(at: string, neighbours: GroupNeighbours): boolean {
  if (at === 'boundary' || at === 'no-boundary')
    return neighbours.precedingCharacter === 'slash' && neighbours.followingCharacter !== 'other';
  return neighbours.followingCharacter === 'end' && (at === 'end' || at === 'last-line-end');
}
