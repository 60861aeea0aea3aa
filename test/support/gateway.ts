import type { ServerResponse } from 'node:http';
import { Hono } from 'hono';
import type { Network } from '../../src/base/option-types.ts';
import type { Gateway, GatewayOptions, Log, SiteOptions } from '../../src/gateway/index.ts';
import { type ServeOptions, serve } from '../../src/gateway/node/index.ts';
import { parseNetwork } from '../../src/gateway/upstream/networks.ts';
import { openGateway } from '../../src/open-gateway.ts';
import { closeAfterTest } from './close-after-test.ts';
import { createSmallDocument, type StubRequest, type StubSite, startStubSite } from './stub-site.ts';

/** The admin token of {@link startGateway}, and the fields of a request with it. */
export const TOKEN = 'a-token-of-the-tests';
export const BEARER = { authorization: `Bearer ${TOKEN}` };

/** Networks as a configuration has them once it's read. */
export const networks = (...texts: readonly string[]): readonly Network[] =>
  texts.flatMap((text) => parseNetwork(text) ?? []);

export const perMinute = (ofNetwork: number) => ({ ofNetwork, window: 60_000 }) as const;

const SETTINGS = { shutdownGrace: 500 };

/** A response that a test writes down. A body that is neither text nor bytes is sent as JSON. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/**
 * Answers a request at the site. `count` is the number of requests so far, this one included. If it returns nothing, it has used
 * `response` (and `response.req`) itself, or the request gets no response.
 */
export type Responder = (request: StubRequest, count: number, response: ServerResponse) => Answer | undefined;

/** Options of {@link startGateway}: those of the site, and how the gateway is run. */
export interface TestOptions extends Partial<SiteOptions> {
  /** Settings that aren't the site's. With `sites`, no stub site is started. */
  readonly gateway?: Partial<GatewayOptions>;
  /** Root index of the stub site, which the gateway reads. @default it has the document of `readSmallIndex`, and reads nothing */
  readonly index?: unknown;
  /** Whether the gateway has no server: requests have the fields that a test states, and no others. */
  readonly inMemory?: boolean;
  /** Whether no address has had a response yet. @default the first request of an address is asked for everyone */
  readonly isNew?: boolean;
  /** Adds middleware and routes to the app of a user. */
  readonly addTo?: (app: Hono) => void;
  readonly server?: Omit<ServeOptions, 'gateway'>;
  /** The gateway in whose place it comes, with its store. */
  readonly before?: Gateway;
  /** Whether it's served without having read its sites. */
  readonly isUnread?: boolean;
}

/** A line of the log, with its facts. */
interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: 'info' | 'warn' | 'error';
  readonly msg: string;
}

