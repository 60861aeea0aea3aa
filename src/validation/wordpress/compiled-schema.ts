import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { compilePattern } from '../../pcre/index.ts';
import { isWiderThanOrigin, toOriginSchema } from './origin-schema.ts';
import { toPhpNumber } from './php-types.ts';

/** A schema read once, so that values can be judged by it many times. Keywords that hold nothing usable are absent. */
export interface CompiledSchema {
  readonly type: string | readonly string[] | undefined;
  readonly title: string | undefined;
  readonly format: string | undefined;
  /** Empty where there is none. */
  readonly enum: readonly Json[];
  readonly anyOf: LazySchemas | undefined;
  readonly oneOf: LazySchemas | undefined;
  /** Whether a value that fits two of `oneOf` may fit one alone at the site. */
  readonly isOneOfLenient: boolean;
  readonly items: LazySchema | undefined;
  readonly properties: ReadonlyMap<string, LazySchema>;
  /** Names of properties that have to be there, by either way of saying so. */
  readonly required: readonly string[];
  readonly patternProperties: readonly {
    readonly test: (name: string) => boolean;
    readonly schema: LazySchema;
  }[];
  readonly additionalProperties: false | LazySchema | undefined;
  readonly limits: SchemaLimits;
  readonly pattern: { readonly source: string; readonly test: (text: string) => boolean } | undefined;
  readonly uniqueItems: boolean;
}

/** Children are read when a value first comes to them: schemas may be deep, or turn back on themselves by `$ref`. */
export type LazySchema = () => CompiledSchema;
export type LazySchemas = readonly LazySchema[];

export interface SchemaLimits {
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
export type ResolveReference = (reference: string) => JsonObject | undefined;

/** @param byReference schemas that were compiled for a `$ref`, so that a recursive schema is compiled once */
export function compileSchema(
  stated: Json,
  resolve: ResolveReference,
  byReference: Map<string, CompiledSchema> = new Map(),
): CompiledSchema {
  const reference = isJsonObject(stated) ? stated['$ref'] : undefined;
  if (typeof reference !== 'string') return compileDereferenced(stated, resolve, byReference);
  const cached = byReference.get(reference);
  if (cached !== undefined) return cached;
  const compiled = compileDereferenced(stated, resolve, byReference);
  byReference.set(reference, compiled);
  return compiled;
}

function compileDereferenced(
  stated: Json,
  resolve: ResolveReference,
  byReference: Map<string, CompiledSchema>,
): CompiledSchema {
  const schema = toOriginSchema(dereference(stated, resolve));
  const get = (keyword: string): Json | undefined =>
    Object.hasOwn(schema, keyword) ? (schema[keyword] ?? undefined) : undefined;
  const child = (value: Json): LazySchema => once(() => compileSchema(value, resolve, byReference));
  const children = (value: Json | undefined): LazySchemas | undefined =>
    value === undefined ? undefined : valuesOf(value).map(child);
  const properties = entriesOf(get('properties'));
  return {
    type: parseType(get('type')),
    title: asString(get('title')),
    format: asString(get('format')),
    enum: valuesOf(get('enum')),
    anyOf: children(get('anyOf')),
    oneOf: children(get('oneOf')),
    isOneOfLenient: get('oneOf') !== undefined && isWiderThanOrigin(get('oneOf') ?? null),
    items: mapDefined(get('items'), child),
    properties: new Map(properties.map(([name, value]) => [name, child(value)])),
    required: parseRequired(get('required'), properties),
    patternProperties: entriesOf(get('patternProperties')).map(([source, value]) => ({
      test: createMatcher(source),
      schema: child(value),
    })),
    additionalProperties: parseAdditionalProperties(get('additionalProperties'), child),
    limits: parseLimits(get),
    pattern: mapDefined(asString(get('x-waygate-pcre')) ?? asString(get('pattern')), (source) => ({
      source,
      test: createMatcher(source),
    })),
    uniqueItems: isTruthy(get('uniqueItems')),
  };
}

function dereference(stated: Json, resolve: ResolveReference): JsonObject {
  let schema: Json | undefined = stated;
  // A chain of references may close on itself.
  for (let step = 0; step < 16 && isJsonObject(schema); step++) {
    const reference: Json | undefined = schema['$ref'];
    if (typeof reference !== 'string') return schema;
    schema = resolve(reference);
  }
  return {};
}

function parseType(value: Json | undefined): CompiledSchema['type'] {
  if (typeof value === 'string') return value;
  const words = valuesOf(value).filter((word) => typeof word === 'string');
  return words.length === 0 ? undefined : words;
}

function parseRequired(
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

function parseAdditionalProperties(
  value: Json | undefined,
  child: (value: Json) => LazySchema,
): CompiledSchema['additionalProperties'] {
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

function parseLimits(get: (keyword: string) => Json | undefined): SchemaLimits {
  const plain = PLAIN_LIMITS.flatMap((keyword) => {
    const limit = toPhpNumber(get(keyword) ?? null);
    return limit === null ? [] : [[keyword, limit] as const];
  });
  const lower = parseBound(get('minimum'), get('exclusiveMinimum'), Math.max);
  const upper = parseBound(get('maximum'), get('exclusiveMaximum'), Math.min);
  return {
    ...Object.fromEntries(plain),
    ...(lower.limit === null ? {} : { minimum: lower.limit }),
    ...(upper.limit === null ? {} : { maximum: upper.limit }),
    exclusiveMinimum: lower.exclusive,
    exclusiveMaximum: upper.exclusive,
  };
}

/** A bound, exclusive by a boolean beside it (draft 4) or by a number of its own (2020-12); the stricter counts. */
function parseBound(
  stated: Json | undefined,
  exclusive: Json | undefined,
  stricter: (a: number, b: number) => number,
): { readonly limit: number | null; readonly exclusive: boolean } {
  const limit = toPhpNumber(stated ?? null);
  if (typeof exclusive !== 'number') return { limit, exclusive: isTruthy(exclusive) };
  const strictest = limit === null ? exclusive : stricter(limit, exclusive);
  return { limit: strictest, exclusive: strictest === exclusive };
}

function createMatcher(source: string): (text: string) => boolean {
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
function isTruthy(value: Json | undefined): boolean {
  if (value === '0') return false;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function asString(value: Json | undefined): string | undefined {
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

function mapDefined<T, R>(value: T | undefined, map: (value: T) => R): R | undefined {
  return value === undefined ? undefined : map(value);
}

/** What stands where a schema should and does not: everything is valid by it. */
export const PERMISSIVE_SCHEMA: CompiledSchema = compileSchema({}, () => undefined);
