import type { PurgeLabels, PurgeSelection } from '../store.ts';

/** Creates a function that tells whether a response under one of the selected keys is selected. */
export function createSelectionMatcher(selection: PurgeSelection): (response: PurgeLabels) => boolean {
  if (selection.kind !== 'tags') return () => true;
  const tags = new Set(selection.tags);
  const exceptions = new Map(
    selection.groups?.map(({ exceptKinds, name }) => [name, new Set(exceptKinds)] as const),
  );
  return ({ group, tags: labels }) => {
    const excepted = group === null ? undefined : exceptions.get(group.name);
    if (group !== null && excepted?.has(group.readKind) === false) return true;
    return labels.some((tag) => tags.has(tag));
  };
}
