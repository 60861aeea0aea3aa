import type { Origin } from '../cache/cache.ts';
import type { AnswerHead, AnswerSink, Exchange, Send } from '../upstream/exchange.ts';
import { Inspection } from './inspect.ts';
import type { RequestBody } from './inspection.ts';
import type { ProxyPlan } from './plan.ts';
import { SiteAnswer } from './site-answer.ts';

/**
 * Carries a plan to a site out, the same on every platform: the body is inspected, the store asked, then the site; its
 * answer is seen by the observers and goes, filtered and rewritten, into the sink.
 *
 * @param body the caller's; `null` where there is none
 * @param send the transport to the plan's origin
 */
export function perform<B>(
  plan: ProxyPlan,
  body: RequestBody<B> | null,
  send: Send<B>,
  sink: AnswerSink,
): Exchange {
  if (plan.inspection === undefined || body === null) return ask(plan, body?.stream ?? null, send, sink);
  const inspected = new Inspection<B>(plan.facts.requestId, sink, (judged) => ask(plan, judged, send, sink));
  inspected.begin(plan.inspection, body);
  return inspected;
}

/** RFC 9211 §2.2: there is no cache on this way. */
const BYPASS = ['Cache-Status', 'waygate; fwd=bypass'] as const;

function ask<B>(plan: ProxyPlan, body: B | Uint8Array | null, send: Send<B>, sink: AnswerSink): Exchange {
  const { cached, facts, guard, observers = [], request } = plan;
  const { method, repeatable, target } = request;
  const id = ['X-Request-Id', facts.requestId] as const;
  const begin = (headers: string[], answer: SiteAnswer): Exchange => {
    const sent = { method, target, headers, body, repeatable };
    return answer.begin(
      guard === undefined ? send(sent, answer) : guard((watched) => send(sent, watched), answer),
    );
  };
  if (cached === undefined) {
    return begin(request.headers, new SiteAnswer(plan, observers, [...BYPASS, ...id], sink));
  }
  const origin: Origin = ({ background, conditions }, inner) => {
    const headers = conditions === null ? request.headers : withConditions(request.headers, conditions);
    return begin(headers, new SiteAnswer(plan, background ? [] : observers, [], inner));
  };
  return cached.cache.serve(cached.request, origin, stamped(sink, id));
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

/** A sink for answers that may come from the store, where they stand without what is this request's own. */
function stamped(sink: AnswerSink, stamps: readonly string[]): AnswerSink {
  const stamp = ({ headers, reason, status }: AnswerHead): AnswerHead => ({
    status,
    reason,
    headers: headers.concat(stamps),
  });
  return {
    interim: (head) => sink.interim?.(head),
    head: (head) => sink.head(stamp(head)),
    write: (chunk) => sink.write(chunk),
    end: (trailers) => sink.end(trailers),
    fail: (failure) => sink.fail(failure),
    ...(sink.whole === undefined ? {} : { whole: (head, body) => sink.whole?.(stamp(head), body) }),
  };
}
