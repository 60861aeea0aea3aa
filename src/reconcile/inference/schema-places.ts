import { sortByKey } from '../../group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toPointerSegment,
} from '../../json.ts';
import { dereference, locatePointer, resolveReference } from '../../openapi/document-references.ts';
import { type OpenApiDocument, type Operation, readServedApi } from '../../openapi/index.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../../openapi/schema-view.ts';
import { runSteps } from '../../steps.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import { isStatement } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import type { SeenResponses } from '../seen-responses.ts';
import { createShapeSchema, type InferenceOptions, isEntryValue } from './create-schema.ts';
import { type InferredSchema, isMapShape, mapValues, mergeShapes, type ObjectsShape } from './shape.ts';
import { shareOfNames, splitByType, typesOfPart } from './shape-comparison.ts';

/** The values that were seen at one schema of a document. */
interface SchemaPlace {
  readonly pointer: string;
  readonly schema: JsonObject;
  readonly shape: InferredSchema;
  /** The operations whose responses reach the schema. */
  readonly operations: readonly string[];
  /** Number of responses of these operations. */
  readonly responses: number;
}

/**
 * Follows the shapes of responses through the schemas of a document. A value that several alternatives could describe is
 * followed through the one that has most names in common with it.
 */
function findSchemaPlaces(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly SchemaPlace[] {
  const byRoute = new Map(runSteps(readServedApi(document)).routes.map((route) => [route.pattern, route]));
  const places = new Map<string, SchemaPlace>();
  for (const response of shapes) {
    const operation = byRoute.get(response.route)?.operations.get(response.method);
    if (operation !== undefined) new PlaceWalk(document, operation, response, places).run();
  }
  return [...places.values()].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
}

/** Follows the shape of one operation's responses. */
class PlaceWalk {
  readonly #places: Map<string, SchemaPlace>;
  readonly #document: OpenApiDocument;
  readonly #operation: Operation;
  readonly #response: SeenResponses;

  constructor(
    document: OpenApiDocument,
    operation: Operation,
    response: SeenResponses,
    places: Map<string, SchemaPlace>,
  ) {
    this.#document = document;
    this.#operation = operation;
    this.#response = response;
    this.#places = places;
  }

  run(): void {
    const { responsePointer: pointer, responseSchema } = this.#operation;
    if (pointer !== undefined) this.#visit(this.#response.shape, responseSchema, pointer, 0);
  }

  #visit(shape: InferredSchema, schema: Json | undefined, pointer: string, depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH || shape.count === 0) return;
    const { anyOf, oneOf, $ref } = schema;
    if (typeof $ref === 'string') {
      const reference = this.#inContext($ref, depth);
      this.#visit(shape, resolveReference(this.#document, reference), reference.slice(1), depth + 1);
      return;
    }
    const keyword = Array.isArray(anyOf) ? 'anyOf' : 'oneOf';
    const alternatives = jsonItems(anyOf ?? oneOf);
    if (alternatives.length > 0) {
      this.#visitAlternatives(shape, alternatives, `${pointer}/${keyword}`, depth);
      return;
    }
    this.#add(pointer, schema, shape);
    this.#visitChildren(shape, schema, pointer, depth);
  }

  /** The component of the context of the response, which stands in place of those of the others. */
  #inContext(reference: string, depth: number): string {
    const contexts = depth < 4 ? this.#operation.contextReferences : undefined;
    const isOfContext = contexts !== undefined && [...contexts.values()].includes(reference);
    return (isOfContext ? contexts.get(this.#response.variant) : undefined) ?? reference;
  }

  #visitAlternatives(
    shape: InferredSchema,
    alternatives: readonly Json[],
    pointer: string,
    depth: number,
  ): void {
    for (const part of splitByType(shape)) {
      const best = alternatives
        .map((alternative, index) => ({ alternative, index, rank: this.#rankAlternative(part, alternative) }))
        .filter(({ rank }) => rank > 0)
        .sort((one, other) => other.rank - one.rank || one.index - other.index)[0];
      if (best !== undefined) this.#visit(part, best.alternative, `${pointer}/${best.index}`, depth + 1);
    }
  }

  /** 0 if the alternative does not describe values of this type; more if it has more names in common with objects. */
  #rankAlternative(part: InferredSchema, alternative: Json): number {
    const schema = dereference(alternative, this.#document);
    if (schema === undefined) return 0;
    const { properties, type } = schema;
    const stated = typesOf(schema);
    if (type !== undefined && !typesOfPart(part).some((word) => stated.includes(word))) return 0;
    if (part.objects === null) return 1;
    const names = new Set(jsonMembers(properties).map(([name]) => name));
    return 1 + shareOfNames(new Set(part.objects.members.keys()), names);
  }

  #add(pointer: string, schema: JsonObject, shape: InferredSchema): void {
    const { id } = this.#operation;
    const known = this.#places.get(pointer);
    const { operations = [], responses = 0 } = known ?? {};
    const isNew = !operations.includes(id);
    this.#places.set(pointer, {
      pointer,
      schema,
      shape: known === undefined ? shape : mergeShapes(known.shape, shape),
      operations: isNew ? [...operations, id] : operations,
      responses: isNew ? responses + this.#response.shape.count : responses,
    });
  }

  #visitChildren(
    { lists, objects }: InferredSchema,
    schema: JsonObject,
    pointer: string,
    depth: number,
  ): void {
    const { additionalProperties, items, properties } = schema;
    if (lists?.items) this.#visit(lists.items, items, `${pointer}/items`, depth + 1);
    if (objects === null) return;
    const declared = new Map(jsonMembers(properties));
    for (const [name, member] of objects.members) {
      if (declared.has(name)) {
        this.#visit(member, declared.get(name), `${pointer}/properties${toPointerSegment(name)}`, depth + 1);
      } else {
        this.#visit(member, additionalProperties, `${pointer}/additionalProperties`, depth + 1);
      }
    }
    if (objects.others === null || (isMapShape(objects) && declared.size > 0)) return;
    this.#visit(objects.others, additionalProperties, `${pointer}/additionalProperties`, depth + 1);
  }
}

