import { sortByKey } from '../../../base/group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toPointerSegment,
} from '../../../base/json.ts';
import { runSteps } from '../../../base/steps.ts';
import { typesOf } from '../../model/schema/keywords.ts';
import {
  dereference,
  type JsonLocation,
  locatePointer,
  MAX_SCHEMA_DEPTH,
  resolveReference,
} from '../../openapi/document-objects.ts';
import {
  listRouteOperations,
  type OpenApiDocument,
  type Operation,
  readServedApi,
} from '../../openapi/index.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import {
  createAction,
  evidenceOf,
  isStatement,
  type OverlayAction,
  type SeenResponses,
} from '../seen-responses.ts';
import {
  createShapeSchema,
  haveOneScalarType,
  type InferenceOptions,
  isEntryValue,
  isMapShape,
  listRequired,
  mapValues,
  mergeShapes,
  type ObjectsShape,
  REQUIRED_EVIDENCE,
  shareOfNames,
  splitByType,
  typesOfPart,
  type ValueShape,
  withoutEmptyValues,
} from './shape.ts';

interface SchemaPlace {
  readonly pointer: string;
  readonly schema: JsonObject;
  readonly shape: ValueShape;
  readonly operations: readonly string[];
  readonly responses: number;
}

function findSchemaPlaces(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly SchemaPlace[] {
  const places = new Map<string, SchemaPlace>();
  const byRoute = new Map(runSteps(readServedApi(document)).routes.map((route) => [route.pattern, route]));
  for (const response of shapes) {
    const operation = byRoute.get(response.route)?.operations.get('GET');
    if (operation !== undefined) addPlaces(places, document, operation, response);
  }
  return [...places.values()].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
}

/** Takes the alternative with the most names in common. */
function addPlaces(
  places: Map<string, SchemaPlace>,
  document: OpenApiDocument,
  operation: Operation,
  response: SeenResponses,
): void {
  const { contextReferences, id, responsePointer, responseSchema } = operation;
  /** The component of the response's context, in place of another context's. */
  const inContext = (reference: string, depth: number): string => {
    const isOfContext = depth < 4 && [...(contextReferences?.values() ?? [])].includes(reference);
    return (isOfContext ? contextReferences?.get(response.context) : undefined) ?? reference;
  };
  const visit = (shape: ValueShape, schema: Json | undefined, pointer: string, depth: number): void => {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH || shape.count === 0) return;
    const { anyOf, oneOf, $ref } = schema;
    if (typeof $ref === 'string') {
      const reference = inContext($ref, depth);
      visit(shape, resolveReference(document, reference), reference.slice(1), depth + 1);
      return;
    }
    const alternatives = jsonItems(anyOf ?? oneOf);
    if (alternatives.length === 0) visitOwn(shape, schema, pointer, depth + 1);
    const keyword = Array.isArray(anyOf) ? 'anyOf' : 'oneOf';
    for (const part of splitByType(shape)) {
      const best = alternatives
        .map((alternative, index) => ({ alternative, index, rank: rankAlternative(part, alternative) }))
        .filter(({ rank }) => rank > 0)
        .sort((one, other) => other.rank - one.rank || one.index - other.index)[0];
      if (best !== undefined) visit(part, best.alternative, `${pointer}/${keyword}/${best.index}`, depth + 1);
    }
  };
  const rankAlternative = (part: ValueShape, alternative: Json): number => {
    const schema = dereference(alternative, document);
    if (schema === undefined) return 0;
    const documented = typesOf(schema);
    const isOfType = typesOfPart(part).some((word) => documented.includes(word));
    if (schema['type'] !== undefined && !isOfType) return 0;
    if (part.objects === null) return 1;
    const names = new Set(jsonMembers(schema['properties']).map(([name]) => name));
    return 1 + shareOfNames(new Set(part.objects.members.keys()), names);
  };
  const visitOwn = (shape: ValueShape, schema: JsonObject, pointer: string, depth: number): void => {
    const known = places.get(pointer);
    const { operations = [], responses = 0 } = known ?? {};
    const isNew = !operations.includes(id);
    places.set(pointer, {
      pointer,
      schema,
      shape: known === undefined ? shape : mergeShapes(known.shape, shape),
      operations: isNew ? [...operations, id] : operations,
      responses: isNew ? responses + response.shape.count : responses,
    });
    const { additionalProperties, items, properties } = schema;
    const { lists, objects } = shape;
    if (lists?.items) visit(lists.items, items, `${pointer}/items`, depth);
    if (objects === null) return;
    const declared = new Map(jsonMembers(properties));
    const rest = `${pointer}/additionalProperties`;
    for (const [name, member] of objects.members) {
      const own = `${pointer}/properties${toPointerSegment(name)}`;
      if (declared.has(name)) visit(member, declared.get(name), own, depth);
      else visit(member, additionalProperties, rest, depth);
    }
    if (objects.others === null || (isMapShape(objects) && declared.size > 0)) return;
    visit(objects.others, additionalProperties, rest, depth);
  };
  if (responsePointer !== undefined) visit(response.shape, responseSchema, responsePointer, 0);
}

