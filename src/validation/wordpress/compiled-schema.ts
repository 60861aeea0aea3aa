import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { compilePattern } from '../../pcre/index.ts';
import { numeric } from './php-types.ts';
import { asStated, mayBeWider } from './origin-schema.ts';

/** A schema read once, so that values can be judged by it many times. Keywords that hold nothing usable are absent. */
export interface Prepared {
  readonly type: string | readonly string[] | undefined;
  readonly title: string | undefined;
  readonly format: string | undefined;
  /** Empty where there is none. */
  readonly enum: readonly Json[];
  readonly anyOf: Children | undefined;
  readonly oneOf: Children | undefined;
  /** Whether a value that fits two of `oneOf` may fit one alone at the site. */
  readonly lenient: boolean;
  readonly items: Child | undefined;
  readonly properties: ReadonlyMap<string, Child>;
  /** Names of properties that have to be there, by either way of saying so. */
  readonly required: readonly string[];
  readonly patternProperties: readonly { readonly test: (name: string) => boolean; readonly schema: Child }[];
  readonly additionalProperties: false | Child | undefined;
  readonly limits: Limits;
  readonly pattern: { readonly source: string; readonly test: (text: string) => boolean } | undefined;
  readonly uniqueItems: boolean;
}

/** Children are read when a value first comes to them: schemas may be deep, or turn back on themselves by `$ref`. */
export type Child = () => Prepared;
export type Children = readonly Child[];

export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** Finds what a `$ref` of a normalised schema names. */
export type Resolve = (reference: string) => JsonObject | undefined;

/** @param known what has been prepared by its reference: a schema that turns back on itself is prepared once */
export function prepare(given: Json, resolve: Resolve, known: Map<string, Prepared> = new Map()): Prepared {
  const reference = isJsonObject(given) ? given['$ref'] : undefined;
  if (typeof reference !== 'string') return prepareOwn(given, resolve, known);
  const before = known.get(reference);
  if (before !== undefined) return before;
  const made = prepareOwn(given, resolve, known);
  known.set(reference, made);
  return made;
}

function prepareOwn(given: Json, resolve: Resolve, known: Map<string, Prepared>): Prepared {
  const schema = asStated(dereference(given, resolve));
  const get = (keyword: string): Json | undefined =>
    Object.hasOwn(schema, keyword) ? (schema[keyword] ?? undefined) : undefined;
  const child = (value: Json): Child => once(() => prepare(value, resolve, known));
  const children = (value: Json | undefined): Children | undefined =>
    value === undefined ? undefined : valuesOf(value).map(child);
  const properties = entriesOf(get('properties'));
  return {
    type: readType(get('type')),
    title: text(get('title')),
    format: text(get('format')),
    enum: valuesOf(get('enum')),
    anyOf: children(get('anyOf')),
    oneOf: children(get('oneOf')),
    lenient: get('oneOf') !== undefined && mayBeWider(get('oneOf') ?? null),
    items: mapped(get('items'), child),
    properties: new Map(properties.map(([name, value]) => [name, child(value)])),
    required: readRequired(get('required'), properties),
    patternProperties: entriesOf(get('patternProperties')).map(([source, value]) => ({
      test: matcher(source),
      schema: child(value),
    })),
    additionalProperties: readAdditional(get('additionalProperties'), child),
    limits: readLimits(get),
    pattern: mapped(text(get('x-waygate-pcre')) ?? text(get('pattern')), (source) => ({
      source,
      test: matcher(source),
    })),
    uniqueItems: truthy(get('uniqueItems')),
  };
}

function dereference(given: Json, resolve: Resolve): JsonObject {
  let schema: Json | undefined = given;
  // A chain of references may close on itself.
  for (let step = 0; step < 16 && isJsonObject(schema); step++) {
    const reference: Json | undefined = schema['$ref'];
    if (typeof reference !== 'string') return schema;
    schema = resolve(reference);
  }
  return {};
}

function readType(value: Json | undefined): Prepared['type'] {
  if (typeof value === 'string') return value;
  const words = valuesOf(value).filter((word) => typeof word === 'string');
  return words.length === 0 ? undefined : words;
}

function readRequired(
  value: Json | undefined,
  properties: readonly (readonly [string, Json])[],
): readonly string[] {
  // A list (draft 4) silences what the properties say (draft 3).
  if (typeof value === 'object' && value !== null)
    return valuesOf(value).filter((name) => typeof name === 'string');
  return properties.flatMap(([name, schema]) =>
    isJsonObject(schema) && Object.hasOwn(schema, 'required') && schema['required'] === true ? [name] : [],
  );
}

function readAdditional(
  value: Json | undefined,
  child: (value: Json) => Child,
): Prepared['additionalProperties'] {
  if (value === false) return false;
  return typeof value === 'object' && value !== null ? child(value) : undefined;
}

const PLAIN_LIMITS = [
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

function readLimits(get: (keyword: string) => Json | undefined): Limits {
  const plain = PLAIN_LIMITS.flatMap((keyword) => {
    const limit = numeric(get(keyword) ?? null);
    return limit === null ? [] : [[keyword, limit] as const];
  });
  const lower = readBound(get('minimum'), get('exclusiveMinimum'), Math.max);
  const upper = readBound(get('maximum'), get('exclusiveMaximum'), Math.min);
  return {
    ...Object.fromEntries(plain),
    ...(lower.limit === null ? {} : { minimum: lower.limit }),
    ...(upper.limit === null ? {} : { maximum: upper.limit }),
    exclusiveMinimum: lower.exclusive,
    exclusiveMaximum: upper.exclusive,
  };
}

/** A bound, exclusive by a boolean beside it (draft 4) or by a number of its own (2020-12); the stricter counts. */
function readBound(
  given: Json | undefined,
  exclusive: Json | undefined,
  stricter: (a: number, b: number) => number,
): { readonly limit: number | null; readonly exclusive: boolean } {
  const limit = numeric(given ?? null);
  if (typeof exclusive !== 'number') return { limit, exclusive: truthy(exclusive) };
  const strictest = limit === null ? exclusive : stricter(limit, exclusive);
  return { limit: strictest, exclusive: strictest === exclusive };
}

function matcher(source: string): (text: string) => boolean {
  const compiled = once(() => compilePattern(source));
  return (text) => compiled().test(text);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** `empty()`, turned round. */
function truthy(value: Json | undefined): boolean {
  if (value === '0') return false;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A list's items or an object's values: PHP may have lost that it was a list. */
function valuesOf(value: Json | undefined): readonly Json[] {
  return typeof value === 'object' && value !== null ? Object.values<Json>(value) : [];
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<Json>(value).filter(([, member]) => member !== null);
}

function mapped<T, R>(value: T | undefined, map: (value: T) => R): R | undefined {
  return value === undefined ? undefined : map(value);
}

/** What stands where a schema should and does not: everything is valid by it. */
export const NOTHING_SAID: Prepared = prepare({}, () => undefined);
