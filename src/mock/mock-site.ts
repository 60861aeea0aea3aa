import { createExampleFactory, type ExampleFactory } from '../example-values/example-value.ts';
import { createKeyedRandom } from '../example-values/keyed-random.ts';
import { createSchemaCheck } from '../example-values/schema-check.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  mapMembers,
  memberAt,
  toJsonObject,
} from '../json.ts';
import type { Operation, ServedApi, ServedRoute } from '../openapi/index.ts';
import { readServedApi } from '../openapi/index.ts';
import { decodeByteString } from '../php/encoding.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../php/query.ts';
import type { RestResponse } from '../rest-server/declarations.ts';
import {
  createRootIndex,
  describeArgument,
  describeRoutes,
  type IndexedRoute,
} from '../rest-server/index-document.ts';
import { embedLinks, filterFields } from '../rest-server/representation.ts';
import { parseRequestBody, readRequestBytes } from '../rest-server/request.ts';
import {
  COMMON_HEADERS,
  errorResponse,
  respondWith,
  setCorsHeaders,
  wrapInEnvelope,
} from '../rest-server/responses.ts';
import { MAX_BATCH_REQUESTS, NO_ROUTE_ERROR, readBatchedRequest } from '../rest-server/server.ts';
import { OperationMatcher } from '../router/matcher.ts';
import { createTargetResolver } from '../router/target.ts';
import { runSteps } from '../steps.ts';
import { type Collection, MockItems } from './items.ts';
import { errorOf, respondWithList } from './lists.ts';
import { type MockOperation, MockOperations } from './operations.ts';
import { MockStore } from './store.ts';
import { CART_TOKEN, SESSION_COOKIE, StoreCarts, type StoreSession } from './store-carts.ts';
import { computeProduct, PRODUCTS_ROUTE, readCoupon, toStoreProduct } from './store-products.ts';
import { WordPressObjects } from './wordpress-objects.ts';

/** A request to one operation, with decoded parameters. */
interface MockRequest {
  readonly method: string;
  readonly route: string;
  readonly query: JsonObject;
  /** The fields of the body; empty if it has none. */
  readonly body: JsonObject;
  readonly session?: StoreSession;
}

/** A site in memory that responds as a document says. */
export class MockSite {
  /** URL of the front page, as the document states it. */
  readonly baseUrl: string;
  private readonly document: JsonObject;
  private readonly api: ServedApi;
  private readonly matcher: OperationMatcher;
  private readonly resolve: ReturnType<typeof createTargetResolver>;
  private readonly operations: MockOperations;
  private readonly store = new MockStore();
  private readonly examples: ExampleFactory;
  private readonly items: MockItems;
  private readonly carts = new StoreCarts();
  private readonly allowedOrigins: readonly string[];

