import type { RequestPlan } from '../plan/plan.ts';
import type { Gateway } from './gateway.ts';
import type { RequestPlanner } from './request-planner.ts';

/** What a server adapter of this package uses of a gateway beside its public interface. */
export interface GatewayInternals {
  /** Plans a request, so that the adapter can execute a forward plan on a faster transport than `fetch`. */
  readonly plan: RequestPlanner;
  /** Responds to a request with a plan that was made for it. */
  fetchPlanned(request: Request, plan: RequestPlan): Response | Promise<Response>;
  /** Counts a response that the adapter relayed. Responses of the app are counted by the app. */
  countResponse(mount: string, status: number, cacheStatus: string | undefined): void;
}

const internalsByGateway = new WeakMap<Gateway, GatewayInternals>();

/** Called once for each gateway, by `createGateway`. */
export function setGatewayInternals(gateway: Gateway, internals: GatewayInternals): void {
  internalsByGateway.set(gateway, internals);
}

/** @throws {TypeError} when `createGateway` of this copy of the package did not create the gateway */
export function gatewayInternals(gateway: Gateway): GatewayInternals {
  const internals = internalsByGateway.get(gateway);
  if (internals === undefined) throw new TypeError('The gateway was not created by createGateway.');
  return internals;
}
