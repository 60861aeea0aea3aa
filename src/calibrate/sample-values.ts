import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, toJsonObject } from '../json.ts';
import { typesOf } from '../openapi/schema-view.ts';
import { dereferenceSchema, type ResolveReference } from '../validation/wordpress/schema.ts';

/** An id that no site has, and that fits into the integers of PHP and MySQL. */
export const IMPOSSIBLE_ID = 999_999_999;
/** A name that no site uses. */
export const IMPOSSIBLE_NAME = 'waygate-none';

/** Values of the formats and of common patterns. */
const TEXTS: readonly string[] = [
  IMPOSSIBLE_NAME,
  '2020-01-01T00:00:00',
  '2020-01-01',
  'waygate@example.com',
  'https://example.com/waygate-none',
  '127.0.0.1',
  '00000000-0000-4000-8000-000000000000',
  '#aabbcc',
  'waygatenone',
  'w',
  String(IMPOSSIBLE_ID),
  '1',
];

const MAX_DEPTH = 3;

/**
 * Lists values that are probably valid, the most harmless ones first: ids and names that do not exist. They are not
 * validated.
 */
export function listSamples(
  reference: Json | undefined,
  resolve: ResolveReference,
  depth = 0,
): readonly Json[] {
  const schema = dereferenceSchema(toJsonObject(reference), resolve);
  const words = jsonItems(schema['enum']);
  if (words.length > 0) return words.slice(0, 3);
  const members = [...jsonItems(schema['oneOf']), ...jsonItems(schema['anyOf'])];
  const types = typesOf(schema);
  const all = types.length === 0 ? ['string', 'integer'] : types;
  return [
    ...all.flatMap((type) => listSamplesOfType(type, schema, resolve, depth)),
    ...(depth < MAX_DEPTH ? members.flatMap((member) => listSamples(member, resolve, depth + 1)) : []),
  ];
}

function listSamplesOfType(
  type: string,
  schema: JsonObject,
  resolve: ResolveReference,
  depth: number,
): readonly Json[] {
  switch (type) {
    case 'integer':
    case 'number':
      return [IMPOSSIBLE_ID, ...listBounds(schema), ...insideOf(schema), 1, 0];
    case 'boolean':
      return [false, true];
    case 'array':
      return depth >= MAX_DEPTH ? [[]] : listArrays(schema, resolve, depth);
    case 'object':
      return depth >= MAX_DEPTH ? [{}] : [createObject(schema, resolve, depth), {}];
    case 'string': {
      const { minLength, maxLength } = schema;
      const sized = typeof minLength === 'number' ? ['w'.repeat(Math.min(minLength, 500))] : [];
      return [...TEXTS, ...sized, ...(typeof maxLength === 'number' && maxLength < 1 ? [''] : [])];
    }
    default:
      return [];
  }
}

function listBounds({ minimum, maximum }: JsonObject): readonly number[] {
  return [maximum, minimum].filter((bound) => typeof bound === 'number');
}

/** Numbers inside exclusive bounds and multiples. */
function insideOf({ minimum, maximum, multipleOf }: JsonObject): readonly number[] {
  const inside = [
    typeof minimum === 'number' ? minimum + 1 : null,
    typeof maximum === 'number' ? maximum - 1 : null,
    typeof multipleOf === 'number' ? multipleOf : null,
  ];
  return inside.filter((value) => value !== null);
}

function listArrays(schema: JsonObject, resolve: ResolveReference, depth: number): readonly Json[] {
  const { minItems } = schema;
  const length = Math.min(20, Math.max(1, typeof minItems === 'number' ? minItems : 1));
  const items = listSamples(schema['items'], resolve, depth + 1);
  const [first = IMPOSSIBLE_NAME] = items;
  const different = Array.from({ length }, (_, at) => items[at] ?? first);
  return [different, ...items.slice(0, 12).map((item) => Array<Json>(length).fill(item)), []];
}

function createObject(schema: JsonObject, resolve: ResolveReference, depth: number): JsonObject {
  const required = new Set(jsonItems(schema['required']));
  const properties = jsonMembers(schema['properties']);
  return Object.fromEntries(
    properties
      .filter(([name, member]) => required.has(name) || (isJsonObject(member) && member['required'] === true))
      .map(([name, member]) => [name, listSamples(member, resolve, depth + 1)[0] ?? IMPOSSIBLE_NAME]),
  );
}

