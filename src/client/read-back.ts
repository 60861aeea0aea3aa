import { type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { referenceOf } from '../openapi/document-references.ts';
import { typesOf } from '../openapi/schema-view.ts';
import type { ReferenceResolver } from '../types/references.ts';
import type { ClientOperation } from './client-operations.ts';

/** Writes that change what a `GET` of the same path returns. */
const UPDATES: ReadonlySet<string> = new Set(['post', 'put', 'patch']);

/**
 * Finds the items that programs read and send back with changes: `{ ...post, title: 'New' }`. WordPress accepts a value that the
 * item has, although a change to this value is refused: the status `trash` of a post in the trash
 * (`WP_REST_Posts_Controller::check_status()`).
 *
 * @returns references to the schemas of the items, by path and operation; empty if the body accepts their members anyway
 */
export function createReadBackFinder(
  operations: readonly ClientOperation[],
  references: ReferenceResolver,
): (operation: ClientOperation) => readonly string[] {
  const itemsByPath = new Map(
    operations
      .filter(({ operation: { method }, shape }) => method === 'get' && shape === 'one')
      .map(({ operation: { path }, item, contexts }) => [path, [referenceOf(item), ...contexts.values()]]),
  );
  return ({ operation: { method, path }, body, item }) => {
    const read = UPDATES.has(method) && body !== undefined ? itemsByPath.get(path) : undefined;
    if (read === undefined) return [];
    const items = [...new Set([...read, referenceOf(item)])].filter((reference) => reference !== undefined);
    const schemas = items.map(($ref) => new Map(jsonMembers(references.resolve({ $ref })?.['properties'])));
    const areLinked = schemas.every((properties) => properties.has('_links'));
    const sent = jsonMembers(references.resolve(body?.schema)?.['properties']);
    const isRefused = ([name, member]: readonly [string, Json]) =>
      schemas.some((properties) => !accepts(member, properties.get(name), references));
    return areLinked && sent.some(isRefused) ? items : [];
  };
}

/** Whether the type of a member of the body includes the type that the member has in a response, as far as schemas tell. */
function accepts(sent: Json, read: Json | undefined, references: ReferenceResolver): boolean {
  const value = references.resolve(read);
  if (value === undefined) return true;
  const alternatives = alternativesOf(sent, references);
  if (mayBeNull(value, references) && !alternatives.some((each) => mayBeNull(each, references))) return false;
  const values = jsonItems(value['enum']);
  if (values.length > 0) {
    const accepted = alternatives.map((alternative) => jsonItems(alternative['enum']));
    return values.every((each) => accepted.some((list) => list.length === 0 || list.includes(each)));
  }
  const names = new Set(jsonMembers(value['properties']).map(([name]) => name));
  const objects = alternatives.map((alternative) => jsonMembers(alternative['properties']));
  // TypeScript refuses an object that has none of the members of a type whose members are all optional.
  return (
    names.size === 0 ||
    objects.every((members) => members.length === 0 || members.some(([name]) => names.has(name)))
  );
}

function alternativesOf(schema: Json, references: ReferenceResolver): readonly JsonObject[] {
  const object = references.resolve(schema);
  const members = jsonItems(object?.['anyOf']);
  return (members.length > 0 ? members : [schema])
    .map((member) => references.resolve(member))
    .filter((member) => member !== undefined);
}

function mayBeNull(schema: JsonObject, references: ReferenceResolver): boolean {
  return alternativesOf(schema, references).some((each) => typesOf(each).includes('null'));
}
