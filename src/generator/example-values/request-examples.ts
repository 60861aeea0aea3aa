import { hasMark } from '../../base/document-extensions.ts';
import {
  type Json,
  type JsonObject,
  type JsonStructure,
  jsonItems,
  jsonMembers,
  memberAt,
} from '../../base/json.ts';
import { typesOf } from '../model/schema/keywords.ts';
import { listOperations } from '../openapi/operations.ts';
import { flattenSchema } from '../openapi/schema-view.ts';
import { chooseType, createExampleFactory, type ExampleOverride, isTelling } from './example-value.ts';

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
): JsonStructure {
  const { schema: flat } = flattenSchema(schema, document);
  const declared = { ...flat, type: flat['type'] === 'array' ? 'array' : 'object' };
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
