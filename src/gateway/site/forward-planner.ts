import type { IncomingRequestHead } from '../../http/request-head.ts';
import { toPublicAddress } from '../../upstream/forwarded.ts';
import {
  type ClientIdentity,
  HEADER_REFUSAL_RESPONSES,
  readRequestHeaders,
} from '../../upstream/request-headers.ts';
import type { TrustedProxyCheck } from '../../upstream/trusted-proxies.ts';
import type { RequestAttributes, RequestPlan, ResponseObserver } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RequestValidation } from '../validating/incoming-request.ts';
import { SiteForwardPlan } from './forward-plan.ts';
import type { SiteForwardingOptions } from './forwarded-request.ts';
import { planRefusal } from './request-recording.ts';

/** Options of {@link createForwardPlanner}. */
export interface ForwardPlannerOptions extends SiteForwardingOptions {
  readonly trust: TrustedProxyCheck;
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
  readonly sampleObserver: ResponseObserver | null;
}

/** Plans a request to the site: it is forwarded, or refused for its header section or by validation. */
export type ForwardPlanner = (candidate: ForwardCandidate) => RequestPlan;

export function createForwardPlanner(options: ForwardPlannerOptions): ForwardPlanner {
  const { caching, mount, publicUrl, recorder, trust } = options;
  const publicAddress = publicUrl === undefined ? undefined : toPublicAddress(publicUrl);
  const getPublicBase = createPublicBaseLookup(publicUrl, mount);

  return ({ attributes, head, resolved, sampleObserver, snapshot, validation: validationObserver }) => {
    const requestHeaders = readRequestHeaders(head, trust, publicAddress);
    if (requestHeaders.kind === 'refused') {
      const refusal = HEADER_REFUSAL_RESPONSES[requestHeaders.refusal];
      return planRefusal(recorder, { method: head.method, resolved, attributes }, refusal, () =>
        problemResponse(refusal),
      );
    }
    const hasBody = requestHeaders.framing.kind !== 'none';
    const decision = validationObserver?.validateHead(hasBody);
    if (decision?.kind === 'refused') {
      const { problem } = decision;
      return planRefusal(recorder, { method: head.method, resolved, attributes }, problem, () =>
        problemResponse(problem, head.method),
      );
    }
    const resource = caching?.getResource(snapshot, resolved, head, hasBody) ?? null;
    const writeObserver = caching?.observeWrite(snapshot, resolved, head) ?? null;
    return new SiteForwardPlan(options, {
      snapshot,
      resolved,
      head,
      requestHeaders,
      hasBody,
      resource,
      attributes,
      validationObserver,
      sampleObserver,
      writeObserver,
      bodyInspection:
        writeObserver === null
          ? decision?.bodyInspection
          : writeObserver.createBodyInspection(hasBody, decision?.bodyInspection),
      publicBase: getPublicBase(requestHeaders.client),
    });
  };
}

/** Returns the gateway's URL of the site as a client sees it. Most clients see the same, so the last one is memoized. */
export function createPublicBaseLookup(
  publicUrl: string | undefined,
  mount: string,
): (client: ClientIdentity) => string {
  if (publicUrl !== undefined) {
    const publicBase = publicUrl.replace(/\/+$/, '') + mount;
    return () => publicBase;
  }
  let lastClient: ClientIdentity | undefined;
  let base = '';
  return (client) => {
    const { host, forwardedPrefix, protocol } = client;
    if (
      lastClient?.host !== host ||
      lastClient.protocol !== protocol ||
      lastClient.forwardedPrefix !== forwardedPrefix
    ) {
      lastClient = client;
      base = `${protocol}://${host}${forwardedPrefix}${mount}`;
    }
    return base;
  };
}
