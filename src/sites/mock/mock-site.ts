import { extensionOf, hasMark } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  mapMembers,
  toJsonObject,
  toText,
} from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { decodeByteString } from '../../base/php/request.ts';
import { runSteps } from '../../base/steps.ts';
import { readRecordedSite } from '../../generator/discovery/index.ts';
import { createSchemaCheck } from '../../generator/example-values/document-examples.ts';
import { createExampleFactory, type ExampleFactory } from '../../generator/example-values/example-value.ts';
import { dereference } from '../../generator/openapi/document-objects.ts';
import { type Operation, readServedApi, type ServedApi, toOpenApi } from '../../generator/openapi/index.ts';
import { OperationMatcher } from '../../generator/openapi/matcher.ts';
import { RequestValidator, toPathParameters } from '../../generator/validation/request/validator.ts';
import { type BatchItem, NOT_IN_BATCHES, readBatchedRequest, respondToBatch } from '../rest-server/batch.ts';
import {
  EMPTY_REQUEST,
  NO_VALUES,
  type RequestValues,
  type RestRequest,
  type RestResponse,
  type SiteError,
} from '../rest-server/declarations.ts';
import { createRootIndex } from '../rest-server/index-document.ts';
import { filterFields, representResponse } from '../rest-server/representation.ts';
import {
  parseRequestBody,
  parseRequestTarget,
  readClientBase,
  readRequestBytes,
  resolveMethod,
} from '../rest-server/request.ts';
import { errorResponse, respondWith, toSiteError, writeResponse } from '../rest-server/responses.ts';
import { NO_ROUTE_ERROR } from '../rest-server/server.ts';
import { MockCart, STORE_FIELDS } from './cart.ts';
import { type Collection, type InitialItems, MockItems, MockStore, NOWHERE } from './items.ts';
import { errorOf, respondWithList } from './lists.ts';
import { type MockOperation, MockOperations } from './operations.ts';

/** What an operation of a mock gets: its parts of the target, as texts. */
interface MatchedOperation {
  readonly kind: 'found';
  readonly operation: MockOperation;
  readonly params: Readonly<Record<string, string>>;
}

export class MockSite {
  readonly baseUrl: string;
  readonly document: JsonObject;
  /** Recorded; `undefined` for a mock of a document. */
  private readonly index: JsonObject | undefined;
  private readonly api: ServedApi;
  private readonly matcher: OperationMatcher;
  private readonly prefix: string;
  /** Follows the site's address: `/wp-json/`. */
  private readonly rootPath: string;
  private readonly operations: MockOperations;
  private readonly store = new MockStore();
  private readonly examples: ExampleFactory;
  private readonly items: MockItems;
  private readonly cart: MockCart;
  private readonly validators = new WeakMap<Operation, RequestValidator>();

  private readonly hasParents: boolean;

  /**
   * @param source an OpenAPI document, or a recorded root index
   * @param hasParents whether the caller has found the items that others are within
   */
  constructor(source: JsonObject, siteUrl: string, initialItems: InitialItems = {}, hasParents = false) {
    this.hasParents = hasParents;
    this.index = Object.hasOwn(source, 'routes') ? source : undefined;
    const document = this.index ? toOpenApi(readRecordedSite(source, { url: siteUrl })).document : source;
    this.document = document;
    this.api = runSteps(readServedApi(document, siteUrl));
    const { address } = this.api;
    this.baseUrl = address.base;
    this.matcher = runSteps(OperationMatcher.create(this.api));
    this.operations = new MockOperations(document, this.api);
    this.examples = createExampleFactory(document);
    const { examples, matcher, operations } = this;
    this.prefix = new URL(address.prefix, address.base).pathname.replace(/\/$/, '');
    this.rootPath = `/${address.root.slice(address.base.length)}`;
    this.items = new MockItems({
      operations,
      store: this.store,
      examples,
      isValid: createSchemaCheck(document),
      rootPath: this.rootPath,
      initialItems,
      isItemRoute(list, route) {
        const found = matcher.match('GET', route);
        return found.kind === 'found' && found.operation === operations.itemOf(list)?.served;
      },
    });
    this.cart = new MockCart(this.items, (route, base) => this.read(route, base));
  }

