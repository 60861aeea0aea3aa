import { createExampleFactory, type ExampleFactory } from '../example-values/example-value.ts';
import { createSchemaCheck } from '../example-values/response-examples.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  mapMembers,
  parseJson,
  toJsonObject,
  toText,
} from '../json.ts';
import { type Operation, readServedApi, type ServedApi, type ServedRoute } from '../openapi/index.ts';
import { decodeByteString } from '../php/encoding.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../php/query.ts';
import {
  type ArgumentSchemas,
  EMPTY_REQUEST,
  NO_VALUES,
  type RequestValues,
  type RestRequest,
  type RestResponse,
} from '../rest-server/declarations.ts';
import {
  createRootIndex,
  describeRoute,
  describeRoutes,
  type IndexedRoute,
} from '../rest-server/index-document.ts';
import { filterFields, representResponse } from '../rest-server/representation.ts';
import { parseRequestBody, readRequestBytes } from '../rest-server/request.ts';
import { errorResponse, respondWith, writeResponse } from '../rest-server/responses.ts';
import { MAX_BATCH_REQUESTS, NO_ROUTE_ERROR } from '../rest-server/server.ts';
import { OperationMatcher } from '../router/matcher.ts';
import { createTargetResolver } from '../router/target.ts';
import { runSteps } from '../steps.ts';
import { type Collection, MockItems } from './items.ts';
import { errorOf, respondWithList } from './lists.ts';
import { type MockOperation, MockOperations } from './operations.ts';
import { MockStore, TRASHED } from './store.ts';

/** Marks a request that the gateway only validates. */
const DRY_RUN = 'x-mock-dry-run';

export class MockSite {
  sendPart: (request: Request) => Promise<Response> = (request) => this.fetch(request);
  readonly baseUrl: string;
  private readonly document: JsonObject;
  private readonly api: ServedApi;
  private readonly matcher: OperationMatcher;
  private readonly resolve: ReturnType<typeof createTargetResolver>;
  private readonly operations: MockOperations;
  private readonly store = new MockStore();
  private readonly examples: ExampleFactory;
  private readonly items: MockItems;

  /** @throws {ConfigurationError} when the document cannot be used */
  constructor(document: JsonObject, seed: number, siteUrl: string) {
    this.document = document;
    this.api = runSteps(readServedApi(document, siteUrl));
    const { address } = this.api;
    this.baseUrl = address.base;
    this.matcher = runSteps(OperationMatcher.create(this.api));
    this.operations = new MockOperations(document, this.api);
    this.examples = createExampleFactory(document);
    const { examples, matcher, operations } = this;
    this.resolve = createTargetResolver({
      mountPath: new URL(address.base).pathname.replace(/\/$/, ''),
      site: address,
      forwardsPages: false,
      isDiscovered: true,
    });
    this.items = new MockItems({
      operations,
      seed,
      store: this.store,
      examples,
      isValid: createSchemaCheck(document),
      rootUrl: address.root,
      isItemRoute(list, route) {
        const found = matcher.match('GET', route);
        return found.kind === 'found' && found.operation === operations.itemOf(list)?.served;
      },
    });
  }

  async fetch(request: Request): Promise<Response> {
    const { headers, method: requestMethod, url } = request;
    const { pathname, search } = new URL(url);
    const fields = [...headers].flat();
    const target = this.resolve({ method: requestMethod, target: pathname + search, headers: fields });
    const base = this.baseUrl.replace(/\/$/, '');
    if (target.kind !== 'route') {
      const missing = errorOf(404, 'rest_no_route', 'There is no such page.');
      return writeResponse(
        missing,
        { ...EMPTY_REQUEST, method: requestMethod, headers, base },
        requestMethod,
      );
    }
    const { method } = target;
    const bytes = await readRequestBytes(request, MAX_BODY_BYTES);
    const type = headers.get('content-type');
    const parsed = 'kind' in bytes ? {} : await parseRequestBody(bytes, type, { requestMethod, method });
    const route = decodeByteString(target.route);
    if (headers.has(DRY_RUN) && this.matcher.match(method, route).kind === 'found')
      return Response.json(null);
    const query = phpArrayToJsonMembers(parsePhpQuery(target.query));
    const restRequest: RestRequest = { ...EMPTY_REQUEST, ...parsed, method, route, query, headers, base };
    return writeResponse(await this.represent(restRequest), restRequest, requestMethod);
  }

  /** Applies WordPress's global parameters: `_fields`, `_embed`, `_envelope`. */
  private async represent(request: RestRequest): Promise<RestResponse> {
    const response = await this.respond(request);
    const fields = response.status >= 300 ? null : request.query.get('_fields');
    const body = filterFields(response.body, fields ?? null);
    const { root } = this.api.address;
    return representResponse({ ...response, body }, request.query, async (href) =>
      href.startsWith(root) ? ((await this.read(href.slice(root.length - 1), EMBEDDED)) ?? null) : null,
    );
  }

