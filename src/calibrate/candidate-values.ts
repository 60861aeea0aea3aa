import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, toJsonObject } from '../json.ts';
import { dereferenceSchema, type ResolveReference } from '../validation/wordpress/schema.ts';
import { createSchemaValidator } from '../validation/wordpress/validate.ts';

/** An id that no site has, and that fits into the integers of PHP and MySQL. */
export const IMPOSSIBLE_ID = 999_999_999;
export const IMPOSSIBLE_NAME = 'waygate-none';

/** Values of the formats and of common patterns: names of nothing that exists. */
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

/** Values of which one violates most rules, whatever the type. */
const ODD_VALUES: readonly Json[] = [
  ...['1.5', '1abc', '', ' ', 'none!', 'any', '0', '2020-13-01T00:00:00', 'a b@example', '-1'],
  ...[[IMPOSSIBLE_NAME], { waygate: IMPOSSIBLE_NAME }, 1.5, 5, -1, 1, 0, true, false, [], {}],
];

const MAX_DEPTH = 3;
/** Longer texts and lists do not fit into a URL. */
const MAX_LENGTH = 1000;

/**
 * Lists values for a schema, the most harmless ones first: ids and names that do not exist, values at the boundary of each
 * rule, and values of other types. Some are valid, and others violate a rule: the validator of the request tells which.
 */
export function listCandidates(
  reference: Json | undefined,
  resolve: ResolveReference,
  depth = 0,
): readonly Json[] {
  const schema = dereferenceSchema(toJsonObject(reference), resolve);
  const words = jsonItems(schema['enum']);
  const [word] = words.filter((each) => typeof each === 'string');
  const alternatives = [...jsonItems(schema['oneOf']), ...jsonItems(schema['anyOf'])];
  return [
    ...words.slice(0, 3),
    IMPOSSIBLE_ID,
    ...TEXTS,
    ...numbersOf(schema, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf').flatMap(
      (bound) => [bound, bound + 1, bound - 1, bound * 1.5, bound + IMPOSSIBLE_ID, bound - 1000],
    ),
    ...numbersOf(schema, 'minLength', 'maxLength').flatMap((length) =>
      [length, length - 1, length + 1].filter(isUsableLength).map((each) => 'w'.repeat(each)),
    ),
    ...(word === undefined ? [] : [word.toUpperCase(), `${word}x`]),
    ...(depth < MAX_DEPTH ? listLists(schema, resolve, depth + 1) : []),
    ...(depth < MAX_DEPTH ? listObjects(schema, resolve, depth + 1) : []),
    ...ODD_VALUES,
    ...(depth < MAX_DEPTH ? alternatives.flatMap((each) => listCandidates(each, resolve, depth + 1)) : []),
  ];
}

/** Returns the most harmless valid value of a schema; `undefined` if none is known. */
export function findValidValue(
  reference: Json | undefined,
  resolve: ResolveReference,
  depth = 0,
): Json | undefined {
  const { validate } = createSchemaValidator(dereferenceSchema(toJsonObject(reference), resolve), resolve);
  return listCandidates(reference, resolve, depth).find((value) => validate(value, '') === null);
}

function numbersOf(schema: JsonObject, ...keywords: readonly string[]): readonly number[] {
  return keywords.map((keyword) => schema[keyword]).filter((value) => typeof value === 'number');
}

function isUsableLength(length: number): boolean {
  return length >= 0 && length <= MAX_LENGTH;
}

function listLists(schema: JsonObject, resolve: ResolveReference, depth: number): readonly Json[] {
  const { items } = schema;
  if (!isJsonObject(items)) return [];
  const valid = findValidValue(items, resolve, depth) ?? IMPOSSIBLE_NAME;
  const { validate } = createSchemaValidator(dereferenceSchema(items, resolve), resolve);
  const wrong = listCandidates(items, resolve, depth).filter((value) => validate(value, '') !== null);
  const lengths = numbersOf(schema, 'minItems', 'maxItems').flatMap((length) => [
    length,
    length - 1,
    length + 1,
  ]);
  return [
    [valid],
    ...(typeof valid === 'object' ? [] : [`${valid},${IMPOSSIBLE_NAME}`]),
    ...wrong.slice(0, 8).flatMap((item) => [[item], [valid, item]]),
    ...lengths.filter(isUsableLength).map((length) => Array<Json>(length).fill(valid)),
    [valid, valid],
    { waygate: valid },
  ];
}

function listObjects(schema: JsonObject, resolve: ResolveReference, depth: number): readonly Json[] {
  const properties = jsonMembers(schema['properties']);
  const required = new Set(jsonItems(schema['required']));
  const needed = properties.filter(
    ([name, member]) => required.has(name) || (isJsonObject(member) && member['required'] === true),
  );
  const object = Object.fromEntries(
    needed.map(([name, member]) => [name, findValidValue(member, resolve, depth) ?? IMPOSSIBLE_NAME]),
  );
  return [
    object,
    { ...object, [IMPOSSIBLE_NAME]: 1 },
    ...properties.slice(0, 10).flatMap(([name]) => [
      { ...object, [name]: [IMPOSSIBLE_NAME] },
      { ...object, [name]: IMPOSSIBLE_NAME },
    ]),
  ];
}
