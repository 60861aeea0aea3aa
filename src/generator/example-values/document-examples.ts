import { EXTENSION_NAMES, hasMark } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonStructure,
  jsonItems,
  jsonMembers,
  mapMembers,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import type { Steps } from '../../base/steps.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import { typesOf } from '../model/schema/keywords.ts';
import {
  dereference,
  flattenSchema,
  formOf,
  getSchemaComponentKey,
  referenceOf,
} from '../openapi/document-objects.ts';
import { changeOperations, listOperations } from '../openapi/operations.ts';
import { FINDING_SEVERITIES, SchemaRegistry } from '../validation/response/schema.ts';
import {
  chooseType,
  createExampleFactory,
  type ExampleOverride,
  isTelling,
  OMITTED,
} from './example-value.ts';

const MAX_LENGTH = 4_000;
const MAX_INLINE_LENGTH = 200;
/** Characters of all examples. A hostile document could have many times its own length. */
const MAX_TOTAL_LENGTH = 4_000_000;

export function* withExamples(document: JsonObject): Steps<JsonObject> {
  const responses = createResponseExamples(document);
  const declared = toJsonObject(document['components']);
  const names = new UniqueNames(Object.keys(toJsonObject(declared['examples'])));
  const components = new Map<string, JsonObject | null>();
  let left = MAX_TOTAL_LENGTH;
  function takes(example: Json | undefined, most: number): example is Json {
    const length = example === undefined ? Number.POSITIVE_INFINITY : JSON.stringify(example).length;
    const isTaken = length <= Math.min(most, left);
    if (isTaken) left -= length;
    return isTaken;
  }

  function addExample(media: Json, create: (media: JsonObject) => Json | undefined, kind: string): Json {
    if (!isJsonObject(media) || media['example'] !== undefined || media['examples'] !== undefined)
      return media;
    const { schema } = media;
    const { form, item } = formOf(toJsonObject(schema));
    const key = getSchemaComponentKey(referenceOf(item));
    if (key === undefined) {
      const example = create(media);
      return takes(example, MAX_INLINE_LENGTH) ? { ...media, example } : media;
    }
    const id = JSON.stringify([kind, schema]);
    let reference = components.get(id);
    if (reference === undefined) {
      const value = create(media);
      const isUsable = takes(value, MAX_LENGTH);
      const name = names.claim(form === 'one' ? key : `${key}${form === 'list' ? 'List' : 'Map'}`);
      reference = isUsable ? { $ref: `#/components/examples/${name}` } : null;
      components.set(id, reference);
      if (isUsable) examples.push([name, { value }]);
    }
    return reference === null ? media : { ...media, examples: { example: reference } };
  }

  const values = new Map<string, { readonly example: Json }>();
  function addToParameter(parameter: Json, path: string): Json {
    if (!isJsonObject(parameter)) return parameter;
    const { example: own, examples: others, in: location, name, required, schema } = parameter;
    if (required !== true || own !== undefined || others !== undefined) return parameter;
    const flat = dereference(schema, document);
    if (typeof name !== 'string' || flat === undefined || flat['enum'] !== undefined) return parameter;
    const resource = resourceOfParameter(name, path);
    const { example } = getOrCreate(values, JSON.stringify([location, name, resource, flat]), () => {
      const positive = location === 'path' ? { minimum: 1, ...flat } : flat;
      return { example: createExample(positive, document, name, resource) };
    });
    const isUsable = typeof example !== 'object' && takes(example, MAX_INLINE_LENGTH);
    return isUsable ? { ...parameter, example } : parameter;
  }

  const examples: [name: string, example: JsonObject][] = [];
  const addToResponse = (response: Json): Json =>
    withContent(response, (media) => addExample(media, (each) => responses(each), 'response'));
  const addToBody = (media: Json, path: string, operation: JsonObject): Json =>
    addExample(media, ({ schema }) => createBodyExample(schema, document, path, operation), 'request');
  function* change(operation: JsonObject, path: string, method: string, item: JsonObject): Steps<JsonObject> {
    // WordPress runs one callback for POST, PUT and PATCH, so one example is enough.
    if (/^(?:put|patch)$/.test(method) && item['post'] !== undefined) return operation;
    const { parameters, requestBody = null } = operation;
    const declared = toJsonObject(operation['responses']);
    const shown: [status: string, response: Json][] = [];
    for (const [status, response] of jsonMembers(declared)) {
      // A creation has 201 in WordPress, even if the document lists 200 first.
      const isShown = status !== '200' || declared['201'] === undefined;
      shown.push([status, isShown ? addToResponse(response) : response]);
      yield;
    }
    return {
      ...operation,
      ...(Array.isArray(parameters)
        ? { parameters: parameters.map((each: Json) => addToParameter(each, path)) }
        : {}),
      ...(isJsonObject(requestBody)
        ? { requestBody: withContent(requestBody, (media) => addToBody(media, path, operation)) }
        : {}),
      responses: Object.fromEntries(shown),
    };
  }

  const changed = yield* changeOperations(document, change);
  const shared = mapMembers(toJsonObject(declared['responses']), (_, response) => addToResponse(response));
  const all = { ...toJsonObject(declared['examples']), ...Object.fromEntries(examples) };
  return { ...changed, components: { ...declared, responses: shared, examples: all } };
}

