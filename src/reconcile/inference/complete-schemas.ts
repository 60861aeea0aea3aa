import { sortByKey } from '../../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { locatePointer } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { typesOf } from '../../openapi/schema-view.ts';
import type { SeenResponses } from '../../validation/shapes/response-shapes.ts';
import { isMapShape, mapValues, type ObjectsShape } from '../../validation/shapes/shape.ts';
import { isStatement } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { createShapeSchema, type InferenceOptions, REQUIRED_EVIDENCE } from './create-schema.ts';
import { findSchemaPlaces, type SchemaPlace } from './schema-places.ts';
import { isHalName } from './shape-comparison.ts';

/** An object with more undeclared names than this is a map. */
const MAX_ADDED_PROPERTIES = 50;

const SEEN_DESCRIPTION = "Not in the site's index: seen in its responses.";

/**
 * Creates the actions that complete schemas which say too little: schemas without keywords, objects without properties,
 * lists without items, properties that the schema does not declare, and properties that no object lacked.
 */
export function completeSchemas(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
  options: InferenceOptions,
): readonly OverlayAction[] {
  return findSchemaPlaces(document, shapes).flatMap((place) => {
    const at = locatePointer(document, place.pointer)?.location;
    if (at === undefined) return [];
    const { operations, responses } = place;
    const evidence = { kind: 'inferred', responses, operations } as const;
    const name = at.at(-2) === 'properties' ? String(at.at(-1)) : '';
    const { added, required } = completePlace(place, options, name);
    const actions = added.map((change) =>
      createInferenceAction(at, change, 'Not in the index: inferred from responses.', evidence),
    );
    if (required.length === 0) return actions;
    const seen = { ...evidence, kind: 'required' } as const;
    return [...actions, createInferenceAction(at, { required }, 'In every object that was seen.', seen)];
  });
}

/** What a schema lacks. */
interface Completion {
  readonly added: readonly JsonObject[];
  readonly required: readonly string[];
}

function completePlace({ schema, shape }: SchemaPlace, options: InferenceOptions, name: string): Completion {
  if (!isStatement(schema)) {
    return { added: [createShapeSchema(shape, options, name)].filter(isStatement), required: [] };
  }
  const { lists, objects } = shape;
  const types = typesOf(schema);
  const lacksItems = types.includes('array') && schema['items'] === undefined && schema['maxItems'] !== 0;
  const items = lacksItems && lists?.items ? [createShapeSchema(lists.items, options)] : [];
  const added = items.filter(isStatement).map((inferred) => ({ items: inferred }));
  if (objects === null || !(schema['type'] === undefined || types.includes('object'))) {
    return { added, required: [] };
  }
  const completion = completeObjects(schema, objects, options);
  return { ...completion, added: [...added, ...completion.added] };
}

function completeObjects(schema: JsonObject, objects: ObjectsShape, options: InferenceOptions): Completion {
  const { additionalProperties, patternProperties, properties } = schema;
  const isMap = isMapShape(objects);
  if (properties === undefined && patternProperties === undefined && isMap) {
    const inferred =
      additionalProperties === undefined ? [createShapeSchema(mapValues(objects), options)] : [];
    const added = inferred.filter(isStatement).map((values) => ({ additionalProperties: values }));
    return { added, required: [] };
  }
  const isOpen =
    additionalProperties === undefined ||
    (isJsonObject(additionalProperties) && !isStatement(additionalProperties));
  const declared = new Set(jsonMembers(properties).map(([name]) => name));
  // The site adds the members of HAL to every resource.
  const undeclared = [...objects.members].filter(([name]) => !declared.has(name) && !isHalName(name));
  const isComplete = !isOpen || patternProperties !== undefined || isMap;
  const added = isComplete || undeclared.length > MAX_ADDED_PROPERTIES ? [] : undeclared;
  const schemas = sortByKey(added).map(([name, member]): [string, Json] => [
    name,
    { description: SEEN_DESCRIPTION, ...createShapeSchema(member, options, name) },
  ]);
  const known = new Set([...declared, ...added.map(([name]) => name)]);
  const stated = new Set(jsonItems(schema['required']));
  // A schema that states what other properties are like is in part a map, such as `_links`.
  const isRecord = isOpen || additionalProperties === false;
  const required = [...objects.members]
    .filter(([, member]) => isRecord && objects.count >= REQUIRED_EVIDENCE && member.count === objects.count)
    .map(([name]) => name)
    .filter((name) => known.has(name) && name !== '_embedded' && !stated.has(name))
    .sort();
  return {
    added: schemas.length === 0 ? [] : [{ properties: Object.fromEntries(schemas) }],
    required,
  };
}
