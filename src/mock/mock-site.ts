import { createExampleFactory } from '../example-values/example-value.ts';
import { createKeyedRandom } from '../example-values/keyed-random.ts';
import { createSchemaCheck } from '../example-values/schema-check.ts';
import type { JsonObject } from '../json.ts';
import { readServedApi } from '../openapi/index.ts';
import { decodeByteString } from '../php/byte-string.ts';
import { createOperationMatcher } from '../router/matcher.ts';
import { createTargetResolver } from '../router/target.ts';
import { respondToBatch } from './batch.ts';
import { createMockItems } from './items.ts';
import { type MockRequest, readBodyFields, readQuery } from './mock-request.ts';
import { type MockResponse, respondWith, respondWithError, toHttpResponse } from './mock-response.ts';
import { createMockOperations } from './operations.ts';
import { represent } from './represent.ts';
import { respondTo } from './respond.ts';
import { createSiteIndex } from './site-index.ts';
import { createMockStore } from './store.ts';
import { createWordPressObjects } from './wordpress-objects.ts';

/** A site in memory that responds as a document says. */
export interface MockSite {
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
  const matcher = createOperationMatcher(api);
  const basePath = new URL(address.base).pathname.replace(/\/$/, '');
  const resolve = createTargetResolver({
    mountPath: basePath,
    site: address,
    forwardsPages: false,
    isDiscovered: true,
    isRestPath: matcher.isRestPath,
  });
  const random = createKeyedRandom(seed);
  const operations = createMockOperations(document, api);
  const store = createMockStore();
  const examples = createExampleFactory(document, random);
  const index = createSiteIndex(api, document, examples);
  const items = createMockItems({
    operations,
    random,
    store,
    examples,
    objects: createWordPressObjects(operations),
    isValid: createSchemaCheck(document),
    rootUrl: address.root,
    isItemRoute(list, route) {
      const found = matcher.match('GET', route);
      return found.kind === 'found' && found.operation === operations.itemOf(list)?.served;
    },
  });
  const respond = async (request: MockRequest): Promise<MockResponse> => {
    const match = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.route);
    if (match.kind !== 'found') {
      return respondWithError(
        404,
        'rest_no_route',
        'No route was found matching the URL and request method.',
      );
    }
    const params = Object.fromEntries(
      Object.entries(match.params).map(([name, value]) => [name, decodeByteString(value)]),
    );
    const indexed = match.operation.method === 'GET' ? index.at(request.route) : undefined;
    if (indexed !== undefined) return represent(respondWith(200, indexed), request.query, items);
    const operation = operations.describe(match.operation);
    const response =
      operation.served.path === '/batch/v1'
        ? await respondToBatch(request, respond)
        : respondTo(operation, params, request, { items, operations, store });
    return response.status < 300 ? represent(response, request.query, items) : response;
  };
  return {
    baseUrl: address.base,
    async fetch(request) {
      const url = new URL(request.url);
      const headers = [...request.headers].flat();
      const target = resolve({ method: request.method, target: url.pathname + url.search, headers });
      if (target.kind !== 'route')
        return toHttpResponse(
          respondWithError(404, 'rest_no_route', 'There is no such page.'),
          request.method,
        );
      const body = await readBodyFields(request);
      const { method, route, query } = target;
      const response = await respond({
        method,
        route: decodeByteString(route),
        query: readQuery(query),
        body,
      });
      return toHttpResponse(response, method);
    },
  };
}
