import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { type ExampleFactory, type ExamplePlace, OMITTED } from './example-value.ts';
import { mergeFields } from './merge-fields.ts';
import type { MockOperation, MockOperations } from './operations.ts';
import type { KeyedRandom } from './random.ts';
import { createRelations } from './relations.ts';
import type { SchemaCheckFunction } from './schema-check.ts';
import type { MockStore } from './store.ts';

/** A collection of items at a route. */
export interface Collection {
  /** The route of the collection: `/wp/v2/posts/5/revisions`. */
  readonly route: string;
  /** The operation that lists it; `undefined` if the document has none. */
  readonly list: MockOperation | undefined;
  /** Values of the path parameters, by name. Items have them as properties. */
  readonly params: Readonly<Record<string, string>>;
}

/** Creates the items of collections: always the same, with what requests have changed. */
export interface MockItems {
  /** The id of the item with this number, in a form that its path accepts. */
  createId(collection: Collection, number: number): string;
  /** The ids of the items before any change, from the oldest to the newest. */
  initialIds(collection: Collection): readonly string[];
  /** An item by a schema, such as that of a context. */
  create(schema: JsonObject | undefined, collection: Collection, id: string): Json;
  /** The linked items of an item that allows embedding, by relation; only the wanted relations, if some are named. */
  embed(item: JsonObject, wanted: readonly string[]): JsonObject;
}

export interface MockItemsOptions {
  readonly operations: MockOperations;
  readonly examples: ExampleFactory;
  readonly random: KeyedRandom;
  readonly store: MockStore;
  readonly isValid: SchemaCheckFunction;
  /** URL of the root index. A route without its first slash is appended to it. */
  readonly rootUrl: string;
  /** Whether a route is that of an item of a list. */
  readonly isItemRoute: (list: MockOperation, route: string) => boolean;
}

/** Number of items of a collection: enough for several pages of ten. Those with a name as id are fewer. */
const COUNTS = { numbered: 25, named: 5 };

/** Properties that may hold an id, in the order of preference. */
const ID_PROPERTIES = ['id', 'ID', 'slug', 'uuid', 'name', 'key'];

/** An example that breaks its schema is created again with other keys, this often. */
const ATTEMPTS = 4;

