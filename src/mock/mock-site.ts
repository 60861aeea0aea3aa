import { createExampleFactory, type ExampleFactory } from '../example-values/example-value.ts';
import { createKeyedRandom } from '../example-values/keyed-random.ts';
import { createSchemaCheck } from '../example-values/schema-check.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { readServedApi } from '../openapi/index.ts';
import type { ServedApi, ServedOperation, ServedRoute } from '../openapi/served-api.ts';
import { decodeByteString } from '../php/encoding.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../php/query.ts';
import {
  createRootIndex,
  describeArgument,
  describeRoutes,
  type IndexedRoute,
} from '../rest-server/index-document.ts';
import { embedLinks, filterFields, parseEmbed } from '../rest-server/representation.ts';
import { parseRequestBody, readRequestBytes } from '../rest-server/request.ts';
import { errorResponse, type RestResponse, restError, wrapInEnvelope } from '../rest-server/responses.ts';
import { MAX_BATCH_REQUESTS, NO_ROUTE_ERROR, readBatchedRequest } from '../rest-server/server.ts';
import { OperationMatcher } from '../router/matcher.ts';
import { createTargetResolver } from '../router/target.ts';
import { MockItems } from './items.ts';
import { MockOperations } from './operations.ts';
import { type MockRequest, respondTo, respondWith } from './respond.ts';
import { MockStore } from './store.ts';
import { WordPressObjects } from './wordpress-objects.ts';

/** A site in memory that responds as a document says. */
interface MockSite {
  /** URL of the front page, as the document states it. */
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * @param siteUrl URL of the site, for a document that a gateway served, which does not contain it
 * @throws {ConfigurationError} when the document cannot be used
 */
export function createMockSite(
  document: JsonObject,
  { seed, siteUrl }: { seed: number; siteUrl: string },
): MockSite {
  const api = readServedApi(document, siteUrl);
  const { address } = api;
  const toUrl = (route: string): string => address.root + route.slice(1);
  const matcher = new OperationMatcher(api);
  const resolve = createTargetResolver({
    mountPath: new URL(address.base).pathname.replace(/\/$/, ''),
    site: address,
    forwardsPages: false,
    isDiscovered: true,
    isRestPath: matcher.isRestPath,
  });
  const random = createKeyedRandom(seed);
  const operations = new MockOperations(document, api);
  const store = new MockStore();
  const examples = createExampleFactory(document, random);
  const items = new MockItems({
    operations,
    random,
    store,
    examples,
    objects: new WordPressObjects(operations),
    isValid: createSchemaCheck(document),
    rootUrl: address.root,
    isItemRoute(list, route) {
      const found = matcher.match('GET', route);
      return found.kind === 'found' && found.operation === operations.itemOf(list)?.served;
    },
  });

  async function respond(request: MockRequest): Promise<RestResponse> {
    const match = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.route);
    if (match.kind !== 'found') return errorResponse(NO_ROUTE_ERROR);
    const params = Object.fromEntries(
      Object.entries(match.params).map(([name, value]) => [name, decodeByteString(value)]),
    );
    const index =
      match.operation.method === 'GET'
        ? describeIndex(request.route, api, document, toUrl, examples)
        : undefined;
    if (index !== undefined) return respondWith(200, index);
    const operation = operations.describe(match.operation);
    return operation.served.path === '/batch/v1'
      ? respondToBatch(request)
      : respondTo(operation, params, request, { items, operations, store, toUrl });
  }

  async function respondToBatch({ body }: MockRequest): Promise<RestResponse> {
    const responses: Json[] = [];
    for (const item of jsonItems(body['requests']).filter(isJsonObject).slice(0, MAX_BATCH_REQUESTS)) {
      const batched = readBatchedRequest(item);
      const response =
        batched === null
          ? errorResponse(restError(400, 'parse_path_failed', 'Could not parse the path.'))
          : await represent({
              method: batched.method,
              route: decodeByteString(batched.route).replace(/\/+$/, ''),
              query: Object.fromEntries(batched.query),
              body: Object.fromEntries(batched.form),
            });
      responses.push(wrapInEnvelope(response));
    }
    return respondWith(207, { responses });
  }

  /** Applies the global parameters of WordPress to a response: `_embed`, `_fields`, `_envelope`. */
  async function represent(request: MockRequest): Promise<RestResponse> {
    const response = await respond(request);
    if (response.status >= 300) return response;
    const { _embed: embed, _fields: fields = null, _envelope: envelope } = request.query;
    const embedded =
      embed === undefined ? response.body : await embedLinks(response.body, parseEmbed(embed), fetchEmbedded);
    const body = fields === null ? embedded : filterFields(embedded, fields);
    return envelope === undefined
      ? { ...response, body }
      : respondWith(200, wrapInEnvelope({ ...response, body }));
  }

  async function fetchEmbedded(href: string): Promise<Json | null> {
    if (!href.startsWith(address.root)) return null;
    const route = href.slice(address.root.length - 1);
    const { status, body } = await respond({ method: 'GET', route, query: { context: 'embed' }, body: {} });
    return status < 300 ? body : null;
  }

  return {
    baseUrl: address.base,
    async fetch(request) {
      const url = new URL(request.url);
      const headers = [...request.headers].flat();
      const target = resolve({ method: request.method, target: url.pathname + url.search, headers });
      if (target.kind !== 'route') {
        return toHttpResponse(
          errorResponse(restError(404, 'rest_no_route', 'There is no such page.')),
          request.method,
        );
      }
      const { method, query } = target;
      const response = await represent({
        method,
        route: decodeByteString(target.route),
        query: Object.fromEntries(phpArrayToJsonMembers(parsePhpQuery(query))),
        body: await readFields(request, method),
      });
      return toHttpResponse(response, method);
    },
  };
}

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

function toHttpResponse({ status, headers, body }: RestResponse, method: string): Response {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  return new Response(hasBody ? JSON.stringify(body) : null, {
    status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', ...Object.fromEntries(headers) },
  });
}

/** Describes what the document says of the site; `undefined` if the route is not that of an index. */
function describeIndex(
  route: string,
  { address, namespaces, routes }: ServedApi,
  { info }: JsonObject,
  toUrl: (route: string) => string,
  examples: Pick<ExampleFactory, 'flatten'>,
): JsonObject | undefined {
  const describe = (listed: readonly ServedRoute[]): Json =>
    describeRoutes(
      listed.map((each) => toIndexedRoute(each, examples)),
      toUrl,
    );
  if (route === '/' || route === '') {
    const { title = '', description = '' } = isJsonObject(info) ? info : {};
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
  { bodySchema, parameters }: ServedOperation,
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
