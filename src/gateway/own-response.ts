import { type Problem, problemResponse, toErrorPage } from '../exchange/problem.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import type { CorsPolicy } from '../site/cors.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { TargetMemo } from '../site/target-memos.ts';
import type { GatewayRequest, ReceivedRequest, RequestAttributes } from './gateway-request.ts';

/** A response of the gateway itself to a request, before it is created. */
export interface OwnResponse extends RequestAttributes {
  readonly kind: 'own';
  /** Response fields about the rate limits, a flat list name, value. @default none */
  readonly limitFields?: readonly string[];
  /** The response of {@link respond}, for a server that can write it at less cost: floods are refused so. @default unknown */
  readonly problem?: Problem;
  /** Prepares the request again once the first discovery of its site has ended, or has taken too long. @default it need not wait */
  readonly prepareLater?: () => Promise<OwnResponse | GatewayRequest>;
  /** Replaces the CORS fields of the response; `null` or absent: they stay. */
  readonly cors?: CorsPolicy | null;
  /** The head of a request for what is below `/-/`, whose routes an app has. */
  readonly adminHead?: IncomingRequestHead;
  /** @param request the request with its body, which can be read once */
  respond(request: Request): Response | Promise<Response>;
  /** Records the response in the traffic of the site. @default the request is for no site, or was refused before its target was known */
  recordResponse?(status: number, cacheStatus: string | undefined, milliseconds: number): void;
}

export interface Refusal {
  readonly kind: 'refused';
  readonly problem: Problem;
  /** `null` if the request is for no site. */
  readonly site: MountedSite | null;
  /** Whether the CORS policy of the site applies: a client without access learns nothing of it. */
  readonly hasCors: boolean;
  /** What is known of the target; `null` before it was resolved, so that the traffic of the site does not count the request. */
  readonly memo: TargetMemo | null;
  /** Whether the operator sees the refusal as a problem. */
  readonly isProblem: boolean;
  /** See {@link OwnResponse}. */
  readonly limitFields?: readonly string[];
}

/** Refuses a request before its target was resolved. */
export function refuseUnresolved(problem: Problem, site: MountedSite | null, hasCors: boolean): Refusal {
  return { kind: 'refused', problem, site, hasCors, memo: null, isProblem: false };
}

export function refuseResolved(problem: Problem, site: MountedSite, memo: TargetMemo): Refusal {
  return { kind: 'refused', problem, site, hasCors: true, memo, isProblem: true };
}

/** Refuses a request because of a rate limit. Such refusals may be very many, so `SiteLimits` counts them. */
export function refuseByLimit(problem: Problem, site: MountedSite, memo: TargetMemo): Refusal {
  return { ...refuseResolved(problem, site, memo), isProblem: false };
}

/** Creates the response to a refused request, and the record of it. */
export function toRefusalResponse(received: ReceivedRequest, refusal: Refusal): OwnResponse {
  const { hasCors, isProblem, limitFields = [], memo, site } = refusal;
  const { head, requestId } = received;
  const isForRoute = memo?.resolved.kind === 'route';
  const problem = isForRoute ? refusal.problem : toErrorPage(refusal.problem, head, requestId);
  const operation = memo?.operation ?? null;
  const response: OwnResponse = {
    ...createOwnResponse(received, site, () => problemResponse(problem, head.method)),
    route: memo?.route ?? null,
    operation,
    limitFields,
    problem,
    cors: hasCors ? (site?.cors ?? null) : null,
  };
  if (site === null || memo === null) return response;
  return {
    ...response,
    recordResponse(status, cacheStatus, milliseconds) {
      site.recorder.traffic.recordResponse(memo.trafficKey, status, cacheStatus, milliseconds);
      const { resolved } = memo;
      if (!isProblem || resolved.kind === 'own') return;
      site.recorder.recordRefusal({ requestId, head, resolved, operation }, problem);
    },
  };
}

export function createOwnResponse(
  { fields, requestId }: ReceivedRequest,
  site: MountedSite | null,
  respond: OwnResponse['respond'],
): OwnResponse {
  const { address: client } = fields.client;
  const mount = site?.mount ?? '';
  return { kind: 'own', requestId, client, mount, route: null, operation: null, respond };
}
