import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  mapMembers,
  ownMember,
  toJsonObject,
  toText,
} from '../../base/json.ts';
import { createLru } from '../../base/memoize.ts';
import type { SchemaCheckFunction } from '../../generator/example-values/document-examples.ts';
import {
  type ExampleFactory,
  type ExamplePath,
  hashFnv,
  OMITTED,
} from '../../generator/example-values/example-value.ts';
import { typesOf } from '../../generator/model/schema/keywords.ts';
import { referenceOf } from '../../generator/openapi/document-objects.ts';
import { sanitizeTitle } from '../rest-server/slug.ts';
import type { MockOperation, MockOperations } from './operations.ts';

export interface Collection {
  /** Address of the site as the client knows it, without a trailing slash. */
  readonly base: string;
  /** Route of the collection: `/wp/v2/posts/5/revisions`. */
  readonly route: string;
  readonly list: MockOperation | undefined;
  readonly params: Readonly<Record<string, string>>;
}

interface ItemSources {
  readonly operations: MockOperations;
  readonly examples: ExampleFactory;
  readonly store: MockStore;
  readonly isValid: SchemaCheckFunction;
  /** Follows the site's address: `/wp-json/`. A route without its first slash is appended. */
  readonly rootPath: string;
  readonly isItemRoute: (list: MockOperation, route: string) => boolean;
  readonly initialItems: InitialItems;
}

/** First items of lists, by the name of their component. The mock makes up what they leave out. */
export type InitialItems = Readonly<Record<string, readonly JsonObject[]>>;

/** Fields for the items of a list that no client asks for. */
export const NOWHERE: Collection = { base: '', route: '', list: undefined, params: {} };

const NUMBERED_IDS: readonly string[] = Array.from({ length: 25 }, (_, at) => String(at + 1));

const NAMED_COUNT = 5;

const ID_PROPERTIES = ['id', 'ID', 'slug', 'uuid', 'name', 'key'];

const DATES = /^(?:date|modified|date_created|date_modified)(?:_gmt)?$/;

/** A list that is sorted or filtered needs all of its items. */
const MAX_KEPT = 5_000;

export class MockItems {
  private readonly sources: ItemSources;
  private readonly kept = createLru<{ readonly change: Change | undefined; readonly item: Json }>(MAX_KEPT);

  constructor(sources: ItemSources) {
    this.sources = sources;
  }

  /** In a form that the path accepts. A new item's fields can state it. */
  createId({ list, route }: Collection, number: number, fields: JsonObject = {}): string {
    const { examples, isItemRoute, isValid } = this.sources;
    const text = String(number);
    if (list === undefined || this.isNumbered(list)) return text;
    const property = this.idSchema(list);
    const name = this.idProperty(list);
    const declared = toText(fields[name] ?? (name === 'slug' ? slugOf(fields) : ''));
    const value = String(examples.create(property, ['id'], undefined, `${route} ${text}`));
    const word = `item-${text}`;
    // Block types have both parts of their name in the property, and the second in the path.
    const parts = [value, value.split('/').at(-1) ?? '', word, text, `${word}/${word}`, `${word}//${word}`];
    const candidates = declared === '' ? parts : [declared, ...parts];
    const reachable = candidates.filter((candidate) => isItemRoute(list, `${route}/${candidate}`));
    return reachable.find((candidate) => isValid(property, candidate)) ?? reachable[0] ?? (declared || word);
  }

  /** Without a list, any item can be there. */
  has(collection: Collection, id: string): boolean {
    const { list, route } = collection;
    return list === undefined || this.sources.store.has(route, this.initialIds(collection), id);
  }

  initialIds(collection: Collection): readonly string[] {
    const { list } = collection;
    if (list === undefined) return [];
    const { params } = collection;
    const isWithin = (fields: JsonObject): boolean =>
      Object.entries(params).every(([name, value]) => toText(fields[name] ?? value) === value);
    const initial = this.initialItemsOf(list.schema);
    if (initial !== undefined)
      return initial.flatMap((fields, at) => (isWithin(fields) ? [String(at + 1)] : []));
    if (this.isNumbered(list)) return NUMBERED_IDS;
    return [...new Set(Array.from({ length: NAMED_COUNT }, (_, at) => this.createId(collection, at + 1)))];
  }