  async fetch(request: Request): Promise<Response> {
    const { headers, method: requestMethod, url } = request;
    const { query, route } = parseRequestTarget(new URL(url), this.prefix);
    const own = new URL(this.baseUrl).pathname.replace(/\/$/, '');
    const base = readClientBase(headers) ?? new URL(url).origin + own;
    const refuse = (response: RestResponse): Response =>
      writeResponse(response, { ...EMPTY_REQUEST, method: requestMethod, headers, base }, requestMethod);
    if (route === null) return refuse(errorOf(404, 'rest_no_route', 'There is no such page.'));
    const method = resolveMethod(requestMethod, query, headers);
    const bytes = await readRequestBytes(request, MAX_BODY_BYTES);
    if ('kind' in bytes) return refuse(errorResponse(bytes));
    const parsed = await parseRequestBody(bytes, headers.get('content-type'), { requestMethod, method });
    const restRequest: RestRequest = {
      ...{ ...EMPTY_REQUEST, ...parsed, method, headers, base },
      route: decodeByteString(route),
      query: new Map([...query].filter(([name]) => name !== 'rest_route')),
    };
    return writeResponse(await this.represent(restRequest), restRequest, requestMethod);
  }

  /** Applies WordPress's global parameters: `_fields`, `_embed`, `_envelope`. */
  private async represent(request: RestRequest): Promise<RestResponse> {
    const response = await this.respond(request);
    const headers = new Map([
      ...response.headers,
      ...(request.route.startsWith('/wc/store/') ? STORE_FIELDS : []),
    ]);
    const fields = response.status >= 300 ? null : request.query.get('_fields');
    const body = filterFields(response.body, fields ?? null);
    const { base } = request;
    const root = this.toUrl('/', base);
    return representResponse({ ...response, headers, body }, request.query, async (href) =>
      href.startsWith(root) ? ((await this.read(href.slice(root.length - 1), base, EMBEDDED)) ?? null) : null,
    );
  }

  async respond(request: RestRequest): Promise<RestResponse> {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    // A site has indexes even if its document leaves them out.
    const index = method === 'GET' ? this.describeIndex(request) : undefined;
    if (index !== undefined) return respondWith(200, index);
    if (method === 'OPTIONS') return this.describeRoute(request);
    const found = this.findOperation(method, request);
    return found.kind === 'error' ? errorResponse(found) : this.run(found, request);
  }

  /** The operation of a request, or why it's refused: WordPress validates first. */
  private findOperation(method: string, request: RestRequest): MatchedOperation | SiteError {
    const match = this.matcher.match(method, request.route);
    if (match.kind !== 'found') return NO_ROUTE_ERROR;
    if ('kind' in request.json) return request.json;
    const { json, query } = request;
    const files = request.files.map(({ field, name }) => [field, name] as const);
    const form = new Map([...request.form, ...files]);
    const parameters = { json, form, query, path: toPathParameters(match.params) };
    const validator = getOrCreate(this.validators, match.operation, (operation) => {
      return new RequestValidator(operation, ($ref) => dereference({ $ref }, this.document));
    });
    const result = validator.validate(parameters);
    if (match.isCertain && result.kind === 'invalid') return toSiteError(result);
    const params = mapMembers(match.params, (_, value) => decodeByteString(value));
    return { kind: 'found', operation: this.operations.describe(match.operation), params };
  }

