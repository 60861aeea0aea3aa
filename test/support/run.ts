import { type Agent, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { type Clock, systemClock } from '../../src/base/ports.ts';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from './close-after-test.ts';
import { type EchoSite, startEchoSite } from './echo-site.ts';
import { type Answer, type RunningGateway, startNodeGateway, toBytes } from './gateway.ts';
import { startServer, type TestServer } from './server.ts';
import {
  createSmallDocument,
  type StubRequest,
  type StubSite,
  type StubSiteOptions,
  startStubSite,
} from './stub-site.ts';

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

/** Starts a gateway in front of one site that stops after the test. By default it has a store in memory. */
export async function runGateway(
  site: SiteOptions,
  options: Partial<GatewayOptions> = { cache: 'memory' },
  start: (options: GatewayOptions) => Promise<RunningGateway> = startNodeGateway,
): Promise<RunningGateway> {
  const running = await start({ sites: [site], ...options });
  closeAfterTest(running.stop);
  return running;
}

/** The address of a route at a site with `passthrough`: `/wp-json/wp/v2/posts`. Other paths stay. */
export const toAddress = (path: string): string => path.replace(/^(?=\/[a-z-]+\/v\d)/, '/wp-json');

export type { Answer };

/**
 * Starts a gateway with a store in front of a site that answers each request but those for its index with `answer`, which gets the
 * number of requests so far. If it returns nothing, it has responded itself, or the request gets no response.
 */
export async function runAnswering(
  answer: (request: StubRequest, count: number, response: ServerResponse) => Answer | undefined,
  site: Partial<SiteOptions> = {},
  options: Partial<GatewayOptions> = {},
  start?: (options: GatewayOptions) => Promise<RunningGateway>,
): Promise<RunningGateway & { readonly count: () => number }> {
  let count = 0;
  const { url } = await runStubSite({
    intercept(request, response) {
      if (request.route === '/' || request.url === '/' || request.method === 'OPTIONS') return false;
      count += 1;
      const answered = answer(request, count, response);
      if (answered === undefined) return true;
      const { status = 200, headers = {}, body } = answered;
      const type = request.route === undefined ? 'text/html; charset=UTF-8' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers }).end(toBytes(body));
      return true;
    },
  });
  const known = site.discovery === 'off' ? {} : { document: createSmallDocument() };
  const all = { passthrough: true, ...known, cache: { pages: 60 }, ...site, url };
  return { ...(await runGateway(all, { cache: 'memory', ...options }, start)), count: () => count };
}

/** The system's clock, which a test can put forward. Once it is stopped, only `move` moves it. */
export function createMovableClock(): Clock & { move(seconds: number): void; stop(): void } {
  let ahead = 0;
  let stopped: number | undefined;
  return {
    now: () => (stopped ?? systemClock.now()) + ahead,
    after: systemClock.after,
    move(seconds) {
      ahead += seconds * 1000;
    },
    stop() {
      stopped = systemClock.now();
    },
  };
}

/** The value of `Cache-Status`, without the name of the cache. */
export const cacheStatusOf = ({ headers }: Response): string =>
  (headers.get('cache-status') ?? '').replace(/^waygate; /, '');

/** Body and `Cache-Status` of a response. */
export const readCached = async (response: Response): Promise<readonly [body: string, status: string]> => [
  await response.text(),
  cacheStatusOf(response),
];

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