  private initialItemsOf(schema: JsonObject | undefined): readonly JsonObject[] | undefined {
    return ownMember(this.sources.initialItems, referenceOf(schema)?.split('/').at(-1) ?? '');
  }

  create(schema: JsonObject | undefined, collection: Collection, id: string): Json {
    const { base, list, route } = collection;
    const reference = referenceOf(schema);
    if (schema === undefined || reference === undefined)
      return schema ? this.make(schema, collection, id) : {};
    const key = [base, reference, list?.served.path, route, id].join(' ');
    const change = this.sources.store.find(route, id);
    const known = this.kept.get(key);
    if (known !== undefined && known.change === change) return known.item;
    const item = this.make(schema, collection, id);
    this.kept.set(key, { change, item });
    return item;
  }

  private make(schema: JsonObject, collection: Collection, id: string): Json {
    const { examples, store } = this.sources;
    const { route, list } = collection;
    const idName = this.idProperty(list, schema);
    const flat = examples.flatten(schema);
    const example = examples.create(
      schema,
      [],
      (at, path) => this.override(at, path, collection, id, { idName, title: flat['title'] }),
      `${route} ${id}`,
    );
    const value = this.addLinks(toMinorUnits(example), flat, collection, id);
    const { deleted, previous } = this.propertiesOf(flat);
    if (deleted !== undefined && isJsonObject(previous) && isJsonObject(value)) {
      return { ...value, deleted: true, previous: this.create(previous, collection, id) };
    }
    if (!isJsonObject(value)) return value;
    const { [list === undefined ? '' : idName]: _, ...fields } = store.fieldsOf(route, id);
    const initial = this.initialItemsOf(schema)?.[Number(id) - 1];
    if (!store.isNew(route, id)) return this.mergeFields({ ...value, ...initial }, fields, flat, value);
    const slug = slugOf(fields);
    const named = slug === '' || idName === 'slug' ? fields : { slug, ...fields };
    return this.mergeFields(this.clearNewItem(value, flat), named, flat, value);
  }

  private propertiesOf(schema: JsonObject | undefined): JsonObject {
    return toJsonObject(this.sources.examples.flatten(schema)['properties']);
  }

  private idProperty(list: MockOperation | undefined, schema?: JsonObject): string {
    const properties = this.propertiesOf(list?.schema ?? schema);
    const item = list && this.sources.operations.itemOf(list);
    const [, named = ''] = /\{([^{}]+)\}$/.exec(item?.served.path ?? '') ?? [];
    return [named, ...ID_PROPERTIES].find((name) => Object.hasOwn(properties, name)) ?? 'id';
  }

  private idSchema(list: MockOperation): JsonObject {
    return this.sources.examples.flatten(this.propertiesOf(list.schema)[this.idProperty(list)]);
  }

  isNumbered(list: MockOperation): boolean {
    const property = this.idSchema(list);
    return isNumber(property) || Object.keys(property).length === 0;
  }

  private asProperty(text: string, schema: JsonObject): Json | undefined {
    if (isNumber(schema)) return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    return this.sources.isValid(schema, text) ? text : undefined;
  }

  private referTo(name: string, schema: JsonObject, { route }: Collection, id: string): Json | undefined {
    const { examples, operations } = this.sources;
    const own = Number(id);
    if (name === 'parent' && isNumber(schema))
      return own > 1 ? Math.floor(own / 2) : (schema['minimum'] ?? 0);
    const target = isNumber(schema) && /s$/.test(name) ? undefined : operations.targetOf(name);
    if (target === undefined || Object.keys(this.propertiesOf(target.schema)).length === 0) return undefined;
    if (!this.isNumbered(target)) return undefined;
    const ids = this.initialIds({ ...NOWHERE, route: target.served.path, list: target });
    const pick = (salt: string): number =>
      Number(ids[hashFnv(`${route} ${id} ${name} ${salt}`) % ids.length] ?? 1);
    if (isNumber(schema)) return pick('');
    const isList = schema['type'] === 'array' && isNumber(examples.flatten(schema['items']));
    return isList ? [...new Set([pick('1'), pick('2')])] : undefined;
  }