  private run(
    { operation, params }: MatchedOperation,
    request: RestRequest,
  ): RestResponse | Promise<RestResponse> {
    const { base, route } = request;
    const { path } = operation.served;
    const fields = fieldsOf(request);
    if (/\/batch(?:\/v1)?$/.test(path)) {
      const items = jsonItems(fields['requests']).map((item) => this.toBatchItem(toJsonObject(item), base));
      return respondToBatch(items, fields['validation']);
    }
    const response = this.cart.respond(operation, { base, fields, params });
    if (response !== undefined) return response;
    if (this.isWithinMissingItem(path, route)) return respondWithMissingItem(operation.errorCodes);
    return this.respondTo(operation, params, request);
  }

  private toBatchItem(item: JsonObject, base: string): BatchItem {
    const batched = readBatchedRequest(item);
    if ('kind' in batched) return { error: batched };
    const request = { ...EMPTY_REQUEST, ...batched, route: decodeByteString(batched.route), base };
    const found = this.findOperation(request.method, request);
    if (found.kind === 'error') return { error: found };
    if (!hasMark(found.operation.served.shared, 'allowBatch')) return { error: NOT_IN_BATCHES };
    return { error: undefined, respond: async () => this.run(found, request) };
  }

  /** Whether a target names an item that the mock doesn't have: 999 of `/wp/v2/posts/999/revisions`. */
  private isWithinMissingItem(template: string, route: string): boolean {
    const [segments, given] = [template.split('/'), route.split('/')];
    if (this.hasParents || segments.length !== given.length) return false;
    return segments.some((segment, at) => {
      const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? [];
      const id = given[at] ?? '';
      if (name === undefined || !/^\d+$/.test(id)) return false;
      const above = this.operations.listAt(segments.slice(0, at).join('/'));
      const list = above ?? this.operations.targetOf(name);
      // Any list can have it, and examples name items.
      if (list === undefined) return Number(id) > Math.max(this.store.lastNumber, LAST_EXAMPLE_ID);
      if (!this.items.isNumbered(list)) return false;
      const place = above === undefined ? list.served.path : given.slice(0, at).join('/');
      return !this.items.has({ ...NOWHERE, route: place, list }, id);
    });
  }

  private async read(
    route: string,
    base: string,
    query: RequestValues = NO_VALUES,
  ): Promise<Json | undefined> {
    const { body, status } = await this.respond({ ...EMPTY_REQUEST, route, base, query });
    return status < 300 ? body : undefined;
  }

  private respondTo(
    operation: MockOperation,
    params: Readonly<Record<string, string>>,
    request: RestRequest,
  ): RestResponse | Promise<RestResponse> {
    const { served, form } = operation;
    const { path, method } = served;
    const { base, route } = request;
    const [, declared] = /\/\{([^{}/]+)\}$/.exec(path) ?? [];
    // Routes that share a path can name its parameter differently.
    const last = declared === undefined || declared in params ? declared : Object.keys(params).at(-1);
    const parent = path.slice(0, path.lastIndexOf('/'));
    const ownList = this.operations.listAt(path);
    if (method === 'GET' && form !== 'value') {
      return this.respondToList(operation, { base, route, list: operation, params }, request);
    }
    if (method === 'POST' && ownList !== undefined && last === undefined) {
      return this.respondToCreation(operation, { base, route, list: ownList, params }, request);
    }
    const isOwnUser = path.endsWith('/me') && this.operations.listAt(parent) !== undefined;
    if (last !== undefined || isOwnUser) {
      const id = isOwnUser ? '1' : (params[last ?? ''] ?? route.slice(route.lastIndexOf('/') + 1));
      const cut = isOwnUser ? 'me'.length : id.length;
      const { [last ?? '']: _, ...others } = params;
      const list = this.operations.listAt(parent);
      return this.respondToItem(
        operation,
        { base, route: route.slice(0, -cut - 1), list, params: others },
        id,
        request,
      );
    }
    const acted = this.operations.itemActedOn(operation);
    if (acted !== undefined) {
      const [id = '', ...above] = route.split('/').slice(0, -1).reverse();
      const { [acted.parameter]: _, ...others } = params;
      const collection = { base, route: above.reverse().join('/'), list: acted.list, params: others };
      return this.respondToItem({ ...operation, status: 200 }, collection, id, request);
    }
    // The fields of a write to a single resource or an action show in later responses of the route.
    if (request.method !== 'GET') this.store.change(route, '', { fields: fieldsOf(request) });
    const collection = { base, route, list: undefined, params };
    const item = this.items.create(operation.schema, collection, '');
    return respondWith(operation.status, form === 'value' ? item : [item]);
  }

