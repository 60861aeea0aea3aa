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
import type { ResponseFinding } from '../../validation/response/finding.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import { ResponseFindingStats, type ResponseValidationReport } from '../../validation/response/validator.ts';
import { countStatuses, type SeenResponses } from '../../validation/shapes/response-shapes.ts';
import {
  EMPTY_SHAPE,
  type InferredSchema,
  isMapShape,
  isPropertyName,
  mapValues,
  mergeShapes,
  type ObjectsShape,
} from '../../validation/shapes/shape.ts';
import { isStatement } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { createShapeSchema, type InferenceOptions, isEntryValue } from './create-schema.ts';
import { shareOfNames, splitByType, typesOfPart } from './shape-comparison.ts';

/** The values that were seen at one place of a document. */
interface SeenPlace {
  readonly pointer: string;
  readonly shape: InferredSchema;
  /** The operations whose responses reach the schema. */
  readonly operations: readonly string[];
  /** Number of responses of these operations. */
  readonly responses: number;
}

/** The values that were seen at one schema of a document. */
export interface SchemaPlace extends SeenPlace {
  readonly schema: JsonObject;
}

/** The values that were seen at one reference to a component. */
export interface ReferenceUse extends SeenPlace {
  /** The component: the one of the context of the responses, if the operation has contexts. */
  readonly reference: string;
}

/**
 * Follows the shapes of responses through the schemas of a document. A value that several alternatives could describe is
 * followed through the one that has most names in common with it.
 */
export function findSchemaPlaces(document: OpenApiDocument, shapes: readonly SeenResponses[]): SchemaPlaces {
  const { otherPlaces, places, uses } = new PlaceWalk(document, shapes);
  const sort = (found: Iterable<SchemaPlace>): readonly SchemaPlace[] =>
    [...found].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
  const [direct, others] = [sort(places.values()), sort(otherPlaces.values())];
  return {
    places: direct,
    otherPlaces: others,
    all: [...direct, ...others.filter(({ pointer }) => !places.has(pointer))],
    uses: [...uses.values()],
  };
}

interface SchemaPlaces {
  readonly places: readonly SchemaPlace[];
  /** What was seen of an item in one context, at the schemas of its other contexts and of its deletion. */
  readonly otherPlaces: readonly SchemaPlace[];
  /** The places, and those of other contexts where nothing was seen of the own one. */
  readonly all: readonly SchemaPlace[];
  /** The references on the ways to the places. */
  readonly uses: readonly ReferenceUse[];
}

class PlaceWalk {
  readonly places: Map<string, SchemaPlace> = new Map();
  /** What was seen of an item in one context, at the schemas of its other contexts. */
  readonly otherPlaces: Map<string, SchemaPlace> = new Map();
  /** By pointer and reference. */
  readonly uses: Map<string, ReferenceUse> = new Map();
  readonly #document: OpenApiDocument;
  /** The operation whose response is followed, and the response. */
  #operation: Operation | undefined;
  #response: SeenResponses | undefined;
  /** Whether the shape is followed through the schema of another context than that of the response. */
  #isOther = false;

  constructor(document: OpenApiDocument, shapes: readonly SeenResponses[]) {
    this.#document = document;
    const byRoute = new Map(runSteps(readServedApi(document)).routes.map((route) => [route.pattern, route]));
    for (const response of shapes) {
      const operation = byRoute.get(response.route)?.operations.get(response.method);
      this.#operation = operation;
      this.#response = response;
      const { responsePointer: pointer, responseSchema } = operation ?? {};
      if (pointer !== undefined) this.#visit(response.shape, responseSchema, pointer, 0);
    }
  }

