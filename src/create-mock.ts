import { Readable } from 'node:stream';
import type { OpenAPIV3_1 } from 'openapi-types';
import { toFieldPairs } from './base/http/fields.ts';
import { type JsonObject, toJsonObject } from './base/json.ts';
import type { Gateway } from './gateway/index.ts';
import type { TransportFactory } from './gateway/upstream/dispatch-transport.ts';
import { openGateway } from './open-gateway.ts';
import { MockSite } from './sites/mock/mock-site.ts';

/** URL of the site, for a document from a gateway, which omits it. */
const SITE_URL = 'http://site.example/';

/**
 * Creates a gateway in front of a site in memory that responds as a document says, for tests without a site. It refuses what
 * violates the document as WordPress does. Its examples are valid, always the same, and refer to each other. Lists are paged, batches run, and changes
 * last as long as the process. A mock of a recorded index also serves that index.
 *
 * @param source an OpenAPI 3.1 document, as `toOpenApi` creates it, or a recorded root index
 * @returns the gateway, whose `fetch` needs no network
 * @throws {ConfigurationError} when the source cannot be used
 *
 * @example
 * import { createMock, discover, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * const mock = createMock(document);
 * const response = await mock.app.request('/wp-json/wp/v2/posts?per_page=2');
 * console.log(response.status, await response.json());
 */
export function createMock(source: OpenAPIV3_1.Document | JsonObject): Gateway {
  const site = new MockSite(toJsonObject(source), SITE_URL);
  const transport = createMemoryTransport((request) => site.fetch(request));
  const { document } = site;
  return openGateway({ cache: 'off', transport, sites: [{ url: site.baseUrl, document, discovery: 'off' }] });
}

/** Sends the requests of a gateway to a function in place of a server. */
export function createMemoryTransport(
  respond: (request: Request) => Response | Promise<Response>,
): TransportFactory {
  return ({ origin }) => ({
    send({ body, headers, method, target }, sink) {
      let isLeft = false;
      const relay = async (): Promise<void> => {
        const content = body instanceof Readable ? { body: Readable.toWeb(body), duplex: 'half' } : { body };
        const init = { method, headers: toFieldPairs(headers), ...content } as RequestInit;
        const response = await respond(new Request(origin + target, init));
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (isLeft) return;
        const { headers: fields, status, statusText: reason } = response;
        sink.head({ status, reason, headers: [...fields].flat() });
        if (bytes.length > 0) sink.write(bytes);
        sink.end();
      };
      relay().catch((cause: unknown) => {
        if (!isLeft) sink.fail({ kind: 'connection-broken', cause });
      });
      return {
        resume() {},
        abort() {
          isLeft = true;
        },
      };
    },
    close: async () => {},
    destroy: async () => {},
  });
}