/**
 * Lists values that probably violate a rule of the schema: close to the boundary of each rule first, then of other types.
 * The caller finds out which rule each one violates.
 */
export function listViolations(reference: Json | undefined, resolve: ResolveReference): readonly Json[] {
  const schema = dereferenceSchema(toJsonObject(reference), resolve);
  const [valid = IMPOSSIBLE_NAME] = listSamples(schema, resolve);
  const text = typeof valid === 'object' ? IMPOSSIBLE_NAME : String(valid);
  return [
    ...listOutOfBounds(schema),
    ...listWrongLengths(schema),
    ...listWrongWords(schema),
    ...listWrongItems(schema, resolve),
    ...listWrongMembers(schema, resolve),
    ...[IMPOSSIBLE_NAME, '1.5', `${text}x`, '1abc', '', ' ', 'none!', '2020-13-01T00:00:00', 'a b@example'],
    ...[[IMPOSSIBLE_NAME], { waygate: IMPOSSIBLE_NAME }, 1.5, 5, true, '-1', -1],
  ];
}

function listOutOfBounds({
  minimum,
  maximum,
  multipleOf,
  exclusiveMinimum,
  exclusiveMaximum,
}: JsonObject): Json[] {
  const below = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const above = [maximum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
  return [
    ...below.flatMap((bound) => [bound - 1, bound - 1000, bound]),
    ...above.flatMap((bound) => [bound + 1, bound + IMPOSSIBLE_ID, bound]),
    ...(typeof multipleOf === 'number' ? [multipleOf * 1.5, multipleOf + 1] : []),
  ];
}

/** Longer texts do not fit into a URL. */
const MAX_LENGTH = 1000;

function listWrongLengths({ minLength, maxLength }: JsonObject): Json[] {
  const short = typeof minLength === 'number' && minLength > 0 && minLength <= MAX_LENGTH;
  const long = typeof maxLength === 'number' && maxLength < MAX_LENGTH;
  return [
    ...(short ? ['w'.repeat(minLength - 1), ''] : []),
    ...(long ? ['w'.repeat(maxLength + 1), 'w'.repeat(maxLength + 20)] : []),
  ];
}

function listWrongWords(schema: JsonObject): Json[] {
  const words = jsonItems(schema['enum']).filter((word) => typeof word === 'string');
  const [word] = words;
  return word === undefined ? [] : [IMPOSSIBLE_NAME, word.toUpperCase(), `${word}x`, 'any', '', '0'];
}

function listWrongItems(schema: JsonObject, resolve: ResolveReference): Json[] {
  const { items, maxItems, minItems } = schema;
  if (!typesOf(schema).includes('array')) return [];
  const [valid = IMPOSSIBLE_NAME] = listSamples(items, resolve, 1);
  const wrong = isJsonObject(items) ? listViolations({ ...items, items: {} }, resolve).slice(0, 8) : [];
  const scalar = typeof valid !== 'object';
  return [
    ...(scalar && isJsonObject(items) ? [`${valid},${IMPOSSIBLE_NAME}`, IMPOSSIBLE_NAME] : []),
    ...wrong.flatMap((item) => [[item], [valid, item]]),
    ...(typeof maxItems === 'number' && maxItems < MAX_LENGTH ? [Array<Json>(maxItems + 1).fill(valid)] : []),
    ...(typeof minItems === 'number' && minItems > 1 ? [Array<Json>(minItems - 1).fill(valid)] : []),
    [valid, valid],
    { waygate: valid },
  ];
}

function listWrongMembers(schema: JsonObject, resolve: ResolveReference): Json[] {
  if (!typesOf(schema).includes('object')) return [];
  const object = createObject(schema, resolve, 1);
  const properties = jsonMembers(schema['properties']);
  return [
    { ...object, [IMPOSSIBLE_NAME]: 1 },
    {},
    ...properties.slice(0, 10).flatMap(([name, member]) => [
      { ...object, [name]: [IMPOSSIBLE_NAME] },
      { ...object, [name]: listWrongWords(toJsonObject(member))[0] ?? IMPOSSIBLE_NAME },
    ]),
  ];
}
