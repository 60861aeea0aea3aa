import type { Readable } from 'node:stream';
import { splitNames } from '../base/glob.ts';
import type { CacheStatus } from '../base/http/cache-status.ts';
import {
  type Dispatch,
  type Exchange,
  type IncomingRequestHead,
  type ResponseSink,
  SAFE_METHODS,
  type UpstreamRequest,
} from '../base/http/exchange.ts';
import { fieldValue, withoutFields } from '../base/http/fields.ts';
import { parseQueryParameters } from '../base/php/request.ts';
import {
  type BodyParameters,
  MAX_PARSED_LENGTH,
  NO_BODY_PARAMETERS,
  NO_PARAMETERS,
  type ParameterSource,
  planBody,
} from '../generator/validation/request/validator.ts';
import { AGENT_TARGET, answerAgent } from './agent-endpoint.ts';
import type { FetchOptions, Upstream } from './cache/engine/fetch-plan.ts';
import { PROBLEMS, type Problem } from './exchange/problem.ts';
import {
  type BufferedBodyValidator,
  type StreamedBodyValidator,
  ValidatedExchange,
} from './exchange/request-body-validator.ts';
import { type ResponseObserver, ResponseRelay } from './exchange/response-relay.ts';
import { GatewayRequest } from './gateway-request.ts';
import { createNotReadyProblem, isReadOfDocument, NOT_READY, respondWithDocument } from './own-documents.ts';
import { type Answer, OwnAnswer, refuse } from './reply.ts';
import { REQUEST_ID, type ReceivedRequest, type RequestContext } from './request-context.ts';
import { METADATA_PATH, OWN_FOLDER, type PageTarget, TARGET_REFUSALS } from './router/target.ts';
import { keepParametersInRedirects, SiteCacheRequest } from './site/caching/site-cache-request.ts';
import { respondToPurge } from './site/caching/site-purges.ts';
import type { SiteLimits } from './site/limiting/site-limits.ts';
import { MountedSite } from './site/mounted-site.ts';
import type { PageRequest, RouteRequest, Snapshot } from './site/snapshot/snapshot.ts';
import type { TargetMemo } from './site/target-memos.ts';
import {
  type HeadDecision,
  RequestValidation,
  validateForm,
  withFormCheck,
} from './site/validating/site-validation.ts';
import { HEADER_REFUSAL_RESPONSES, RequestHeaders } from './upstream/request-headers.ts';
import { readAdminAccess } from './wordpress/admin-access.ts';
import { isBatchRoute, readBatch } from './wordpress/writes.ts';

/**
 * Header section, site, rate limits, validation, plan of the caching: each step can end the request with an answer; else
 * {@link startExchange} asks the site. Never throws.
 * @param mayWait whether a read can wait for its site's first discovery
 */
export function respond(context: RequestContext, head: IncomingRequestHead, mayWait = true): Answer {
  const { parts } = context;
  const claimed = fieldValue(head.headers, 'x-request-id');
  const isTrusted = claimed !== undefined && REQUEST_ID.test(claimed) && parts.trust?.(head.peerAddress);
  const requestId = isTrusted === true ? claimed : context.nextRequestId();
  try {
    const fields = new RequestHeaders(head, parts.trust);
    const answer = admit(context, { parts, requestId, client: fields.client.address, head, fields });
    if (answer.kind !== 'own' || answer.problem?.code !== NOT_READY) return answer;
    const runtime = answer.site?.runtime;
    if (mayWait && runtime?.isAwaited === true && SAFE_METHODS.has(head.method))
      answer.answerLater = async () => {
        await runtime.waitForFirst();
        const latest = context.findLatest();
        // A reload ends the discovery, and the next gateway begins another.
        return respond(latest, head, latest !== context);
      };
    return answer;
  } catch (error) {
    parts.log.error({ err: error, requestId }, 'the gateway failed to handle a request');
    // Proxies' fields can be the cause, so the peer counts as the client.
    return new OwnAnswer({ parts, requestId, client: head.peerAddress, head }, PROBLEMS.internalError);
  }
}

