import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { collectReferences, getSchemaComponentKey } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { listSchemaComponents } from '../../openapi/schema-view.ts';
import { EMPTY_SHAPE, type ObjectsShape, type Shape } from '../../validation/shapes/index.ts';
import { fitsSchema } from './shape-fits.ts';
import { resourceNames, shareOfNames } from './similarity.ts';

/** A component that may describe objects. */
export interface ComponentCandidate {
  readonly reference: string;
  readonly names: ReadonlySet<string>;
  /** The schema with everything in place of references to other new components. */
  readonly schema: JsonObject;
}

/** Objects with fewer members are described in place. */
export const LEAST_NAMES: number = 4;
/** Share of common names from which a known component can describe objects. */
const LEAST_SHARE = 0.75;

/** Returns the reference to the component that has most names in common with objects, all of which match it. */
export function findCandidate(
  objects: ObjectsShape,
  candidates: readonly ComponentCandidate[],
  document: JsonObject,
): string | null {
  const names = resourceNames(objects);
  if (names.size < LEAST_NAMES) return null;
  const shape: Shape = { ...EMPTY_SHAPE, count: objects.count, objects };
  return (
    candidates
      .map((candidate) => ({ ...candidate, share: shareOfNames(names, candidate.names) }))
      .filter(({ share }) => share >= LEAST_SHARE)
      .sort((one, other) => other.share - one.share)
      .find(({ schema }) => fitsSchema(shape, schema, document))?.reference ?? null
  );
}

/** A schema without the links of HAL, which responses that are no resources lack. */
export function removeLinks(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(jsonMembers(properties).filter(([name]) => name !== '_links')),
    ...(required === undefined ? {} : { required: jsonItems(required).filter((name) => name !== '_links') }),
  };
}

/** The components that responses of the document refer to, at any depth, and that have properties. */
export function readCandidates(document: OpenApiDocument): readonly ComponentCandidate[] {
  const schemas = new Map(listSchemaComponents(document));
  const pending = [...collectResponseReferences(document.paths)];
  const reached = new Set<string>();
  for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
    const name = getSchemaComponentKey(reference);
    if (name === undefined || reached.has(name)) continue;
    reached.add(name);
    pending.push(...collectReferences(schemas.get(name) ?? null));
  }
  return [...schemas].flatMap(([name, schema]): ComponentCandidate[] => {
    if (!reached.has(name) || !isJsonObject(schema)) return [];
    const names = new Set(jsonMembers(schema['properties']).map(([property]) => property));
    names.delete('_links');
    names.delete('_embedded');
    return names.size < LEAST_NAMES ? [] : [{ reference: `#/components/schemas/${name}`, names, schema }];
  });
}

/** Fields of operations that describe responses. */
const RESPONSE_FIELDS: ReadonlySet<string> = new Set(['responses', 'response', EXTENSION_NAMES.contexts]);

/** The references in the responses of all operations. */
function collectResponseReferences(paths: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    for (const item of jsonItems(value)) visit(item);
    for (const [name, member] of jsonMembers(value)) {
      if (RESPONSE_FIELDS.has(name)) collectReferences(member, found);
      else if (name !== 'parameters' && name !== 'requestBody') visit(member);
    }
  };
  visit(paths);
  return found;
}
