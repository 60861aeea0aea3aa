import type { BodyMemory } from '../exchange/body-memory.ts';
import type { RequestPlan } from '../plan/plan.ts';
import type { RequestPlanner } from './request-planner.ts';

/** The part of a gateway that only the server adapters of this package use. */
export interface GatewayInternals {
  /** Plans a request, so that the adapter can execute a forward plan on a faster transport than `fetch`. */
  readonly planRequest: RequestPlanner;
  /** Memory for request bodies that are validated. */
  readonly bodyMemory: BodyMemory;
  /** Called when the server begins to stop. `/-/ready` responds with 503 from then on, and the streams of the console end. */
  beginStop(): void;
  /** Responds to a request with a plan that was made for it. */
  fetchPlanned(request: Request, plan: RequestPlan): Response | Promise<Response>;
  /**
   * Counts a response that the adapter relayed. Responses of the app are counted by the app.
   *
   * @param milliseconds from the request's head to the end of the response
   */
  countResponse(
    plan: RequestPlan,
    status: number,
    cacheStatus: string | undefined,
    milliseconds: number,
  ): void;
}

const internalsByGateway = new WeakMap<object, GatewayInternals>();

/** Called once for each gateway, by `createGateway`. */
export function setGatewayInternals(gateway: object, internals: GatewayInternals): void {
  internalsByGateway.set(gateway, internals);
}

/** @throws {TypeError} when `createGateway` of this copy of the package did not create the gateway */
export function getGatewayInternals(gateway: object): GatewayInternals {
  const internals = internalsByGateway.get(gateway);
  if (internals === undefined) throw new TypeError('The gateway was not created by createGateway.');
  return internals;
}
