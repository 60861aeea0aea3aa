import { answerHeaders, type Rewriting } from '../upstream/answer.ts';
import type { Timeouts } from '../upstream/exchange.ts';
import { FAILURES } from '../upstream/failures.ts';
import { HEADER_REFUSALS, requestHeaders, type SiteForwarding } from '../upstream/headers.ts';
import { bodyRewriter } from '../upstream/rewrite.ts';
import type { Trust } from '../upstream/trust.ts';
import type { Plan, RequestFacts, RequestHead } from './plan.ts';
import { problemResponse } from './problem.ts';
import type { PageReading, RouteReading } from './reading.ts';
import type { Snapshot } from './snapshot.ts';
import type { Judging } from './validating/judging.ts';

export interface ProxyOptions {
  readonly mount: string;
  readonly trust: Trust;
  readonly publicUrl: string | undefined;
  readonly rewriteBodies: boolean;
  readonly timeouts: Timeouts;
}

export type Proxy = (
  snapshot: Snapshot,
  reading: RouteReading | PageReading,
  head: RequestHead,
  facts: RequestFacts,
  judging: Judging | null,
) => Plan;

/** Methods that a site may be sent twice (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** How requests are sent on, and what becomes of the answers. */
export function createProxy(options: ProxyOptions): Proxy {
  const { mount, rewriteBodies, timeouts, trust } = options;
  const publicBase = options.publicUrl?.replace(/\/+$/, '');

  return (snapshot, reading, head, facts, judging) => {
    const { bases, host, origin } = snapshot;
    const { operation, requestId, route } = facts;
    const forwarding: SiteForwarding = { host, trust, mount, identity: rewriteBodies };
    const sent = requestHeaders(
      head.headers,
      { peer: { address: head.peer, protocol: head.protocol }, httpVersion: head.httpVersion, requestId },
      forwarding,
    );
    if (sent.kind === 'refused') {
      const refusal = HEADER_REFUSALS[sent.refusal];
      return { kind: 'answer', facts, respond: () => problemResponse(refusal) };
    }
    const { client, framing } = sent;
    const effective = reading.kind === 'route' ? reading.target.method : head.method;
    const hasBody = framing.kind !== 'none';
    const judged = judging?.begin(hasBody);
    if (judged?.kind === 'refused') {
      return { kind: 'answer', facts, respond: () => problemResponse(judged.problem, head.method) };
    }

    return {
      kind: 'proxy',
      origin,
      timeouts,
      request: {
        method: head.method,
        target: reading.address,
        headers: sent.headers,
        hasBody,
        repeatable: !hasBody && SAFE.has(effective) && SAFE.has(head.method),
      },
      inspection: judged?.inspection,
      observers: judging === null ? undefined : [judging],
      facts: { requestId, client: client.address, mount, route, operation },
      answer(answered) {
        const rewriting: Rewriting = {
          bases,
          publicBase: `${publicBase ?? `${client.protocol}://${client.host}${client.prefix}`}${mount}`,
          bodies: rewriteBodies,
        };
        const { headers, rewriteBody } = answerHeaders(answered, rewriting);
        return rewriteBody ? { headers, rewrite: bodyRewriter(bases, rewriting.publicBase) } : { headers };
      },
      failure: ({ kind }) => ({ ...FAILURES[kind], headers: { 'x-request-id': requestId } }),
    };
  };
}
