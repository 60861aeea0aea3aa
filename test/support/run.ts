import { type Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { closeAfterTest } from './close-after-test.ts';
import { type EchoSite, startEchoSite } from './echo-site.ts';
import { startServer, type TestServer } from './server.ts';
import { type StubSite, type StubSiteOptions, startStubSite } from './stub-site.ts';

/** Settings of a site that the gateway forwards to without reading its index. */
export const PLAIN = { discovery: 'off', passthrough: true } as const;

export async function runServer(...args: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...args);
  closeAfterTest(server.close);
  return server;
}

export async function runStubSite(options: StubSiteOptions = {}): Promise<StubSite> {
  const site = await startStubSite(options);
  closeAfterTest(site.close);
  return site;
}

export async function runEchoSite(...args: Parameters<typeof startEchoSite>): Promise<EchoSite> {
  const site = await startEchoSite(...args);
  closeAfterTest(site.close);
  return site;
}

/** The address of a route at a site with `passthrough`: `/wp-json/wp/v2/posts`. Other paths stay. */
export const toAddress = (path: string): string => path.replace(/^(?=\/[a-z-]+\/v\d)/, '/wp-json');

/** The value of `Cache-Status`, without the name of the cache. */
export const cacheStatusOf = ({ headers }: Response): string =>
  (headers.get('cache-status') ?? '').replace(/^waygate; /, '');

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly body: string;
}

interface RawRequest {
  readonly method?: string;
  /** By name, or a flat list name, value. */
  readonly headers?: Readonly<Record<string, string | string[]>> | readonly string[];
  readonly body?: string;
  /** @default a connection for this request alone */
  readonly agent?: Agent;
}

/**
 * Sends a request as it is: `fetch` normalises paths, adds fields, refuses others and decodes the
 * response.
 */
export function sendRaw(
  origin: string,
  path: string,
  { agent, body, headers = {}, method = 'GET' }: RawRequest = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const options = { path, method, headers, agent: agent ?? false, maxHeaderSize: 128 * 1024 };
    const outgoing = sendRequest(origin, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { headers, statusCode: status = 0 } = incoming;
        resolve({ status, headers, bytes, body: bytes.toString() });
      });
    });
    outgoing.on('error', reject).end(body);
  });
}
