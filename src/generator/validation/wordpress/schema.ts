import {
  extensionOf,
  getDeclaredPatternProperties,
  getNeededNames,
  hasChangedKeywords,
  hasMark,
} from '../../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../../base/json.ts';
import { getOrCreate, lazy } from '../../../base/memoize.ts';
import { compilePattern } from '../../../base/pcre/index.ts';
import { isPhpEmpty } from '../../../base/php/request.ts';
import { parsePhpNumber, toPhpString } from '../../../base/php/values.ts';

/* Limits of one request's validation, in what it reads: with time, the load would decide. */

/** Values: each visit by a schema, each name in a list, and each word of an `enum`. */
const MAX_VALUES = 100_000;

/** Characters of patterns, formats, lengths and lists; for RE2 times the nodes of the pattern. */
const MAX_CHARACTERS = 500_000;

const EXCEEDED: unique symbol = Symbol('validation limit exceeded');

/** What the enclosing {@link limitValidation} still allows. A parameter would go through every function. */
const allowance = { values: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

export function limitValidation<T>(validate: () => T, onExceeded: () => T): T {
  const outer = { ...allowance };
  Object.assign(allowance, { values: MAX_VALUES, characters: MAX_CHARACTERS });
  try {
    return validate();
  } catch (cause) {
    if (cause !== EXCEEDED) throw cause;
    return onExceeded();
  } finally {
    Object.assign(allowance, outer);
  }
}

/** Counts values before they are read; too many end the enclosing {@link limitValidation}. */
export function spendValues(count: number): void {
  allowance.values -= count;
  if (allowance.values < 0) throw EXCEEDED;
}

export function spendCharacters(count: number): void {
  allowance.characters -= count;
  if (allowance.characters < 0) throw EXCEEDED;
}

/* PHP has one array type: a list is an object with the keys 0…n-1, and the reverse. */

export function isPhpScalar(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isPhpList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function toPhpNumber(value: Json): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parsePhpNumber(value) : null;
}

/** `rest_is_integer()` */
export function isRestInteger(value: Json): boolean {
  const number = toPhpNumber(value);
  // `round( INF ) === INF`
  return number !== null && (Number.isInteger(number) || !Number.isFinite(number));
}

const BOOLEAN_WORDS: ReadonlySet<string> = new Set(['false', 'true', '0', '1']);

/** `rest_is_boolean()` */
export function isRestBoolean(value: Json): boolean {
  if (typeof value === 'string') return BOOLEAN_WORDS.has(value.toLowerCase());
  return typeof value === 'boolean' || value === 0 || value === 1;
}

const INTEGER_KEY = /^(?:0|-?[1-9]\d{0,18})$/;

export function toArrayItems(value: Json): readonly Json[] | null {
  if (isPhpScalar(value)) return splitPhpList(toPhpString(value));
  if (isPhpList(value)) return value;
  if (!isJsonObject(value)) return null;
  // Only the first key that isn't an integer is tested, but all are listed.
  const keys = Object.keys(value);
  spendValues(keys.length);
  return keys.every((key) => INTEGER_KEY.test(key)) ? Object.values(value) : null;
}

/** `wp_parse_list()`: splits on commas and ASCII white space, PCRE's `\s` without `u`. */
export function splitPhpList(text: string): readonly string[] {
  spendCharacters(text.length);
  return text.split(/[ \t\n\v\f\r,]+/).filter((piece) => piece !== '');
}

export function toObjectMembers(value: Json): readonly (readonly [string, Json])[] | null {
  if (value === '') return [];
  const members = isPhpList(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : null;
  spendValues(members?.length ?? 0);
  return members;
}

const TYPE_TESTS: Readonly<Record<string, (value: Json) => boolean>> = {
  array: (value) => toArrayItems(value) !== null,
  object: (value) => toObjectMembers(value) !== null,
  integer: isRestInteger,
  number: (value) => toPhpNumber(value) !== null,
  boolean: isRestBoolean,
  string: (value) => typeof value === 'string',
  null: (value) => value === null,
};

export function isWordPressType(word: string): boolean {
  return Object.hasOwn(TYPE_TESTS, word);
}

/** `rest_handle_multi_type_schema()`; else an unknown type, which accepts every value */
export function selectType(value: Json, types: readonly string[]): string | null {
  if (value === '' && types.includes('string')) return 'string';
  return (
    types.find((type) => isWordPressType(type) && TYPE_TESTS[type]?.(value) === true) ??
    types.find((type) => !isWordPressType(type)) ??
    null
  );
}

export interface CompiledSchema {
  readonly type: string | readonly string[] | undefined;
  readonly format: string | undefined;
  readonly enum: readonly Json[];
  readonly combinators: readonly Combinator[];
  readonly items: LazySchema | undefined;
  readonly properties: ReadonlyMap<string, LazySchema>;
  /** Names of a list (draft 4) or of the properties (draft 3). */
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

type LazySchema = () => CompiledSchema;

export interface Combinator {
  readonly members: readonly LazySchema[];
  readonly isExclusive: boolean;
}

export type SchemaLimits = Readonly<
  Partial<Record<'minimum' | 'maximum' | (typeof PLAIN_LIMITS)[number], number>>
> & { readonly exclusiveMinimum: boolean; readonly exclusiveMaximum: boolean };

export type ResolveReference = (reference: string) => JsonObject | undefined;

export function compileSchema(
  declared: Json,
  resolve: ResolveReference,
  byReference: Map<string, CompiledSchema> = new Map(),
): CompiledSchema {
  const reference = isJsonObject(declared) ? declared['$ref'] : undefined;
  if (typeof reference !== 'string') return compileDereferenced(declared, resolve, byReference);
  return getOrCreate(byReference, reference, () => compileDereferenced(declared, resolve, byReference));
}

function compileDereferenced(
  declared: Json,
  resolve: ResolveReference,
  byReference: Map<string, CompiledSchema>,
): CompiledSchema {
  const schema = toOriginSchema(dereferenceSchema(declared, resolve));
  const get = (keyword: string): Json | undefined =>
    Object.hasOwn(schema, keyword) ? (schema[keyword] ?? undefined) : undefined;
  const child = (value: Json): LazySchema => lazy(() => compileSchema(value, resolve, byReference));
  const combinators = (['anyOf', 'oneOf'] as const).flatMap((keyword): readonly Combinator[] => {
    const members = get(keyword);
    if (members === undefined) return [];
    // A member of `oneOf` that accepts more than at the site can match in addition.
    const isExclusiveAtOrigin = keyword === 'oneOf' || hasMark(schema, 'exclusive');
    return [
      {
        members: valuesOf(members).map(child),
        isExclusive: isExclusiveAtOrigin && !hasChangedKeywords(members),
      },
    ];
  });
  const properties = entriesOf(get('properties'));
  return {
    type: parseType(get('type')),
    format: asString(get('format')),
    enum: parseEnum(schema, get('enum')),
    combinators,
    items: mapDefined(get('items'), child),
    properties: new Map(properties.map(([name, value]) => [name, child(value)])),
    required: parseRequired(get('required'), properties),
    patternProperties: entriesOf(get('patternProperties')).map(([source, value]) => ({
      test: createMatcher(source),
      schema: child(value),
    })),
    additionalProperties: parseAdditionalProperties(get('additionalProperties'), child),
    limits: parseLimits(get),
    pattern: mapDefined(asString(extensionOf(schema, 'pcre')) ?? asString(get('pattern')), (source) => ({
      source,
      test: createMatcher(source),
    })),
    uniqueItems: !isPhpEmpty(get('uniqueItems') ?? null),
  };
}

/** WordPress cleans their texts before it compares them with an `enum`, which is left to the site. */
const CLEANED_FORMATS = /"format":"(?:hex-color|date-time|email|ip|uri|uuid|text-field|textarea-field)"/;

function parseEnum(schema: JsonObject, declared: Json | undefined): readonly Json[] {
  const words = valuesOf(declared);
  return words.length > 0 && CLEANED_FORMATS.test(JSON.stringify(schema)) ? [] : words;
}

/** An unresolvable or circular reference yields the empty schema. */
export function dereferenceSchema(declared: Json, resolve: ResolveReference): JsonObject {
  let schema: Json | undefined = declared;
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
  // A list (draft 4) overrides `required` in the properties (draft 3).
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

/** `exclusive…` is a boolean in draft 4, and a bound in 2020-12. The stricter of two applies. */
function parseBound(
  declared: Json | undefined,
  exclusive: Json | undefined,
  stricter: (a: number, b: number) => number,
): { readonly limit: number | null; readonly exclusive: boolean } {
  const limit = toPhpNumber(declared ?? null);
  if (typeof exclusive !== 'number') return { limit, exclusive: !isPhpEmpty(exclusive ?? null) };
  const strictest = limit === null ? exclusive : stricter(limit, exclusive);
  return { limit: strictest, exclusive: strictest === exclusive };
}

function createMatcher(source: string): (text: string) => boolean {
  const compiled = lazy(() => compilePattern(source));
  return (text) => {
    const { stepsPerCharacter, test } = compiled();
    spendCharacters(stepsPerCharacter * text.length);
    return test(text);
  };
}

function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** PHP serialises some lists as objects. */
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

/** `false` when the property is forbidden, `undefined` when it is not mentioned. */
export function getMemberSchema(name: string, schema: CompiledSchema): LazySchema | false | undefined {
  return (
    schema.properties.get(name) ??
    schema.patternProperties.find(({ test }) => test(name))?.schema ??
    schema.additionalProperties
  );
}

/**
 * Converts a normalised schema to the one that the site validates by:
 * - without a type of its own the site checks little else;
 * - with a list for `items` (`prefixItems`) the site allows everything;
 * - `required` and `anyOf` lose the names that only the endpoint's code needs;
 * - a translated pattern of properties becomes the site's.
 */
function toOriginSchema(schema: JsonObject): JsonObject {
  const type = extensionOf(schema, 'type');
  const patterns = getDeclaredPatternProperties(schema);
  const tuple = Object.hasOwn(schema, 'prefixItems');
  const needed = getNeededNames(schema);
  if (type === undefined && patterns === undefined && !tuple && needed.size === 0) return schema;
  if (type === null) return {};
  const keywords = new Map(Object.entries(schema));
  if (type !== undefined) keywords.set('type', type);
  // The generator converted `enum` to the inferred type.
  if (type !== undefined && !areKnownTypes(type)) keywords.delete('enum');
  if (tuple) keywords.delete('items');
  if (needed.size > 0) {
    keywords.delete('anyOf');
    keywords.set(
      'required',
      jsonItems(schema['required']).filter((name) => !needed.has(name)),
    );
  }
  const named = schema['patternProperties'];
  if (patterns !== undefined && isJsonObject(named)) {
    const declared = Object.entries(named).map(([pattern, member]) => [patterns[pattern] ?? pattern, member]);
    keywords.set('patternProperties', Object.fromEntries(declared));
  }
  return Object.fromEntries(keywords);
}

function areKnownTypes(type: Json): boolean {
  const words: readonly Json[] = Array.isArray(type) ? type : [type];
  return words.length > 0 && words.every((word) => typeof word === 'string' && isWordPressType(word));
}