/**
 * A declared type goes if no value that was seen has it, of at least three. PHP writes `[]`, `''` and `false` where there is no
 * value, so these are no evidence. A component stays: responses that weren't sampled can refer to it.
 */
export function replaceContradicted(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
  options: InferenceOptions,
): readonly OverlayAction[] {
  return findSchemaPlaces(document, shapes).flatMap(({ operations, pointer, schema, shape }) => {
    const declared = typesOf(schema);
    const parts = splitByType(withoutEmptyValues(shape));
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const at = locatePointer(document, pointer)?.location;
    const isContradicted =
      declared.length > 0 &&
      count >= REQUIRED_EVIDENCE &&
      parts.every((part) => !typesOfPart(part).some((type) => declared.includes(type)));
    if (!isContradicted || at === undefined || at.at(-2) === 'schemas') return [];
    const seen = parts
      .map((part) => `${part.count} of ${count} ${typesOfPart(part).join(' or ')}`)
      .join(', ');
    const evidence = parts.map((part) => ({
      ...{
        kind: 'type' as const,
        actual: typesOfPart(part).join(' or '),
        responses: part.count,
        of: count,
        operations,
      },
    }));
    const reason = [`${seen}, declared ${declared.join(' or ')}.`, evidence] as const;
    const keywords = Object.keys(schema).filter((keyword) => isStatement({ [keyword]: null }));
    return [
      ...keywords.map((keyword) => createAction([...at, keyword], null, ...reason)),
      createAction(at, createShapeSchema(shape, options), ...reason),
    ];
  });
}

/** An object with more undeclared names than this is a map. */
const MAX_ADDED_PROPERTIES = 50;

const SEEN_DESCRIPTION = "Not in the site's index: seen in its responses.";

