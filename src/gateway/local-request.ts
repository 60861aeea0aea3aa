import type { CorsPolicy } from './exchange/cors.ts';
import { type Problem, problemResponse } from './exchange/problem.ts';
import type { ReceivedRequest, RequestAttributes } from './gateway-request.ts';
import type { MountedSite } from './mounted-site.ts';
import type { TargetMemo } from './target-memos.ts';

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
  /** What is known of the target; `null` before it was resolved, so that the traffic of the site does not count the request. */
  readonly memo: TargetMemo | null;
  /** Whether the operator sees the refusal as a problem. Those by a rate limit may be very many, so `SiteLimits` counts them. */
  readonly isProblem: boolean;
  /** See {@link LocalRequest}. */
  readonly limitFields?: readonly string[];
}

/** Refuses a request before its target was resolved. */
export function refuseUnresolved(problem: Problem, site: MountedSite | null, hasCors: boolean): Refusal {
  return { kind: 'refused', problem, site, hasCors, memo: null, isProblem: false };
}

/** Refuses a request whose target was resolved. */
export function refuseResolved(
  problem: Problem,
  site: MountedSite,
  memo: TargetMemo,
  isProblem = true,
): Refusal {
  return { kind: 'refused', problem, site, hasCors: true, memo, isProblem };
}

/** Creates the response to a refused request, and the record of it. */
export function toRefusedRequest(
  { fields, head, requestId }: ReceivedRequest,
  { hasCors, isProblem, limitFields = [], memo, problem, site }: Refusal,
): LocalRequest {
  const operation = memo?.operation ?? null;
  return {
    kind: 'local',
    requestId,
    client: fields.client.address,
    mount: site?.mount ?? '',
    route: memo?.route ?? null,
    operation,
    limitFields,
    problem,
    cors: hasCors ? (site?.cors ?? null) : null,
    respond: () => problemResponse(problem, head.method),
    recordResponse(status, cacheStatus, milliseconds) {
      if (site === null || memo === null) return;
      site.recorder.traffic.recordResponse(memo.trafficKey, status, cacheStatus, milliseconds);
      const { resolved } = memo;
      if (!isProblem || resolved.kind === 'local') return;
      site.recorder.recordRefusal({ requestId, head, resolved, operation }, problem);
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
