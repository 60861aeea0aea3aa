import type { UpstreamFailure } from '../../http/exchange.ts';
import { describeFailureCause } from '../../upstream/failures.ts';
import type { LocalPlan, RequestAttributes } from '../plan/plan.ts';
import type { Problem } from '../plan/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { RecordedProblem } from '../traffic/site-problems.ts';
import type { SiteRecorder } from '../traffic/site-recorder.ts';
import { NO_OPERATION } from '../traffic/site-traffic.ts';
import { takeSegments } from './circuit-subject.ts';

/** A request for the site, as its traffic and problems are recorded. */
export interface RecordedRequest {
  readonly method: string;
  readonly resolved: RouteRequest | PageRequest;
  readonly attributes: RequestAttributes;
}

/** Returns the key of {@link RecordedRequest} in the traffic by operation. */
export function toTrafficKey({ attributes, resolved }: Omit<RecordedRequest, 'method'>): string {
  if (resolved.kind === 'page') return NO_OPERATION.pages;
  return attributes.operation ?? NO_OPERATION.unknownRoutes;
}

/** Plans a response that refuses a request, and records it. */
export function planRefusal(
  recorder: SiteRecorder,
  request: RecordedRequest,
  problem: Problem,
  respond: LocalPlan['respond'],
): LocalPlan {
  return {
    kind: 'local',
    attributes: request.attributes,
    respond,
    recordResponse(status, cacheStatus, milliseconds) {
      recorder.traffic.recordResponse(toTrafficKey(request), status, cacheStatus, milliseconds);
      recordRefusal(recorder, request, problem);
    },
  };
}

/** Records that the gateway has refused a request. */
export function recordRefusal({ problems }: SiteRecorder, request: RecordedRequest, problem: Problem): void {
  problems.record({
    ...describeRequest(request),
    source: 'gateway',
    status: problem.status,
    code: problem.code,
    rules: problem.brokenRules ?? [],
    cause: '',
    detail: '',
    cacheStatus: '',
  });
}

/** Records that the site has not responded. A client that disconnected is no problem of the site. */
export function recordFailure(
  { problems }: SiteRecorder,
  request: RecordedRequest,
  failure: UpstreamFailure,
  { code, status }: Problem,
): void {
  if (failure.kind === 'client-gone') return;
  const detail = describeFailureCause(failure) ?? '';
  problems.record({
    ...describeRequest(request),
    source: 'failure',
    status,
    code,
    rules: [],
    cause: failure.kind,
    detail,
    cacheStatus: '',
  });
}

/** Statuses that say nothing but that a resource does not exist. Crawlers cause any number of them. */
const ABSENT: ReadonlySet<number> = new Set([404, 410]);

/** Records an error response of the site. @returns the number of the problem; `null` if it is none */
export function recordSiteError(
  { problems }: SiteRecorder,
  request: RecordedRequest,
  status: number,
  cacheStatus: string | undefined,
): number | null {
  if (status < 400 || ABSENT.has(status)) return null;
  return problems.record({
    ...describeRequest(request),
    source: 'site',
    status,
    code: '',
    rules: [],
    cause: '',
    detail: '',
    cacheStatus: cacheStatus ?? '',
  });
}

type RequestDescription = Pick<RecordedProblem, 'requestId' | 'method' | 'route' | 'operation'>;

function describeRequest({ attributes, method, resolved }: RecordedRequest): RequestDescription {
  const { operation, requestId } = attributes;
  return { requestId, method, route: describeRoute(resolved), operation };
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