  private override(
    schema: JsonObject,
    path: ExamplePath,
    collection: Collection,
    id: string,
    { idName, title }: { readonly idName: string; readonly title: Json | undefined },
  ): Json | undefined {
    const { base, params } = collection;
    const picture = schema['type'] === 'string' && isPicture(path) ? pictureOf(`${path} ${id}`) : '';
    if (picture !== '' && this.sources.isValid(schema, picture)) return picture;
    const [name = '', ...deeper] = path;
    if (name === '') return undefined;
    const inner = deeper.at(-1);
    if (inner !== undefined) {
      if (name === 'guid') return this.asProperty(`${base}/?p=${id}`, schema);
      if (!inner.endsWith('_id') || !isNumber(schema)) return undefined;
      return this.asProperty(params[inner] ?? '', schema) ?? this.referTo(inner, schema, collection, id);
    }
    if (name === idName && id !== '') return this.asProperty(id, schema);
    if (name === '_embedded') return OMITTED;
    if (name === 'link') return schema['type'] === 'string' ? `${base}/${id}` : undefined;
    const known: Readonly<Record<string, Json | undefined>> = {
      // The title of an object's schema is its type.
      type: title,
      status: jsonItems(schema['enum']).find((value) => value === 'publish'),
    };
    const value = DATES.test(name) && /^\d+$/.test(id) ? dateOf(Number(id)) : ownMember(known, name);
    if (value !== undefined && this.sources.isValid(schema, value)) return value;
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (param !== undefined) return this.asProperty(param, schema);
    return this.referTo(name, schema, collection, id);
  }

  private addLinks(value: Json, schema: JsonObject, { base, route, list }: Collection, id: string): Json {
    const { examples, operations, rootPath } = this.sources;
    const declared = isJsonObject(schema['properties']) ? schema['properties']['_links'] : undefined;
    if (!isJsonObject(value) || declared === undefined || !isJsonObject(value['_links'])) return value;
    const { properties, required } = examples.flatten(declared);
    const needed = jsonItems(required).map(String);
    const links = [...new Set([...Object.keys(toJsonObject(properties)), ...needed])].flatMap((relation) => {
      const target = routeOfTarget(relation, value, operations);
      const own = list === undefined ? route : `${route}/${id}`;
      const isCollection = relation === 'collection' || needed.includes(relation);
      const path = relation === 'self' ? own : (target ?? (isCollection ? route : undefined));
      if (path === undefined) return [];
      const link: JsonObject = { href: base + rootPath + path.slice(1) };
      return [[relation, [path === target ? { embeddable: true, ...link } : link]] as const];
    });
    return { ...value, _links: Object.fromEntries(links) };
  }

