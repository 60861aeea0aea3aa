import type { UpstreamFailure } from '../../http/exchange.ts';
import type { RequestHead } from '../../http/request-head.ts';
import { describeFailureCause } from '../../upstream/failures.ts';
import type { Problem } from '../exchange/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolve-request.ts';
import { type RecordedProblem, SiteProblems } from './site-problems.ts';
import type { OperationBudget } from './site-traffic.ts';
import { NO_OPERATION, SiteTraffic } from './site-traffic.ts';

/** A request for the site, as its traffic and problems are recorded. */
export interface RecordedRequest {
  readonly requestId: string;
  readonly head: Pick<RequestHead, 'method'>;
  readonly resolved: RouteRequest | PageRequest;
  /** `operationId` in the document; `null` if no operation matches. */
  readonly operation: string | null;
}

/** Statuses that say nothing but that a resource does not exist. Crawlers cause any number of them. */
const ABSENT: ReadonlySet<number> = new Set([404, 410]);

/** Records the requests of one site, in memory, for the operator's views. */
export class SiteRecorder {
  readonly traffic: SiteTraffic;
  readonly problems: SiteProblems;

  /** @param now returns milliseconds since the epoch */
  constructor(now: () => number, budget: OperationBudget) {
    this.traffic = new SiteTraffic(now, budget);
    this.problems = new SiteProblems(now);
  }

  /** Records that the gateway has refused a request. */
  recordRefusal(request: RecordedRequest, { brokenRules, code, status }: Problem): void {
    this.#record(request, { source: 'gateway', status, code, rules: brokenRules ?? [] });
  }

  /** Records that the site has not responded. A client that disconnected is no problem of the site. */
  recordFailure(request: RecordedRequest, failure: UpstreamFailure, { code, status }: Problem): void {
    if (failure.kind === 'client-gone') return;
    const detail = describeFailureCause(failure) ?? '';
    this.#record(request, { source: 'failure', status, code, cause: failure.kind, detail });
  }

  /** Records an error response of the site. @returns the number of the problem; `null` if it is none */
  recordSiteError(request: RecordedRequest, status: number, cacheStatus: string | undefined): number | null {
    if (status < 400 || ABSENT.has(status)) return null;
    return this.#record(request, { source: 'site', status, cacheStatus: cacheStatus ?? '' });
  }

  #record(
    { head, operation, requestId, resolved }: RecordedRequest,
    problem: Pick<RecordedProblem, 'source' | 'status'> & Partial<RecordedProblem>,
  ): number {
    return this.problems.record({
      requestId,
      method: head.method,
      route: describeRoute(resolved),
      operation,
      code: '',
      rules: [],
      cause: '',
      detail: '',
      cacheStatus: '',
      ...problem,
    });
  }
}

/** Returns the key of a request in the traffic by operation. */
export function toTrafficKey({ operation, resolved }: RecordedRequest): string {
  if (resolved.kind === 'page') return NO_OPERATION.pages;
  return operation ?? NO_OPERATION.unknownRoutes;
}

function describeRoute(resolved: RouteRequest | PageRequest): string {
  if (resolved.kind === 'page') return showSegments(resolved.target.path);
  return resolved.match.kind === 'found'
    ? resolved.match.operation.path
    : showSegments(resolved.target.route);
}

/** Other routes and pages may hold anything in their path, so only two segments are shown: `/wp/v2/…`. */
function showSegments(path: string): string {
  const segments = takeSegments(path);
  return segments.length < path.length ? `${segments}/…` : segments;
}

const MAX_SEGMENTS_LENGTH = 100;

/** Returns the first two segments of a path. */
export function takeSegments(path: string): string {
  return path.slice(0, MAX_SEGMENTS_LENGTH).split('/', 3).join('/');
}
