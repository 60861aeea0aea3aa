import type { IncomingRequestHead } from '../../http/request-head.ts';
import { type ClientIdentity, HEADER_REFUSALS, readRequestHeaders } from '../../upstream/request-headers.ts';
import type { ProxyTrust } from '../../upstream/trusted-proxies.ts';
import type { RequestAttributes, RequestPlan, ResponseObserver } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RequestValidation } from '../validating/incoming-request.ts';
import { type SiteForwardingOptions, SiteForwardPlan } from './forward-plan.ts';

/** Options of {@link createForwardPlanner}. */
export interface ForwardPlannerOptions extends SiteForwardingOptions {
  readonly trust: ProxyTrust;
  readonly publicUrl: string | undefined;
}

/** A resolved request that may be forwarded. */
export interface ForwardCandidate {
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly attributes: RequestAttributes;
  /** `null` if the request is not validated. */
  readonly validation: RequestValidation | null;
  /** Observer of the response for background validation; `null` if it is not in the sample. */
  readonly sample: ResponseObserver | null;
}

/** Plans a request to the site: it is forwarded, or refused for its header section or by validation. */
export type ForwardPlanner = (candidate: ForwardCandidate) => RequestPlan;

export function createForwardPlanner(options: ForwardPlannerOptions): ForwardPlanner {
  const { caching, mount, publicUrl, trust } = options;
  const getPublicBase = createPublicBases(publicUrl?.replace(/\/+$/, ''), mount);

  return ({ attributes, head, resolved, sample, snapshot, validation }) => {
    const fields = readRequestHeaders(head, trust);
    if (fields.kind === 'refused') {
      const refusal = HEADER_REFUSALS[fields.refusal];
      return { kind: 'local', attributes, respond: () => problemResponse(refusal) };
    }
    const hasBody = fields.framing.kind !== 'none';
    const decision = validation?.start(hasBody);
    if (decision?.kind === 'refused') {
      return { kind: 'local', attributes, respond: () => problemResponse(decision.problem, head.method) };
    }
    // Content in a read has no defined meaning (RFC 9110 §9.3.1), so only the site can respond to it.
    const resource = hasBody ? null : (caching?.getResource(snapshot, resolved, head) ?? null);
    const write = caching?.observeWrite(snapshot, resolved, head) ?? null;
    return new SiteForwardPlan(options, {
      snapshot,
      resolved,
      head,
      fields,
      hasBody,
      resource,
      attributes,
      validation,
      sample,
      write,
      inspection: write === null ? decision?.inspection : write.inspect(hasBody, decision?.inspection),
      publicBase: getPublicBase(fields.client),
    });
  };
}

/** Returns the gateway's URL of the site as a client sees it. Most clients see the same, so the last one is memoized. */
function createPublicBases(publicUrl: string | undefined, mount: string): (client: ClientIdentity) => string {
  if (publicUrl !== undefined) return () => publicUrl + mount;
  let lastClient: ClientIdentity | undefined;
  let base = '';
  return (client) => {
    const { host, prefix, protocol } = client;
    if (lastClient?.host !== host || lastClient.protocol !== protocol || lastClient.prefix !== prefix) {
      lastClient = client;
      base = `${protocol}://${host}${prefix}${mount}`;
    }
    return base;
  };
}