  private mergeFields(
    item: JsonObject,
    fields: JsonObject,
    schema: JsonObject,
    example: JsonObject,
  ): JsonObject {
    const properties = this.propertiesOf(schema);
    const merged = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property) || property['readOnly'] === true) return [];
      const candidates = [
        ...candidatesFor(field, item[name]),
        ...this.listOf(field, example[name], property),
      ];
      const value = candidates.find((candidate) => this.sources.isValid(property, candidate));
      return value === undefined ? [] : [[name, value]];
    });
    return { ...item, ...Object.fromEntries(merged) };
  }

  /** Completes listed objects, such as an order's line items. */
  private listOf(field: Json, example: Json | undefined, { items }: JsonObject): readonly Json[] {
    const sample = jsonItems(example)[0];
    if (!isJsonObject(sample) || !isJsonObject(items) || !Array.isArray(field)) return [];
    const empty = this.clearNewItem(sample, items);
    const filled = field.map((part: Json, at) => {
      const id = typeof sample['id'] === 'number' ? { id: at + 1 } : {};
      return isJsonObject(part) ? { ...empty, ...id, ...part } : part;
    });
    return [filled];
  }

  private clearNewItem(item: JsonObject, schema: JsonObject): JsonObject {
    const properties = this.propertiesOf(schema);
    return mapMembers(item, (name, value) => {
      const property = properties[name];
      if (!isJsonObject(property)) return value;
      const { default: preset, enum: values } = property;
      if (COMPUTED.test(name) && preset === undefined) return value;
      const candidates = [
        ...(preset === undefined ? [] : [preset]),
        // Posts state their statuses. A comment without any is approved.
        ...(ownMember(INITIAL, name) ?? []).filter((each) => each !== 'draft' || values !== undefined),
        ...jsonItems(values).slice(0, 1),
        ...(typeof value === 'string' && DATE_TIME.test(value) ? [null] : []),
        emptyOf(value),
      ];
      const valid = candidates.find((candidate) => this.sources.isValid(property, candidate));
      return valid === undefined ? value : valid;
    });
  }
}

function isNumber(schema: Json | undefined): boolean {
  return isJsonObject(schema) && typesOf(schema).some((type) => type === 'integer' || type === 'number');
}

function routeOfTarget(relation: string, value: JsonObject, operations: MockOperations): string | undefined {
  const word = relation.replace(/^.*:/, '').replaceAll('_', '');
  const name = Object.keys(value).find((property) => property.replaceAll('_', '') === word);
  const id = name === undefined ? undefined : value[name];
  const target = name === undefined ? undefined : operations.targetOf(name);
  return typeof id === 'number' && id > 0 && target !== undefined ? `${target.served.path}/${id}` : undefined;
}

function candidatesFor(field: Json, current: Json | undefined): readonly Json[] {
  const text = isJsonObject(field) ? field['raw'] : field;
  const isPair = isJsonObject(current) && ('rendered' in current || 'raw' in current);
  const pair =
    isPair && typeof text === 'string'
      ? [mapMembers(current, (name, value) => (/^(?:raw|rendered)$/.test(name) ? text : value))]
      : [];
  const object = isJsonObject(field) && isJsonObject(current) ? [{ ...current, ...field }] : [];
  return [...pair, field, ...object, ...(typeof field === 'string' ? readText(field) : [])];
}

function readText(text: string): readonly Json[] {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return [Number(text), [Number(text)], text === '1'];
  if (text === 'true' || text === 'false') return [text === 'true'];
  const parts = text.split(',').map((part) => part.trim());
  return [parts, parts.map(Number)];
}

/** Properties of a new item that keep their example: computed ones, and references to items. */
const COMPUTED =
  /^(?:id|author|post|guid|link|links|_links|type|slug|class_list|permalink_template|taxonomy)$|(?:^|_)(?:id|uuid|key|url|urls|date|date_gmt|modified|modified_gmt|permalink)$|^date_created(?:_gmt)?$|_at$/i;

/** WordPress's values for a new item; the first that a property can have applies. */
const INITIAL: Readonly<Record<string, readonly Json[]>> = {
  status: ['draft', 'approved', 'open', 'active'],
  format: ['standard'],
  comment_status: ['open'],
  ping_status: ['open'],
  categories: [[1]],
};

const DATE_TIME = /^\d{4}-\d\d-\d\dT/;

function emptyOf(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (isJsonObject(value)) return mapMembers(value, (_, member) => emptyOf(member));
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : value;
}

function slugOf({ name, title }: JsonObject): string {
  const declared = isJsonObject(title) ? title['raw'] : (title ?? name);
  return typeof declared === 'string' ? sanitizeTitle(declared) : '';
}