function withContent(message: Json, change: (media: Json) => Json): Json {
  if (!isJsonObject(message) || !isJsonObject(message['content'])) return message;
  const content = mapMembers(message['content'], (type, media) =>
    /[/+]json$/.test(type) ? change(media) : media,
  );
  return { ...message, content };
}

const hasControls = (text: string): boolean =>
  /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);

const MAX_OPTIONAL_FIELDS = 4;
const MAX_DEPTH = 3;

const TELLING_NAMES =
  'create update instance raw modifiers delete title name line_items product_id quantity content url first_name last_name author_name email type regular_price code amount discount_type billing description status'.split(
    ' ',
  );

export function createExample(
  schema: Json | undefined,
  document: JsonObject,
  name = '',
  resource = '',
): Json {
  return createRequestValue(schema, document, name === '' ? [] : [resource, name]);
}

/** The literal before a parameter: the `id` of `/orders/{id}/notes` is that of `orders`. */
export function resourceOfParameter(name: string, path: string): string {
  const before = path.slice(0, Math.max(0, path.indexOf(`/{${name}}`)));
  return before.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
}

/** @param path of the operation: one that ends in a parameter changes an item that is there */
export function createBodyExample(
  schema: Json | undefined,
  document: JsonObject,
  path: string,
  operation: JsonObject = {},
): JsonStructure {
  const { schema: flat } = flattenSchema(schema, document);
  const required = jsonItems(flat['required']);
  // Whom the operation names may not send these, and nobody knows the values of an open status.
  const leftOut = jsonItems(memberAt(operation, EXTENSION_NAMES.access, 'restricted'));
  const members = jsonMembers(flat['properties']).filter(
    ([name, property]) =>
      required.includes(name) ||
      (!leftOut.includes(name) &&
        (name !== 'status' || flattenSchema(property, document).schema['enum'] !== undefined)),
  );
  const type = flat['type'] === 'array' ? 'array' : 'object';
  const declared = { ...flat, type, properties: Object.fromEntries(members) };
  const value = createRequestValue(declared, document, [], path.endsWith('}'));
  return typeof value === 'object' && value !== null ? value : {};
}

function createRequestValue(
  schema: Json | undefined,
  document: JsonObject,
  path: readonly string[],
  isUpdate = false,
): Json {
  const isUsable = (value: Json): boolean =>
    typeof value !== 'object' &&
    isTelling(value) &&
    !(String(value).length > 500 || hasControls(String(value)));
  const chooseMembers = (each: JsonObject, at: readonly string[]): readonly string[] =>
    chooseFields(each, document, withoutIndexes(at).length === 0, isUpdate || at[0] === 'update');
  const override: ExampleOverride = (each, at) => {
    if (/^requests\.\d+\.path$/.test(at.join('.'))) return findBatchPath(document);
    if (/\[Mm]\[Ee]\)\$$/.test(String(each['pattern']))) return 'me';
    if (at.at(-1) === 'status' && canBeDraft(each)) return 'draft';
    const isCut = withoutIndexes(at).length >= MAX_DEPTH && jsonItems(each['required']).length === 0;
    return isCut && typesOf(each).includes('object') ? {} : undefined;
  };
  return createExampleFactory(document, { chooseMembers, isUsable }).create(schema, path, override);
}

function withoutIndexes(path: readonly string[]): readonly string[] {
  return path.filter((name, at) => !/^\d+$/.test(name) && !(at === 0 && /^(?:create|update)$/.test(name)));
}

