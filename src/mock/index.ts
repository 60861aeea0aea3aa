import { Hono } from 'hono';
import type { OpenAPIV3_1 } from 'openapi-types';
import { Gateway, type GatewayOptions } from '../gateway/index.ts';
import { isJsonObject, type JsonObject, toJsonObject } from '../json.ts';
import type { ValidationMode } from '../validation/request/result.ts';
import { createMemoryTransport } from './memory-transport.ts';
import { MockSite } from './mock-site.ts';

export interface MockOptions {
  /** Another seed gives other examples. @default 1 */
  readonly seed?: number | undefined;
  /** Handling of requests that violate the document. @default 'strict': 400, as WordPress writes it */
  readonly mode?: ValidationMode | undefined;
  /** @default 'off' */
  readonly cache?: 'off' | 'memory' | undefined;
  /** URL of the site, for a document from a gateway, which omits it. @default 'http://site.example/' */
  readonly siteUrl?: string | undefined;
}

/**
 * Creates a gateway in front of a site in memory that responds as a document says, for tests without a site.
 * Its examples are valid, always the same, and refer to each other. Lists are paged, and changes last as long
 * as the process.
 *
 * @param document an OpenAPI 3.1 document, as `toOpenApi` creates it
 * @returns the gateway, whose `fetch` needs no network
 * @throws {ConfigurationError} when the document cannot be used
 *
 * @example
 * import { createMock, discover, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * const mock = createMock(document);
 * const response = await mock.app.request('/wp-json/wp/v2/posts?per_page=2');
 * console.log(response.status, await response.json());
 */
export function createMock(document: OpenAPIV3_1.Document | JsonObject, options: MockOptions = {}): Gateway {
  const { cache = 'off', mode = 'strict', seed = 1, siteUrl = 'http://site.example/' } = options;
  const site = new MockSite(toJsonObject(document), seed, siteUrl);
  const app = new Hono().use(async (call, next) => {
    await next();
    const { res } = call;
    // Otherwise Hono keeps the fields of the response before.
    call.res = undefined;
    call.res = await toSiteError(res);
  });
  const gateway: GatewayOptions = {
    cache,
    transport: createMemoryTransport((request) => site.fetch(request)),
    sites: [
      { ...{ url: site.baseUrl, document, rewriteBodies: true }, discovery: 'off', validation: { mode } },
    ],
  };
  return new Gateway(gateway, null, app);
}

async function toSiteError(response: Response): Promise<Response> {
  if (!/^application\/problem\+json/.test(response.headers.get('content-type') ?? '')) return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json; charset=UTF-8');
  headers.delete('content-length');
  const text = await response.text();
  const problem: unknown = text === '' ? null : JSON.parse(text);
  const { code = null, data = null, message = null } = isJsonObject(problem) ? problem : {};
  const body = problem === null ? null : JSON.stringify({ code, message, data });
  return new Response(body, { status: response.status, headers });
}
