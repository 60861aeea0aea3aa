import type { IncomingRequestHead } from '../../http/request-head.ts';
import { type ClientIdentity, HEADER_REFUSALS, readRequestHeaders } from '../../upstream/request-headers.ts';
import type { ProxyTrust } from '../../upstream/trusted-proxies.ts';
import type { Plan, RequestAttributes, ResponseObserver } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RequestValidation } from '../validating/operation-validation.ts';
import { SiteForwardPlan, type SitePlanOptions } from './forward-plan.ts';

export interface ForwardPlannerOptions extends SitePlanOptions {
  readonly trust: ProxyTrust;
  readonly publicUrl: string | undefined;
}

export type Proxy = (
  snapshot: Snapshot,
  reading: RouteRequest | PageRequest,
  head: IncomingRequestHead,
  facts: RequestAttributes,
  judging: RequestValidation | null,
  sample: ResponseObserver | null,
) => Plan;

/** How requests are sent on, and what becomes of the answers. */
export function createForwardPlanner(options: ForwardPlannerOptions): Proxy {
  const { caching, mount, trust } = options;
  const publicBase = options.publicUrl?.replace(/\/+$/, '');
  const baseOf = createBases(publicBase, mount);

  return (snapshot, reading, head, facts, judging, sample) => {
    const fields = readRequestHeaders(head, trust);
    if (fields.kind === 'refused') {
      const refusal = HEADER_REFUSALS[fields.refusal];
      return { kind: 'answer', facts, respond: () => problemResponse(refusal) };
    }
    const hasBody = fields.framing.kind !== 'none';
    const judged = judging?.start(hasBody);
    if (judged?.kind === 'refused') {
      return { kind: 'answer', facts, respond: () => problemResponse(judged.problem, head.method) };
    }
    // What a read with a body means is for the site alone to say (RFC 9110 §9.3.1).
    const prepared = hasBody ? null : (caching?.begin(snapshot, reading, head) ?? null);
    const write = caching?.write(snapshot, reading, head) ?? null;
    return new SiteForwardPlan(options, {
      snapshot,
      reading,
      head,
      fields,
      hasBody,
      prepared,
      facts,
      judging,
      sample,
      write,
      inspection: write === null ? judged?.inspection : write.inspect(hasBody, judged?.inspection),
      publicBase: baseOf(fields.client),
    });
  };
}

/** The gateway's address of the site as a caller knows it; most know one, so the last is kept. */
function createBases(publicBase: string | undefined, mount: string): (client: ClientIdentity) => string {
  if (publicBase !== undefined) return () => publicBase + mount;
  let last: ClientIdentity | undefined;
  let base = '';
  return (client) => {
    const { host, prefix, protocol } = client;
    if (last?.host !== host || last.protocol !== protocol || last.prefix !== prefix) {
      last = client;
      base = `${protocol}://${host}${prefix}${mount}`;
    }
    return base;
  };
}
