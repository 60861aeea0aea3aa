import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonType,
  jsonItems,
  jsonMembers,
} from '../../../base/json.ts';
import { resolveReference } from '../../openapi/document-references.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../../openapi/schema-view.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import { EMPTY_SHAPE, isMapShape, mergeShapes, type ObjectsShape, type ValueShape } from './shape.ts';

export function fitsSchema(shape: ValueShape, schema: Json | undefined, document: JsonObject): boolean {
  return splitByType(shape).every((part) => fitsPart(part, schema, document, 0));
}

const KINDS: readonly (readonly [
  kind: Exclude<keyof ValueShape, 'count' | 'digits' | 'trues'>,
  types: readonly JsonType[],
])[] = [
  ['nulls', ['null']],
  ['booleans', ['boolean']],
  ['integers', ['integer', 'number']],
  ['fractions', ['number']],
  ['strings', ['string']],
  ['lists', ['array']],
  ['objects', ['object']],
];

export function splitByType(shape: ValueShape): readonly ValueShape[] {
  return KINDS.flatMap(([kind]) => {
    const values = shape[kind];
    const count = typeof values === 'number' ? values : (values?.count ?? 0);
    const trues = kind === 'booleans' ? shape.trues : 0;
    return count === 0 ? [] : [{ ...EMPTY_SHAPE, count, [kind]: values, trues }];
  });
}

export function typesOfPart(part: ValueShape): readonly JsonType[] {
  return KINDS.find(([kind]) => part[kind])?.[1] ?? ['object'];
}

function fitsPart(part: ValueShape, schema: Json | undefined, document: JsonObject, hops: number): boolean {
  if (schema === undefined || schema === true) return true;
  if (!isJsonObject(schema) || hops > MAX_SCHEMA_DEPTH) return false;
  const fits = (inner: Json | undefined): boolean => fitsPart(part, inner, document, hops + 1);
  const { $ref, allOf, anyOf, oneOf, type } = schema;
  if (typeof $ref === 'string') {
    const target = resolveReference(document, $ref);
    if (target === undefined || !fits(target)) return false;
  }
  const documented = typesOf(schema);
  if (type !== undefined && !typesOfPart(part).some((word) => documented.includes(word))) return false;
  return (
    jsonItems(allOf).every(fits) &&
    (anyOf === undefined || jsonItems(anyOf).some(fits)) &&
    (oneOf === undefined || jsonItems(oneOf).filter(fits).length === 1) &&
    fitsValues(part, schema) &&
    fitsLists(part, schema, document) &&
    fitsObjects(part, schema, document)
  );
}

/** A shape has no values of strings and numbers, so these don't fit. */
function fitsValues({ booleans, nulls, trues }: ValueShape, schema: JsonObject): boolean {
  const { const: constant, enum: list } = schema;
  if (list === undefined && (constant === undefined || booleans > 0))
    return constant !== false || trues === 0;
  return nulls > 0 && (list === undefined ? constant === null : jsonItems(list).includes(null));
}

function fitsLists({ lists }: ValueShape, { items, maxItems }: JsonObject, document: JsonObject): boolean {
  if (lists === null) return true;
  if (maxItems === 0 && lists.empty < lists.count) return false;
  return lists.items === null || fitsSchema(lists.items, items, document);
}

function fitsObjects({ objects }: ValueShape, schema: JsonObject, document: JsonObject): boolean {
  if (objects === null) return true;
  const { additionalProperties, properties, required } = schema;
  const hasRequired = jsonItems(required).every(
    (name) => objects.members.get(String(name))?.count === objects.count,
  );
  if (!hasRequired) return false;
  const declared = new Map(jsonMembers(properties));
  const undeclared = [...objects.members].filter(([name]) => !declared.has(name)).map(([, member]) => member);
  const extra = objects.others === null ? undeclared : [...undeclared, objects.others];
  if (additionalProperties === false && extra.length > 0) return false;
  const isRecord = isJsonObject(properties) && additionalProperties === undefined;
  if (isRecord && isMapShape(objects) && extra.length > 0) return false;
  // Compared together, because a few values of a map can look like maps themselves.
  return (
    [...objects.members].every(
      ([name, member]) => !declared.has(name) || fitsSchema(member, declared.get(name), document),
    ) && fitsSchema(extra.reduce(mergeShapes, EMPTY_SHAPE), additionalProperties, document)
  );
}

export function shareOfNames(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const name of one) if (other.has(name)) common += 1;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}

export function resourceNames({ members }: ObjectsShape): ReadonlySet<string> {
  return new Set([...members.keys()].filter((name) => !HAL_MEMBERS.has(name)));
}
