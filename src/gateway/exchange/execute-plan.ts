import type { ForwardToOrigin } from '../../cache/cache.ts';
import type { Dispatch, Exchange, ResponseSink } from '../../http/exchange.ts';
import type { RequestBody } from '../plan/body-inspection.ts';
import type { ForwardPlan } from '../plan/plan.ts';
import { Inspection } from './inspected-exchange.ts';
import { ResponseRelay } from './response-relay.ts';

/**
 * Carries a plan to a site out, the same on every platform: the body is inspected, the store asked, then the site; its
 * answer is seen by the observers and goes, filtered and rewritten, into the sink.
 *
 * @param body the caller's; `null` where there is none
 * @param send the transport to the plan's origin
 */
export function executePlan<B>(
  plan: ForwardPlan,
  body: RequestBody<B> | null,
  send: Dispatch<B>,
  sink: ResponseSink,
): Exchange {
  if (plan.inspection === undefined || body === null) return ask(plan, body?.stream ?? null, send, sink);
  const inspected = new Inspection<B>(sink, (judged) => ask(plan, judged, send, sink));
  inspected.begin(plan.inspection, body);
  return inspected;
}

/** RFC 9211 §2.2: there is no cache on this way. */
const BYPASS = ['Cache-Status', 'waygate; fwd=bypass'] as const;

function ask<B>(
  plan: ForwardPlan,
  body: B | Uint8Array | null,
  send: Dispatch<B>,
  sink: ResponseSink,
): Exchange {
  const { cached } = plan;
  if (cached === undefined) {
    return begin(plan.request.headers, new ResponseRelay(plan, plan.observers ?? [], BYPASS, sink));
  }
  const origin: ForwardToOrigin = ({ background, conditions }, inner) => {
    const { headers } = plan.request;
    return begin(
      conditions === null ? headers : withConditions(headers, conditions),
      new ResponseRelay(plan, background ? [] : (plan.observers ?? []), [], inner),
    );
  };
  return cached.cache.serve(cached.request, origin, sink);

  function begin(headers: string[], answer: ResponseRelay): Exchange {
    const { guard, request } = plan;
    const { method, retryable, target } = request;
    const sent = { method, target, headers, body, retryable };
    return answer.begin(
      guard === undefined ? send(sent, answer) : guard((watched) => send(sent, watched), answer),
    );
  }
}

/** Fields by which a request asks for less than the whole answer (RFC 9110 §13.1, §14.2). */
const CONDITIONS = new Set([
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range'],
]);

function withConditions(headers: readonly string[], conditions: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!CONDITIONS.has(name.toLowerCase())) kept.push(name, headers[at + 1] ?? '');
  }
  kept.push(...conditions);
  return kept;
}
