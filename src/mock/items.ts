import { type ExampleFactory, type ExamplePlace, OMITTED } from '../example-values/example-value.ts';
import type { KeyedRandom } from '../example-values/keyed-random.ts';
import type { SchemaCheckFunction } from '../example-values/schema-check.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { typesOf } from '../openapi/schema-view.ts';
import type { Collection } from './collection.ts';
import { createExampleLinks } from './links.ts';
import { mergeFields } from './merge-fields.ts';
import { clearNewItem, dateOf, toSlug } from './new-item.ts';
import type { MockOperation, MockOperations } from './operations.ts';
import { createRelations } from './relations.ts';
import type { MockStore } from './store.ts';
import type { WordPressObjects } from './wordpress-objects.ts';

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
  readonly objects: WordPressObjects;
  /** URL of the root index. A route without its first slash is appended to it. */
  readonly rootUrl: string;
  /** Whether a route is that of an item of a list. */
  readonly isItemRoute: (list: MockOperation, route: string) => boolean;
}

/** Number of items of a collection: enough for several pages of ten. Those with a name as id are fewer. */
const COUNTS = { numbered: 25, named: 5 };

/** Properties that may hold an id, in the order of preference. */
const ID_PROPERTIES = ['id', 'ID', 'slug', 'uuid', 'name', 'key'];

/** Dates of an item, which are those of its creation. */
const DATES = /^(?:date|modified)(?:_gmt)?$/;

/** An example that breaks its schema is created again with other keys, this often. */
const ATTEMPTS = 4;

export function createMockItems(options: MockItemsOptions): MockItems {
  const { operations, examples, random, store, isValid, objects, rootUrl, isItemRoute } = options;
  const relations = createRelations(operations.lists);

  const homeUrl = rootUrl.replace(/\/(?:index\.php\?.*|[^/]+\/)$/, '/');
  const links = createExampleLinks(examples, relations, rootUrl);
  const propertiesOf = (schema: JsonObject | undefined): JsonObject => {
    const { properties } = examples.flatten(schema);
    return isJsonObject(properties) ? properties : {};
  };
  const isNumber = (schema: Json | undefined): boolean =>
    isJsonObject(schema) && typesOf(schema).some((type) => type === 'integer' || type === 'number');

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
    const known = objects.idsAt(collection.route) ?? statedIds(list);
    if (known !== undefined) return known;
    const property = examples.flatten(propertiesOf(list.schema)[idProperty(list, undefined)]);
    const isNamed = !isNumber(property) && Object.keys(property).length > 0;
    const count = isNamed ? COUNTS.named : COUNTS.numbered;
    return [...new Set(Array.from({ length: count }, (_, at) => createId(collection, at + 1)))];
  }

  /** The items of a list that the document states as its example. */
  function statedItems({ example, form }: MockOperation): readonly JsonObject[] {
    const items = form === 'map' && isJsonObject(example) ? Object.values(example) : jsonItems(example);
    return items.filter(isJsonObject);
  }

  /** Their ids, from the oldest to the newest. */
  function statedIds(list: MockOperation): readonly string[] | undefined {
    const name = idProperty(list, undefined);
    const ids = statedItems(list).flatMap((item) => (item[name] === undefined ? [] : String(item[name])));
    return ids.length === 0 ? undefined : ids.reverse();
  }

  /** The example that the document states for an item. */
  function statedItem({ example, list }: Collection, id: string): JsonObject | undefined {
    if (list === undefined) return isJsonObject(example) ? example : undefined;
    const name = idProperty(list, undefined);
    return statedItems(list).find((item) => String(item[name]) === id);
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

  /** What WordPress has in a property of this name. */
  function knownValue(name: string, schema: JsonObject, route: string, id: string): Json | undefined {
    const known = objects.fieldsAt(route, id)?.[name];
    if (known !== undefined) return known;
    const type = objects.typeAt(route);
    if (name === 'type') return type;
    if (name === 'status') {
      if (type === 'attachment') return 'inherit';
      if (type === 'comment') return 'approved';
      return jsonItems(schema['enum']).includes('publish') ? 'publish' : undefined;
    }
    return DATES.test(name) && /^\d+$/.test(id) ? dateOf(Number(id)) : undefined;
  }

  function override(
    schema: JsonObject,
    place: ExamplePlace,
    collection: Collection,
    id: string,
    idName: string,
  ): Json | undefined {
    const [name = '', ...deeper] = place.path;
    if (name === 'guid' && deeper.length === 1) return asProperty(`${homeUrl}?p=${id}`, schema);
    if (deeper.length > 0 || name === '') return undefined;
    if (name === idName) return asProperty(id, schema);
    if (name === '_embedded') return OMITTED;
    if (name === 'link') return schema['type'] === 'string' ? `${homeUrl}${id}` : undefined;
    const known = knownValue(name, schema, collection.route, id);
    if (known !== undefined && isValid(schema, known)) return known;
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
      value = links.addTo(example, flat, collection, id);
      if (isValid(schema, value)) break;
    }
    value = withStatedExample(value, schema, statedItem(collection, id));
    const { deleted, previous } = propertiesOf(flat);
    if (deleted !== undefined && isJsonObject(previous) && isJsonObject(value)) {
      return { ...value, deleted: true, previous: create(previous, collection, id) };
    }
    if (!isJsonObject(value)) return value;
    const fields = store.fieldsOf(collection.route, id);
    const properties = propertiesOf(flat);
    if (!store.isNew(collection.route, id)) return mergeFields(value, fields, { properties, isValid });
    const slug = toSlug(fields);
    const named = slug === undefined ? fields : { slug, ...fields };
    return mergeFields(clearNewItem(value, { properties, isValid }), named, { properties, isValid });
  }

  /** Joins the example of the document, whose members take precedence, as far as the schema of the response allows it. */
  function withStatedExample(value: Json, schema: JsonObject, stated: JsonObject | undefined): Json {
    if (stated === undefined || !isJsonObject(value)) return value;
    return [{ ...value, ...stated }, stated].find((candidate) => isValid(schema, candidate)) ?? value;
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