/** An object with more undeclared names than this is a map. */
const MAX_ADDED_PROPERTIES = 50;

export const SEEN_DESCRIPTION = "Not in the site's index: seen in its responses.";

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
    const siblings = name === '' ? {} : locatePointer(document, toParentPointer(place.pointer))?.value;
    if (!isStatement(place.schema) && isEntryValue(name, Object.keys(siblings ?? {}))) return [];
    const { added, required: seenAlways } = completePlace(place, options, name);
    const stated = new Map(jsonMembers(place.schema['properties'])).get('_links');
    // An item of whose stated links each may be missing can have none, such as the autosave of a draft.
    const links = dereference(stated, document);
    const hasLinks = links?.['properties'] === undefined || links['required'] !== undefined;
    const required = hasLinks ? seenAlways : seenAlways.filter((property) => property !== '_links');
    const actions = added.map((change) =>
      createInferenceAction(at, change, 'Not in the index: inferred from responses.', evidence),
    );
    if (required.length === 0) return actions;
    const seen = { ...evidence, kind: 'required' } as const;
    return [...actions, createInferenceAction(at, { required }, 'In every object that was seen.', seen)];
  });
}

function toParentPointer(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** An item of which too few objects were seen to know which members are always there. */
export interface FewSamples {
  readonly schema: string;
  readonly objects: number;
  readonly operations: readonly string[];
}

/** Lists the components of items, or the responses without one, that lack required members for want of samples. */
export function findFewSamples(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
  leastSamples: number,
): readonly FewSamples[] {
  return findSchemaPlaces(document, shapes).flatMap(({ operations, pointer, schema, shape }) => {
    const { objects } = shape;
    const [, component] = /^\/components\/schemas\/([^/]+)$/.exec(pointer) ?? [];
    if (component === undefined || objects === null || objects.count >= leastSamples) return [];
    const stated = new Set(jsonItems(schema['required']));
    const isComplete = jsonMembers(schema['properties']).every(([name]) => stated.has(name));
    if (isComplete || isMapShape(objects)) return [];
    return [{ schema: component, objects: objects.count, operations }];
  });
}

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
  const undeclared = [...objects.members].filter(([name]) => !declared.has(name) && !HAL_MEMBERS.has(name));
  const isComplete = !isOpen || patternProperties !== undefined || isMap;
  const added = isComplete || undeclared.length > MAX_ADDED_PROPERTIES ? [] : undeclared;
  const schemas = sortByKey(added).map(([name, member]): [string, Json] => [
    name,
    {
      description: SEEN_DESCRIPTION,
      ...(isEntryValue(name, objects.members.keys()) ? {} : createShapeSchema(member, options, name)),
    },
  ]);
  const known = new Set([...declared, ...added.map(([name]) => name)]);
  const stated = new Set(jsonItems(schema['required']));
  // A schema that states what other properties are like is in part a map, such as `_links`.
  const isRecord = isOpen || additionalProperties === false;
  const required = [...objects.members]
    .filter(
      ([, member]) => isRecord && objects.count >= options.leastSamples && member.count === objects.count,
    )
    .map(([name]) => name)
    .filter((name) => known.has(name) && name !== '_embedded' && !stated.has(name))
    .sort();
  return {
    added: schemas.length === 0 ? [] : [{ properties: Object.fromEntries(schemas) }],
    required,
  };
}
