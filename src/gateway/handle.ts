/**
 * The life of a request, from top to bottom.
 *
 * 1. `handleHead`: reads the header section, finds the site and checks the client's network (`resolve-site.ts`), resolves the
 *    target, counts the request for its rate limits, responds itself or refuses, validates the parameters, and plans the caching.
 *    A refusal is a value, which is answered and recorded by `toRefusedRequest` (`local/local-request.ts`).
 * 2. `respondFromSite`: reads and validates the body, and looks up in the store. A hit ends here.
 * 3. `GatewayUpstream`: asks the circuit breakers, waits for a free slot, sends, and relays the response. The cache calls it, too.
 * 4. `recordResponse`: records what the client got.
 */

import type { CacheStatus } from '../http/cache-status.ts';
import type { Exchange, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import type { IncomingRequestHead } from '../http/request-head.ts';
import { toFailureResponse } from '../upstream/failures.ts';
import { HEADER_REFUSAL_RESPONSES, readRequestHeaders } from '../upstream/request-headers.ts';
import { noRouteError } from '../validation/request/result.ts';
import { SiteCacheRequest } from './caching/cache-entry.ts';
import { keepParametersInRedirects } from './caching/redirect-parameters.ts';
import type { BodyInspection, BodyMemory, RequestBody } from './exchange/inspected-exchange.ts';
import { InspectedExchange } from './exchange/inspected-exchange.ts';
import { type Problem, problemResponse } from './exchange/problem.ts';
import PROBLEMS from './exchange/problems.json' with { type: 'json' };
import type { ResponseObserver } from './exchange/response-relay.ts';
import { GatewayRequest, type ReceivedRequest } from './gateway-request.ts';
import type { GatewayUpstream } from './gateway-upstream.ts';
import { createLocalResponse, createNotReadyProblem } from './local/local-response.ts';
import {
  createLocalRequest,
  type LocalRequest,
  type Refusal,
  refuseResolved,
  refuseUnresolved,
  toRefusedRequest,
} from './local-request.ts';
import { MountedSite } from './mounted-site.ts';
import { admitClient, type RequestContext, resolveSite } from './resolve-site.ts';
import type { RouteRequest, Snapshot } from './snapshot/snapshot.ts';
import type { TargetMemo } from './target-memos.ts';
import {
  createUnknownRouteOptionsProblem,
  type IncomingRequest,
  toInvalidRequestProblem,
} from './validating/request-validation.ts';

/**
 * Creates the request ids of one gateway: a random part for the gateway, and a counter. They identify requests in the log
 * and are predictable, so they must not be used as secrets.
 *
 * @param random returns a number in [0, 1)
 */
export function createRequestIds(random: () => number): () => string {
  const instance = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return `${instance}-${count.toString(36)}`;
  };
}

/** Resolves, admits and validates a request by its head. Never throws: servers call it from an event listener. */
export function handleHead(
  context: RequestContext,
  head: IncomingRequestHead,
): LocalRequest | GatewayRequest {
  const requestId = context.nextRequestId();
  try {
    const received = { requestId, head, fields: readRequestHeaders(head, context.trust) };
    const prepared = prepareRequest(context, received);
    return prepared.kind === 'refused' ? toRefusedRequest(received, prepared) : prepared;
  } catch (error) {
    context.log.error({ err: error, requestId }, 'the gateway failed to handle a request');
    // The fields of proxies may be the cause, so the peer counts as the client.
    const client = head.peerAddress;
    const respond = (): Response => problemResponse(PROBLEMS.internalError);
    return { kind: 'local', requestId, client, mount: '', route: null, operation: null, respond };
  }
}