  private async respond(request: RestRequest): Promise<RestResponse> {
    if (request.method === 'OPTIONS') return this.respondToOptions(request.route);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    // A site has indexes even if its document leaves them out.
    const index = method === 'GET' ? this.describeIndex(request.route) : undefined;
    if (index !== undefined) return respondWith(200, index);
    const match = this.matcher.match(method, request.route);
    if (match.kind !== 'found') return errorResponse(NO_ROUTE_ERROR);
    const params = mapMembers(match.params, (_, value) => decodeByteString(value));
    const operation = this.operations.describe(match.operation);
    return /^\/(?:batch\/v1|wc\/store(?:\/v1)?\/batch)$/.test(operation.served.path)
      ? this.respondToBatch(request)
      : this.respondTo(operation, params, request);
  }

  /** Describes a route, as `rest_handle_options_request()` does; browsers ask before other requests. */
  private respondToOptions(route: string): RestResponse {
    const match = this.matcher.match('OPTIONS', route);
    // WordPress responds to an unknown route with 200 and an empty list.
    if (match.kind === 'none') return respondWith(200, []);
    const body = describeRoute(toIndexedRoute(match.route, this.examples), (path) => this.toUrl(path));
    return respondWith(200, body, [['Allow', [...match.route.operations.keys()].join(', ')]]);
  }

  private async read(route: string, query: RequestValues = NO_VALUES): Promise<Json | undefined> {
    const { body, status } = await this.respond({ ...EMPTY_REQUEST, route, query });
    return status < 300 ? body : undefined;
  }

  private async respondToBatch(request: RestRequest): Promise<RestResponse> {
    const { requests, validation } = fieldsOf(request);
    const items = jsonItems(requests).filter(isJsonObject).slice(0, MAX_BATCH_REQUESTS);
    if (validation === 'require-all-validate') {
      const checks = await this.sendParts(items, { [DRY_RUN]: '1' });
      const responses = checks.map((each) => (each.status < 400 ? null : each));
      if (responses.some((each) => each !== null))
        return respondWith(207, { failed: 'validation', responses });
    }
    return respondWith(207, { responses: await this.sendParts(items, {}) });
  }

  /** Sends the parts one after the other. */
  private async sendParts(items: readonly JsonObject[], headers: Readonly<Record<string, string>>) {
    const responses: { readonly status: number; readonly headers: JsonObject; readonly body: Json }[] = [];
    for (const { body, method = 'POST', path } of items) {
      const content = method === 'DELETE' || body === undefined ? {} : { body: JSON.stringify(body) };
      const url = this.api.address.root.replace(/\/$/, '') + String(path);
      const response = await this.sendPart(
        new Request(url, {
          ...content,
          method: String(method),
          headers: { ...headers, 'Content-Type': 'application/json' },
        }),
      );
      const text = parseJson(await response.text()) ?? null;
      responses.push({ status: response.status, headers: Object.fromEntries(response.headers), body: text });
    }
    return responses;
  }

  /** Responds by the convention of the path and method. */
  private respondTo(
    operation: MockOperation,
    params: Readonly<Record<string, string>>,
    request: RestRequest,
  ): RestResponse | Promise<RestResponse> {
    const { served, form } = operation;
    const { path, method } = served;
    const { route } = request;
    const [, last] = /\/\{([^{}/]+)\}$/.exec(path) ?? [];
    const parent = path.slice(0, path.lastIndexOf('/'));
    const ownList = this.operations.listAt(path);
    if (!this.hasParents(path, params)) return respondWithMissingItem(operation.errorCodes);
    if (method === 'GET' && form !== 'value') {
      return this.respondToList(operation, { route, list: operation, params }, request);
    }
    if (method === 'POST' && ownList !== undefined && last === undefined) {
      return this.respondToCreation(operation, { route, list: ownList, params }, request);
    }
    if (/\/batch$/.test(path) && this.operations.listAt(parent) !== undefined) {
      return this.respondToItemBatch(route.slice(0, route.lastIndexOf('/')), fieldsOf(request));
    }
    const isOwnUser = path.endsWith('/me') && this.operations.listAt(parent) !== undefined;
    if (last !== undefined || isOwnUser) {
      const id = isOwnUser ? '1' : (params[last ?? ''] ?? route.slice(route.lastIndexOf('/') + 1));
      const cut = isOwnUser ? 'me'.length : id.length;
      const { [last ?? '']: _, ...others } = params;
      const list = this.operations.listAt(parent);
      return this.respondToItem(
        operation,
        { route: route.slice(0, -cut - 1), list, params: others },
        id,
        request,
      );
    }
    // The fields of a write to a single resource or an action show in later responses of the route.
    if (request.method !== 'GET') this.store.change(route, '', { fields: fieldsOf(request) });
    const collection = { route, list: undefined, params, example: operation.example };
    const item = this.items.create(operation.schema, collection, '');
    return respondWith(operation.status, form === 'value' ? item : [item]);
  }

