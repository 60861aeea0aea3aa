import type { CacheStatus } from '../base/http/cache-status.ts';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { type Problem, problemResponse, toErrorPage } from './exchange/problem.ts';
import type { GatewayRequest, ReceivedRequest, RequestAttributes } from './gateway-request.ts';
import type { CorsPolicy } from './site/cors.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { TargetMemo } from './site/target-memos.ts';

export interface OuterApp {
  callApp(request: Request, environment: object): Response | Promise<Response>;
}

/** A response of the gateway itself, before it is created. */
export interface OwnResponse extends RequestAttributes {
  readonly kind: 'own';
  readonly site: MountedSite | null;
  /** For a server that can write it at less cost: floods are refused so. @default unknown */
  readonly problem?: Problem;
  /** Prepares the request again after the first discovery of its site. @default it need not wait */
  readonly prepareLater?: () => Promise<OwnResponse | GatewayRequest>;
  /** Replaces the CORS fields of the response. @default they stay */
  readonly cors?: CorsPolicy | null;
  /** Head for what is below `/-/`, whose routes an app has. */
  readonly adminHead?: IncomingRequestHead;
  /** @param request its body can be read once @param app that got the message; `null` without our server */
  respond(request: Request, app: OuterApp | null): Response | Promise<Response>;
  /** @default the request is for no site, or has no target */
  recordResponse?(status: number, cacheStatus: CacheStatus | undefined, milliseconds: number): void;
  recordUnresolved?(): void;
}

/** @param memo `null` before the target was resolved @param isListed whether the console lists the refusal */
export function refuse(
  received: ReceivedRequest,
  refused: Problem,
  site: MountedSite | null = null,
  memo: TargetMemo | null = null,
  isListed = true,
): OwnResponse {
  const { fields, head, requestId } = received;
  const problem = memo?.resolved.kind === 'route' ? refused : toErrorPage(refused, head, requestId);
  const operation = memo?.operation ?? null;
  const response: OwnResponse = {
    ...createOwnResponse(received, site, () => problemResponse(problem, head.method)),
    route: memo?.route ?? null,
    operation,
    problem,
    cors: site?.cors ?? null,
  };
  if (site === null) return response;
  const request = { requestId, client: fields.client.address, head, resolved: memo?.resolved };
  if (memo === null)
    return { ...response, recordUnresolved: () => site.recorder.recordRefusal(request, problem, false) };
  return {
    ...response,
    recordResponse(status, _, milliseconds) {
      site.recorder.traffic.recordResponse(memo.trafficKey, status, 'none', milliseconds);
      site.recorder.recordRefusal(request, problem, isListed && memo.resolved.kind !== 'own');
    },
  };
}

export function createOwnResponse(
  { fields, requestId }: ReceivedRequest,
  site: MountedSite | null,
  respond: OwnResponse['respond'],
): OwnResponse {
  const { address: client } = fields.client;
  return { kind: 'own', site, requestId, client, route: null, operation: null, respond };
}