function admit(context: RequestContext, received: ReceivedRequest): Answer {
  const { client, fields, head } = received;
  if (fields.refusal !== null) return refuse(received, HEADER_REFUSAL_RESPONSES[fields.refusal]);
  const site = resolveSite(context, received);
  if (!(site instanceof MountedSite)) return site;
  if (site.cors?.isPreflight(head) === true) {
    const { cors } = site;
    return new OwnAnswer(received, () => cors.respondToPreflight(head), { site });
  }
  if (site.cors?.isJsonp(head.target) === true) return refuse(received, PROBLEMS.jsonpIsOff, site);
  const { snapshot } = site.runtime.known;
  const siteTags = site.caching?.siteTags ?? null;
  if (head.method === 'PURGE' && siteTags !== null && snapshot !== null)
    return new OwnAnswer(received, () => respondToPurge(siteTags, snapshot, head, client), { site });
  const memo = snapshot && site.targets.find(snapshot, head);
  if (memo === null && !isForAgents(site, head))
    return refuse(received, createNotReadyProblem(site.runtime), site);
  const limited = site.limits?.admit(memo?.resolved ?? AGENT_TARGET, head.method, client) ?? null;
  // Refused ones may be very many, and `SiteLimits` counts them.
  if (limited !== null) return refuse(received, limited, site, memo, false);
  if (snapshot === null || memo === null) return answerAgent(context, received, site, null);
  const { resolved } = memo;
  if (resolved.kind !== 'own') return admitToSite(received, site, snapshot, memo, resolved);
  const { target } = resolved;
  if (target.kind === 'mcp') return answerAgent(context, received, site, memo);
  if (snapshot.isProvisional && isReadOfDocument(target, head))
    return refuse(received, createNotReadyProblem(site.runtime), site, memo);
  return new OwnAnswer(received, () => respondWithDocument(context, received, site, snapshot, target), {
    site,
    memo,
    cors: site.cors,
  });
}

const isForAgents = ({ agents, settings }: MountedSite, { target }: IncomingRequestHead): boolean =>
  agents !== null && target === `${settings.mountPath}${settings.addresses.mcp}`;

/** `/-/` is the gateway's. */
function resolveSite(context: RequestContext, received: ReceivedRequest): MountedSite | OwnAnswer {
  const { fields, head } = received;
  const { method, target } = head;
  if (method === 'TRACE') return refuse(received, PROBLEMS.noTrace);
  if (fields.hasConnectionFields && isWebSocketHandshake(head)) return refuse(received, PROBLEMS.noWebSocket);
  // Probes reach the operations by the gateway's address too.
  const site = findRequestedSite(context, head, fields);
  if (target.startsWith(OWN_FOLDER) && site?.ownsTarget(target) !== true) {
    return new OwnAnswer(received, (request) => context.publicAdmin(request.toFetch(), head));
  }
  if (site === null) return redirectToPublicUrl(context, received) ?? refuse(received, PROBLEMS.misdirected);
  // A browser's script reads the refusal only after a preflight.
  if (site?.access.clients?.(fields.client.address) === false && site.cors?.isPreflight(head) !== true)
    return refuse(received, PROBLEMS.accessDenied, site);
  // RFC 9110 §9.3.7.
  if (method === 'OPTIONS' && target === '*')
    return new OwnAnswer(
      received,
      () => new Response(null, { status: 204, headers: { ...PROBLEMS.noTrace.headers } }),
    );
  if (!target.startsWith('/')) return refuse(received, TARGET_REFUSALS['target-form']);
  if (site !== undefined) return site;
  // The hosts of other sites are not revealed.
  const byPath = [...context.sites.values()].filter(({ settings }) => settings.hosts.length === 0);
  return refuse(received, createNotMountedProblem(byPath));
}