  private hasParents(path: string, params: Readonly<Record<string, string>>): boolean {
    return Array.from(path.matchAll(/\/\{([^{}/]+)\}(?=\/)/g)).every(({ 1: name = '', index }) => {
      const list = this.operations.listAt(path.slice(0, index));
      const id = params[name];
      if (list === undefined || this.operations.itemOf(list) === undefined) return true;
      if (id === undefined || id === 'me') return true;
      const route = path.slice(0, index).replace(/\{([^{}]+)\}/g, (_, each: string) => params[each] ?? '');
      return this.store.has(route, this.items.initialIds({ route, list, params }), id);
    });
  }

  /**
   * Creates, updates and deletes items, each with its own result, as WooCommerce's
   * `WC_REST_Controller::batch_items()` does.
   */
  private async respondToItemBatch(collection: string, fields: JsonObject): Promise<RestResponse> {
    const requests = Object.entries(BATCH_METHODS).flatMap(([kind, method]) =>
      jsonItems(fields[kind]).map((item) => {
        const { id = 0, ...body } = isJsonObject(item) ? item : { id: item, force: true };
        return { kind, method, id, body };
      }),
    );
    if (requests.length > MAX_BATCH_ITEMS) {
      const message = `Unable to accept more than ${MAX_BATCH_ITEMS} items for this request.`;
      return errorOf(413, 'woocommerce_rest_request_entity_too_large', message);
    }
    const results = new Map<string, Json[]>();
    for (const { kind, method, id, body } of requests) {
      const route = kind === 'create' ? collection : `${collection}/${toText(id)}`;
      const json = new Map(Object.entries(body));
      const { status, body: result } = await this.respond({ ...EMPTY_REQUEST, method, route, json });
      const deleted = kind === 'delete' && isJsonObject(result) ? (result['previous'] ?? result) : result;
      results.set(kind, [...(results.get(kind) ?? []), status < 300 ? deleted : { id, error: result }]);
    }
    return respondWith(200, Object.fromEntries(results));
  }

  private respondToList(
    operation: MockOperation,
    collection: Collection,
    request: RestRequest,
  ): RestResponse {
    const { route } = collection;
    const schema = schemaInContext(operation, request.query);
    const ids = this.store.list(route, this.items.initialIds(collection));
    const itemOf = (id: string): Json => this.items.create(schema, collection, id);
    if (operation.form === 'map') {
      return respondWith(200, Object.fromEntries(ids.map((id) => [id, itemOf(id)])));
    }
    const parameters = new Map(
      operation.served.parameters
        .filter((each) => each.in === 'query')
        .map(({ name, schema }) => [name, this.examples.flatten(schema)['default']] as const),
    );
    const { errorCodes } = operation;
    const url = this.toUrl(request.route);
    return respondWithList({ ids, itemOf, query: request.query, url, parameters, errorCodes });
  }

  private respondToCreation(
    { schema, status }: MockOperation,
    collection: Collection,
    request: RestRequest,
  ): RestResponse {
    const { list, route } = collection;
    const fields = fieldsOf(request);
    const id = this.store.create(route, this.items.initialIds(collection), fields, (number, declared) =>
      this.items.createId(collection, number, declared),
    );
    const isReadable = status === 201 && list !== undefined && this.operations.itemOf(list) !== undefined;
    const headers = isReadable ? [['Location', this.toUrl(`${route}/${id}`)] as const] : [];
    return respondWith(status, this.items.create(schema, collection, id), headers);
  }

  private respondToItem(
    operation: MockOperation,
    collection: Collection,
    id: string,
    request: RestRequest,
  ): RestResponse {
    const { route, list } = collection;
    const { method } = operation.served;
    if (list !== undefined && !this.store.has(route, this.items.initialIds(collection), id)) {
      return respondWithMissingItem(operation.errorCodes);
    }
    if (method === 'DELETE') return this.respondToDeletion(operation, collection, id, request);
    if (method !== 'GET') this.store.change(route, id, { fields: fieldsOf(request) });
    const schema = method === 'GET' ? schemaInContext(operation, request.query) : operation.schema;
    return respondWith(operation.status, this.items.create(schema, collection, id));
  }