  private respondToList(
    operation: MockOperation,
    collection: Collection,
    request: RestRequest,
  ): RestResponse {
    const { route } = collection;
    const schema = schemaInContext(operation, request.query);
    const itemOf = (id: string): Json => this.items.create(schema, collection, id);
    const status = this.examples.flatten(
      operation.served.parameters.find(({ name }) => name === 'status')?.schema,
    );
    // The public list has no drafts, which only a request makes.
    const isPublic =
      (extensionOf(status, 'default') ?? status['default']) === 'publish' && !request.query.has('status');
    const ids = this.store
      .list(route, this.items.initialIds(collection))
      .filter((id) => !isPublic || !this.store.isChanged(route, id) || isPublished(itemOf(id)));
    if (operation.form === 'map') {
      return respondWith(200, Object.fromEntries(ids.map((id) => [id, itemOf(id)])));
    }
    const parameters = new Map(
      operation.served.parameters
        .filter((each) => each.in === 'query')
        .map(({ name, schema }) => [name, this.examples.flatten(schema)['default']] as const),
    );
    const { errorCodes } = operation;
    const url = this.toUrl(request.route, request.base);
    return respondWithList({ ids, itemOf, query: request.query, url, parameters, errorCodes });
  }

  private respondToCreation(
    { errorCodes, schema, status }: MockOperation,
    collection: Collection,
    request: RestRequest,
  ): RestResponse {
    const { list, route } = collection;
    const fields = fieldsOf(request);
    if (errorCodes.includes('term_exists')) {
      const ids = this.store.list(route, this.items.initialIds(collection));
      const existing = ids.find((id) => {
        const item = this.items.create(schema, collection, id);
        return isJsonObject(item) && item['name'] === fields['name'];
      });
      const message = 'A term with the name provided already exists with this parent.';
      if (existing !== undefined) return errorOf(400, 'term_exists', message, { term_id: Number(existing) });
    }
    const id = this.store.create(route, this.items.initialIds(collection), fields, (number, declared) =>
      this.items.createId(collection, number, declared),
    );
    const isReadable = status === 201 && list !== undefined && this.operations.itemOf(list) !== undefined;
    const headers = isReadable ? [['Location', this.toUrl(`${route}/${id}`, request.base)] as const] : [];
    return respondWith(status, this.items.create(schema, collection, id), headers);
  }

  private respondToItem(
    operation: MockOperation,
    collection: Collection,
    id: string,
    request: RestRequest,
  ): RestResponse {
    const { route } = collection;
    const { method } = operation.served;
    if (!this.items.has(collection, id)) return respondWithMissingItem(operation.errorCodes);
    if (method === 'DELETE') return this.respondToDeletion(operation, collection, id, request);
    if (method !== 'GET') this.store.change(route, id, { fields: fieldsOf(request) });
    const schema = method === 'GET' ? schemaInContext(operation, request.query) : operation.schema;
    return respondWith(operation.status, this.items.create(schema, collection, id));
  }