/** Other offers, such as `h2c` with each request, are ignored (RFC 9110 §7.8). */
function isWebSocketHandshake({ headers, method }: IncomingRequestHead): boolean {
  return method === 'GET' && /\bwebsocket\b/i.test(fieldValue(headers, 'upgrade') ?? '');
}

/** `null` if the gateway does not serve the host, `undefined` if no site is at the path. */
export function findRequestedSite(
  { findSite, hosts }: RequestContext,
  { target }: IncomingRequestHead,
  { client }: RequestHeaders,
): MountedSite | null | undefined {
  const atHost = hosts === undefined ? null : hosts(client.host);
  return atHost === undefined ? null : (atHost ?? findSite(target));
}

/** From `example.com` to a whole site's public URL at `www.example.com`, and the other way round. */
function redirectToPublicUrl(
  { findSite, hosts }: RequestContext,
  received: ReceivedRequest,
): OwnAnswer | null {
  const { fields, head } = received;
  const { host } = fields.client;
  if (!SAFE_METHODS.has(head.method) || !head.target.startsWith('/')) return null;
  const atOther = hosts?.(/^www\./i.test(host) ? host.slice('www.'.length) : `www.${host}`);
  const site = atOther === undefined ? undefined : (atOther ?? findSite(head.target));
  const { options, publicUrl } = site?.settings ?? {};
  if (site === undefined || publicUrl === undefined || options?.passthrough !== true) return null;
  const location = publicUrl.replace(/\/+$/, '') + head.target;
  return new OwnAnswer(received, () => new Response(null, { status: 301, headers: { location } }), { site });
}

function createNotMountedProblem(sites: readonly MountedSite[]): Problem {
  const mounts = sites.map(({ settings }) => settings.mountPath).join(', ');
  const message = `No site is mounted at this path. Sites are mounted at: ${mounts}`;
  return { status: 404, code: 'gateway_not_found', message };
}

function admitToSite(
  received: ReceivedRequest,
  site: MountedSite,
  snapshot: Snapshot,
  memo: TargetMemo,
  resolved: RouteRequest | PageRequest,
): Answer {
  const request = new GatewayRequest(received, site, snapshot, memo, resolved);
  const problem =
    validateHead(request) ?? (resolved.kind === 'page' ? checkAdminAccess(request, resolved.target) : null);
  if (problem !== null) return refuse(received, problem, site, memo);
  const limited = site.limits === null ? null : limitBatch(request, site.limits);
  if (limited !== null) return refuse(received, limited, site, memo, false);
  prepareCaching(request);
  return request;
}

function validateHead(request: GatewayRequest): Problem | null {
  const { hasBody, head, memo, resolved, site, snapshot } = request;
  let decision: HeadDecision | undefined;
  const isForm = hasBody && resolved.target.hasFormBody && snapshot.isDiscovered;
  if (resolved.kind === 'page') {
    if (isForm) decision = validateForm(head);
  } else if (!snapshot.isProvisional) {
    const rules = site.validation.findRules(snapshot, resolved);
    request.validation = rules && new RequestValidation(rules, site.validation, { resolved, head, memo });
    decision = request.validation?.validateHead(hasBody);
    // The site itself refuses a form that contradicts its query.
    if (isForm && !resolved.target.isInQuery) decision = withFormCheck(decision, head);
  }
  request.bodyValidator = decision?.bodyValidator;
  return decision?.problem ?? null;
}

/** Keeps clients out of the administration, except for what visitors' pages use. */
function checkAdminAccess(request: GatewayRequest, page: PageTarget): Problem | null {
  const { client, hasBody, head, memo, site } = request;
  if (site.access.admin?.(client) !== false) return null;
  memo.adminAccess ??= readAdminAccess(page);
  if (memo.adminAccess === 'closed') return PROBLEMS.accessDenied;
  if (memo.adminAccess === 'open' || !hasBody || !page.hasFormBody) return null;
  const { bodyValidator, problem } = validateForm(head, 'action', PROBLEMS.accessDenied);
  request.bodyValidator = bodyValidator;
  return problem;
}