export function createMockItems(options: MockItemsOptions): MockItems {
  const { operations, examples, random, store, isValid, rootUrl, isItemRoute } = options;
  const relations = createRelations(operations.lists);

  const toUrl = (route: string): string => rootUrl + route.slice(1);
  const propertiesOf = (schema: JsonObject | undefined): JsonObject => {
    const { properties } = examples.flatten(schema);
    return isJsonObject(properties) ? properties : {};
  };
  const isNumber = (schema: Json | undefined): boolean =>
    isJsonObject(schema) && [schema['type']].flat().some((type) => type === 'integer' || type === 'number');

  /** The property that the path of an item names, else one of the usual names. */
  function idProperty(list: MockOperation | undefined, schema: JsonObject | undefined): string {
    const properties = propertiesOf(list?.schema ?? schema);
    const [, named = ''] = /\{([^{}]+)\}$/.exec((list && operations.itemOf(list)?.served.path) ?? '') ?? [];
    return [named, ...ID_PROPERTIES].find((name) => Object.hasOwn(properties, name)) ?? 'id';
  }

  /** The value of an id or a path parameter as a property has it; `undefined` if the property cannot have it. */
  function asProperty(text: string, schema: JsonObject): Json | undefined {
    if (isNumber(schema)) return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    return isValid(schema, text) ? text : undefined;
  }

  function createId({ list, route }: Collection, number: number): string {
    const text = String(number);
    if (list === undefined) return text;
    const name = idProperty(list, undefined);
    const property = examples.flatten(propertiesOf(list.schema)[name]);
    if (isNumber(property) || Object.keys(property).length === 0) return text;
    const place = { key: `${route} ${text}`, path: ['id'] };
    const [value, word] = [property, { type: 'string' }].map((schema) =>
      String(examples.create(schema, place)),
    );
    // Block types have both parts of their name in the property, and the second in the path.
    const candidates = [
      value ?? '',
      value?.split('/').at(-1) ?? '',
      word ?? '',
      text,
      `${word}/${word}`,
      `${word}//${word}`,
    ];
    const reachable = candidates.filter((candidate) => isItemRoute(list, `${route}/${candidate}`));
    return reachable.find((candidate) => isValid(property, candidate)) ?? reachable[0] ?? word ?? text;
  }

  function initialIds(collection: Collection): readonly string[] {
    const { list } = collection;
    if (list === undefined) return [];
    const property = examples.flatten(propertiesOf(list.schema)[idProperty(list, undefined)]);
    const isNamed = !isNumber(property) && Object.keys(property).length > 0;
    const count = isNamed ? COUNTS.named : COUNTS.numbered;
    return [...new Set(Array.from({ length: count }, (_, at) => createId(collection, at + 1)))];
  }

  /** The id of an item that a property of this name refers to; `undefined` if it refers to none. */
  function referTo(name: string, schema: JsonObject, place: ExamplePlace, own: number): Json | undefined {
    if (name === 'parent' && isNumber(schema))
      return own > 1 ? Math.floor(own / 2) : (schema['minimum'] ?? 0);
    // A number with a plural name is a count.
    const target = isNumber(schema) && /s$/.test(name) ? undefined : relations.targetOf(name);
    if (target === undefined || Object.keys(propertiesOf(target.schema)).length === 0) return undefined;
    const ids = initialIds({ list: target, route: target.served.path, params: {} });
    if (!ids.every((id) => /^\d+$/.test(id))) return undefined;
    const pick = (salt: string): number =>
      Number(ids[random.pick(`${place.key} ${name} ${salt}`, ids.length)] ?? 1);
    if (isNumber(schema)) return pick('');
    const { items } = schema;
    return schema['type'] === 'array' && isNumber(examples.flatten(items))
      ? [...new Set([pick('1'), pick('2')])]
      : undefined;
  }

  function override(
    schema: JsonObject,
    place: ExamplePlace,
    collection: Collection,
    id: string,
    idName: string,
  ): Json | undefined {
    const [name = '', ...deeper] = place.path;
    if (deeper.length > 0 || name === '') return undefined;
    if (name === idName) return asProperty(id, schema);
    if (name === '_embedded') return OMITTED;
    if (name === 'link')
      return schema['type'] === 'string'
        ? `${rootUrl.replace(/\/(?:index\.php\?.*|[^/]+\/)$/, '/')}${id}`
        : undefined;
    const param = Object.hasOwn(collection.params, name) ? collection.params[name] : undefined;
    if (param !== undefined) return asProperty(param, schema);
    return referTo(name, schema, place, Number(id));
  }

  function create(schema: JsonObject | undefined, collection: Collection, id: string): Json {
    if (schema === undefined) return {};
    const idName = idProperty(collection.list, schema);
    const flat = examples.flatten(schema);
    let value: Json = {};
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const key = `${collection.route} ${id}${attempt === 0 ? '' : ` ${attempt}`}`;
      const example = examples.create(schema, { key, path: [] }, (at, place) =>
        override(at, place, collection, id, idName),
      );
      value = withLinks(example, flat, collection, id);
      if (isValid(schema, value)) break;
    }
    const { deleted, previous } = propertiesOf(flat);
    if (deleted !== undefined && isJsonObject(previous) && isJsonObject(value)) {
      return { ...value, deleted: true, previous: create(previous, collection, id) };
    }
    const fields = store.fieldsOf(collection.route, id);
    return isJsonObject(value)
      ? mergeFields(value, fields, { properties: propertiesOf(flat), isValid })
      : value;
  }

  /** Replaces the example of `_links`: to the item, to its collection, and to the items that properties refer to. */
  function withLinks(value: Json, schema: JsonObject, { route, list }: Collection, id: string): Json {
    const stated = isJsonObject(schema['properties']) ? schema['properties']['_links'] : undefined;
    if (!isJsonObject(value) || stated === undefined || !isJsonObject(value['_links'])) return value;
    const { properties, required } = examples.flatten(stated);
    const names = new Set([
      ...Object.keys(isJsonObject(properties) ? properties : {}),
      ...jsonItems(required).map(String),
    ]);
    const links: [string, Json][] = [];
    for (const relation of names) {
      const target = linkTo(relation, value);
      if (relation === 'self')
        links.push([relation, [{ href: toUrl(list === undefined ? route : `${route}/${id}`) }]]);
      else if (target !== undefined) links.push([relation, [{ embeddable: true, href: toUrl(target) }]]);
      else if (relation === 'collection' || jsonItems(required).includes(relation))
        links.push([relation, [{ href: toUrl(route) }]]);
    }
    return { ...value, _links: Object.fromEntries(links) };
  }

  /** The route of the item that a relation leads to, by the property of the same name. */
  function linkTo(relation: string, value: JsonObject): string | undefined {
    const word = relation.replace(/^.*:/, '').replaceAll('_', '');
    const name = Object.keys(value).find((property) => property.replaceAll('_', '') === word);
    const id = name === undefined ? undefined : value[name];
    const target = name === undefined ? undefined : relations.targetOf(name);
    return typeof id === 'number' && id > 0 && target !== undefined
      ? `${target.served.path}/${id}`
      : undefined;
  }

  function embed(item: JsonObject, wanted: readonly string[]): JsonObject {
    const links = isJsonObject(item['_links']) ? item['_links'] : {};
    const embedded = Object.entries(links).flatMap(([relation, list]): [string, Json][] => {
      const link = jsonItems(list)[0];
      if (!isJsonObject(link) || link['embeddable'] !== true) return [];
      if (wanted.length > 0 && !wanted.includes(relation)) return [];
      const [route, id] = splitRoute(String(link['href']).slice(rootUrl.length - 1));
      const target = operations.listAt(route);
      const operation = target === undefined ? undefined : operations.itemOf(target);
      const reference = operation?.served.contextReferences?.get('embed');
      const schema = reference === undefined ? operation?.schema : { $ref: reference };
      return [[relation, [create(schema, { route, list: target, params: {} }, id)]]];
    });
    return Object.fromEntries(embedded);
  }

  return { createId, initialIds, create, embed };
}

function splitRoute(route: string): readonly [collection: string, id: string] {
  const slash = route.lastIndexOf('/');
  return [route.slice(0, slash), route.slice(slash + 1)];
}
