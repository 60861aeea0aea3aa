import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { referenceOf } from '../openapi/document-references.ts';
import { createExampleFactory, type ExampleOverride, OMITTED } from './example-value.ts';
import { createKeyedRandom } from './keyed-random.ts';
import { createSchemaCheck } from './schema-check.ts';
import { getStatedExample } from './stated-example.ts';

/** Examples of the responses of a document. */
export interface ResponseExamples {
  /**
   * Returns the example that the document states for the content of a response, otherwise one that is created from its schema.
   *
   * @param media a Media Type Object
   * @returns `undefined` if no valid example was found
   */
  create(media: JsonObject): Json | undefined;
}

/** An example that breaks its schema is created again with another key, this often. */
const ATTEMPTS = 3;

const replaceLinks =
  (createLinks: (schema: JsonObject) => Json): ExampleOverride =>
  (schema, { path }) =>
    path.at(-1) === '_links' ? createLinks(schema) : path.at(-1) === '_embedded' ? OMITTED : undefined;

/** One short link for each relation that the schema requires. */
function createRequiredLinks({ required }: JsonObject): Json {
  const relations = jsonItems(required).filter((relation) => typeof relation === 'string');
  return Object.fromEntries(relations.map((relation) => [relation, [{ href: 'https://example.com/' }]]));
}

/** What most responses of sites have, where the schema allows more than one value. */
function createTypicalValue(schema: JsonObject, path: readonly string[], title: string): Json | undefined {
  const name = path.at(-1);
  // Lists of allowed values begin with the usual one: `publish`, `open`, `standard`.
  const [first] = jsonItems(schema['enum']);
  if (first !== undefined) return first;
  if (name === 'protected' && schema['type'] === 'boolean') return false;
  if (name === 'block_version' && schema['type'] === 'integer') return 1;
  // WordPress titles the schema of an object with its type: `post`, `attachment`.
  const isOwnType = path.length === 1 && name === 'type' && schema['type'] === 'string';
  return isOwnType && /^[a-z][a-z_-]{1,19}$/.test(title) ? title : undefined;
}

/** Links and embedded resources are long, and alike for all resources. An example that needs them has them. */
const OVERRIDES: readonly (ExampleOverride | undefined)[] = [
  replaceLinks(() => OMITTED),
  replaceLinks(createRequiredLinks),
  undefined,
];

/** Creates the examples of a document. Examples of its components are created once. */
export function createResponseExamples(document: JsonObject): ResponseExamples {
  const factory = createExampleFactory(document, createKeyedRandom(1));
  const isValid = createSchemaCheck(document);
  const byReference = new Map<string, Json | undefined>();

  function find(schema: JsonObject): Json | undefined {
    const { title } = factory.flatten(schema);
    const typical: ExampleOverride = (each, { path }) =>
      createTypicalValue(each, path, typeof title === 'string' ? title : '');
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      for (const replace of OVERRIDES) {
        const override: ExampleOverride = (each, place) => replace?.(each, place) ?? typical(each, place);
        const value = factory.create(schema, { key: `response ${attempt}`, path: [] }, override);
        if (value !== OMITTED && isValid(schema, value)) return value;
      }
    }
    return undefined;
  }

  function create(schema: JsonObject): Json | undefined {
    const reference = referenceOf(schema);
    if (reference !== undefined) {
      if (!byReference.has(reference)) byReference.set(reference, find(schema));
      return byReference.get(reference);
    }
    const { items, minItems = 0, type } = schema;
    // One item shows what a list has.
    if (type === 'array' && isJsonObject(items) && Number(minItems) <= 1) {
      const item = create(items);
      return item === undefined ? undefined : [item];
    }
    return find(schema);
  }

  return {
    create(media) {
      const stated = getStatedExample(media, document);
      const { schema } = media;
      return stated ?? (isJsonObject(schema) ? create(schema) : undefined);
    },
  };
}
