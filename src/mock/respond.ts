import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import {
  createPaginationHeaders,
  errorResponse,
  type RestResponse,
  restError,
} from '../rest-server/responses.ts';
import type { Collection, MockItems } from './items.ts';
import type { MockOperation, MockOperations } from './operations.ts';
import type { MockStore } from './store.ts';

/** A request to one operation, with decoded parameters. */
export interface MockRequest {
  readonly method: string;
  readonly route: string;
  readonly query: JsonObject;
  /** The fields of the body; empty if it has none. */
  readonly body: JsonObject;
}

/** What responses are made of. */
interface MockContext {
  readonly items: MockItems;
  readonly operations: MockOperations;
  readonly store: MockStore;
  /** The URL of a route. */
  readonly toUrl: (route: string) => string;
}

/** Responds as the convention of the operation's path and method says: a list, an item, a creation, a deletion, or an action. */
export function respondTo(
  operation: MockOperation,
  params: Readonly<Record<string, string>>,
  request: MockRequest,
  context: MockContext,
): RestResponse {
  const { operations, items } = context;
  const { served, form } = operation;
  const { path } = served;
  const [, last] = /\/\{([^{}/]+)\}$/.exec(path) ?? [];
  const parent = path.slice(0, path.lastIndexOf('/'));
  const ownList = operations.listAt(path);
  if (served.method === 'GET' && form !== 'value') {
    return respondToList(operation, { route: request.route, list: operation, params }, request, context);
  }
  if (served.method === 'POST' && ownList !== undefined && last === undefined) {
    return respondToCreation(operation, { route: request.route, list: ownList, params }, request, context);
  }
  const isOwnUser = path.endsWith('/me') && operations.listAt(parent) !== undefined;
  if (last !== undefined || isOwnUser) {
    const id = isOwnUser
      ? '1'
      : (params[last ?? ''] ?? request.route.slice(request.route.lastIndexOf('/') + 1));
    const cut = isOwnUser ? 'me'.length : id.length;
    const { [last ?? '']: _, ...others } = params;
    const collection = {
      route: request.route.slice(0, -cut - 1),
      list: operations.listAt(parent),
      params: others,
    };
    return respondToItem(operation, collection, id, request, context);
  }
  // A single resource, such as settings, or an action: the fields of a write show in later responses of the route.
  const collection = { route: request.route, list: undefined, params, example: operation.example };
  if (request.method !== 'GET')
    context.store.update(request.route, '', { ...request.query, ...request.body });
  return respondWith(
    operation.status,
    form === 'value'
      ? items.create(operation.schema, collection, '')
      : [items.create(operation.schema, collection, '')],
  );
}

/** The schema of an item in the context that a request chose. */
function schemaInContext({ served, schema }: MockOperation, query: JsonObject): JsonObject | undefined {
  const { context } = query;
  const reference = typeof context === 'string' ? served.contextReferences?.get(context) : undefined;
  return reference === undefined ? schema : { $ref: reference };
}

function respondToList(
  operation: MockOperation,
  collection: Collection,
  request: MockRequest,
  { items, store, toUrl }: MockContext,
): RestResponse {
  const schema = schemaInContext(operation, request.query);
  const ids = store.list(collection.route, items.initialIds(collection));
  const itemOf = (id: string): Json => items.create(schema, collection, id);
  if (operation.form === 'map') {
    return respondWith(200, Object.fromEntries(ids.map((id) => [id, itemOf(id)])));
  }
  const parameters = new Set(
    operation.served.parameters.filter((each) => each.in === 'query').map(({ name }) => name),
  );
  return respondWithList({ ids, itemOf, query: request.query, url: toUrl(request.route), parameters });
}

function respondToCreation(
  operation: MockOperation,
  collection: Collection,
  request: MockRequest,
  { items, store }: MockContext,
): RestResponse {
  const fields = { ...request.query, ...request.body };
  const id = store.create(collection.route, items.initialIds(collection), fields, (number) =>
    items.createId(collection, number),
  );
  if (id === null) return STORE_IS_FULL;
  return respondWith(operation.status, items.create(operation.schema, collection, id));
}

const STORE_IS_FULL = errorOf(507, 'waygate_mock_full', 'The mock keeps no more changes. Start it again.');

function respondToItem(
  operation: MockOperation,
  collection: Collection,
  id: string,
  request: MockRequest,
  { items, store }: MockContext,
): RestResponse {
  const { route } = collection;
  const isKnown = collection.list === undefined || store.has(route, items.initialIds(collection), id);
  if (!isKnown) return respondWithMissingItem(operation.errorCodes, route);
  if (operation.served.method === 'DELETE')
    return respondToDeletion(operation, collection, id, request, { items, store });
  if (operation.served.method !== 'GET' && !store.update(route, id, { ...request.query, ...request.body }))
    return STORE_IS_FULL;
  const schema =
    operation.served.method === 'GET' ? schemaInContext(operation, request.query) : operation.schema;
  return respondWith(operation.status, items.create(schema, collection, id));
}