function findBatchPath(document: JsonObject): string | undefined {
  const writes = listOperations(document).filter(
    ({ method, path }) => method === 'POST' && !/\{|\/batch/.test(path),
  );
  return (writes.find(({ shared }) => hasMark(shared, 'allowBatch')) ?? writes[0])?.path;
}

function canBeDraft({ enum: allowed }: JsonObject): boolean {
  return ['draft', 'publish'].every((status) => jsonItems(allowed).includes(status));
}

function chooseFields(
  schema: JsonObject,
  document: JsonObject,
  isRoot: boolean,
  isUpdate: boolean,
): readonly string[] {
  const required = new Set(jsonItems(schema['required']));
  const rank = (name: string): number => TELLING_NAMES.indexOf(name) + 1 || TELLING_NAMES.length + 1;
  const fields = jsonMembers(schema['properties'])
    .slice(0, 500)
    .map(([name, property]) => ({ name, field: flattenSchema(property, document).schema }))
    .filter(
      ({ field, name }) => field['readOnly'] !== true && field['format'] !== 'binary' && name.length <= 200,
    )
    .filter(({ name }) => !hasControls(name))
    .sort((one, other) => rank(one.name) - rank(other.name));
  // The site gives ids, `_envelope` is about the response, and a copied sample must not change a site's address or owner's email.
  const isLeftOut = isRoot ? /^_|password$|^(?:id|url|email)$/ : /^_|password$|^id$/;
  // A copied sample must not publish: what it creates is a draft, and what it changes keeps its status.
  const status = fields.find(({ field, name }) => isRoot && name === 'status' && canBeDraft(field));
  const optional = fields.filter(
    (each) => each !== status && !required.has(each.name) && !isLeftOut.test(each.name),
  );
  const telling = optional.filter(
    ({ field, name }) => TELLING_NAMES.includes(name) || (isRoot && isTellingField(field)),
  );
  const isSilent = isRoot && telling.length === 0 && required.size === 0;
  const usable = isSilent ? optional.filter(({ field }) => field['deprecated'] !== true) : telling;
  const most = status === undefined ? MAX_OPTIONAL_FIELDS : MAX_OPTIONAL_FIELDS - 1;
  const shown = new Set([...usable.slice(0, most), ...(status && !isUpdate ? [status] : [])]);
  return fields.filter((field) => required.has(field.name) || shown.has(field)).map(({ name }) => name);
}

function isTellingField(schema: JsonObject): boolean {
  const type = chooseType(schema, '');
  const isDate = typeof schema['format'] === 'string' && schema['format'].startsWith('date');
  if (isDate || schema['pattern'] !== undefined || schema['deprecated'] === true) return false;
  if (jsonItems(schema['enum']).length > 0) return true;
  const [choice] = jsonItems(schema['anyOf']);
  const isChoice = memberAt(choice, 'type') === 'string' && memberAt(choice, 'pattern') === undefined;
  return type === 'string' || type === 'boolean' || isChoice;
}

export type SchemaCheckFunction = (schema: JsonObject, value: Json) => boolean;

export function createSchemaCheck(document: JsonObject): SchemaCheckFunction {
  const schemas = new SchemaRegistry(document);
  return (schema, value) =>
    (schemas.collectFindings(value, schemas.read(schema, '')) ?? []).every(
      ({ kind }) => FINDING_SEVERITIES[kind] === 'remark' && kind !== 'format',
    );
}

/** Links are long and alike for all resources; passwords aren't in responses. */
const omitLinks: ExampleOverride = (_, path) =>
  /^_links$|^_embedded$|pass(?:word|phrase)$/.test(path.at(-1) ?? '') ? OMITTED : undefined;

const shortenLinks: ExampleOverride = ({ required }, path) => {
  if (path.at(-1) !== '_links') return path.at(-1) === '_embedded' ? OMITTED : undefined;
  const relations = jsonItems(required).map(String);
  return Object.fromEntries(relations.map((relation) => [relation, [{ href: 'https://example.com/' }]]));
};

const ERRORS = /\/(?:InvalidParam)?Error$/;
const ERROR = {
  code: 'rest_invalid_param',
  message: 'Invalid parameter(s): status',
  data: { status: 400, params: { status: 'status is not of type string.' } },
};

export type CreateResponseExample = (media: JsonObject) => Json | undefined;

export function createResponseExamples(document: JsonObject): CreateResponseExample {
  const factory = createExampleFactory(document, { unknownText: '' });
  const isValid = createSchemaCheck(document);
  const byReference = new Map<string, Json | undefined>();
  const find = (schema: JsonObject): Json | undefined => {
    for (const override of [omitLinks, shortenLinks]) {
      const value = factory.create(schema, [], override);
      if (value !== OMITTED && isValid(schema, value)) return value;
    }
    return undefined;
  };
  const createOf = (schema: JsonObject): Json | undefined => {
    const reference = referenceOf(schema);
    if (reference === undefined) return find(schema);
    if (ERRORS.test(reference)) return ERROR;
    if (!byReference.has(reference)) byReference.set(reference, find(schema));
    return byReference.get(reference);
  };
  return (media) => {
    const { schema } = media;
    return getDeclaredExample(media, document) ?? (isJsonObject(schema) ? createOf(schema) : undefined);
  };
}

function getDeclaredExample(media: Json | undefined, document: JsonObject): Json | undefined {
  if (!isJsonObject(media)) return undefined;
  if (media['example'] !== undefined) return media['example'];
  const [, first] = jsonMembers(media['examples'])[0] ?? [];
  return dereference(first, document)?.['value'];
}
