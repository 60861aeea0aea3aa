import { isJsonObject, type Json, jsonMembers } from '../json.ts';
import type { ReferenceResolver } from '../types/references.ts';

/** Names of nested members, such as `title.rendered`, are offered to this depth. */
const MAX_DEPTH = 3;

/** More names of one resource are not offered. */
const MAX_NAMES = 300;

/**
 * Lists the names of nested members that `_fields` takes for items of some schemas: `title.rendered`. Members of lists have no
 * names.
 *
 * @returns the names in the order of the schemas; `undefined` if a schema is not an object with properties
 */
export function nestedFieldNames(
  schemas: readonly Json[],
  references: ReferenceResolver,
): readonly string[] | undefined {
  const names = new Set<string>();
  for (const schema of schemas) {
    const properties = jsonMembers(references.resolve(schema)?.['properties']);
    if (properties.length === 0) return undefined;
    for (const [name, property] of properties) addNames(names, name, property, references, 2);
  }
  return [...names];
}

function addNames(
  names: Set<string>,
  parent: string,
  schema: Json,
  references: ReferenceResolver,
  depth: number,
): void {
  const object = isJsonObject(schema) ? references.resolve(schema) : undefined;
  for (const [name, property] of jsonMembers(object?.['properties'])) {
    // A name with a comma or a dot cannot be written in a list of names.
    if (names.size >= MAX_NAMES || /[,.\s]/.test(name)) return;
    names.add(`${parent}.${name}`);
    if (depth < MAX_DEPTH) addNames(names, `${parent}.${name}`, property, references, depth + 1);
  }
}