/** Resolves, admits and validates a request, and finds its resource in the cache. */
function prepareRequest(
  context: RequestContext,
  received: ReceivedRequest,
): LocalRequest | Refusal | GatewayRequest {
  const { fields, head } = received;
  const site = resolveSite(context, received);
  if (!(site instanceof MountedSite)) return site;
  const response = admitClient(site, received);
  if (response !== null) return response;
  const { snapshot } = site.runtime;
  if (snapshot === null) return refuseUnresolved(createNotReadyProblem(site.runtime), site, true);
  const memo = site.targets.find(snapshot, head);
  if (site.limits === null) return prepareSiteRequest(received, site, snapshot, memo);
  const limit = site.limits.admit(memo.resolved, head.method, head.headers, fields.client.address);
  if (limit === null) return prepareSiteRequest(received, site, snapshot, memo);
  const prepared =
    limit.problem === null
      ? prepareSiteRequest(received, site, snapshot, memo)
      : refuseResolved(limit.problem, site, memo, false);
  return Object.assign(prepared, { limitFields: limit.fields });
}

/** The same for a request that is within its rate limits. */
function prepareSiteRequest(
  received: ReceivedRequest,
  site: MountedSite,
  snapshot: Snapshot,
  memo: TargetMemo,
): LocalRequest | Refusal | GatewayRequest {
  const { fields, head } = received;
  const { resolved } = memo;
  if (resolved.kind === 'local') {
    const respond = (): Response | Promise<Response> =>
      createLocalResponse(head, resolved.target, snapshot, site);
    return {
      ...createLocalRequest(received, site, respond),
      cors: site.cors,
      recordResponse: (status, cacheStatus, milliseconds) =>
        site.recorder.traffic.recordResponse(memo.trafficKey, status, cacheStatus, milliseconds),
    };
  }
  if (site.rejectsUnknownRoutes && resolved.kind === 'route' && !isDocumented(resolved)) {
    const problem = snapshot.isProvisional
      ? createNotReadyProblem(site.runtime)
      : createUnknownRouteProblem({ resolved, head });
    return refuseResolved(problem, site, memo);
  }
  // Admit: the header section must mean the same to every reader.
  if (fields.refusal !== null) {
    return refuseResolved(HEADER_REFUSAL_RESPONSES[fields.refusal], site, memo);
  }
  const request = new GatewayRequest(received, site, snapshot, memo, resolved);
  const problem = validateHead(request);
  if (problem !== null) return refuseResolved(problem, site, memo);
  prepareCaching(request);
  return request;
}

/** Validates the parameters of a request for a route, or plans the inspection of its body. */
function validateHead(request: GatewayRequest): Problem | null {
  const { hasBody, head, memo, resolved, site, snapshot } = request;
  if (resolved.kind !== 'route' || snapshot.isProvisional) return null;
  const incoming = { resolved, head, hasBody, memo };
  request.validation = site.validation.createRequestValidation(snapshot, incoming);
  const decision = request.validation?.validateHead(hasBody);
  if (decision?.kind === 'refused') return decision.problem;
  request.bodyInspection = decision?.bodyInspection;
  return null;
}

/** Finds the resource that the store may have, and begins the observation of a write. */
function prepareCaching(request: GatewayRequest): void {
  const { hasBody, head, memo, resolved, site, snapshot } = request;
  const { caching } = site;
  if (caching === null) return;
  request.resource = caching.getResource(snapshot, resolved, head, hasBody, memo);
  if (!memo.mayChangeSite) return;
  request.writeObserver = caching.observeWrite(snapshot, resolved, head);
  request.bodyInspection = request.writeObserver.createBodyInspection(hasBody, request.bodyInspection);
}

/** What a platform adds: a Node server, or anything that has `fetch`. */
export interface Platform<Stream> {
  readonly upstream: GatewayUpstream<Stream>;
  /** Memory for the bodies that are validated before they are forwarded. */
  readonly bodyMemory: BodyMemory;
}

/**
 * Responds to a request for a site, in the same way on every platform: inspects the body, and then responds from the store
 * or from the site.
 *
 * @param body the client's; `null` if the request has none
 */