  private respondToDeletion(
    { served, schema, status }: MockOperation,
    collection: Collection,
    id: string,
    request: RestRequest,
  ): RestResponse {
    const { force } = fieldsOf(request);
    const isForced = ['1', 'true', 1, true].some((value) => value === force);
    const [forced = schema, trashed] = jsonItems(schema?.['anyOf']);
    const isForGood = isForced || !served.parameters.some(({ name }) => name === 'force');
    if (!isForGood && trashed === undefined) {
      const message = 'The item does not support trashing. Set force=true to delete.';
      return errorOf(501, 'rest_trash_not_supported', message);
    }
    const chosen = isForGood ? forced : trashed;
    const fields = isForGood ? {} : { status: 'trash' };
    this.store.change(collection.route, id, { fields, isDeleted: true });
    return respondWith(status, this.items.create(isJsonObject(chosen) ? chosen : undefined, collection, id));
  }

  /** `rest_handle_options_request()`, also for the preflight request of a browser. */
  private describeRoute({ base, route }: RestRequest): RestResponse {
    const served = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => {
      const match = this.matcher.match(method, route);
      return match.kind === 'found' ? [{ method, ...match.route }] : [];
    });
    const methods = served.map(({ method }) => method);
    const [first] = served;
    if (first === undefined) return respondWith(200, []);
    const { namespace, pattern } = first;
    const described = toJsonObject(this.index?.['routes'])[pattern] ?? { namespace, methods };
    return respondWith(200, this.moveTo(base, toJsonObject(described)), [['Allow', methods.join(', ')]]);
  }

  private describeIndex({ base, query, route }: RestRequest): JsonObject | undefined {
    const { index } = this;
    const { namespaces } = this.api;
    const namespace = route.replace(/^\/+|\/+$/g, '');
    const isRoot = namespace === '';
    if (index === undefined) {
      if (!isRoot) return undefined;
      const { title = '', description = '' } = toJsonObject(this.document['info']);
      const identity = { name: String(title), description: String(description), namespaces };
      return createRootIndex(identity, base, { authentication: {}, routes: {}, _links: {} });
    }
    if (!isRoot && !namespaces.includes(namespace)) return undefined;
    const own = jsonMembers(index['routes']).flatMap(([pattern, described]) => {
      const { schema, ...route } = toJsonObject(described);
      if (!isRoot && route['namespace'] !== namespace) return [];
      const isHelp = query.get('context') === 'help' && schema !== undefined;
      return [[pattern, isHelp ? { ...route, schema } : route] as const];
    });
    const routes = Object.fromEntries(own);
    if (isRoot) return this.moveTo(base, { ...index, routes });
    return {
      ...{ namespace, routes: this.moveTo(base, routes) },
      _links: { up: [{ href: this.toUrl('/', base) }] },
    };
  }

  /** A part of the recorded index with the client's address in place of the site's. */
  private moveTo(base: string, part: JsonObject): JsonObject {
    const home = toText(this.index?.['home'] ?? '').replace(/\/$/, '');
    if (home === '') return part;
    const [from, to] = [home, base].map((text) => JSON.stringify(text).slice(1, -1));
    return toJsonObject(JSON.parse(JSON.stringify(part).replaceAll(from ?? home, () => to ?? base)));
  }

  private toUrl(route: string, base: string): string {
    return base + this.rootPath + route.slice(1);
  }
}

/** Fields of a request. An uploaded file's name becomes the title, as in WordPress. */
function fieldsOf({ files: [file], form, json, query }: RestRequest): JsonObject {
  return {
    ...Object.fromEntries(query),
    ...(file === undefined ? {} : { title: decodeByteString(file.name).replace(/\.[^.]*$/, '') }),
    ...Object.fromEntries(form),
    ...('kind' in json ? {} : Object.fromEntries(json)),
  };
}

function isPublished(item: Json): boolean {
  return !isJsonObject(item) || item['status'] === undefined || item['status'] === 'publish';
}

/** Ids of examples are 42 to 44. */
const LAST_EXAMPLE_ID = 44;

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

const NO_ITEM = /param|json|nonce|context|page_number|handler|username|password|email|field|date/;

const MAX_BODY_BYTES = 32 * 1024 * 1024;
