import { Hono } from 'hono';
import { Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { serve } from '../../src/node/index.ts';

/** A running gateway, with the same interface for every way to run it. */
export interface RunningGateway {
  readonly gateway: Gateway;
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Origin under which clients reach the gateway. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Creates a gateway whose app has middleware and routes of its own. */
export function createGateway(options: GatewayOptions, addTo?: (app: Hono) => void): Gateway {
  const app = new Hono();
  addTo?.(app);
  return new Gateway(options, null, app);
}

/** What `@hono/node-server` passes to an app. */
const FROM_LOOPBACK = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

/** Starts a gateway that has read its sites, as an app that another server runs. */
async function startApp(options: GatewayOptions): Promise<RunningGateway> {
  const gateway = new Gateway(options);
  await gateway.rediscover();
  const origin = 'http://gateway.example.com';
  return {
    gateway,
    origin,
    request: async (path, init) => gateway.fetch(new Request(origin + path, init), FROM_LOOPBACK),
    stop: () => gateway.stop(),
  };
}

/** Starts a gateway that has read its sites, on a free port. */
export async function startNodeGateway(
  options: GatewayOptions,
  addTo?: (app: Hono) => void,
): Promise<RunningGateway> {
  const gateway = createGateway(options, addTo);
  await gateway.rediscover();
  const server = await serve({ gateway, port: 0, settings: { shutdownGrace: 500 } });
  return {
    gateway,
    origin: server.url,
    request: (path, init) => fetch(server.url + path, { redirect: 'manual', ...init }),
    stop: () => server.stop(),
  };
}

/** The same behind a middleware, so that the app sees each request and response. */
function startSeenGateway(options: GatewayOptions): Promise<RunningGateway> {
  return startNodeGateway(options, addObserver);
}

export function addObserver(app: Hono): void {
  app.use(async (call, next) => {
    await next();
    call.res.headers.set('x-seen', '1');
  });
}

/** Each way to run the gateway, for suites in which the wire matters. */
export const TRANSPORTS: Readonly<Record<string, (options: GatewayOptions) => Promise<RunningGateway>>> = {
  'an app': startApp,
  'the Node server': (options) => startNodeGateway(options),
  'the Node server behind a middleware': startSeenGateway,
};
