import type { LookupExplanation } from '../../cache/cache-request.ts';
import type { CacheBypass } from '../../cache/wordpress/store-eligibility.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { type ClientIdentity, readRequestHeaders } from '../../upstream/request-headers.ts';
import type { CacheableResource } from '../caching/resource-resolver.ts';

import type { RequestAttributes } from '../plan/plan.ts';
import type { PageRequest, ResolvedRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteValidation, ValidationInspection } from '../validating/site-validation.ts';
import { SiteForwardPlan } from './forward-plan.ts';
import type { ForwardPlannerOptions } from './forward-planner.ts';

/** What the gateway would do with a read at this moment, by the decisions that a request takes. */
export interface RequestInspection {
  readonly snapshot: Snapshot;
  readonly resolved: ResolvedRequest;
  /** `null` if the request is not validated, or is for no route. */
  readonly validation: ValidationInspection | null;
  /** `null` if nothing of the site is cached, or if the request is for no route and no page. */
  readonly caching: CachingInspection | null;
}

/** How the cache treats a read. */
export interface CachingInspection {
  readonly resource: CacheableResource | CacheBypass;
  /** `null` if the request bypasses the store. */
  readonly lookup: (LookupExplanation & { readonly key: string; readonly publicBase: string }) | null;
}

/** Inspects a read without sending, counting, recording or changing anything. `null` before the site was discovered. */
export type RequestInspector = (head: IncomingRequestHead) => RequestInspection | null;

export interface RequestInspectorOptions {
  readonly forwarding: ForwardPlannerOptions;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
  /** The gateway's URL of the site as a client sees it. */
  readonly getPublicBase: (client: ClientIdentity) => string;
}

const ATTRIBUTES: RequestAttributes = { requestId: '', client: '', mount: '', route: null, operation: null };

export function createRequestInspector(options: RequestInspectorOptions): RequestInspector {
  const { forwarding, runtime, validation } = options;
  return (head) => {
    const { snapshot } = runtime;
    if (snapshot === null) return null;
    const resolved = snapshot.resolveRequest(head);
    if (resolved.kind === 'local') return { snapshot, resolved, validation: null, caching: null };
    return {
      snapshot,
      resolved,
      validation: resolved.kind === 'route' ? validation.inspect(snapshot, { resolved, head }) : null,
      caching: forwarding.caching === null ? null : inspectCaching(options, snapshot, resolved, head),
    };
  };
}

function inspectCaching(
  { forwarding, getPublicBase }: RequestInspectorOptions,
  snapshot: Snapshot,
  resolved: RouteRequest | PageRequest,
  head: IncomingRequestHead,
): CachingInspection | null {
  const { caching, trust } = forwarding;
  const requestHeaders = readRequestHeaders(head, trust);
  if (caching === null || requestHeaders.kind === 'refused') return null;
  const resource = caching.views.findResource(snapshot, resolved, head);
  if (resource.kind === 'bypass') return { resource, lookup: null };
  const publicBase = getPublicBase(requestHeaders.client);
  const plan = new SiteForwardPlan(forwarding, {
    snapshot,
    resolved,
    head,
    requestHeaders,
    hasBody: false,
    resource,
    attributes: ATTRIBUTES,
    validationObserver: null,
    sampleObserver: null,
    writeObserver: null,
    bodyInspection: undefined,
    publicBase,
  });
  const request = plan.cacheAccess?.request;
  if (request === undefined) return null;
  return { resource, lookup: { ...caching.cache.explain(request), key: request.key, publicBase } };
}