function isPicture(path: ExamplePath): boolean {
  return /^(?:source_url|src|thumbnail)$/.test(path.at(-1) ?? '') || /^avatar_urls$/.test(path.at(-2) ?? '');
}

function pictureOf(key: string): string {
  const fill = `hsl(${hashFnv(key) % 360},40%,60%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path fill="${fill}" d="M0 0h3v2H0z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The Store API writes an amount without its separator (`currency_minor_unit`, or a `precision` of its own). */
function toMinorUnits(value: Json, units?: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => toMinorUnits(item, units));
  if (!isJsonObject(value)) {
    const isAmount = units !== undefined && typeof value === 'string' && /^\d+\.\d\d$/.test(value);
    return isAmount ? String(Math.round(Number(value) * 10 ** units)) : value;
  }
  const { currency_minor_unit: unit = units, precision = unit } = value;
  const own = unit === undefined ? unit : precision;
  return mapMembers(value, (_, member) => toMinorUnits(member, typeof own === 'number' ? own : units));
}

/** Date of an item in UTC, which grows with its number. */
function dateOf(number: number): string {
  const START = Date.UTC(2026, 0, 1, 9);
  const STEP = 17 * 3_600_000;
  return new Date(START + (number % 100_000) * STEP).toISOString().slice(0, 19);
}

interface Change {
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly fields: JsonObject;
}

export class MockStore {
  private readonly collections = new Map<string, Map<string, Change>>();

  /** Ids of a collection, the newest first, as in WordPress. */
  list(collection: string, initial: readonly string[]): readonly string[] {
    const ids = [...initial, ...this.created(collection)].reverse();
    return ids.filter((id) => this.find(collection, id)?.isDeleted !== true);
  }

  has(collection: string, initial: readonly string[], id: string): boolean {
    const change = this.find(collection, id);
    return change?.isDeleted !== true && (initial.includes(id) || change?.isNew === true);
  }

  create(
    collection: string,
    initial: readonly string[],
    fields: JsonObject,
    toId: (number: number, fields: JsonObject) => string,
  ): string {
    const changes = this.collections.get(collection);
    const isTaken = (id: string): boolean => initial.includes(id) || changes?.get(id)?.isNew === true;
    const first = initial.length + (changes?.size ?? 0) + 1;
    let id = toId(first, fields);
    for (let number = first + 1; isTaken(id) && number < first + 100; number += 1) id = toId(number, {});
    this.change(collection, id, { isNew: true, fields });
    return id;
  }

  /** The largest number that an item of any list has. */
  get lastNumber(): number {
    const ids = [...this.collections.keys()].flatMap((collection) => this.created(collection));
    return Math.max(NUMBERED_IDS.length, ...ids.map(Number).filter(Number.isFinite));
  }

  isNew(collection: string, id: string): boolean {
    return this.find(collection, id)?.isNew === true;
  }

  isChanged(collection: string, id: string): boolean {
    return this.find(collection, id) !== undefined;
  }

  fieldsOf(collection: string, id: string): JsonObject {
    return this.find(collection, id)?.fields ?? {};
  }

  find(collection: string, id: string): Change | undefined {
    return this.collections.get(collection)?.get(id);
  }

  private created(collection: string): readonly string[] {
    const changes = [...(this.collections.get(collection) ?? [])];
    return changes.filter(([, { isNew }]) => isNew).map(([id]) => id);
  }

  /** Objects, such as addresses, keep members that the fields leave out. */
  change(collection: string, id: string, change: Partial<Change>): void {
    const known = this.find(collection, id);
    const sent = mapMembers(change.fields ?? {}, (name, value) => {
      const before = known?.fields[name];
      return isJsonObject(value) && isJsonObject(before) ? { ...before, ...value } : value;
    });
    const fields = { ...known?.fields, ...sent };
    const changes = this.collections.get(collection) ?? new Map<string, Change>();
    this.collections.set(collection, changes);
    changes.set(id, { isNew: false, isDeleted: false, ...known, ...change, fields });
  }
}
