import type { Hono } from 'hono';
import { Gateway } from './gateway/gateway.ts';
import type { GatewayOptions } from './gateway/index.ts';
import { OperatedGateway } from './gateway/report/operated-gateway.ts';
import type { CreateOperations } from './gateway/request-context.ts';
import type { Surfaces } from './gateway/surfaces.ts';
import { createOperations } from './pages/console/console-app.ts';

/** Each loads with the first request for it. */
const SURFACES: Surfaces = {
  respondToDocs: async (request) => (await import('./pages/docs/serve.ts')).respondToDocs(request),
  respondToAgent: async (host, request, message) =>
    (await import('./agents/server.ts')).respondToClient(host, request, message),
};

const operate: CreateOperations = (parts, sites) => createOperations(new OperatedGateway(parts, sites));

/** Creates a gateway with its documentation, console, operations and tools for agents. @param app a user's, to which the gateway adds its routes */
export function openGateway(options: GatewayOptions, before?: Gateway | null, app?: Hono): Gateway {
  return new Gateway({ options, surfaces: SURFACES, createOperations: operate, before, app });
}
