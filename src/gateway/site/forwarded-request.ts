import type { CacheBypass } from '../../cache/wordpress/store-eligibility.ts';
import type { UpstreamTimeouts } from '../../http/exchange.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { CircuitBreakerGuard } from '../../upstream/circuit-breaker-guard.ts';
import type { RequestHeaders } from '../../upstream/request-headers.ts';
import type { CacheableResource } from '../caching/resource-resolver.ts';
import type { SiteCaching } from '../caching/site-caching.ts';

import type { BodyInspection } from '../plan/body-inspection.ts';
import type { RequestAttributes, ResponseObserver } from '../plan/plan.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { SiteUpstream } from '../snapshot/site-upstream.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteRecorder } from '../traffic/site-recorder.ts';
import type { RequestValidation } from '../validating/incoming-request.ts';

/** Settings that all forward plans of one site share. */
export interface SiteForwardingOptions {
  readonly mount: string;
  readonly rewriteBodies: boolean;
  readonly timeouts: UpstreamTimeouts;
  readonly upstream: SiteUpstream;
  /** `null` if nothing of the site is cached. */
  readonly caching: SiteCaching | null;
  readonly recorder: SiteRecorder;
  /** Circuit breaker of the site; `null` if it is off. */
  readonly circuitBreakerGuard: CircuitBreakerGuard | null;
}

/** A client's request that is to be forwarded, with everything that its plan is created from. */
export interface ForwardedRequest {
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly requestHeaders: RequestHeaders;
  readonly hasBody: boolean;
  /** `null` if nothing of the site is cached. */
  readonly resource: CacheableResource | CacheBypass | null;
  /** Attributes whose `client` is still the peer's address. */
  readonly attributes: RequestAttributes;
  readonly bodyInspection: BodyInspection | undefined;
  /** Compares the site's response with the validation result; `null` if the request is not validated. */
  readonly validationObserver: RequestValidation | null;
  /** Validates the response in the background; `null` if it is not in the sample. */
  readonly sampleObserver: ResponseObserver | null;
  /** Invalidates what the request changes; `null` for a safe method, or without cache. */
  readonly writeObserver: ResponseObserver | null;
  /** The gateway's URL of the site, as the client sees it. */
  readonly publicBase: string;
}