/** Parts in the query count at once, those in the body once it is read. */
function limitBatch(request: GatewayRequest, limits: SiteLimits): Problem | null {
  const { hasBody, head, resolved, snapshot } = request;
  if (resolved.kind !== 'route' || !isBatchRoute(resolved.target.route)) return null;
  const { method, query, route, subsite } = resolved.target;
  const inQuery = parseQueryParameters(query) ?? NO_PARAMETERS;
  const admit = (parameters: ParameterSource): Problem | null => {
    const parts = readBatch(route, parameters) ?? [];
    const named = parts.map((part) => ({ ...part, names: snapshot.nameRoute(part.address, subsite) }));
    return limits.admitParts(named, request.client);
  };
  if (!hasBody) return admit(inQuery);
  const contentType = fieldValue(head.headers, 'content-type') ?? null;
  const plan = planBody({ requestMethod: head.method, method, contentType });
  if (plan.kind === 'multipart') return PROBLEMS.unclearForm;
  const given = request.bodyValidator;
  const whole = given?.kind === 'whole' ? given : bufferStreamed(given);
  const parse = plan.kind === 'buffered' ? plan.parse : (): BodyParameters => NO_BODY_PARAMETERS;
  request.bodyValidator = {
    ...whole,
    tooLargeProblem: whole.tooLargeProblem ?? PROBLEMS.batchTooLarge,
    parse,
    validate(body, parseOnce) {
      const parameters = parseOnce();
      if (parameters.kind === 'uncertain') return PROBLEMS.batchTooLarge;
      const sent = parameters.kind === 'invalid' ? [] : [...parameters.form, ...parameters.json];
      const problem = admit(new Map([...inQuery, ...sent]));
      return problem ?? whole.validate(body, parseOnce);
    },
  };
  return null;
}

function bufferStreamed(streamed: StreamedBodyValidator | undefined): BufferedBodyValidator {
  return {
    kind: 'whole',
    maxLength: MAX_PARSED_LENGTH,
    tooLargeProblem: null,
    validate: (body) => {
      const reader = streamed?.createReader();
      return reader?.write(body) ?? reader?.end() ?? null;
    },
  };
}

function prepareCaching(request: GatewayRequest): void {
  const { hasBody, head, memo, resolved, site, snapshot } = request;
  const { caching } = site;
  if (caching === null) return;
  const resource = caching.findResource(snapshot, resolved, head, hasBody, memo);
  if (resource.kind === 'bypass') caching.exclusions.count(resource.reason.kind);
  request.resource = resource;
  if (!memo.mayChangeSite) return;
  request.writeObserver = caching.observeWrite(snapshot, resolved, head, request);
  request.bodyValidator = request.writeObserver.createBodyValidator(hasBody, request.bodyValidator);
}

/** Validates the body, then asks the store, where a hit ends, and the site. @param body the client's */
export function startExchange(
  request: GatewayRequest,
  body: Readable | null,
  { bodyMemory }: RequestContext['parts'],
  sink: ResponseSink,
): Exchange {
  if (body === null) return lookUp(request, null, null, sink);
  const validator = request.bodyValidator;
  if (validator === undefined) return lookUp(request, body, null, sink);
  const exchange = new ValidatedExchange(request, bodyMemory, sink, (validated, releasing) =>
    lookUp(request, validated, releasing, sink),
  );
  exchange.start(validator, body);
  return exchange;
}

