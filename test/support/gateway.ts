import { Hono } from 'hono';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { nodeTransport, serve } from '../../src/node/index.ts';

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

export function addObserver(app: Hono): void {
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

/** Each way to run the gateway, for suites about transports. */
export const TRANSPORTS: Readonly<Record<string, (options: GatewayOptions) => Promise<RunningGateway>>> = {
  'the portable app': startApp,
  'the portable app on dispatch': (options) => startApp({ ...options, transport: nodeTransport }),
  'the Node server': startNodeGateway,
  'the Node server behind a middleware': startSeenGateway,
  'the Node server beside a route': startGatewayBesideRoute,
};

/**
 * The two ways that share the least, for suites about anything else: the app with `fetch`, and the Node server, which answers around
 * it. That all ways of {@link TRANSPORTS} do the same is what `transports.test.ts` and `cache.test.ts` assert.
 */
export const ADAPTERS: typeof TRANSPORTS = {
  'the portable app': startApp,
  'the Node server': startNodeGateway,
};