  /** Deletes with `force`, else moves to the trash, if the document has both. */
  private respondToDeletion(
    { errorCodes, served, schema, status }: MockOperation,
    collection: Collection,
    id: string,
    request: RestRequest,
  ): RestResponse {
    const { force } = fieldsOf(request);
    const isForced = ['1', 'true', 1, true].some((value) => value === force);
    const [forced = schema, trashed] = jsonItems(schema?.['anyOf']);
    const takesForce = served.parameters.some(({ name }) => name === 'force');
    if (takesForce && !isForced && trashed === undefined) {
      const message = 'The item does not support trashing. Set force=true to delete.';
      return errorOf(501, 'rest_trash_not_supported', message);
    }
    const isTrashed = !isForced && trashed !== undefined && takesForce;
    const chosen = isTrashed ? trashed : forced;
    if (isTrashed && this.store.isTrashed(collection.route, id)) {
      const code = errorCodes.find((each) => each.endsWith('_already_trashed'));
      return errorOf(410, code ?? 'rest_already_trashed', 'The item has already been deleted.');
    }
    this.store.change(collection.route, id, isTrashed ? { fields: TRASHED } : { isDeleted: true });
    return respondWith(status, this.items.create(isJsonObject(chosen) ? chosen : undefined, collection, id));
  }

  private describeIndex(route: string): JsonObject | undefined {
    const { address, namespaces, routes } = this.api;
    const describe = (listed: readonly ServedRoute[]): Json =>
      describeRoutes(
        listed.map((each) => toIndexedRoute(each, this.examples)),
        (path) => this.toUrl(path),
      );
    if (route === '/' || route === '') {
      const { info } = this.document;
      const { title = '', description = '' } = toJsonObject(info);
      return createRootIndex(
        { name: String(title), description: String(description), namespaces },
        address.base.replace(/\/$/, ''),
        { authentication: {}, routes: describe(routes), _links: {} },
      );
    }
    const namespace = namespaces.find((name) => route === `/${name}`);
    if (namespace === undefined) return undefined;
    const own = routes.filter((each) => each.namespace === namespace);
    return { namespace, routes: describe(own), _links: { up: [{ href: address.root }] } };
  }

  private toUrl(route: string): string {
    return this.api.address.root + route.slice(1);
  }
}

/** Fields of a request. An uploaded file's name becomes the title, as in WordPress. */
function fieldsOf({ files, form, headers, json, query }: RestRequest): JsonObject {
  const disposition = headers.get('content-disposition') ?? '';
  const name = files[0]?.name ?? /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(disposition)?.[1];
  return {
    ...Object.fromEntries(query),
    ...(name === undefined ? {} : { title: decodeByteString(name).replace(/\.[^.]*$/, '') }),
    ...Object.fromEntries(form),
    ...('kind' in json ? {} : Object.fromEntries(json)),
  };
}

const EMBEDDED: RequestValues = new Map([['context', 'embed']]);

function schemaInContext({ served, schema }: MockOperation, query: RequestValues): JsonObject | undefined {
  const context = query.get('context');
  const reference = typeof context === 'string' ? served.contextReferences?.get(context) : undefined;
  return reference === undefined ? schema : { $ref: reference };
}

function respondWithMissingItem(codes: readonly string[]): RestResponse {
  const known =
    codes.find((code) => /_invalid_id$/.test(code)) ??
    codes.find((code) => /invalid|not_found/.test(code) && !NO_ITEM.test(code));
  return errorOf(404, known ?? 'rest_post_invalid_id', 'Invalid ID.');
}

const BATCH_METHODS = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const;

/** Maximum number of items of one batch (`woocommerce_rest_batch_items_limit`). */
const MAX_BATCH_ITEMS = 100;

const NO_ITEM = /param|json|nonce|context|page_number|handler|username|password|email|field|date/;

const MAX_BODY_BYTES = 32 * 1024 * 1024;

function toIndexedRoute(route: ServedRoute, examples: Pick<ExampleFactory, 'flatten'>): IndexedRoute {
  const { namespace, operations, pattern } = route;
  const endpoints = Array.from(operations, ([method, operation]) => ({
    methods: [method],
    args: listArguments(operation, examples),
  }));
  return { namespace, pattern: decodeByteString(pattern), endpoints };
}

function listArguments(
  { bodySchema, parameters }: Operation,
  { flatten }: Pick<ExampleFactory, 'flatten'>,
): ArgumentSchemas {
  const body = flatten(bodySchema);
  const isRequired = new Set(jsonItems(body['required']));
  const fields = jsonMembers(body['properties']).map(([name, schema]) => {
    return { name, schema, required: isRequired.has(name) };
  });
  return Object.fromEntries(
    [...fields, ...parameters].map(({ name, required, schema }) => {
      const flat = flatten(schema);
      const items = 'items' in flat ? { items: pickKeywords(flatten(flat['items'])) } : {};
      return [name, { ...pickKeywords(flat), ...items, required }];
    }),
  );
}

/** Keywords of an argument in the index. Others can contain references. */
const KEYWORDS = ['description', 'type', 'format', 'enum', 'default', 'minimum', 'maximum'];

function pickKeywords(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword)));
}