function lookUp(
  request: GatewayRequest,
  body: Readable | Uint8Array | null,
  releasing: ResponseObserver | null,
  sink: ResponseSink,
): Exchange {
  const { publicBase, resource, site } = request;
  if (resource?.kind !== 'resource' || site.caching === null) {
    const status: CacheStatus =
      resource?.kind === 'bypass' ? { fwd: 'bypass', detail: [resource.reason] } : { fwd: 'bypass' };
    return askSite(request, body, releasing, UNCHANGED, status, sink);
  }
  const head = site.cors === null ? request.head : request.forwarded.storeHead;
  const { ignoredQuery } = resource.entry;
  return site.caching.cache.serve(
    new SiteCacheRequest(resource, head, publicBase, request),
    SITE_UPSTREAM,
    ignoredQuery === ''
      ? sink
      : keepParametersInRedirects(sink, ignoredQuery, publicBase, () => !request.forwarded.isPassed),
  );
}

/** @internal A test makes each of its members throw. */
export const SITE_UPSTREAM: Upstream<SiteCacheRequest<GatewayRequest>> = {
  fetch: (request, options, sink) => askSite(request.received, null, null, options, undefined, sink),
  pass({ received }, sink) {
    received.forwarded.passAsSent();
    return askSite(received, null, null, UNCHANGED, undefined, sink);
  },
  isOutdated: ({ received }) => received.site.isOutdated,
};

function askSite(
  request: GatewayRequest,
  body: Readable | Uint8Array | null,
  releasing: ResponseObserver | null,
  { isBackground, revalidationConditions, vary }: FetchOptions,
  bypassStatus: CacheStatus | undefined,
  sink: ResponseSink,
): Exchange {
  const { forwarded, head, memo, requestId, site, snapshot } = request;
  const { server } = forwarded;
  const siteTags = site.caching?.siteTags ?? null;
  const ofTags = siteTags?.observe(snapshot, head, requestId, request.client) ?? null;
  const observing = isBackground ? [ofTags] : [request.writeObserver, releasing, ofTags];
  const observers = observing.filter((each) => each !== null);
  const relay = new ResponseRelay(request, observers, bypassStatus, sink);
  const headers = forwarded.toHeaders(vary);
  const sent: UpstreamRequest = {
    method: head.method,
    target: forwarded.target,
    headers:
      revalidationConditions === null
        ? headers
        : [...withoutFields(headers, CONDITIONAL_FIELDS), ...revalidationConditions],
    body,
    retryable: !request.hasBody && !memo.mayChangeSite,
  };
  const dispatch = site.settings.upstream.transports.get(server);
  const dispatchTagged: Dispatch =
    siteTags === null || !server.isConfigured ? dispatch : (...args) => siteTags.send(dispatch, ...args);
  relay.start(!isBackground, dispatchTagged, sent);
  return relay;
}

const UNCHANGED: FetchOptions = { revalidationConditions: null, vary: [], isBackground: false };

const CONDITIONAL_FIELDS: ReadonlySet<string> = new Set(
  splitNames('if-match if-none-match if-modified-since if-unmodified-since if-range'),
);

/** Ids of a random part and a counter. They are predictable, so no secrets. */
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

/** Costs the same for any number of sites. Other paths belong to the unnamed site. */
export function createPathLookup(
  sites: ReadonlyMap<string, MountedSite>,
): (target: string) => MountedSite | undefined {
  const byPath = new Map(
    Array.from(sites.values()).flatMap((site) => {
      const { addresses, hosts, mountPath } = site.settings;
      if (hosts.length > 0) return [];
      return [mountPath, addresses.mcpMetadata ?? mountPath].map((path) => [path, site] as const);
    }),
  );
  const unnamed = byPath.get('');
  if (unnamed !== undefined && new Set(byPath.values()).size === 1) return () => unnamed;
  const findByName = (target: string): MountedSite | undefined => {
    const end = target.slice(1).search(/[/?]/);
    return byPath.get(end < 0 ? target : target.slice(0, end + 1)) ?? unnamed;
  };
  return (target) => {
    if (!target.startsWith(METADATA_PATH)) return findByName(target);
    const [path = ''] = target.split('?', 1);
    return byPath.get(path) ?? findByName(path.slice(METADATA_PATH.length));
  };
}