  /**
   * @param siteUrl URL of the site, for a document that a gateway served, which does not contain it
   * @param allowedOrigins origins whose scripts may read the Store API without a token
   * @throws {ConfigurationError} when the document cannot be used
   */
  constructor(document: JsonObject, seed: number, siteUrl: string, allowedOrigins: readonly string[]) {
    this.allowedOrigins = allowedOrigins;
    this.document = document;
    this.api = runSteps(readServedApi(document, siteUrl));
    const { address } = this.api;
    const matcher = new OperationMatcher(this.api);
    const random = createKeyedRandom(seed);
    const operations = new MockOperations(document, this.api);
    const examples = createExampleFactory(document, random);
    this.baseUrl = address.base;
    this.matcher = matcher;
    this.operations = operations;
    this.examples = examples;
    this.resolve = createTargetResolver({
      mountPath: new URL(address.base).pathname.replace(/\/$/, ''),
      site: address,
      forwardsPages: false,
      isDiscovered: true,
      isRestPath: (path) => matcher.isRestPath(path),
    });
    this.items = new MockItems({
      operations,
      random,
      store: this.store,
      examples,
      objects: new WordPressObjects(operations),
      isValid: createSchemaCheck(document),
      rootUrl: address.root,
      isItemRoute(list, route) {
        const found = matcher.match('GET', route);
        return found.kind === 'found' && found.operation === operations.itemOf(list)?.served;
      },
    });
  }

  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const headers = [...request.headers].flat();
    const target = this.resolve({ method: request.method, target: url.pathname + url.search, headers });
    if (target.kind !== 'route') {
      return toHttpResponse(errorOf(404, 'rest_no_route', 'There is no such page.'), request);
    }
    const { method, query } = target;
    const response = await this.represent({
      method,
      route: decodeByteString(target.route),
      query: Object.fromEntries(phpArrayToJsonMembers(parsePhpQuery(query))),
      body: await readFields(request, method),
      session: readSession(request.headers),
    });
    const isOfStore = STORE_ROUTE.test(decodeByteString(target.route));
    return toHttpResponse(response, request, method, isOfStore ? this.isAllowedOrigin(request) : undefined);
  }

  /**
   * Whether the Store API lets scripts of a request's origin read the response: with a token of a cart, or if the origin is the
   * shop's or one that it was told (`is_allowed_http_origin()`).
   */
  private isAllowedOrigin({ headers }: Request): boolean {
    const origin = headers.get('origin') ?? '';
    const { host } = new URL(this.baseUrl);
    return (
      (headers.get(CART_TOKEN) ?? '') !== '' ||
      [`http://${host}`, `https://${host}`].includes(origin) ||
      this.allowedOrigins.includes(origin)
    );
  }

  /** Applies the global parameters of WordPress to a response: `_embed`, `_fields`, `_envelope`. */
  private async represent(request: MockRequest): Promise<RestResponse> {
    const response = await this.respond(request);
    if (response.status >= 300) return response;
    const { _embed: embed, _fields: fields = null, _envelope: envelope } = request.query;
    const embedded = await embedLinks(response.body, embed, (href) => this.fetchEmbedded(href));
    const body = fields === null ? embedded : filterFields(embedded, fields);
    return envelope === undefined
      ? { ...response, body }
      : respondWith(200, wrapInEnvelope({ ...response, body }));
  }

  private async fetchEmbedded(href: string): Promise<Json | null> {
    const { root } = this.api.address;
    if (!href.startsWith(root)) return null;
    const route = href.slice(root.length - 1);
    const query = { context: 'embed' };
    const { status, body } = await this.respond({ method: 'GET', route, query, body: {} });
    return status < 300 ? body : null;
  }

  private async respond(request: MockRequest): Promise<RestResponse> {
    if (request.method === 'OPTIONS') return this.respondToOptions(request.route);
    const match = this.matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.route);
    if (match.kind !== 'found') return errorResponse(NO_ROUTE_ERROR);
    const params = mapMembers(match.params, (_, value) => decodeByteString(value));
    const index = match.operation.method === 'GET' ? this.describeIndex(request.route) : undefined;
    if (index !== undefined) return respondWith(200, index);
    const operation = this.operations.describe(match.operation);
    const cart = CART_ROUTE.exec(request.route);
    const ofCart = cart === null ? undefined : await this.respondToCart(cart, request);
    if (ofCart !== undefined) return ofCart;
    return operation.served.path === '/batch/v1' ||
      /^\/wc\/store(?:\/v1)?\/batch$/.test(operation.served.path)
      ? this.respondToBatch(request)
      : this.respondTo(operation, params, request);
  }

  /** Describes a route, as `rest_handle_options_request()` does. A browser asks so before it sends other requests (preflight). */
  private respondToOptions(route: string): RestResponse {
    const methods = new Set(this.api.routes.flatMap(({ operations }) => [...operations.keys()]));
    const matches = new Set(
      Array.from(methods, (method) => this.matcher.match(method, route)).flatMap((match) =>
        match.kind === 'found' ? [match.operation] : [],
      ),
    );
    const served = this.api.routes.find(({ operations }) =>
      [...operations.values()].some((operation) => matches.has(operation)),
    );
    // WordPress responds to an unknown route with 200 and an empty list.
    if (served === undefined) return respondWith(200, []);
    const described = describeRoutes([toIndexedRoute(served, this.examples)], (path) => this.toUrl(path));
    const body = Object.values(toJsonObject(described))[0] ?? {};
    return respondWith(200, body, [['Allow', [...served.operations.keys()].join(', ')]]);
  }

  /** Responds for the cart of WooCommerce's Store API, whose routes change one resource. */
  private async respondToCart(
    [, root = '', action = '']: readonly string[],
    { session = NO_SESSION, ...request }: MockRequest,
  ): Promise<RestResponse | undefined> {
    const match = this.matcher.match('GET', `${root}/cart`);
    if (match.kind !== 'found') return undefined;
    const { schema } = this.operations.describe(match.operation);
    const collection = { route: `${root}/cart`, list: undefined, params: {} };
    const cart = this.items.create(schema, collection, '');
    const { properties } = this.examples.flatten(schema);
    const { items } = this.examples.flatten(memberAt(properties, 'items'));
    if (!isJsonObject(cart) || !isJsonObject(items)) return undefined;
    const fields = fieldsOf({ ...request });
    return this.carts.respond(
      { method: request.method, action, session, fields },
      {
        cart,
        createItem: (id) =>
          toJsonObject(this.items.create(items, { ...collection, route: `${root}/cart/items` }, id)),
        findProduct: async (id) => {
          if (!/^\d+$/.test(id)) return null;
          const product = await this.read(`${root}/products/${id}`);
          // The products that a client creates are those of the shop's own interface.
          return isJsonObject(product) ? product : toStoreProduct(await this.read(`/wc/v3/products/${id}`));
        },
        findCoupon: async (code) => readCoupon(code, await this.read('/wc/v3/coupons', { code })),
      },
    );
  }

  /** The body of a successful read; `undefined` for another response. */
  private async read(route: string, query: JsonObject = {}): Promise<Json | undefined> {
    const { body, status } = await this.respond({ method: 'GET', route, query, body: {} });
    return status < 300 ? body : undefined;
  }

  private async respondToBatch({ body, session = NO_SESSION }: MockRequest): Promise<RestResponse> {
    const responses: Json[] = [];
    for (const item of jsonItems(body['requests']).filter(isJsonObject).slice(0, MAX_BATCH_REQUESTS)) {
      const batched = readBatchedRequest(item);
      const response =
        batched === null
          ? errorOf(400, 'parse_path_failed', 'Could not parse the path.')
          : await this.represent({
              method: batched.method,
              route: decodeByteString(batched.route).replace(/\/+$/, ''),
              query: Object.fromEntries(batched.query),
              body: Object.fromEntries(batched.form),
              session: { ...readBatchedSession(item['headers']), cookie: session.cookie },
            });
      responses.push(wrapInEnvelope(response));
    }
    return respondWith(207, { responses });
  }

  /** Responds as the convention of the operation's path and method says: a list, an item, a creation, a deletion, or an action. */
  private respondTo(
    operation: MockOperation,
    params: Readonly<Record<string, string>>,
    request: MockRequest,
  ): RestResponse | Promise<RestResponse> {
    const { served, form } = operation;
    const { path, method } = served;
    const { route } = request;
    const [, last] = /\/\{([^{}/]+)\}$/.exec(path) ?? [];
    const parent = path.slice(0, path.lastIndexOf('/'));
    const ownList = this.operations.listAt(path);
    if (method === 'GET' && form !== 'value') {
      return this.respondToList(operation, { route, list: operation, params }, request);
    }
    if (method === 'POST' && ownList !== undefined && last === undefined) {
      return this.respondToCreation(operation, { route, list: ownList, params }, request);
    }
    if (/\/batch$/.test(path) && this.operations.listAt(parent) !== undefined) {
      return this.respondToItemBatch(
        route.slice(0, route.lastIndexOf('/')),
        fieldsOf(request),
        operation.errorCodes,
      );
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
    // A single resource, such as settings, or an action: the fields of a write show in later responses of the route.
    if (request.method !== 'GET' && !this.store.update(route, '', fieldsOf(request))) return STORE_IS_FULL;
    const collection = { route, list: undefined, params, example: operation.example };
    const item = this.items.create(operation.schema, collection, '');
    return respondWith(operation.status, form === 'value' ? item : [item]);
  }

  /**
   * Creates, updates and deletes items of a collection, as `WC_REST_Controller::batch_items()` of WooCommerce does: each item has
   * its own result, and those of another operation follow.
   */
  private async respondToItemBatch(
    collection: string,
    fields: JsonObject,
    codes: readonly string[],
  ): Promise<RestResponse> {
    const [create, update, remove] = ['create', 'update', 'delete'].map((name) => jsonItems(fields[name]));
    const requests: readonly (readonly [kind: string, id: Json, method: string, body: JsonObject])[] = [
      ...(create ?? []).map((item) => ['create', 0, 'POST', isJsonObject(item) ? item : {}] as const),
      ...(update ?? [])
        .filter(isJsonObject)
        .map(({ id = 0, ...item }) => ['update', id, 'PUT', item] as const),
      ...(remove ?? []).map((id) => ['delete', id, 'DELETE', { force: true }] as const),
    ];
    if (requests.length > MAX_BATCH_ITEMS) {
      const message = `Unable to accept more than ${MAX_BATCH_ITEMS} items for this request.`;
      return errorOf(
        413,
        codes.find((code) => code.endsWith(TOO_LARGE)) ?? `woocommerce_${TOO_LARGE}`,
        message,
      );
    }
    const results = new Map<string, Json[]>();
    for (const [kind, id, method, body] of requests) {
      const route = kind === 'create' ? collection : `${collection}/${String(id)}`;
      const response = await this.respond({ method, route, query: {}, body });
      const { status, body: result } = response;
      const deleted = kind === 'delete' && isJsonObject(result) ? (result['previous'] ?? result) : result;
      results.set(kind, [...(results.get(kind) ?? []), status < 300 ? deleted : { id, error: result }]);
    }
    return respondWith(200, Object.fromEntries(results));
  }

  private respondToList(
    operation: MockOperation,
    collection: Collection,
    request: MockRequest,
  ): RestResponse {
    const { route } = collection;
    const schema = schemaInContext(operation, request.query);
    const ids = this.store.list(route, this.items.initialIds(collection));
    const itemOf = (id: string): Json => this.items.create(schema, collection, id);
    if (operation.form === 'map') {
      return respondWith(200, Object.fromEntries(ids.map((id) => [id, itemOf(id)])));
    }
    const parameters = new Set(
      operation.served.parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    );
    const { errorCodes } = operation;
    const url = this.toUrl(request.route);
    return respondWithList({ ids, itemOf, query: request.query, url, parameters, errorCodes });
  }

  private respondToCreation(
    { schema, status }: MockOperation,
    collection: Collection,
    request: MockRequest,
  ): RestResponse {
    const { route } = collection;
    const fields = fieldsOf(request);
    const computed = PRODUCTS_ROUTE.test(route) ? computeProduct(fields, {}) : fields;
    const id = this.store.create(route, this.items.initialIds(collection), computed, (number) =>
      this.items.createId(collection, number),
    );
    return id === null ? STORE_IS_FULL : respondWith(status, this.items.create(schema, collection, id));
  }

  private respondToItem(
    operation: MockOperation,
    collection: Collection,
    id: string,
    request: MockRequest,
  ): RestResponse {
    const { route, list } = collection;
    const { method } = operation.served;
    if (list !== undefined && !this.store.has(route, this.items.initialIds(collection), id)) {
      return respondWithMissingItem(operation.errorCodes, route);
    }
    if (method === 'DELETE') return this.respondToDeletion(operation, collection, id, request);
    if (method !== 'GET') {
      const fields = fieldsOf(request);
      const computed = PRODUCTS_ROUTE.test(route)
        ? computeProduct(fields, toJsonObject(this.items.create(operation.schema, collection, id)))
        : fields;
      if (!this.store.update(route, id, computed)) return STORE_IS_FULL;
    }
    const schema = method === 'GET' ? schemaInContext(operation, request.query) : operation.schema;
    return respondWith(operation.status, this.items.create(schema, collection, id));
  }

  /** Deletes with `force`, else moves to the trash, as far as the document has both. */
  private respondToDeletion(
    { served, schema, status }: MockOperation,
    collection: Collection,
    id: string,
    request: MockRequest,
  ): RestResponse {
    const { force } = fieldsOf(request);
    const isForced = ['1', 'true', 1, true].some((value) => value === force);
    const [forced, trashed] = Array.isArray(schema?.['anyOf'])
      ? (schema['anyOf'] as readonly Json[])
      : [schema];
    const takesForce = served.parameters.some(({ name }) => name === 'force');
    if (takesForce && !isForced && trashed === undefined) {
      const message = 'The item does not support trashing. Set force=true to delete.';
      return errorOf(501, 'rest_trash_not_supported', message);
    }
    const isTrashed = !isForced && trashed !== undefined && takesForce;
    const chosen = isTrashed ? trashed : forced;
    if (isTrashed) this.store.update(collection.route, id, { status: 'trash' });
    const value = this.items.create(isJsonObject(chosen) ? chosen : undefined, collection, id);
    if (isTrashed) this.store.trash(collection.route, id);
    else this.store.remove(collection.route, id);
    return respondWith(status, value);
  }

  /** Describes what the document says of the site; `undefined` if the route is not that of an index. */
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

function fieldsOf({ query, body }: MockRequest): JsonObject {
  return { ...query, ...body };
}

const STORE_IS_FULL = errorOf(507, 'waygate_mock_full', 'The mock keeps no more changes. Start it again.');

/** The schema of an item in the context that a request chose. */
function schemaInContext({ served, schema }: MockOperation, query: JsonObject): JsonObject | undefined {
  const { context } = query;
  const reference = typeof context === 'string' ? served.contextReferences?.get(context) : undefined;
  return reference === undefined ? schema : { $ref: reference };
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

/** Maximum number of items of one batch (`woocommerce_rest_batch_items_limit`). */
const MAX_BATCH_ITEMS = 100;
const TOO_LARGE = 'rest_request_entity_too_large';

const NO_ITEM = /param|json|nonce|context|page_number|handler|username|password|email|field|date/;

/** Maximum size of a body, in bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads the fields of a JSON body or a form. The name of an uploaded file becomes the title, as WordPress does it. */
async function readFields(request: Request, method: string): Promise<JsonObject> {
  const bytes = await readRequestBytes(request, MAX_BODY_BYTES);
  if ('kind' in bytes) return {};
  const { headers, method: requestMethod } = request;
  const { form, json, files } = await parseRequestBody(bytes, headers.get('content-type'), {
    requestMethod,
    method,
  });
  const disposition = headers.get('content-disposition') ?? '';
  const name = files[0]?.name ?? /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(disposition)?.[1];
  return {
    ...(name === undefined ? {} : { title: decodeByteString(name).replace(/\.[^.]*$/, '') }),
    ...Object.fromEntries(form),
    ...('kind' in json ? {} : Object.fromEntries(json)),
  };
}

/** Routes of a cart: `/wc/store/v1/cart/add-item`. */
const CART_ROUTE = /^(\/wc\/store(?:\/v1)?)\/cart(?:\/(?!extensions)(.+))?$/;

/** Routes of the Store API, existing or not (`WC()->is_store_api_request()`). */
const STORE_ROUTE = /^\/wc\/store\//;

/** What WooCommerce adds for its Store API (`StoreApi/Authentication`, `allowed_cors_headers()` and `exposed_cors_headers()`). */
const STORE_FIELDS = {
  'Access-Control-Allow-Headers': `${COMMON_HEADERS['Access-Control-Allow-Headers']}, ${CART_TOKEN}, Nonce`,
  'Access-Control-Expose-Headers': `${COMMON_HEADERS['Access-Control-Expose-Headers']}, ${CART_TOKEN}`,
};

const NO_SESSION: StoreSession = { token: '', nonce: '', cookie: '' };

function readSession(headers: Headers): StoreSession {
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const cookie = cookies.find((each) => each.startsWith(SESSION_COOKIE)) ?? '';
  return {
    token: headers.get(CART_TOKEN) ?? '',
    nonce: headers.get('Nonce') ?? '',
    cookie: cookie.slice(cookie.indexOf('=') + 1),
  };
}

/** Maximum length of a field in a batch: that of all fields of a request to Node.js. */
const MAX_FIELD_LENGTH = 16 * 1024;

/** The session of a request in a batch, whose own fields count (`WP_REST_Server::serve_batch_request_v1()`). */
function readBatchedSession(stated: Json | undefined): StoreSession {
  const fields = jsonMembers(stated).map(
    ([name, value]) => [name.toLowerCase(), String(value).slice(0, MAX_FIELD_LENGTH)] as const,
  );
  const [token, nonce] = [CART_TOKEN, 'Nonce'].map(
    (name) => fields.find(([field]) => field === name.toLowerCase())?.[1] ?? '',
  );
  return { token: token ?? '', nonce: nonce ?? '', cookie: '' };
}

/** A preflight, as `Authentication::is_preflight()` recognises it. WooCommerce responds without content. */
function isStorePreflight({ headers, method }: Request): boolean {
  const fields = ['origin', 'access-control-request-method', 'access-control-request-headers'];
  return method === 'OPTIONS' && fields.every((name) => headers.has(name));
}

/**
 * @param method the method that the request means
 * @param isAllowedOrigin whether the Store API allows the origin; `undefined` for routes of other interfaces
 */
function toHttpResponse(
  { body, headers, status }: RestResponse,
  request: Request,
  method = request.method,
  isAllowedOrigin?: boolean,
): Response {
  const isOfStore = isAllowedOrigin !== undefined;
  const isPreflight = isOfStore && isStorePreflight(request);
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304 && !isPreflight;
  const fields = new Headers({
    'Content-Type': 'application/json; charset=UTF-8',
    ...COMMON_HEADERS,
    ...(isOfStore ? STORE_FIELDS : {}),
    ...Object.fromEntries(headers),
  });
  const origin = request.headers.get('origin');
  if (isOfStore) {
    // `Authentication::send_cors_headers()`
    setCorsHeaders(fields, origin || 'null', false);
    if (origin === null || !(isPreflight || isAllowedOrigin)) fields.delete('Access-Control-Allow-Origin');
  } else setCorsHeaders(fields, origin, method === 'GET');
  return new Response(hasBody ? JSON.stringify(body) : null, { status, headers: fields });
}

function toIndexedRoute(
  { namespace, operations, pattern }: ServedRoute,
  examples: Pick<ExampleFactory, 'flatten'>,
): IndexedRoute {
  // Methods with the same arguments are one endpoint, as plugins register them.
  const endpoints = new Map<string, { readonly methods: string[]; readonly args: JsonObject }>();
  for (const [method, operation] of operations) {
    const args = describeArguments(operation, examples);
    const key = JSON.stringify(args);
    const endpoint = endpoints.get(key) ?? { methods: [], args };
    endpoint.methods.push(method);
    endpoints.set(key, endpoint);
  }
  return { namespace, pattern: decodeByteString(pattern), endpoints: [...endpoints.values()] };
}

function describeArguments(
  { bodySchema, parameters }: Operation,
  { flatten }: Pick<ExampleFactory, 'flatten'>,
): JsonObject {
  const body = flatten(bodySchema);
  const required = jsonItems(body['required']);
  const fields = jsonMembers(body['properties']).map(([name, schema]): [string, Json] => [
    name,
    describeArgument(pickKeywords(flatten(schema)), required.includes(name)),
  ]);
  const others = parameters.map(({ name, required: isRequired, schema }): [string, Json] => [
    name,
    describeArgument(pickKeywords(flatten(schema)), isRequired),
  ]);
  return Object.fromEntries([...fields, ...others]);
}

/** Keywords that the index states at an argument. Others of a document may contain references. */
const KEYWORDS = ['description', 'type', 'format', 'enum', 'default', 'minimum', 'maximum'];

function pickKeywords(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword)));
}
