import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../json.ts';
import { dereference, getSchemaComponentKey, referenceOf } from '../openapi/document-references.ts';
import { isNamedWithin, OWN_ID } from './example-text.ts';
import {
  createExampleFactory,
  type ExampleFactory,
  type ExampleOverride,
  type ExamplePlace,
  namesOf,
  OMITTED,
} from './example-value.ts';
import { createKeyedRandom, EXAMPLE_KEY } from './keyed-random.ts';
import { createSchemaCheck, type SchemaCheckFunction } from './schema-check.ts';

const replaceLinks =
  (createLinks: (schema: JsonObject) => Json): ExampleOverride =>
  (schema, { path }) =>
    path.at(-1) === '_links' ? createLinks(schema) : path.at(-1) === '_embedded' ? OMITTED : undefined;

/** One short link for each relation that the schema requires. */
function createRequiredLinks({ required }: JsonObject): Json {
  const relations = jsonItems(required).filter((relation) => typeof relation === 'string');
  return Object.fromEntries(relations.map((relation) => [relation, [{ href: 'https://example.com/' }]]));
}

/** Links and embedded resources are long, and alike for all resources. An example that needs them has them. */
const OVERRIDES: readonly ExampleOverride[] = [
  replaceLinks(() => OMITTED),
  replaceLinks(createRequiredLinks),
];

/** Examples of the responses of a document. Examples of its components are created once. */
export class ResponseExamples {
  private readonly document: JsonObject;
  private readonly factory: ExampleFactory;
  /** Whether a value is valid by a schema of the document. */
  readonly isValid: SchemaCheckFunction;
  private readonly byReference = new Map<string, Json | undefined>();

  constructor(document: JsonObject) {
    this.document = document;
    this.factory = createExampleFactory(document, createKeyedRandom(1));
    this.isValid = createSchemaCheck(document);
  }

  /**
   * Returns the example that the document states for the content of a response, otherwise one that is created from its schema.
   *
   * @param media a Media Type Object
   * @param resource what the content is if its schema does not say it, such as `orders`
   * @returns `undefined` if no valid example was found
   */
  create(media: JsonObject, resource = ''): Json | undefined {
    const { schema } = media;
    const stated = getStatedExample(media, this.document);
    return stated ?? (isJsonObject(schema) ? this.createOf(schema, resource) : undefined);
  }

  private createOf(schema: JsonObject, resource: string): Json | undefined {
    const reference = referenceOf(schema);
    if (reference !== undefined) {
      const component = getSchemaComponentKey(reference) ?? '';
      if (!this.byReference.has(reference)) this.byReference.set(reference, this.find(schema, component));
      return this.byReference.get(reference);
    }
    const { items, minItems = 0, type } = schema;
    if (type !== 'array' || !isJsonObject(items) || Number(minItems) > 1) return this.find(schema, resource);
    // One item shows what a list has.
    const item = this.createOf(items, resource);
    if (!isJsonObject(item)) return item === undefined ? undefined : [item];
    const { properties } = this.factory.flatten(items);
    const isAbsent = ([name]: readonly [string, Json]): boolean => {
      const { description } = this.factory.flatten(memberAt(properties, name));
      return typeof description === 'string' && /\babsent in lists\b/i.test(description);
    };
    const list = [Object.fromEntries(Object.entries(item).filter((member) => !isAbsent(member)))];
    return this.isValid(schema, list) ? list : [item];
  }

  private find(schema: JsonObject, named: string): Json | undefined {
    const { title } = this.factory.flatten(schema);
    const root = typeof title === 'string' && title !== '' ? title : named;
    for (const replace of OVERRIDES) {
      const override: ExampleOverride = (each, place) =>
        replace(each, place) ?? this.createTypicalValue(each, place);
      const value = this.factory.create(schema, { key: EXAMPLE_KEY, path: [], root }, override);
      if (value !== OMITTED && this.isValid(schema, value)) return value;
    }
    return undefined;
  }

  /** What most responses of sites have, where the schema allows more than one value. */
  private createTypicalValue(schema: JsonObject, place: ExamplePlace): Json | undefined {
    const { path, root: title = '', rootDepth = 0 } = place;
    const name = path.at(-1);
    // No response tells the password of a user, and most posts have none.
    if (/pass(?:word|phrase)$/.test(name ?? '') && schema['type'] === 'string' && !/application/.test(title))
      return /user|customer|member/.test(title) ? OMITTED : '';
    // Most lists of allowed values begin with the usual one: `publish`, `open`, `standard`.
    const values = jsonItems(schema['enum']);
    const usual = this.factory.choose(values, place) ?? values[0];
    if (usual !== undefined) return usual;
    // A batch answers with what each request created.
    if (/^responses\.\d+\.body$/.test(path.join('.'))) return { id: OWN_ID };
    const { default: preset } = schema;
    if (typeof preset === 'number' && Number.isInteger(preset) && preset > 0 && path.length === 1)
      return preset;
    if (name === 'block_version' && schema['type'] === 'integer') return 1;
    // WordPress titles the schema of an object with its type: `post`, `attachment`.
    const isResource = path.length === 1 || (path.length === rootDepth + 1 && path[0] === 'previous');
    const isKnown = isNamedWithin(namesOf(place));
    const isOwnType = isResource && name === 'type' && schema['type'] === 'string' && !isKnown;
    return isOwnType && /^[a-z][a-z_-]{1,19}$/.test(title) ? title : undefined;
  }
}

/** Returns `example`, or the first of `examples`, of a Media Type Object. */
export function getStatedExample(media: Json | undefined, document: JsonObject): Json | undefined {
  if (!isJsonObject(media)) return undefined;
  if (media['example'] !== undefined) return media['example'];
  const [, first] = jsonMembers(media['examples'])[0] ?? [];
  return dereference(first, document)?.['value'];
}
