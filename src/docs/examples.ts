import { getStatedFormat } from '../document-extensions.ts';
import {
  createExampleText,
  findPlausibleChoice,
  listPlausibleNumbers,
} from '../example-values/example-text.ts';
import { chooseType } from '../example-values/example-value.ts';
import { createKeyedRandom } from '../example-values/keyed-random.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { choicesOf, flattenSchema } from '../openapi/schema-view.ts';
import { hasControls } from '../ui/text.ts';

/** Optional fields that an example contains. */
const MAX_OPTIONAL_FIELDS = 4;
const MAX_DEPTH = 4;

/** Examples are the same in each rendering. */
const RANDOM = createKeyedRandom(1);

/**
 * Creates a value that a schema accepts: its default, its first allowed value, or one of its type. A text matches the
 * pattern of its schema if that is simple.
 *
 * @returns `undefined` if no value was found
 */
export function createExample(
  stated: Json | undefined,
  document: JsonObject,
  names: ExampleNames = { name: '', within: '' },
  depth = 0,
): Json | undefined {
  const { schema } = flattenSchema(stated, document);
  const { const: constant, default: preset, enum: allowed } = schema;
  if (isShort(constant)) return constant;
  if (isStatedValue(preset) && isShort(preset)) return preset;
  const values = jsonItems(allowed);
  if (values.length > 0) return findPlausibleChoice(values, names) ?? values.find(isShort);
  const [choice] = choicesOf(schema);
  if (choice !== undefined && depth < MAX_DEPTH) return createExample(choice, document, names, depth + 1);
  switch (chooseType(schema, names.name)) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return createNumber(schema, names);
    case 'string':
      return createText(schema, names);
    case 'array':
      return createList(schema, document, names, depth);
    case 'object':
      return depth >= MAX_DEPTH ? {} : createObjectExample(schema, document, names.name, depth);
    case 'null':
      return null;
    default:
      return createText(schema, names);
  }
}

/** The name of a value, and that of what contains it. */
interface ExampleNames {
  readonly name: string;
  readonly within: string;
}

/**
 * Creates an object with the required fields and a few others.
 *
 * @param name what the object is, such as `orders` or `billing`
 */
export function createObjectExample(
  stated: Json | undefined,
  document: JsonObject,
  name = '',
  depth = 0,
): JsonObject {
  const { schema } = flattenSchema(stated, document);
  const required = new Set(jsonItems(schema['required']));
  const fields: [string, Json][] = [];
  let optional = 0;
  for (const [key, property] of sortByMeaning(jsonMembers(schema['properties']).slice(0, 500))) {
    const { schema: field } = flattenSchema(property, document);
    if (key.length > 200 || hasControls(key) || field['readOnly'] === true || field['format'] === 'binary')
      continue;
    const isRequired = required.has(key);
    const isShown = TELLING_NAMES.includes(key) || (depth === 0 && isTelling(field));
    if (!isRequired && (optional >= MAX_OPTIONAL_FIELDS || !isShown)) continue;
    const value = createExample(field, document, { name: key, within: name }, depth + 1);
    if (value === undefined || (!isRequired && isEmpty(value))) continue;
    if (!isRequired) optional += 1;
    fields.push([key, value]);
  }
  return Object.fromEntries(fields);
}

/** Names of fields that tell the most about an object, the best first. */
const TELLING_NAMES = [
  'title',
  'name',
  'line_items',
  'product_id',
  'quantity',
  'content',
  'first_name',
  'last_name',
  'email',
  'type',
  'regular_price',
  'code',
  'amount',
  'discount_type',
  'billing',
  'description',
  'status',
];

/** Whether a value is a list or an object without members. */
function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Sorts fields so that an example shows what a person would send first. The others keep their order. */
function sortByMeaning(members: readonly (readonly [string, Json])[]): readonly (readonly [string, Json])[] {
  const rank = ([name]: readonly [string, Json]): number => {
    const index = TELLING_NAMES.indexOf(name);
    return index < 0 ? TELLING_NAMES.length : index;
  };
  return [...members].sort((one, other) => rank(one) - rank(other));
}

/** Whether an optional field is worth an example: a text or a choice that every site accepts. */
function isTelling(schema: JsonObject): boolean {
  const type = chooseType(schema, '');
  const isDate = typeof schema['format'] === 'string' && schema['format'].startsWith('date');
  if (isDate || schema['pattern'] !== undefined || schema['deprecated'] === true) return false;
  if (jsonItems(schema['enum']).length > 0) return true;
  return type === 'string' || type === 'boolean' || listsChoices(schema);
}

function listsChoices(schema: JsonObject): boolean {
  const [choice] = jsonItems(schema['anyOf']);
  return isJsonObject(choice) && choice['type'] === 'string' && choice['pattern'] === undefined;
}

/** Longer texts, and texts with control characters, are left out of examples. */
function isShort(value: Json | undefined): value is Json {
  return value !== undefined && (typeof value !== 'string' || (value.length <= 500 && !hasControls(value)));
}

function isStatedValue(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '' && !(typeof value === 'object');
}

function createNumber(schema: JsonObject, names: ExampleNames): number {
  const at = (name: string): number | undefined => {
    const value = schema[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  const above = at('exclusiveMinimum') ?? (schema['exclusiveMinimum'] === true ? at('minimum') : undefined);
  const least = above === undefined ? (at('minimum') ?? 1) : above + 1;
  const most = at('maximum') ?? Number.POSITIVE_INFINITY;
  const step = at('multipleOf');
  const isAllowed = (value: number): boolean =>
    value >= least && value <= most && (step === undefined || value % step === 0);
  const isWhole = chooseType(schema, names.name) === 'integer';
  const expected = listPlausibleNumbers(names).find(
    (value) => isAllowed(value) && (!isWhole || Number.isInteger(value)),
  );
  if (expected !== undefined) return expected;
  const value = Math.min(Math.max(least, least <= 1 && most >= 1 ? 1 : least), most);
  return step === undefined || step <= 0 ? value : Math.ceil(value / step) * step;
}

function createText(schema: JsonObject, names: ExampleNames): string {
  const { format, maxLength, minLength, pattern } = schema;
  const stated = format ?? getStatedFormat(schema);
  return createExampleText(
    {
      key: `${names.within}.${names.name}`,
      ...names,
      format: typeof stated === 'string' ? stated : '',
      pattern: typeof pattern === 'string' ? pattern : undefined,
      minLength: typeof minLength === 'number' ? Math.min(minLength, 1_000) : 0,
      maxLength: typeof maxLength === 'number' ? Math.max(maxLength, 0) : 1_000,
    },
    RANDOM,
  );
}

function createList(schema: JsonObject, document: JsonObject, names: ExampleNames, depth: number): Json {
  const count = typeof schema['minItems'] === 'number' ? Math.min(Math.max(schema['minItems'], 1), 20) : 1;
  const item = depth >= MAX_DEPTH ? undefined : createExample(schema['items'], document, names, depth + 1);
  return item === undefined ? [] : Array.from({ length: count }, () => item);
}
