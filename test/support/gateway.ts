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
  'the Node server': (options) => startNodeGateway(options),
  'the Node server behind a middleware': startSeenGateway,
};
