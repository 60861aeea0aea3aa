import type {
  Exchange,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
  UpstreamFailureKind,
} from '../http/exchange.ts';
import type { CircuitBreaker, CircuitOutcome } from './circuit-breaker.ts';

/** Outcomes by failure. A failure that the client or the gateway caused is neutral. */
const FAILURE_OUTCOMES: Readonly<Record<UpstreamFailureKind, CircuitOutcome>> = {
  timeout: 'failure',
  refused: 'failure',
  dns: 'failure',
  tls: 'failure',
  'connection-broken': 'failure',
  'transfer-coding': 'neutral',
  'invalid-request': 'neutral',
  'body-length-mismatch': 'neutral',
  'shutting-down': 'neutral',
  'circuit-open': 'neutral',
  'not-stored': 'neutral',
  'client-gone': 'neutral',
};

/** Statuses of a site or proxy that is overloaded or down. A 500 may be a fault of one route. */
const OVERLOAD_STATUSES = new Set([502, 503, 504]);

/** A function that sends a request through `send`, or fails the sink without sending it. */
export type SendGuard = (send: (sink: ResponseSink) => Exchange, sink: ResponseSink) => Exchange;

/**
 * Creates a guard that sends requests while the circuit is closed, and reports their outcomes to the breaker.
 * While the circuit is open, requests fail at once with `circuit-open`.
 *
 * @param now returns milliseconds since the epoch
 */
export function createCircuitBreakerGuard(breaker: CircuitBreaker, now: () => number): SendGuard {
  return (send, sink) => {
    const admission = breaker.admit(now());
    if (admission.kind === 'refused') {
      sink.fail({ kind: 'circuit-open', retryAfter: Math.ceil(admission.retryIn / 1000) });
      return ENDED_EXCHANGE;
    }
    const reporting = new ReportingSink(sink, (outcome) => breaker.report(admission.epoch, outcome, now()));
    const exchange = send(reporting);
    return {
      resume: () => exchange.resume(),
      abort() {
        reporting.report('neutral');
        exchange.abort();
      },
    };
  };
}

const ENDED_EXCHANGE: Exchange = { resume() {}, abort() {} };

/** Forwards all calls to a sink, and reports the outcome once: by the status of the head, or by the failure. */
class ReportingSink implements ResponseSink {
  readonly #sink: ResponseSink;
  #report: ((outcome: CircuitOutcome) => void) | undefined;

  constructor(sink: ResponseSink, report: (outcome: CircuitOutcome) => void) {
    this.#sink = sink;
    this.#report = report;
  }

  report(outcome: CircuitOutcome): void {
    const report = this.#report;
    this.#report = undefined;
    report?.(outcome);
  }

  interim(head: ResponseHead): void {
    this.#sink.interim?.(head);
  }

  head(head: ResponseHead): void {
    this.report(OVERLOAD_STATUSES.has(head.status) ? 'failure' : 'success');
    this.#sink.head(head);
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink.write(chunk);
  }

  end(trailers: readonly string[]): void {
    this.#sink.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    this.report(FAILURE_OUTCOMES[failure.kind]);
    this.#sink.fail(failure);
  }
}
