import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { resolveReference } from '../../openapi/document-references.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../../openapi/schema-view.ts';
import { EMPTY_SHAPE, isMapShape, type Shape } from '../../validation/shapes/index.ts';

/**
 * Whether every value of a shape matches a schema, as far as a shape shows: types, members and items. Patterns and bounds
 * are not compared.
 */
export function fitsSchema(shape: Shape, schema: Json | undefined, document: JsonObject, hops = 0): boolean {
  return splitByType(shape).every((part) => fitsPart(part, schema, document, hops));
}

/** Splits a shape into one for each type of its values. */
export function splitByType(shape: Shape): readonly Shape[] {
  const { booleans, fractions, integers, lists, nulls, objects, strings } = shape;
  return [
    ...(nulls > 0 ? [{ ...EMPTY_SHAPE, count: nulls, nulls }] : []),
    ...(booleans > 0 ? [{ ...EMPTY_SHAPE, count: booleans, booleans }] : []),
    ...(integers > 0 ? [{ ...EMPTY_SHAPE, count: integers, integers }] : []),
    ...(fractions > 0 ? [{ ...EMPTY_SHAPE, count: fractions, fractions }] : []),
    ...(strings === null ? [] : [{ ...EMPTY_SHAPE, count: strings.count, strings }]),
    ...(lists === null ? [] : [{ ...EMPTY_SHAPE, count: lists.count, lists }]),
    ...(objects === null ? [] : [{ ...EMPTY_SHAPE, count: objects.count, objects }]),
  ];
}

/** The types in JSON Schema of a shape with one type. */
export function typesOfPart({
  booleans,
  fractions,
  integers,
  lists,
  nulls,
  strings,
}: Shape): readonly string[] {
  if (nulls > 0) return ['null'];
  if (booleans > 0) return ['boolean'];
  if (integers > 0) return ['integer', 'number'];
  if (fractions > 0) return ['number'];
  if (strings !== null) return ['string'];
  return lists === null ? ['object'] : ['array'];
}

function fitsPart(part: Shape, schema: Json | undefined, document: JsonObject, hops: number): boolean {
  if (schema === undefined || schema === true) return true;
  if (!isJsonObject(schema) || hops > MAX_SCHEMA_DEPTH) return false;
  const fits = (inner: Json | undefined): boolean => fitsPart(part, inner, document, hops + 1);
  const { $ref, allOf, anyOf, oneOf, type } = schema;
  if (typeof $ref === 'string') {
    const target = resolveReference(document, $ref);
    if (target === undefined || !fits(target)) return false;
  }
  const stated = typesOf(schema);
  if (type !== undefined && !typesOfPart(part).some((word) => stated.includes(word))) return false;
  return (
    jsonItems(allOf).every(fits) &&
    (anyOf === undefined || jsonItems(anyOf).some(fits)) &&
    (oneOf === undefined || jsonItems(oneOf).filter(fits).length === 1) &&
    fitsValues(part, schema) &&
    fitsLists(part, schema, document) &&
    fitsObjects(part, schema, document)
  );
}

/** `enum` and `const`: words are compared. Other strings, numbers and objects are unknown, so they do not fit. */
function fitsValues({ booleans, nulls, strings }: Shape, schema: JsonObject): boolean {
  const { const: constant, enum: list } = schema;
  if (list === undefined && (constant === undefined || booleans > 0)) return true;
  const allowed = new Set(list === undefined ? [constant ?? null] : jsonItems(list));
  if (nulls > 0) return allowed.has(null);
  return strings?.words != null && [...strings.words.keys()].every((word) => allowed.has(word));
}

function fitsLists({ lists }: Shape, { items, maxItems }: JsonObject, document: JsonObject): boolean {
  if (lists === null) return true;
  if (maxItems === 0 && lists.empty < lists.count) return false;
  return lists.items === null || fitsSchema(lists.items, items, document);
}

function fitsObjects({ objects }: Shape, schema: JsonObject, document: JsonObject): boolean {
  if (objects === null) return true;
  const { additionalProperties, properties, required } = schema;
  if (isMapShape(objects) && isJsonObject(properties)) return false;
  const hasRequired = jsonItems(required).every(
    (name) => objects.members.get(String(name))?.count === objects.count,
  );
  if (!hasRequired) return false;
  const declared = new Map(jsonMembers(properties));
  const undeclared = [...objects.members].filter(([name]) => !declared.has(name)).map(([, member]) => member);
  const extra = objects.others === null ? undeclared : [...undeclared, objects.others];
  if (additionalProperties === false && extra.length > 0) return false;
  return (
    [...objects.members].every(
      ([name, member]) => !declared.has(name) || fitsSchema(member, declared.get(name), document),
    ) && extra.every((member) => fitsSchema(member, additionalProperties, document))
  );
}