/** A running gateway, with the same interface for every way to run it. */
export interface RunningGateway {
  readonly gateway: Gateway;
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Origin under which clients reach the gateway. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** A running gateway with the site behind it. */
export interface TestGateway extends RunningGateway {
  readonly siteUrl: string;
  /** Closes the stub site. */
  closeSite(): Promise<void>;
  readonly port: number;
  /** What gateway and server have logged. */
  readonly lines: readonly LogLine[];
  readonly warnings: readonly string[];
  readMetrics(): Promise<string>;
  /** Puts another gateway in its place, as a reload does, with changes to the settings and without middleware. */
  replace(changed?: Partial<GatewayOptions>): Promise<Gateway>;
  /** Requests that the site got, but those of discovery and those by which the gateway asks who a user is. */
  readonly received: readonly StubRequest[];
  /** Sends a `GET`. Returns the body, and `Cache-Status` without the name of the cache, e.g. `['a', 'hit; ttl=60']`. */
  read(path: string, headers?: HeadersInit): Promise<readonly [body: string, status: string]>;
  /** Sends a request with the admin token, e.g. for `/-/sites`: a `POST` if it has a body. */
  administer(path: string, body?: object): Promise<Response>;
}

/**
 * Starts a stub site that answers with `respond`, and a gateway with a store in memory before it. Both are closed after the test, or
 * after the file within `startOnce`.
 *
 * ```ts
 * const { read, received } = await startGateway({ cache: { pages: 60 } }, () => ({ body: '<p>a</p>' }));
 * await read('/a/');
 * expect(await read('/a/')).toEqual(['<p>a</p>', expect.stringMatching(/^hit/)]);
 * expect(received).toHaveLength(1);
 * ```
 * By default `passthrough` is on, pages are stored for 60 s, and `admin` has `TOKEN`. With a `url`, or with `sites` of `gateway`, the
 * gateway is put before these, and no site is started. Without `respond`, the stub site has pages and an index, and no routes.
 */
export async function startGateway(options: TestOptions = {}, respond?: Responder): Promise<TestGateway> {
  const { addTo, gateway: settings = {}, index, inMemory = false, isNew = false, ...more } = options;
  const { before = null, isUnread = false, server = {}, ...stated } = more;
  const received: StubRequest[] = [];
  const hasSite = stated.url === undefined && settings.sites === undefined;
  const stub = hasSite ? await startAnsweringSite(received, index, respond) : null;
  const isKnown = index !== undefined || stated.discovery === 'off';
  const document = isKnown ? {} : { document: createSmallDocument() };
  const site = {
    passthrough: true,
    ...document,
    cache: { pages: 60 },
    ...stated,
    url: stated.url ?? stub?.url ?? '',
  };
  const { lines, log, warnings } = createTestLog();
  const all = {
    sites: [site],
    cache: 'memory',
    admin: { token: TOKEN },
    log,
    ...SETTINGS,
    ...settings,
  } as const;
  const opened = openGateway(all, before, addTo && createApp(addTo));
  if (!isNew) settle(opened);
  if (!isUnread) await opened.rediscover();
  const running = inMemory ? runInMemory(opened) : await startServing(opened, { log, ...server });
  let current = opened;
  closeAfterTest(running.stop);
  const { origin, request } = running;
  const administer: TestGateway['administer'] = (path, body) =>
    request(path, {
      headers: { ...BEARER, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  return {
    ...running,
    ...{ administer, lines, received, warnings, port: Number(new URL(origin).port) },
    ...{ siteUrl: site.url, closeSite: async () => stub?.close() },
    async replace(changed = {}) {
      const next = openGateway({ ...all, ...changed }, current);
      if (!isNew) settle(next);
      await next.getReady();
      running.replace(next);
      current = next;
      return next;
    },
    readMetrics: async () => (await administer('/-/metrics')).text(),
    async read(path, headers = {}) {
      const response = await request(path, { headers });
      const status = response.headers.get('cache-status') ?? '';
      return [await response.text(), status.replace(/^waygate; /, '')];
    },
  };
}

function createTestLog() {
  const lines: LogLine[] = [];
  const warnings: string[] = [];
  const note = (level: LogLine['level']) => (facts: object, msg: string) => {
    lines.push({ ...facts, level, msg });
    if (level === 'warn') warnings.push(msg);
  };
  const log: Log = { info: note('info'), warn: note('warn'), error: note('error') };
  return { lines, log, warnings };
}

async function startAnsweringSite(
  received: StubRequest[],
  index: unknown,
  respond: Responder | undefined,
): Promise<StubSite> {
  const site = await startStubSite({
    ...(index !== undefined && { index }),
    intercept(request, response) {
      if (request.headers['user-agent']?.includes('(compatible; waygate)') === true) return false;
      received.push(request);
      if (respond === undefined) return false;
      const answer = respond(request, received.length, response);
      if (answer === undefined) return true;
      const { body, headers = {}, status = 200 } = answer;
      const type = request.route === undefined ? 'text/html; charset=UTF-8' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers }).end(toBytes(body));
      return true;
    },
  });
  closeAfterTest(site.close);
  return site;
}

const toBytes = (body: unknown): string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array ? body : (JSON.stringify(body) ?? '');

interface Replaceable extends RunningGateway {
  replace(next: Gateway): void;
}

async function startServing(
  gateway: Gateway,
  options: Omit<ServeOptions, 'gateway'> = {},
): Promise<Replaceable> {
  const server = await serve({ gateway, port: 0, ...options });
  return {
    gateway,
    origin: server.url,
    request: (path, init) => fetch(server.url + path, { redirect: 'manual', ...init }),
    stop: () => server.stop(),
    replace: server.replace,
  };
}

function runInMemory(gateway: Gateway): Replaceable {
  let current = gateway;
  return {
    gateway,
    origin: 'http://localhost',
    request: async (path, init) => current.app.request(path, init),
    stop: () => current.stop(),
    replace(next) {
      next.succeed(current);
      current = next;
    },
  };
}

function createApp(addTo: (app: Hono) => void): Hono {
  const app = new Hono();
  addTo(app);
  return app;
}

/**
 * Creates a gateway that has run for a while: a response of each address has shown that it can be everyone's, so the first request of a
 * test is asked for everyone. `test/gateway/everyone.test.ts` shows what comes before.
 */
export function createSettledGateway(...args: Parameters<typeof openGateway>): Gateway {
  return settle(openGateway(...args));
}

export function settle(gateway: Gateway): Gateway {
  const addresses = gateway.parts.cache?.keyMemos.addresses;
  if (addresses === undefined) return gateway;
  const findVary = addresses.findVary.bind(addresses);
  addresses.findVary = (key) => findVary(key) ?? [];
  return gateway;
}

/** The same, whose app has middleware and routes of its own. */
function createGateway(options: GatewayOptions, addTo: (app: Hono) => void = () => {}): Gateway {
  return createSettledGateway(options, null, createApp(addTo));
}

export async function startNodeGateway(
  options: GatewayOptions,
  addTo?: (app: Hono) => void,
): Promise<RunningGateway> {
  const gateway = createGateway({ ...SETTINGS, ...options }, addTo);
  await gateway.rediscover();
  return startServing(gateway);
}
