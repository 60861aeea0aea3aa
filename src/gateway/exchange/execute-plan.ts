import type { ForwardToOrigin } from '../../cache/cache-request.ts';

import type { CacheStatus } from '../../http/cache-status.ts';
import type { Dispatch, Exchange, ResponseSink } from '../../http/exchange.ts';
import type { RequestBody } from '../plan/body-inspection.ts';
import type { ForwardPlan, ResponseObserver } from '../plan/plan.ts';
import type { BodyMemory } from './body-memory.ts';
import { InspectedExchange } from './inspected-exchange.ts';
import { ResponseRelay } from './response-relay.ts';

/** What a platform adds to the execution of its plans. */
export interface ExecutionContext<Stream> {
  /** The transport to the plan's origin. */
  readonly dispatch: Dispatch<Stream>;
  /** Memory for the bodies that are validated before they are forwarded. */
  readonly bodyMemory: BodyMemory;
}

/**
 * Executes a forward plan, in the same way on every platform: inspects the request body, looks the response up in the
 * cache, dispatches the request to the site, and relays the response to `sink`.
 *
 * @param body the client's; `null` if the request has none
 */
export function executePlan<Stream>(
  plan: ForwardPlan,
  body: RequestBody<Stream> | null,
  { bodyMemory, dispatch }: ExecutionContext<Stream>,
  sink: ResponseSink,
): Exchange {
  if (plan.bodyInspection === undefined || body === null) {
    const forwarded = { body: body?.stream ?? null, observers: plan.observers ?? [] };
    return lookUpOrForward(plan, forwarded, dispatch, sink);
  }
  const reservation = bodyMemory.open(plan.attributes.client);
  const { release } = reservation;
  const observers = [...(plan.observers ?? []), { head() {}, end: release, fail: release }];
  const exchange = new InspectedExchange<Stream>({
    sink,
    reservation,
    onReject: (problem) => plan.recordRefusal?.(problem),
    forward: (inspectedBody) => lookUpOrForward(plan, { body: inspectedBody, observers }, dispatch, sink),
  });
  exchange.inspect(plan.bodyInspection, body);
  return exchange;
}

interface ForwardedBody<Stream> {
  readonly body: Stream | Uint8Array | null;
  readonly observers: readonly ResponseObserver[];
}

function lookUpOrForward<Stream>(
  plan: ForwardPlan,
  { body, observers }: ForwardedBody<Stream>,
  dispatch: Dispatch<Stream>,
  sink: ResponseSink,
): Exchange {
  const { cacheAccess } = plan;
  if (cacheAccess === undefined) {
    const { bypassDetail: detail } = plan;
    const bypassStatus: CacheStatus = detail === undefined ? { fwd: 'bypass' } : { fwd: 'bypass', detail };
    const relay = new ResponseRelay({ plan, observers, bypassStatus, sink });
    return forward(plan.upstreamRequest.headers, relay);
  }
  const forwardToOrigin: ForwardToOrigin = ({ isBackground, revalidationConditions }, cacheSink) => {
    const { headers } = plan.upstreamRequest;
    return forward(
      revalidationConditions === null ? headers : replaceConditions(headers, revalidationConditions),
      new ResponseRelay({ plan, observers: isBackground ? [] : observers, sink: cacheSink }),
    );
  };
  return cacheAccess.cache.serve(cacheAccess.request, forwardToOrigin, sink);

  function forward(headers: string[], relay: ResponseRelay): Exchange {
    const { circuitBreakerGuard, upstreamRequest: planned } = plan;
    const { method, retryable, target } = planned;
    const upstreamRequest = { method, target, headers, body, retryable };
    return relay.attach(
      circuitBreakerGuard === undefined
        ? dispatch(upstreamRequest, relay)
        : circuitBreakerGuard((guardedSink) => dispatch(upstreamRequest, guardedSink), relay),
    );
  }
}

/** Fields that make a request conditional or partial (RFC 9110 §13.1, §14.2). */
const CONDITIONAL_FIELDS: ReadonlySet<string> = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
]);

function replaceConditions(headers: readonly string[], conditions: readonly string[]): string[] {
  const replaced: string[] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!CONDITIONAL_FIELDS.has(name.toLowerCase())) replaced.push(name, headers[index + 1] ?? '');
  }
  replaced.push(...conditions);
  return replaced;
}
