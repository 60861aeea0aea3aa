import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { groupBy } from '../../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import {
  getSchemaComponentKey,
  type JsonLocation,
  locatePointer,
  resolveReference,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import type { SeenResponses } from '../seen-responses.ts';
import { ComponentNames, omitProperties } from './components.ts';
import { REQUIRED_EVIDENCE } from './create-schema.ts';
import { findReferenceUses, type ReferenceUse } from './schema-places.ts';
import type { ObjectsShape } from './shape.ts';
import { isAlways, isNever, resourceNames } from './shape-comparison.ts';

/**
 * Creates a component `…Summary` for items of lists that never have some members which other responses always have, such as
 * the content of a book. Otherwise these members would be optional everywhere.
 */
export function separateForms(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const names = new ComponentNames(document);
  const byReference = groupBy(findReferenceUses(document, shapes), ({ reference }) => reference);
  return [...byReference].sort().flatMap(([reference, uses]) => {
    const key = getSchemaComponentKey(reference);
    const schema = resolveReference(document, reference);
    const members = listDifferingMembers(uses);
    const summaries = uses.filter(
      ({ shape: { objects } }) =>
        objects !== null && [...members].every((name) => !objects.members.has(name)),
    );
    if (key === undefined || !isJsonObject(schema) || members.size === 0 || summaries.length === 0) return [];
    const name = names.claim(`${key}Summary`);
    const evidence = {
      kind: 'inferred',
      responses: summaries.reduce((sum, { responses }) => sum + responses, 0),
      operations: summaries.flatMap(({ operations }) => operations),
    } as const;
    const add = (at: JsonLocation, change: JsonObject): OverlayAction =>
      createInferenceAction(
        at,
        change,
        `A form of the resource that some responses have: ${name}.`,
        evidence,
      );
    const locations = summaries.flatMap(({ pointer }) => locateReferences(document, pointer, reference));
    const unique = new Map(locations.map((location) => [JSON.stringify(location), location]));
    return [
      add(['components', 'schemas'], { [name]: omitProperties(schema, members) }),
      ...Array.from(unique.values(), (location) => add(location, { $ref: toSchemaReference(name) })),
    ];
  });
}

/** The members that all objects of one use have, and none of another. */
function listDifferingMembers(uses: readonly ReferenceUse[]): ReadonlySet<string> {
  const all = uses.map(({ shape }) => shape.objects).filter(isEnough);
  const differs = (name: string): boolean =>
    all.some((objects) => isAlways(objects, name)) && all.some((objects) => isNever(objects, name));
  return new Set(all.flatMap((objects) => [...resourceNames(objects)]).filter(differs));
}

function isEnough(objects: ObjectsShape | null): objects is ObjectsShape {
  return objects !== null && objects.count >= REQUIRED_EVIDENCE;
}

/** Lists the locations of a reference that describe the same values: in a response those of all statuses, and of its context. */
function locateReferences(document: JsonObject, pointer: string, reference: string): readonly JsonLocation[] {
  const { location = [] } = locatePointer(document, pointer) ?? {};
  if (location[0] !== 'paths') return [location];
  const operation = location.slice(0, location[2] === EXTENSION_NAMES.methods ? 4 : 3);
  const locations: JsonLocation[] = [];
  const visit = (value: Json, at: JsonLocation): void => {
    for (const [index, item] of jsonItems(value).entries()) visit(item, [...at, index]);
    if (!isJsonObject(value)) return;
    if (value['$ref'] === reference) locations.push(at);
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'parameters' && name !== 'requestBody') visit(member, [...at, name]);
    }
  };
  const root = operation.reduce<Json>(
    (value, token) => (isJsonObject(value) ? (value[token] ?? null) : null),
    document,
  );
  visit(root, operation);
  return locations;
}