export function respondFromSite<Stream>(
  request: GatewayRequest,
  body: RequestBody<Stream> | null,
  platform: Platform<Stream>,
  sink: ResponseSink,
): Exchange {
  const inspection =
    request.bodyInspection ??
    (body !== null && (request.isBodyRewritten || request.site.upstream.addresses !== null)
      ? SHORT_BODY_INSPECTION
      : undefined);
  if (inspection === undefined || body === null) {
    return lookUp(request, body?.stream ?? null, null, platform, sink);
  }
  const exchange = new InspectedExchange<Stream>(sink, platform.bodyMemory.open(request.client), {
    forward: (inspected, releasing) => lookUp(request, inspected, releasing, platform, sink),
    onReject: (problem) => recordRefusal(request, problem),
    onNotForwarded: () => request.writeObserver?.cancel(),
  });
  exchange.inspect(inspection, body);
  return exchange;
}

/** Responds from the store, or forwards the request. */
function lookUp<Stream>(
  request: GatewayRequest,
  body: Stream | Uint8Array | null,
  releasing: ResponseObserver | null,
  platform: Platform<Stream>,
  sink: ResponseSink,
): Exchange {
  const { resource, site } = request;
  if (resource?.kind !== 'resource' || site.caching === null) {
    const status: CacheStatus =
      resource?.kind === 'bypass' ? { fwd: 'bypass', detail: resource.detail } : { fwd: 'bypass' };
    return platform.upstream.forward(request, body, releasing, status, sink);
  }
  const { publicBase } = request;
  const head = site.cors === null ? request.head : request.storeHead;
  const { ignoredQuery } = resource;
  return site.caching.cache.serve(
    new SiteCacheRequest(resource, head, publicBase, request),
    platform.upstream,
    ignoredQuery === '' ? sink : keepParametersInRedirects(sink, ignoredQuery, publicBase),
  );
}

/** Records a failed exchange. @returns what the client is told */
export function recordFailure(request: GatewayRequest, failure: UpstreamFailure): Problem {
  const problem = toFailureResponse(failure);
  const { cacheStatus, retryAfter } = failure;
  request.isProblemRecorded = true;
  request.site.recorder.recordFailure(request, failure, problem);
  const headers = {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(cacheStatus === undefined ? {} : { 'cache-status': cacheStatus }),
  };
  return { ...problem, headers };
}

/** Records that the request is refused after its head was admitted: for its body. */
export function recordRefusal(request: GatewayRequest, problem: Problem): void {
  request.isProblemRecorded = true;
  request.site.recorder.recordRefusal(request, problem);
}

/**
 * Records the response that the client got, for the metrics and the views of the operator. Called once: on Node after the end of
 * the response, elsewhere after its head.
 *
 * @param milliseconds since the request's head
 */
export function recordResponse(
  { responses }: RequestContext,
  request: LocalRequest | GatewayRequest,
  status: number,
  cacheStatus: string | undefined,
  milliseconds: number,
): void {
  responses.count(request.mount, status, cacheStatus);
  if (request.kind === 'local') {
    request.recordResponse?.(status, cacheStatus, milliseconds);
    return;
  }
  const { problems, traffic } = request.site.recorder;
  traffic.recordResponse(request.memo.trafficKey, status, cacheStatus, milliseconds);
  if (status < 400 || request.isProblemRecorded) return;
  const number = request.site.recorder.recordSiteError(request, status, cacheStatus);
  if (number === null) return;
  request.validation?.onSiteRefusal?.((refusal) => problems.complete(number, refusal));
}

/**
 * Buffers a short body. A rewritten one gets a length, because some servers in front of PHP take no body of unknown length. For
 * a site with several addresses, a body in memory can be sent to another one if no connection was opened.
 */
const SHORT_BODY_INSPECTION: BodyInspection = {
  kind: 'whole',
  maxLength: 1024 * 1024,
  tooLargeProblem: null,
  validate: () => null,
};

/** Whether the document has the request's operation. `OPTIONS` describes a route, and is no operation itself. */
function isDocumented({ match, target }: RouteRequest): boolean {
  return match.kind === 'found' || (match.kind === 'method-not-allowed' && target.method === 'OPTIONS');
}

function createUnknownRouteProblem(request: IncomingRequest): Problem {
  return request.resolved.target.method === 'OPTIONS'
    ? createUnknownRouteOptionsProblem(request)
    : toInvalidRequestProblem(request, noRouteError());
}
