import { isJsonObject, type Json } from '../json.ts';

/**
 * Removes empty lists beside maps. PHP sends an empty map as a list, and a member of either is `undefined`, so that readers need
 * not tell them apart.
 */
export function withoutEmptyLists(members: readonly Json[]): readonly Json[] {
  const rest = members.filter(
    (member) => !(isJsonObject(member) && member['type'] === 'array' && member['maxItems'] === 0),
  );
  const areMaps = rest.every(
    (member) => isJsonObject(member) && member['type'] === 'object' && member['required'] === undefined,
  );
  return rest.length > 0 && areMaps ? rest : members;
}