  #visit(shape: InferredSchema, schema: Json | undefined, pointer: string, depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH || shape.count === 0) return;
    const { anyOf, oneOf, $ref } = schema;
    if (typeof $ref === 'string') {
      const reference = this.#inContext($ref, depth);
      // What was seen of a component is not counted twice.
      if (this.#isOther && this.places.has(reference.slice(1))) return;
      const key = `${pointer}\n${reference}`;
      if (!this.#isOther)
        this.uses.set(key, { reference, ...this.#addTo(this.uses.get(key), pointer, shape) });
      this.#visit(shape, resolveReference(this.#document, reference), reference.slice(1), depth + 1);
      this.#visitOtherForms(shape, reference, depth);
      return;
    }
    const keyword = Array.isArray(anyOf) ? 'anyOf' : 'oneOf';
    const alternatives = jsonItems(anyOf ?? oneOf);
    if (alternatives.length > 0) {
      this.#visitAlternatives(shape, alternatives, `${pointer}/${keyword}`, depth);
      return;
    }
    const places = this.#isOther ? this.otherPlaces : this.places;
    places.set(pointer, { schema, ...this.#addTo(places.get(pointer), pointer, shape) });
    this.#visitChildren(shape, schema, pointer, depth);
  }

  /**
   * Follows a shape through the components of the same item in other contexts, and through what its deletion returns:
   * `filter_response_by_context()` only takes members away, so those that are left have the same values.
   */
  #visitOtherForms(shape: InferredSchema, reference: string, depth: number): void {
    if (this.#isOther || depth >= 4) return;
    const references = [...(this.#operation?.contextReferences?.values() ?? [])];
    this.#isOther = true;
    for (const each of new Set(references.includes(reference) ? references : [reference])) {
      const previous = `${each.replace('/schemas/', '/schemas/Deleted')}/properties/previous`;
      for (const other of [each, previous].filter((form) => form !== reference))
        this.#visit(shape, resolveReference(this.#document, other), other.slice(1), depth + 1);
    }
    this.#isOther = false;
  }

  /** The component of the context of the response, which stands in place of those of the others. */
  #inContext(reference: string, depth: number): string {
    const contexts = depth < 4 ? this.#operation?.contextReferences : undefined;
    const isOfContext = contexts !== undefined && [...contexts.values()].includes(reference);
    return (isOfContext ? contexts.get(this.#response?.variant ?? '') : undefined) ?? reference;
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

  #addTo(known: SeenPlace | undefined, pointer: string, shape: InferredSchema): SeenPlace {
    const { id = '' } = this.#operation ?? {};
    const { operations = [], responses = 0 } = known ?? {};
    const merged = mergeShapes(known?.shape ?? EMPTY_SHAPE, shape);
    if (operations.includes(id) || this.#response === undefined)
      return { pointer, shape: merged, operations, responses };
    const count = responses + countStatuses(this.#response);
    return { pointer, shape: merged, operations: [...operations, id], responses: count };
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

/** Finds the differences between shapes and the schemas of a document that shapes show: types and missing members. */
export function findShapeFindings(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): ResponseValidationReport {
  const stats = new ResponseFindingStats();
  const { otherPlaces, places } = findSchemaPlaces(document, shapes);
  const record = ({ operations }: SchemaPlace, findings: readonly ResponseFinding[]): void => {
    if (findings.length > 0) stats.record(operations.join(', '), { kind: 'validated', findings });
  };
  for (const place of places) record(place, [...findTypes(place), ...findMissing(place)]);
  for (const place of otherPlaces) record(place, findTypes(place));
  return stats.report();
}

function findTypes({ pointer, schema, shape }: SchemaPlace): readonly ResponseFinding[] {
  if (schema['type'] === undefined) return [];
  const allowed = typesOf(schema);
  return splitByType(shape).flatMap((part): ResponseFinding[] => {
    const types = typesOfPart(part);
    const [actual = 'null'] = types;
    if (types.some((each) => allowed.includes(each))) return [];
    const kind = kindOfMismatch(part, allowed);
    return [{ kind, pointer: '', actual, keyword: 'type', schema: pointer }];
  });
}

function kindOfMismatch(part: InferredSchema, allowed: readonly unknown[]): ResponseFinding['kind'] {
  if (part.nulls > 0) return 'null';
  const isEmptyList = part.lists !== null && part.lists.empty === part.lists.count;
  return isEmptyList && allowed.includes('object') ? 'empty-array-for-object' : 'type';
}

function findMissing({ pointer, schema, shape: { objects } }: SchemaPlace): readonly ResponseFinding[] {
  if (objects === null || objects.isCut) return [];
  return jsonItems(schema['required']).flatMap((name): ResponseFinding[] => {
    if (typeof name !== 'string' || objects.members.get(name)?.count === objects.count) return [];
    // Names that are data are not kept, so nothing is known about them; nor is it about a map.
    if (!isPropertyName(name) || objects.isMap) return [];
    const at = toPointerSegment(name);
    return [{ kind: 'missing', pointer: at, actual: 'nothing', keyword: 'required', schema: pointer }];
  });
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
  const { all, otherPlaces, places } = findSchemaPlaces(document, shapes);
  const others = new Map(otherPlaces.map((place) => [place.pointer, place]));
  const direct = new Set(places.map(({ pointer }) => pointer));
  return all.flatMap((place) => {
    const at = locatePointer(document, place.pointer)?.location;
    if (at === undefined) return [];
    const { operations, responses } = place;
    const evidence = { kind: 'inferred', responses, operations } as const;
    const name = at.at(-2) === 'properties' ? String(at.at(-1)) : '';
    const siblings = name === '' ? {} : locatePointer(document, toParentPointer(place.pointer))?.value;
    if (!isStatement(place.schema) && isEntryValue(name, Object.keys(siblings ?? {}))) return [];
    const isDirect = direct.has(place.pointer);
    const { added, required: own } = completePlace(place, options, name);
    const other = isDirect ? others.get(place.pointer) : undefined;
    const together = other && { ...place, shape: mergeShapes(place.shape, other.shape) };
    const shown = together === undefined ? [] : completePlace(together, options, name).required;
    const declared = new Map(jsonMembers(place.schema['properties']));
    // An item of whose stated links each may be missing can have none, such as the autosave of a draft.
    const links = dereference(declared.get('_links'), document);
    const hasLinks = links?.['properties'] === undefined || links['required'] !== undefined;
    const required = [...new Set([...own, ...shown])]
      .filter((property) => declared.has(property) || (isDirect && own.includes(property)))
      .filter((property) => property !== '_links' || hasLinks)
      .sort();
    const actions = (isDirect ? added : []).map((change) =>
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
  return findSchemaPlaces(document, shapes).places.flatMap(({ operations, pointer, schema, shape }) => {
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
