import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { type JsonLocation, locatePointer } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { typesOf } from '../../openapi/schema-view.ts';
import {
  isMapShape,
  mapValues,
  type ObjectsShape,
  type SeenResponses,
} from '../../validation/shapes/index.ts';
import { isStatement } from '../document-operations.ts';
import { createInferenceAction, type InferenceEvidence, type OverlayAction } from '../overlay-action.ts';
import { createShapeSchema, type InferenceOptions, REQUIRED_EVIDENCE } from './create-schema.ts';
import { findSchemaPlaces, type SchemaPlace } from './schema-places.ts';

/** An object with more undeclared names than this is a map. */
const MAX_ADDED_PROPERTIES = 50;

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
    const target = locatePointer(document, place.pointer);
    return target === null ? [] : completePlace(place, target.location, options);
  });
}

function completePlace(
  { operations, responses, schema, shape }: SchemaPlace,
  at: JsonLocation,
  options: InferenceOptions,
): readonly OverlayAction[] {
  const evidence = { kind: 'inferred', responses, operations } as const;
  const add = (change: JsonObject): OverlayAction =>
    createInferenceAction(at, change, 'Not in the index: inferred from responses.', evidence);
  const name = at.at(-2) === 'properties' ? String(at.at(-1)) : '';
  if (!isStatement(schema)) {
    const inferred = createShapeSchema(shape, options, name);
    return isStatement(inferred) ? [add(inferred)] : [];
  }
  const { items, type } = schema;
  const actions: OverlayAction[] = [];
  const types = typesOf(schema);
  if (types.includes('array') && items === undefined && shape.lists?.items && schema['maxItems'] !== 0) {
    const inferred = createShapeSchema(shape.lists.items, options);
    if (isStatement(inferred)) actions.push(add({ items: inferred }));
  }
  if (shape.objects !== null && (type === undefined || types.includes('object'))) {
    actions.push(...completeObjects(schema, shape.objects, options, { at, evidence, add }));
  }
  return actions;
}

interface Completion {
  readonly at: JsonLocation;
  readonly evidence: InferenceEvidence;
  readonly add: (change: JsonObject) => OverlayAction;
}

function completeObjects(
  schema: JsonObject,
  objects: ObjectsShape,
  options: InferenceOptions,
  { add, at, evidence }: Completion,
): readonly OverlayAction[] {
  const { additionalProperties, patternProperties, properties } = schema;
  const isOpen =
    additionalProperties === undefined ||
    (isJsonObject(additionalProperties) && !isStatement(additionalProperties));
  if (properties === undefined && patternProperties === undefined && isMapShape(objects)) {
    const inferred = createShapeSchema(mapValues(objects), options);
    return isOpen && isStatement(inferred) && additionalProperties === undefined
      ? [add({ additionalProperties: inferred })]
      : [];
  }
  const declared = new Set(jsonMembers(properties).map(([name]) => name));
  const undeclared =
    isOpen && patternProperties === undefined && !isMapShape(objects)
      ? listUndeclared(objects, declared)
      : [];
  const added = undeclared.length > MAX_ADDED_PROPERTIES ? [] : undeclared;
  const known = new Set([...declared, ...added]);
  const stated = new Set(jsonItems(schema['required']));
  // A schema that states what other properties are like is in part a map, such as `_links`.
  const isRecord = isOpen || additionalProperties === false;
  const required = (isRecord ? [...objects.members] : [])
    .filter(([name, member]) => known.has(name) && name !== '_embedded' && member.count === objects.count)
    .map(([name]) => name)
    .filter((name) => objects.count >= REQUIRED_EVIDENCE && !stated.has(name))
    .sort();
  const schemas = added.map((name): [string, Json] => {
    const member = objects.members.get(name);
    return [
      name,
      {
        description: SEEN_DESCRIPTION,
        ...(member === undefined ? {} : createShapeSchema(member, options, name)),
      },
    ];
  });
  return [
    ...(schemas.length === 0 ? [] : [add({ properties: Object.fromEntries(schemas) })]),
    ...(required.length === 0
      ? []
      : [
          createInferenceAction(at, { required }, 'In every object that was seen.', {
            ...evidence,
            kind: 'required',
          }),
        ]),
  ];
}

const SEEN_DESCRIPTION = "Not in the site's index: seen in its responses.";

/** The names that a schema does not declare. The site adds those of HAL to every resource. */
function listUndeclared({ members }: ObjectsShape, declared: ReadonlySet<string>): readonly string[] {
  return [...members.keys()]
    .filter((name) => !declared.has(name) && name !== '_links' && name !== '_embedded')
    .sort();
}