/** Deletes with `force`, else moves to the trash, as far as the document has both. */
function respondToDeletion(
  { served, schema, status }: MockOperation,
  collection: Collection,
  id: string,
  request: MockRequest,
  { items, store }: Pick<MockContext, 'items' | 'store'>,
): RestResponse {
  const { force } = { ...request.query, ...request.body };
  const isForced = ['1', 'true', 1, true].some((value) => value === force);
  const [forced, trashed] = Array.isArray(schema?.['anyOf'])
    ? (schema['anyOf'] as readonly Json[])
    : [schema];
  const takesForce = served.parameters.some(({ name }) => name === 'force');
  if (takesForce && !isForced && trashed === undefined) {
    return errorOf(
      501,
      'rest_trash_not_supported',
      'The item does not support trashing. Set force=true to delete.',
    );
  }
  const chosen = isForced || trashed === undefined || !takesForce ? forced : trashed;
  const value = items.create(isJsonObject(chosen) ? chosen : undefined, collection, id);
  if (chosen === trashed) {
    store.update(collection.route, id, { status: 'trash' });
    const item = items.create(isJsonObject(chosen) ? chosen : undefined, collection, id);
    store.trash(collection.route, id);
    return respondWith(status, item);
  }
  store.remove(collection.route, id);
  return respondWith(status, value);
}

/** A list before it is paged. */
interface ListSource {
  readonly ids: readonly string[];
  /** Creates the item of an id. */
  readonly itemOf: (id: string) => Json;
  readonly query: JsonObject;
  readonly url: string;
  /** Names of the query parameters that the operation has. */
  readonly parameters: ReadonlySet<string>;
}

/** Items of a list that is not paged, and WordPress' default for `per_page`. */
const DEFAULT_LENGTH = 10;

/** Filters, sorts and pages a list as WordPress does, by the parameters that both the request and the document have. */
function respondWithList(source: ListSource): RestResponse {
  const { query, parameters } = source;
  const items = sortItems(filterItems(source), source);
  if (!parameters.has('per_page')) return respondWith(200, items);
  const perPage = Math.max(1, Math.min(100, toNumber(query['per_page']) ?? DEFAULT_LENGTH));
  const pages = Math.ceil(items.length / perPage);
  const page = toNumber(query['page']) ?? 1;
  if (page > pages && page > 1) {
    return errorOf(
      400,
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    );
  }
  const start = toNumber(query['offset']) ?? (page - 1) * perPage;
  const pagination = { total: items.length, page, perPage };
  const headers = createPaginationHeaders(pagination, new Map(Object.entries(query)), source.url);
  return respondWith(200, items.slice(start, start + perPage), headers);
}

function toNumber(value: Json | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function toTexts(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value])
    .flatMap((item) => String(item).split(','))
    .map((text) => text.trim());
}

/** Parameters that filter by something else than the property of their name. */
const NO_FILTERS: ReadonlySet<string> = new Set([
  'context',
  'page',
  'per_page',
  'offset',
  'order',
  'orderby',
  'search',
]);

function filterItems({ ids, itemOf, query, parameters }: ListSource): Json[] {
  const [include, exclude] = [toTexts(query['include']), toTexts(query['exclude'])];
  const chosen = ids.filter((id) => (include.length === 0 || include.includes(id)) && !exclude.includes(id));
  const search = String(query['search'] ?? '').toLowerCase();
  const filters = Object.entries(query).filter(
    ([name]) => parameters.has(name) && !name.startsWith('_') && !NO_FILTERS.has(name),
  );
  return chosen.map(itemOf).filter((item) => {
    if (!isJsonObject(item)) return true;
    if (search !== '' && !hasText(item, search)) return false;
    return filters.every(([name, wanted]) => {
      const value = item[name];
      if (value === undefined || isJsonObject(value)) return true;
      const values = (Array.isArray(value) ? value : [value]).map(String);
      return toTexts(wanted).some((text) => text === 'any' || values.includes(text));
    });
  });
}

/** Whether a text of an item, other than an address, contains a text in lower case. */
function hasText(value: Json, search: string): boolean {
  if (typeof value === 'string') return !/^https?:/.test(value) && value.toLowerCase().includes(search);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => hasText(member, search));
}

/** Without `orderby` the newest item stands first. */
function sortItems(items: Json[], { query, parameters }: ListSource): Json[] {
  const { orderby, order } = query;
  if (typeof orderby !== 'string' || !parameters.has('orderby'))
    return order === 'asc' ? items.toReversed() : items;
  const memberOf = (item: Json): Json => (isJsonObject(item) ? (item[orderby] ?? '') : '');
  const textOf = (item: Json): string => {
    const value = memberOf(item);
    return String(isJsonObject(value) ? (value['rendered'] ?? '') : value);
  };
  const sorted = items.toSorted((one, other) => {
    const [first, second] = [memberOf(one), memberOf(other)];
    return typeof first === 'number' && typeof second === 'number'
      ? first - second
      : textOf(one).localeCompare(textOf(other), 'en');
  });
  return order === 'asc' ? sorted : sorted.toReversed();
}

export function respondWith(
  status: number,
  body: Json,
  headers: readonly (readonly [string, string])[] = [],
): RestResponse {
  return { status, headers: new Map(headers), body };
}

function errorOf(status: number, code: string, message: string): RestResponse {
  return errorResponse(restError(status, code, message));
}

/** Chooses among the codes that an operation may send the one for an item that does not exist. */
function respondWithMissingItem(codes: readonly string[], route: string): RestResponse {
  const known =
    codes.find((code) => /_invalid_id$/.test(code)) ??
    codes.find((code) => /invalid|not_found/.test(code) && !NO_ITEM.test(code));
  const word =
    route
      .split('/')
      .filter((segment) => !/^\d/.test(segment))
      .at(-1) ?? 'item';
  return errorOf(404, known ?? 'rest_post_invalid_id', `Invalid ID: there is no such item in ${word}.`);
}

const NO_ITEM = /param|json|nonce|context|page_number|handler|username|password|email|field|date/;
