import { Hono } from 'hono';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { nodeTransport, serve } from '../../src/node/index.ts';
import { writeCertificate } from './certificates.ts';
import { createHttp2Client } from './http2-client.ts';

/** A running gateway, with the same interface for every transport. */
export interface RunningGateway {
  readonly gateway: Gateway;
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Origin under which clients reach the gateway. */
  readonly origin: string;
  stop(): Promise<void>;
}

async function startApp(options: GatewayOptions): Promise<RunningGateway> {
  const gateway = createGateway(options);
  await gateway.rediscover();
  const origin = 'http://gateway.example.com';
  return {
    gateway,
    origin,
    request: async (path, init) => gateway.fetch(new Request(origin + path, init)),
    stop: async () => gateway.stop(),
  };
}

/** Starts a gateway that has read its sites, on a free port. */
export function startNodeGateway(options: GatewayOptions): Promise<RunningGateway> {
  return startNode(createGateway(options), (gateway) => gateway);
}

/** The same behind a middleware, so that the app sees each request and response. */
export function startSeenGateway(options: GatewayOptions): Promise<RunningGateway> {
  return startNode(createGateway({ ...options, app: addObserver }), (gateway) => gateway);
}

/** The same in an app with a route of its own, which sees none of the requests. */
function startGatewayBesideRoute(options: GatewayOptions): Promise<RunningGateway> {
  const own = new Hono().get('/own/route', (call) => call.text('own'));
  return startNode(createGateway(options), (gateway) => own.route('/', gateway));
}

function addObserver(app: Hono): void {
  app.use(async (call, next) => {
    await next();
    call.res.headers.set('x-seen', '1');
  });
}

async function startNode(gateway: Gateway, toApp: (gateway: Gateway) => Hono): Promise<RunningGateway> {
  await gateway.rediscover();
  const server = await serve(toApp(gateway), { port: 0, shutdownGrace: 500 });
  return {
    gateway,
    origin: server.url,
    request: (path, init) => fetch(server.url + path, { redirect: 'manual', ...init }),
    stop: () => server.stop(),
  };
}

/** Starts a gateway that has read its sites, and requests it over HTTP/2. */
export async function startHttp2Gateway(options: GatewayOptions): Promise<RunningGateway> {
  const gateway = createGateway(options);
  await gateway.rediscover();
  const files = await writeCertificate('127.0.0.1');
  const server = await serve(gateway, { port: 0, shutdownGrace: 500, tls: { certificates: [files] } });
  const client = createHttp2Client(server.url);
  return {
    gateway,
    origin: server.url,
    request: client.request,
    async stop() {
      client.close();
      await server.stop();
      await files.remove();
    },
  };
}

/** Each way to run the gateway, for suites about transports. */
export const TRANSPORTS: Readonly<Record<string, (options: GatewayOptions) => Promise<RunningGateway>>> = {
  'the portable app': (options) => startApp(options),
  'the portable app on dispatch': (options) => startApp({ ...options, transport: nodeTransport }),
  'the Node server': startNodeGateway,
  'the Node server behind a middleware': startSeenGateway,
  'the Node server beside a route': startGatewayBesideRoute,
  'the Node server over HTTP/2': startHttp2Gateway,
};

/**
 * Each way to receive a request and each way to send one, once, for suites about anything else: of {@link TRANSPORTS} all but the
 * portable app on dispatch, whose two parts the others have.
 */
export const ADAPTERS: typeof TRANSPORTS = Object.fromEntries(
  Object.entries(TRANSPORTS).filter(([name]) => name !== 'the portable app on dispatch'),
);
