import { varyByOrigin } from '../cache/wordpress/answers.ts';
import { answerHeaders, type Rewriting } from '../upstream/answer.ts';
import type { Timeouts, UpstreamFailure } from '../upstream/exchange.ts';
import { FAILURES } from '../upstream/failures.ts';
import { HEADER_REFUSALS, requestHeaders, type SiteForwarding } from '../upstream/headers.ts';
import { bodyRewriter } from '../upstream/rewrite.ts';
import type { Guard } from '../upstream/through-breaker.ts';
import type { Trust } from '../upstream/trust.ts';
import type { SiteCaching } from './caching/caching.ts';
import type { AnswerObserver, Plan, RequestFacts, RequestHead } from './plan.ts';
import { type Problem, problemResponse } from './problem.ts';
import type { PageReading, RouteReading } from './reading.ts';
import type { Snapshot } from './snapshot.ts';
import type { Judging } from './validating/judging.ts';

export interface ProxyOptions {
  readonly mount: string;
  readonly trust: Trust;
  readonly publicUrl: string | undefined;
  readonly rewriteBodies: boolean;
  readonly timeouts: Timeouts;
  /** What answers in the site's place; `null` where all is asked of the site. */
  readonly caching: SiteCaching | null;
  /** Keeps a site that fails from being asked; `null` where nothing does. */
  readonly guard: Guard | null;
}

export type Proxy = (
  snapshot: Snapshot,
  reading: RouteReading | PageReading,
  head: RequestHead,
  facts: RequestFacts,
  judging: Judging | null,
  sample: AnswerObserver | null,
) => Plan;

/** Methods that a site may be sent twice (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** How requests are sent on, and what becomes of the answers. */
export function createProxy(options: ProxyOptions): Proxy {
  const { caching, guard, mount, rewriteBodies, timeouts, trust } = options;
  const publicBase = options.publicUrl?.replace(/\/+$/, '');

  return (snapshot, reading, head, facts, judging, sample) => {
    const { bases, host, origin } = snapshot;
    const { operation, requestId, route } = facts;
    const storable = caching?.begin(snapshot, reading, head) ?? null;
    const isReadable = storable?.isRoute === true;
    const forwarding: SiteForwarding = { host, trust, mount, identity: rewriteBodies || isReadable };
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

    const base = `${publicBase ?? `${client.protocol}://${client.host}${client.prefix}`}${mount}`;
    // What a read with a body means is for the site alone to say (RFC 9110 §9.3.1).
    const stored = hasBody ? null : storable;
    const headers = stored?.sent(sent.headers) ?? sent.headers;
    const write = caching?.write(snapshot, reading, head) ?? null;
    return {
      kind: 'proxy',
      origin,
      timeouts,
      request: {
        method: head.method,
        target: stored?.address ?? reading.address,
        headers,
        hasBody,
        repeatable: !hasBody && SAFE.has(effective) && SAFE.has(head.method),
      },
      inspection: write === null ? judged?.inspection : write.inspect(hasBody, judged?.inspection),
      observers: observersOf(judging, sample, write),
      cached:
        caching === null || stored === null
          ? undefined
          : { cache: caching.cache, request: stored.request(base, headers) },
      guard: guard ?? undefined,
      facts: { requestId, client: client.address, mount, route, operation },
      answer(answered) {
        const rewriting: Rewriting = {
          bases,
          publicBase: base,
          bodies: rewriteBodies,
        };
        const { headers, rewriteBody } = answerHeaders(answered, rewriting);
        if (isReadable) varyByOrigin(headers);
        return rewriteBody ? { headers, rewrite: bodyRewriter(bases, rewriting.publicBase) } : { headers };
      },
      failure: (failure) => problemOf(failure, requestId),
    };
  };
}

function observersOf(
  ...observers: readonly (AnswerObserver | null)[]
): readonly AnswerObserver[] | undefined {
  const present = observers.filter((observer) => observer !== null);
  return present.length === 0 ? undefined : present;
}

function problemOf({ kind, retryAfter }: UpstreamFailure, requestId: string): Problem {
  const headers = { 'x-request-id': requestId };
  if (retryAfter === undefined) return { ...FAILURES[kind], headers };
  return { ...FAILURES[kind], headers: { ...headers, 'retry-after': String(retryAfter) } };
}
