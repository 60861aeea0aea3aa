import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Collection } from './collection.ts';
import type { MockItems } from './items.ts';
import { respondWithList } from './lists.ts';
import type { MockRequest } from './mock-request.ts';
import { type MockResponse, respondWith, respondWithError, respondWithMissingItem } from './mock-response.ts';
import type { MockOperation, MockOperations } from './operations.ts';
import type { MockStore } from './store.ts';

/** What responses are made of. */
export interface MockContext {
  readonly items: MockItems;
  readonly operations: MockOperations;
  readonly store: MockStore;
}

/** Responds as the convention of the operation's path and method says: a list, an item, a creation, a deletion, or an action. */
export function respondTo(
  operation: MockOperation,
  params: Readonly<Record<string, string>>,
  request: MockRequest,
  context: MockContext,
): MockResponse {
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
  { items, store }: MockContext,
): MockResponse {
  const schema = schemaInContext(operation, request.query);
  const ids = store.list(collection.route, items.initialIds(collection));
  const itemOf = (id: string): Json => items.create(schema, collection, id);
  if (operation.form === 'map') {
    return respondWith(200, Object.fromEntries(ids.map((id) => [id, itemOf(id)])));
  }
  const parameters = new Set(
    operation.served.parameters.filter((each) => each.in === 'query').map(({ name }) => name),
  );
  return respondWithList({ ids, itemOf, query: request.query, parameters });
}

function respondToCreation(
  operation: MockOperation,
  collection: Collection,
  request: MockRequest,
  { items, store }: MockContext,
): MockResponse {
  const fields = { ...request.query, ...request.body };
  const id = store.create(collection.route, items.initialIds(collection), fields, (number) =>
    items.createId(collection, number),
  );
  if (id === null) return STORE_IS_FULL;
  return respondWith(operation.status, items.create(operation.schema, collection, id));
}

const STORE_IS_FULL = respondWithError(
  507,
  'waygate_mock_full',
  'The mock keeps no more changes. Start it again.',
);

function respondToItem(
  operation: MockOperation,
  collection: Collection,
  id: string,
  request: MockRequest,
  { items, store }: MockContext,
): MockResponse {
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
): MockResponse {
  const { force } = { ...request.query, ...request.body };
  const isForced = ['1', 'true', 1, true].some((value) => value === force);
  const [forced, trashed] = Array.isArray(schema?.['anyOf'])
    ? (schema['anyOf'] as readonly Json[])
    : [schema];
  const takesForce = served.parameters.some(({ name }) => name === 'force');
  if (takesForce && !isForced && trashed === undefined) {
    return respondWithError(
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
