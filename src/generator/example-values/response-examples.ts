import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../base/json.ts';
import { dereference, referenceOf } from '../openapi/document-references.ts';
import { FINDING_SEVERITIES, SchemaRegistry } from '../validation/response/schema.ts';
import { createExampleFactory, type ExampleOverride, OMITTED } from './example-value.ts';

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
