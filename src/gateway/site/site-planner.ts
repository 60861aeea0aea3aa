import type { IncomingRequestHead } from '../../http/request-head.ts';
import { noRouteError } from '../../validation/request/index.ts';
import { createLocalResponse } from '../local/local-response.ts';
import type { DocsServer } from '../local/serve-docs.ts';
import type { RequestAttributes, RequestPlan } from '../plan/plan.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import type { RouteRequest } from '../snapshot/resolved-request.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { SiteRecorder } from '../traffic/site-recorder.ts';
import { NO_OPERATION } from '../traffic/site-traffic.ts';
import {
  type IncomingRequest,
  isEnvelopeRequested,
  toInvalidRequestProblem,
} from '../validating/incoming-request.ts';
import type { SiteValidation } from '../validating/site-validation.ts';
import { createUnknownRouteOptionsProblem } from '../validating/validation-problems.ts';
import type { ForwardPlanner } from './forward-planner.ts';
import { planRefusal } from './request-recording.ts';

function createNotReadyProblem({ failureSummary }: SiteRuntime): Problem {
  return {
    status: 503,
    code: 'gateway_not_ready',
    message:
      failureSummary === null
        ? 'The site has not been read yet. Try again in a moment.'
        : `The site cannot be served yet. ${failureSummary} Try again later.`,
    headers: { 'retry-after': '5' },
  };
}

/** Options of {@link createSitePlanner}. */
export interface SitePlannerOptions {
  readonly mount: string;
  /** Returns the URL of the mount as a client sees it. */
  readonly readBaseUrl: (head: IncomingRequestHead) => string;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
  readonly planForward: ForwardPlanner;
  readonly docsServer: DocsServer;
  readonly recorder: SiteRecorder;
  /** Whether requests to routes outside the document are refused. */
  readonly rejectsUnknownRoutes: boolean;
}

/** Plans the requests below one mount: a local response, or a request to the site. */
export type SitePlanner = (head: IncomingRequestHead, requestId: string) => RequestPlan;

export function createSitePlanner({
  docsServer,
  mount,
  planForward,
  readBaseUrl,
  recorder,
  rejectsUnknownRoutes,
  runtime,
  validation,
}: SitePlannerOptions): SitePlanner {
  return (head, requestId) => {
    const { snapshot } = runtime;
    const client = head.peerAddress;
    if (snapshot === null) {
      const attributes = createAttributesWithoutRoute(requestId, client, mount);
      return { kind: 'local', attributes, respond: () => problemResponse(createNotReadyProblem(runtime)) };
    }
    const resolved = snapshot.resolveRequest(head);
    if (resolved.kind !== 'route') {
      const attributes = createAttributesWithoutRoute(requestId, client, mount);
      if (resolved.kind === 'page') {
        return planForward({ snapshot, resolved, head, attributes, validation: null, sampleObserver: null });
      }
      const { target } = resolved;
      return {
        kind: 'local',
        attributes,
        respond: () =>
          createLocalResponse({ head, target, snapshot, docsServer, baseUrl: readBaseUrl(head) }),
        recordResponse: (status, cacheStatus, milliseconds) =>
          recorder.traffic.recordResponse(NO_OPERATION.local, status, cacheStatus, milliseconds),
      };
    }
    const { match, target } = resolved;
    const operation = match.kind === 'found' ? match.operation.id : null;
    const attributes: RequestAttributes = { requestId, client, mount, route: target.route, operation };
    const request = { resolved, head };
    if (rejectsUnknownRoutes && !isDocumented(resolved)) {
      const problem = createUnknownRouteProblem(request);
      return planRefusal(recorder, { method: head.method, resolved, attributes }, problem, () =>
        problemResponse(problem, head.method),
      );
    }
    return planForward({
      snapshot,
      resolved,
      head,
      attributes,
      validation: validation.createRequestValidation(snapshot, request),
      sampleObserver: validation.sampleResponse(snapshot, resolved),
    });
  };
}

/** Creates the attributes of a request that is not for a route. */
function createAttributesWithoutRoute(requestId: string, client: string, mount: string): RequestAttributes {
  return { requestId, client, mount, route: null, operation: null };
}

/** Whether the document has the request's operation. `OPTIONS` describes a route, and is no operation itself. */
function isDocumented({ match, target }: RouteRequest): boolean {
  return match.kind === 'found' || (match.kind === 'method-not-allowed' && target.method === 'OPTIONS');
}

function createUnknownRouteProblem(request: IncomingRequest): Problem {
  const { head, resolved } = request;
  return resolved.target.method === 'OPTIONS'
    ? createUnknownRouteOptionsProblem(head.headers, isEnvelopeRequested(request))
    : toInvalidRequestProblem(request, noRouteError());
}
