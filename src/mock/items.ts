import { type ExampleFactory, type ExamplePlace, OMITTED } from '../example-values/example-value.ts';
import type { KeyedRandom } from '../example-values/keyed-random.ts';
import type { SchemaCheckFunction } from '../example-values/schema-check.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { typesOf } from '../openapi/schema-view.ts';
import type { MockOperation, MockOperations } from './operations.ts';
import type { MockStore } from './store.ts';
import type { WordPressObjects } from './wordpress-objects.ts';

/** A collection of items at a route. */
export interface Collection {
  /** The route of the collection: `/wp/v2/posts/5/revisions`. */
  readonly route: string;
  /** The operation that lists it; `undefined` if the document has none. */
  readonly list: MockOperation | undefined;
  /** Values of the path parameters, by name. Items have them as properties. */
  readonly params: Readonly<Record<string, string>>;
  /** The example that the document states for the response, if the collection is a single resource. */
  readonly example?: Json | undefined;
}

/** Creates the items of collections: always the same, with what requests have changed. */
export interface MockItems {
  /** The id of the item with this number, in a form that its path accepts. */
  createId(collection: Collection, number: number): string;
  /** The ids of the items before any change, from the oldest to the newest. */
  initialIds(collection: Collection): readonly string[];
  /** An item by a schema, such as that of a context. */
  create(schema: JsonObject | undefined, collection: Collection, id: string): Json;
}

interface MockItemsOptions {
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
  const homeUrl = rootUrl.replace(/\/(?:index\.php\?.*|[^/]+\/)$/, '/');
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
    const target = isNumber(schema) && /s$/.test(name) ? undefined : operations.targetOf(name);
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
      value = addLinks(example, flat, collection, id, options);
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

  return { createId, initialIds, create };
}

/** Replaces the example of `_links`: to the item, to its collection, and to the items that properties refer to. */
function addLinks(
  value: Json,
  schema: JsonObject,
  { route, list }: Collection,
  id: string,
  { examples, operations, rootUrl }: Pick<MockItemsOptions, 'examples' | 'operations' | 'rootUrl'>,
): Json {
  const stated = isJsonObject(schema['properties']) ? schema['properties']['_links'] : undefined;
  if (!isJsonObject(value) || stated === undefined || !isJsonObject(value['_links'])) return value;
  const { properties, required } = examples.flatten(stated);
  const names = new Set([
    ...Object.keys(isJsonObject(properties) ? properties : {}),
    ...jsonItems(required).map(String),
  ]);
  const toUrl = (path: string): string => rootUrl + path.slice(1);
  const links: [string, Json][] = [];
  for (const relation of names) {
    const target = routeOfTarget(relation, value, operations);
    if (relation === 'self') {
      links.push([relation, [{ href: toUrl(list === undefined ? route : `${route}/${id}`) }]]);
    } else if (target !== undefined) links.push([relation, [{ embeddable: true, href: toUrl(target) }]]);
    else if (relation === 'collection' || jsonItems(required).includes(relation)) {
      links.push([relation, [{ href: toUrl(route) }]]);
    }
  }
  return { ...value, _links: Object.fromEntries(links) };
}

/** The route of the item that a relation leads to, by the property of the same name. */
function routeOfTarget(
  relation: string,
  value: JsonObject,
  { targetOf }: Pick<MockOperations, 'targetOf'>,
): string | undefined {
  const word = relation.replace(/^.*:/, '').replaceAll('_', '');
  const name = Object.keys(value).find((property) => property.replaceAll('_', '') === word);
  const id = name === undefined ? undefined : value[name];
  const target = name === undefined ? undefined : targetOf(name);
  return typeof id === 'number' && id > 0 && target !== undefined ? `${target.served.path}/${id}` : undefined;
}

/** Replaces the members of an item by the fields of a request that are valid there. WordPress' pairs of `raw` and `rendered` get both. */
function mergeFields(
  item: JsonObject,
  fields: JsonObject,
  { properties, isValid }: { readonly properties: JsonObject; readonly isValid: SchemaCheckFunction },
): JsonObject {
  const merged = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(schema)) return [];
    const value = candidatesFor(field, item[name]).find((candidate) => isValid(schema, candidate));
    return value === undefined ? [] : [[name, value]];
  });
  return { ...item, ...Object.fromEntries(merged) };
}

/** The field as a pair, as it is, and as the type that its text has. */
function candidatesFor(field: Json, current: Json | undefined): readonly Json[] {
  const text = isJsonObject(field) ? field['raw'] : field;
  const isPair = isJsonObject(current) && ('rendered' in current || 'raw' in current);
  const pair = isPair && typeof text === 'string' ? [withText(current, text)] : [];
  const object = isJsonObject(field) && isJsonObject(current) ? [{ ...current, ...field }] : [];
  return [...pair, field, ...object, ...(typeof field === 'string' ? readText(field) : [])];
}

function withText(pair: JsonObject, text: string): JsonObject {
  return Object.fromEntries(
    Object.entries(pair).map(([name, value]) => [name, name === 'raw' || name === 'rendered' ? text : value]),
  );
}

/** Values that a text of a query or a form may stand for. */
function readText(text: string): readonly Json[] {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return [Number(text), [Number(text)]];
  if (text === 'true' || text === 'false') return [text === 'true'];
  const parts = text.split(',').map((part) => part.trim());
  return [parts, parts.map(Number)];
}

/** Properties of a new item that keep their example: what the site computes, and what refers to another item. */
const COMPUTED =
  /^(?:id|author|post|guid|link|links|_links|type|slug|class_list|permalink_template|taxonomy)$|(?:^|_)(?:id|uuid|key|url|urls|date|date_gmt|modified|modified_gmt)$|_at$/i;

/** The first value that a property may have is what WordPress gives to a new item. */
const INITIAL: Readonly<Record<string, readonly Json[]>> = {
  status: ['draft', 'approved', 'open', 'active'],
  format: ['standard'],
  comment_status: ['open'],
  ping_status: ['open'],
  categories: [[1]],
};

/**
 * Replaces the examples of an item that a request created: what the request leaves out is the default that the schema
 * states, or empty, as far as the schema allows it.
 */
function clearNewItem(
  item: JsonObject,
  { isValid, properties }: { readonly properties: JsonObject; readonly isValid: SchemaCheckFunction },
): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const schema = properties[name];
      if (COMPUTED.test(name) || !isJsonObject(schema)) return [name, value];
      const { default: preset, enum: values } = schema;
      const candidates = [
        ...(preset === undefined ? [] : [preset]),
        ...(Object.hasOwn(INITIAL, name) ? (INITIAL[name] ?? []) : []),
        ...jsonItems(values).slice(0, 1),
        emptyOf(value),
      ];
      return [name, candidates.find((candidate) => isValid(schema, candidate)) ?? value];
    }),
  );
}

/** A value of the same form without content. */
function emptyOf(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptyOf(member)]));
  }
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : value;
}

/** Derives the slug of a new item from its title or name, as WordPress does for those that are published. */
function toSlug({ name, title }: JsonObject): string | undefined {
  const stated = isJsonObject(title) ? title['raw'] : (title ?? name);
  if (typeof stated !== 'string') return undefined;
  const slug = stated
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : slug;
}

/** The date of an item, which grows with its number: the newest item has the latest. In the form of WordPress, at UTC. */
function dateOf(number: number): string {
  const START = Date.UTC(2026, 0, 1, 9);
  const STEP = 17 * 3_600_000;
  return new Date(START + (number % 100_000) * STEP).toISOString().slice(0, 19);
}
