import type { Readable } from 'node:stream';
import { splitNames } from '../base/glob.ts';
import type { CacheStatus } from '../base/http/cache-status.ts';
import type { Dispatch, Exchange, ResponseSink, UpstreamRequest } from '../base/http/exchange.ts';
import { withoutFields } from '../base/http/fields.ts';
import type { FetchOptions, Upstream } from './cache/cache-request.ts';
import { type ResponseObserver, ResponseRelay } from './exchange/response-relay.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { SiteCacheRequest } from './site/caching/site-cache-request.ts';

export const SITE_UPSTREAM: Upstream<SiteCacheRequest<GatewayRequest>> = {
  fetch: (request, options, sink) => send(request.received, null, null, options, undefined, sink),
  pass({ received }, sink) {
    received.passAsSent();
    return send(received, null, null, UNCHANGED, undefined, sink);
  },
  isOutdated: ({ received }) => received.site.isOutdated,
};

/** @param releasing releases the memory of the body @param status `Cache-Status` of the response */
export function forwardRequest(
  request: GatewayRequest,
  body: Readable | Uint8Array | null,
  releasing: ResponseObserver | null,
  status: CacheStatus,
  sink: ResponseSink,
): Exchange {
  return send(request, body, releasing, UNCHANGED, status, sink);
}

function send(
  request: GatewayRequest,
  body: Readable | Uint8Array | null,
  releasing: ResponseObserver | null,
  { isBackground, revalidationConditions, vary }: FetchOptions,
  bypassStatus: CacheStatus | undefined,
  sink: ResponseSink,
): Exchange {
  const { memo, site } = request;
  request.observers ??= listObservers(request, [request.writeObserver, releasing]);
  const observers = isBackground ? listObservers(request, []) : request.observers;
  const relay = new ResponseRelay(request, observers, bypassStatus, sink);
  const headers = request.forwardHeaders(vary);
  const sent: UpstreamRequest = {
    method: request.head.method,
    target: request.upstreamTarget,
    headers:
      revalidationConditions === null
        ? headers
        : [...withoutFields(headers, CONDITIONAL_FIELDS), ...revalidationConditions],
    body,
    retryable: !request.hasBody && !memo.mayChangeSite,
  };
  const { circuits, concurrency } = site;
  const admission = circuits?.admit(memo, request.now());
  if (admission?.kind === 'refused')
    relay.fail({ kind: 'circuit-open', retryAfter: Math.ceil(admission.retryIn / 1000) });
  else relay.start(admission, concurrency, !isBackground, findDispatch(request), sent);
  return relay;
}

function findDispatch({ server, site }: GatewayRequest): Dispatch {
  const dispatch = site.settings.upstream.transports.get(server);
  const siteTags = site.caching?.siteTags ?? null;
  return siteTags === null || !server.isConfigured
    ? dispatch
    : (sent, sink) => siteTags.send(dispatch, sent, sink);
}

function listObservers(
  { head, requestId, site, snapshot }: GatewayRequest,
  others: readonly (ResponseObserver | null)[],
): readonly ResponseObserver[] {
  const ofTags = site.caching?.siteTags?.observe(snapshot, head, requestId) ?? null;
  return [...others, ofTags].filter((each) => each !== null);
}

const UNCHANGED: FetchOptions = { revalidationConditions: null, vary: [], isBackground: false };

const CONDITIONAL_FIELDS: ReadonlySet<string> = new Set(
  splitNames('if-match if-none-match if-modified-since if-unmodified-since if-range range'),
);
