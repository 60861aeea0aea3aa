import { Hono } from 'hono';
import type { Gateway, GatewayOptions } from '../../src/gateway/index.ts';
import { serve } from '../../src/gateway/node/index.ts';
import { openGateway } from '../../src/open-gateway.ts';

/** A running gateway, with the same interface for every way to run it. */
export interface RunningGateway {
  readonly gateway: Gateway;
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Origin under which clients reach the gateway. */
  readonly origin: string;
  stop(): Promise<void>;
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
export function createGateway(options: GatewayOptions, addTo?: (app: Hono) => void): Gateway {
  const app = new Hono();
  addTo?.(app);
  return createSettledGateway(options, null, app);
}

export function startNodeGateway(
  options: GatewayOptions,
  addTo?: (app: Hono) => void,
): Promise<RunningGateway> {
  return startGateway(createGateway(options, addTo));
}

/** Starts a gateway that does not know of any address whether its responses can be everyone's. */
export function startNewGateway(options: GatewayOptions): Promise<RunningGateway> {
  return startGateway(openGateway(options));
}

async function startGateway(gateway: Gateway): Promise<RunningGateway> {
  await gateway.rediscover();
  const server = await serve({ gateway, port: 0, settings: { shutdownGrace: 500 } });
  return {
    gateway,
    origin: server.url,
    request: (path, init) => fetch(server.url + path, { redirect: 'manual', ...init }),
    stop: () => server.stop(),
  };
}

export function addObserver(app: Hono): void {
  app.use(async (call, next) => {
    await next();
    call.res.headers.set('x-seen', '1');
  });
}
