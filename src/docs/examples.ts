import { hasMark } from '../document-extensions.ts';
import {
  chooseType,
  createExampleFactory,
  type ExampleFactory,
  type ExamplePlace,
  listNames,
} from '../example-values/example-value.ts';
import { createKeyedRandom, EXAMPLE_KEY } from '../example-values/keyed-random.ts';
import { splitNames } from '../glob.ts';
import { type Json, type JsonObject, type JsonStructure, jsonItems, jsonMembers, memberAt } from '../json.ts';
import { listOperations } from '../openapi/operations.ts';
import { flattenSchema, typesOf } from '../openapi/schema-view.ts';
import { hasControls } from '../ui/text.ts';
import NAMES from './sample-names.json' with { type: 'json' };

const MAX_OPTIONAL_FIELDS = 4;
/** Objects in objects that an example contains. */
const MAX_DEPTH = 3;

/**
 * Creates the value of a parameter of a resource, such as `orders`: its default, an allowed value, or one of its type. A text
 * matches the pattern of its schema if that is simple.
 *
 * @returns `undefined` if no value was found
 */
export function createExample(
  schema: Json | undefined,
  document: JsonObject,
  name = '',
  resource = '',
): Json | undefined {
  const path = name === '' ? [] : [name];
  return toStated(document, schema, { key: EXAMPLE_KEY, path, root: resource });
}

/**
 * Creates an object with the required fields and a few others, or a list of one where the body is a list.
 *
 * @param name what the object is, such as `orders` or `billing`
 */
export function createBodyExample(schema: Json | undefined, document: JsonObject, name = ''): JsonStructure {
  const { schema: flat } = flattenSchema(schema, document);
  const stated = { ...flat, type: flat['type'] === 'array' ? 'array' : 'object' };
  const value = toStated(document, stated, { key: EXAMPLE_KEY, path: [], root: name });
  return typeof value === 'object' && value !== null ? value : {};
}

/** A default that the site states says more than a made value, and a batch has requests for routes of the site. */
function toStated(document: JsonObject, schema: Json | undefined, place: ExamplePlace): Json {
  const factory = createRequestFactory(document);
  return factory.create(schema, place, (each, at) => {
    const path = at.path.join('.');
    if (/^requests\.\d+\.path$/.test(path)) return findBatchPath(document);
    // A text widget has its content in a member that the site describes by no schema.
    if (path === 'instance.raw') return NAMES.widget;
    const { const: constant, default: preset, enum: allowed } = each;
    if (constant === undefined && preset !== 0 && isStatedValue(preset) && isShort(preset)) return preset;
    // Every site has this post and this user.
    if (/^(post|reassign|user_id)$/.test(String(at.path.at(-1))) && typesOf(each).includes('integer'))
      return 1;
    // The user of the request, whose own id nobody knows by heart.
    if (/\[Mm]\[Ee]\)\$$/.test(String(each['pattern']))) return 'me';
    const values = jsonItems(allowed);
    if (values.length > 0) return factory.choose(values, at) ?? values.find(isShort);
    const isCut = listNames(at).length >= MAX_DEPTH && jsonItems(each['required']).length === 0;
    return isCut && typesOf(each).includes('object') ? {} : undefined;
  });
}

/** The first route without parameters that a batch may call, or else that writes. */
function findBatchPath(document: JsonObject): string | undefined {
  const writes = listOperations(document).filter(
    ({ method, path }) => method === 'POST' && !/\{|\/batch/.test(path),
  );
  return (writes.find(({ shared }) => hasMark(shared, 'allowBatch')) ?? writes[0])?.path;
}

function createRequestFactory(document: JsonObject): ExampleFactory {
  const isUsable = (value: Json): boolean => isStatedValue(value) && isShort(value);
  const chooseMembers = (schema: JsonObject, place: ExamplePlace): readonly string[] => {
    const isRoot = listNames(place).length === 0;
    const required = new Set(jsonItems(schema['required']));
    const fields = sortByMeaning(jsonMembers(schema['properties']).slice(0, 500)).flatMap(
      ([name, property]) => {
        const { schema: field } = flattenSchema(property, document);
        const isWritable =
          name.length <= 200 &&
          !hasControls(name) &&
          field['readOnly'] !== true &&
          field['format'] !== 'binary';
        return isWritable ? [{ name, field }] : [];
      },
    );
    // The site gives what it creates an id, and `_envelope` is about the response. An address of the site or its owner's is no sample's to change.
    const isLeftOut =
      isRoot && place.root === 'settings' ? /^_|password$|^(?:id|url|email)$/ : /^_|password$|^id$/;
    const optional = fields.filter(({ name }) => !required.has(name) && !isLeftOut.test(name));
    const telling = optional.filter(
      ({ field, name }) => TELLING_NAMES.includes(name) || (isRoot && isTelling(field)),
    );
    // A request without fields does nothing.
    const isSilent = isRoot && telling.length === 0 && required.size === 0;
    const usable = isSilent ? optional.filter(({ field }) => field['deprecated'] !== true) : telling;
    const shown = new Set(usable.slice(0, MAX_OPTIONAL_FIELDS));
    return fields.filter((field) => required.has(field.name) || shown.has(field)).map(({ name }) => name);
  };
  return createExampleFactory(document, createKeyedRandom(1), { chooseMembers, isUsable });
}

/** Names of fields that tell the most about an object, the best first. */
const TELLING_NAMES = splitNames(NAMES.telling);

/** Sorts fields so that an example shows what a person would send first. The others keep their order. */
function sortByMeaning(members: readonly (readonly [string, Json])[]): readonly (readonly [string, Json])[] {
  const ranks = new Map(TELLING_NAMES.map((name, at) => [name, at]));
  const rank = ([name]: readonly [string, Json]): number => ranks.get(name) ?? TELLING_NAMES.length;
  return [...members].sort((one, other) => rank(one) - rank(other));
}

/** Whether an optional field is worth an example: a text or a choice that every site accepts. */
function isTelling(schema: JsonObject): boolean {
  const type = chooseType(schema, '');
  const isDate = typeof schema['format'] === 'string' && schema['format'].startsWith('date');
  if (isDate || schema['pattern'] !== undefined || schema['deprecated'] === true) return false;
  if (jsonItems(schema['enum']).length > 0) return true;
  const [choice] = jsonItems(schema['anyOf']);
  const isChoice = memberAt(choice, 'type') === 'string' && memberAt(choice, 'pattern') === undefined;
  return type === 'string' || type === 'boolean' || isChoice;
}

/** Longer texts, and texts with control characters, are left out of examples. */
function isShort(value: Json | undefined): value is Json {
  return value !== undefined && (typeof value !== 'string' || (value.length <= 500 && !hasControls(value)));
}

function isStatedValue(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '' && !(typeof value === 'object');
}
