import { type Client, HEADER_REFUSALS, readFields } from '../upstream/headers.ts';
import type { Trust } from '../upstream/trust.ts';
import type { AnswerObserver, Plan, RequestFacts, RequestHead } from './plan.ts';
import { problemResponse } from './problem.ts';
import type { PageReading, RouteReading } from './reading.ts';
import { SitePlan, type SitePlanOptions } from './site-plan.ts';
import type { Snapshot } from './snapshot.ts';
import type { Judging } from './validating/judging.ts';

export interface ProxyOptions extends SitePlanOptions {
  readonly trust: Trust;
  readonly publicUrl: string | undefined;
}

export type Proxy = (
  snapshot: Snapshot,
  reading: RouteReading | PageReading,
  head: RequestHead,
  facts: RequestFacts,
  judging: Judging | null,
  sample: AnswerObserver | null,
) => Plan;

/** How requests are sent on, and what becomes of the answers. */
export function createProxy(options: ProxyOptions): Proxy {
  const { caching, mount, trust } = options;
  const publicBase = options.publicUrl?.replace(/\/+$/, '');
  const baseOf = createBases(publicBase, mount);

  return (snapshot, reading, head, facts, judging, sample) => {
    const fields = readFields(head, trust);
    if (fields.kind === 'refused') {
      const refusal = HEADER_REFUSALS[fields.refusal];
      return { kind: 'answer', facts, respond: () => problemResponse(refusal) };
    }
    const hasBody = fields.framing.kind !== 'none';
    const judged = judging?.begin(hasBody);
    if (judged?.kind === 'refused') {
      return { kind: 'answer', facts, respond: () => problemResponse(judged.problem, head.method) };
    }
    // What a read with a body means is for the site alone to say (RFC 9110 §9.3.1).
    const prepared = hasBody ? null : (caching?.begin(snapshot, reading, head) ?? null);
    const write = caching?.write(snapshot, reading, head) ?? null;
    return new SitePlan(options, {
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
function createBases(publicBase: string | undefined, mount: string): (client: Client) => string {
  if (publicBase !== undefined) return () => publicBase + mount;
  let last: Client | undefined;
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
