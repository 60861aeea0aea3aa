import type { CorsPolicy } from './exchange/cors.ts';
import { type Problem, problemResponse } from './exchange/problem.ts';
import { findOperationId, type ReceivedRequest, type RequestAttributes } from './gateway-request.ts';
import type { MountedSite } from './mounted-site.ts';
import type { ResolvedRequest } from './snapshot/snapshot.ts';
import { NO_OPERATION, toTrafficKey } from './traffic/site-traffic.ts';

/** A request that the gateway responds to itself. */
export interface LocalRequest extends RequestAttributes {
  readonly kind: 'local';
  /** Response fields about the rate limits, a flat list name, value. @default none */
  readonly limitFields?: readonly string[];
  /** The response of {@link respond}, for a server that can write it at less cost: floods are refused so. @default unknown */
  readonly problem?: Problem;
  /** Replaces the CORS fields of the response; `null` or absent: they stay. */
  readonly cors?: CorsPolicy | null;
  /** @param request the request with its body, which can be read once */
  respond(request: Request): Response | Promise<Response>;
  /** Records the response in the traffic of the site. */
  recordResponse?(status: number, cacheStatus: string | undefined, milliseconds: number): void;
}

/** Why the gateway refuses a request. The stages of a request return it. */
export interface Refusal {
  readonly kind: 'refused';
  readonly problem: Problem;
  /** `null` if the request is for no site. */
  readonly site: MountedSite | null;
  /** Whether the CORS policy of the site applies: a client without access learns nothing of it. */
  readonly hasCors: boolean;
  /** What the traffic of the site counts the request as; `null` before its target was resolved. */
  readonly resolved: ResolvedRequest | null;
  /** Whether the operator sees the refusal as a problem. Those by a rate limit may be very many, so `SiteLimits` counts them. */
  readonly isProblem: boolean;
  /** See {@link LocalRequest}. */
  readonly limitFields?: readonly string[];
}

/** Refuses a request before its target was resolved. */
export function refuseUnresolved(problem: Problem, site: MountedSite | null, hasCors: boolean): Refusal {
  return { kind: 'refused', problem, site, hasCors, resolved: null, isProblem: false };
}

/** Refuses a request whose target was resolved. */
export function refuseResolved(
  problem: Problem,
  site: MountedSite,
  resolved: ResolvedRequest,
  isProblem = true,
): Refusal {
  return { kind: 'refused', problem, site, hasCors: true, resolved, isProblem };
}

/** Creates the response to a refused request, and the record of it. */
export function toRefusedRequest(
  { fields, head, requestId }: ReceivedRequest,
  { hasCors, isProblem, limitFields = [], problem, resolved, site }: Refusal,
): LocalRequest {
  const atSite = resolved === null || resolved.kind === 'local' ? null : resolved;
  const operation = atSite === null ? null : findOperationId(atSite);
  return {
    kind: 'local',
    requestId,
    client: fields.client.address,
    mount: site?.mount ?? '',
    route: atSite?.kind === 'route' ? atSite.target.route : null,
    operation,
    limitFields,
    problem,
    cors: hasCors ? (site?.cors ?? null) : null,
    respond: () => problemResponse(problem, head.method),
    recordResponse(status, cacheStatus, milliseconds) {
      if (site === null || resolved === null) return;
      const recorded = atSite === null ? null : { requestId, head, resolved: atSite, operation };
      const key = recorded === null ? NO_OPERATION.local : toTrafficKey(recorded);
      site.recorder.traffic.recordResponse(key, status, cacheStatus, milliseconds);
      if (recorded !== null && isProblem) site.recorder.recordRefusal(recorded, problem);
    },
  };
}

/** Creates the request for a response of the gateway's own. */
export function createLocalRequest(
  { fields, requestId }: ReceivedRequest,
  site: MountedSite | null,
  respond: LocalRequest['respond'],
): LocalRequest {
  const { address: client } = fields.client;
  return {
    kind: 'local',
    requestId,
    client,
    mount: site?.mount ?? '',
    route: null,
    operation: null,
    respond,
  };
}
