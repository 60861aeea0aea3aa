import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../base/json.ts';
import { dereference, referenceOf } from '../openapi/document-references.ts';
import { FINDING_SEVERITIES, SchemaRegistry } from '../validation/response/schema.ts';
import { createExampleFactory, type ExampleFactory, type ExampleOverride, OMITTED } from './example-value.ts';

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

export class ResponseExamples {
  private readonly document: JsonObject;
  private readonly factory: ExampleFactory;
  private readonly isValid: SchemaCheckFunction;
  private readonly byReference = new Map<string, Json | undefined>();

  constructor(document: JsonObject) {
    this.document = document;
    this.factory = createExampleFactory(document, { unknownText: '' });
    this.isValid = createSchemaCheck(document);
  }

  create(media: JsonObject): Json | undefined {
    const { schema } = media;
    return (
      getDeclaredExample(media, this.document) ?? (isJsonObject(schema) ? this.createOf(schema) : undefined)
    );
  }

  private createOf(schema: JsonObject): Json | undefined {
    const reference = referenceOf(schema);
    if (reference === undefined) return this.find(schema);
    if (ERRORS.test(reference)) return ERROR;
    if (!this.byReference.has(reference)) this.byReference.set(reference, this.find(schema));
    return this.byReference.get(reference);
  }

  private find(schema: JsonObject): Json | undefined {
    for (const override of [omitLinks, shortenLinks]) {
      const value = this.factory.create(schema, [], override);
      if (value !== OMITTED && this.isValid(schema, value)) return value;
    }
    return undefined;
  }
}

function getDeclaredExample(media: Json | undefined, document: JsonObject): Json | undefined {
  if (!isJsonObject(media)) return undefined;
  if (media['example'] !== undefined) return media['example'];
  const [, first] = jsonMembers(media['examples'])[0] ?? [];
  return dereference(first, document)?.['value'];
}