export function completeSchemas(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
  options: InferenceOptions,
): readonly OverlayAction[] {
  const places = findSchemaPlaces(document, shapes);
  const seenAt = new Set(places.map(({ pointer }) => pointer));
  const contexts = listRouteOperations(document).map(({ contextReferences = new Map<string, string>() }) =>
    Array.from(contextReferences.values(), (reference) => reference.slice(1)),
  );
  /** `rest_filter_response_by_context()` keeps members without a schema in all contexts. */
  const forOtherContexts = (pointer: string, change: JsonObject): (readonly [JsonLocation, JsonObject])[] => {
    const others = contexts.filter((all) => all.includes(pointer)).flat();
    return [...new Set(others)].flatMap((other) => {
      const found = seenAt.has(other) ? null : locatePointer(document, other);
      const stated = new Map(jsonMembers(memberAt(found?.value, 'properties')));
      const properties = jsonMembers(change['properties']).filter(([name]) => !stated.has(name));
      if (found === null || properties.length === 0) return [];
      return [[found.location, { properties: Object.fromEntries(properties) }] as const];
    });
  };
  return places.flatMap((place) => {
    const at = locatePointer(document, place.pointer)?.location;
    if (at === undefined) return [];
    const { operations, responses } = place;
    const evidence = evidenceOf(responses, operations);
    const name = at.at(-2) === 'properties' ? String(at.at(-1)) : '';
    const siblings = name === '' ? {} : locatePointer(document, toParentPointer(place.pointer))?.value;
    if (!isStatement(place.schema) && isEntryValue(name, Object.keys(siblings ?? {}))) return [];
    const { added, required: seenAlways } = completePlace(place, options, name);
    const documented = new Map(jsonMembers(place.schema['properties'])).get('_links');
    // An item can lack all links, such as the autosave of a draft.
    const links = dereference(documented, document);
    const hasLinks = links?.['properties'] === undefined || links['required'] !== undefined;
    const required = hasLinks ? seenAlways : seenAlways.filter((property) => property !== '_links');
    const actions = added
      .flatMap((change) => [[at, change] as const, ...forOtherContexts(place.pointer, change)])
      .map(([location, change]) =>
        createAction(location, change, 'Not in the index: inferred from responses.', evidence),
      );
    if (required.length === 0 || SPARSE_MEMBERS.test(place.pointer)) return actions;
    const reason = ['In every object that was seen.', evidenceOf(responses, operations, 'required')] as const;
    const parent = toParentPointer(place.pointer);
    const empty = jsonItems(locatePointer(document, parent)?.value).findIndex(
      (alternative) => memberAt(alternative, 'maxItems') === 0,
    );
    // An object that always has members isn't an empty list.
    const isNeverEmpty = empty >= 0 && !seenAt.has(`${parent}/${empty}`);
    return [
      ...actions,
      createAction(at, { required }, ...reason),
      ...(isNeverEmpty ? [createAction([...at.slice(0, -1), empty], null, ...reason)] : []),
    ];
  });
}

/** Yoast SEO leaves out what is empty, so posts with an excerpt tell nothing about posts without one. */
const SPARSE_MEMBERS = /\/properties\/yoast_head_json$/;

function toParentPointer(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
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
  // A few objects don't close an open schema: each can have names of its own, such as a setting's options.
  const isUnnamed = properties === undefined && patternProperties === undefined;
  const isUnproven = isUnnamed && objects.count < REQUIRED_EVIDENCE;
  const isMap = isMapShape(objects) || (isUnproven && haveOneScalarType(objects.members));
  if (isUnnamed && isMap) {
    const inferred =
      additionalProperties === undefined ? [createShapeSchema(mapValues(objects), options)] : [];
    const added = inferred.filter(isStatement).map((values) => ({ additionalProperties: values }));
    return { added, required: [] };
  }
  const isOpen =
    additionalProperties === undefined ||
    (isJsonObject(additionalProperties) && !isStatement(additionalProperties));
  const declared = new Set(jsonMembers(properties).map(([name]) => name));
  // The site adds HAL members to every resource.
  const undeclared = [...objects.members].filter(([name]) => !declared.has(name) && !HAL_MEMBERS.has(name));
  const isListed = !isMap && patternProperties === undefined && undeclared.length <= MAX_ADDED_PROPERTIES;
  const added = isOpen && isListed ? undeclared : [];
  // Names that are data, or too many, are allowed without being listed.
  const isLeftOpen =
    additionalProperties === undefined &&
    ((isUnproven && added.length > 0) || objects.others !== null || (!isListed && undeclared.length > 0));
  const schemas = sortByKey(added).map(([name, member]): [string, Json] => [
    name,
    {
      description: SEEN_DESCRIPTION,
      ...(isEntryValue(name, objects.members.keys()) ? {} : createShapeSchema(member, options, name)),
    },
  ]);
  const known = new Set([...declared, ...added.map(([name]) => name)]);
  const documented = new Set(jsonItems(schema['required']));
  // A schema for other properties makes it a map in part, such as `_links`.
  const isRecord = isOpen || additionalProperties === false;
  const required = listRequired(objects)
    .filter((name) => isRecord && known.has(name) && !documented.has(name))
    .sort();
  return {
    added: [
      ...(schemas.length === 0 ? [] : [{ properties: Object.fromEntries(schemas) }]),
      ...(isLeftOpen ? [{ additionalProperties: {} }] : []),
    ],
    required,
  };
}
