import type { Exchange, FailureKind, ResponseHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import type { CircuitBreaker, CircuitOutcome } from './circuit-breaker.ts';

/** What a failure says of the site: nothing, where it was the caller's or the gateway's own. */
const FAILURE_OUTCOMES: Readonly<Record<FailureKind, CircuitOutcome>> = {
  timeout: 'bad',
  refused: 'bad',
  dns: 'bad',
  tls: 'bad',
  'connection-broken': 'bad',
  'invalid-request': 'neutral',
  'body-length-mismatch': 'neutral',
  'shutting-down': 'neutral',
  'circuit-open': 'neutral',
  'not-stored': 'neutral',
  'client-gone': 'neutral',
};

/** What a site answers with, or what stands before it, when it cannot do its work. A 500 may be one route's fault. */
const OVERLOAD_STATUSES = new Set([502, 503, 504]);

/** What stands before a transport. */
export type SendGuard = (send: (sink: ResponseSink) => Exchange, sink: ResponseSink) => Exchange;

/**
 * Sends where the circuit lets it, and reports the outcome; else fails at once as `circuit-open`.
 *
 * @param now milliseconds since the epoch
 */
export function createCircuitBreakerGuard(breaker: CircuitBreaker, now: () => number): SendGuard {
  return (send, sink) => {
    const admission = breaker.admit(now());
    if (admission.kind === 'refused') {
      sink.fail({ kind: 'circuit-open', retryAfter: Math.ceil(admission.wait / 1000) });
      return ENDED_EXCHANGE;
    }
    const watched = new ReportingSink(sink, (outcome) => breaker.report(admission.epoch, outcome, now()));
    const exchange = send(watched);
    return {
      resume: () => exchange.resume(),
      abort() {
        watched.report('neutral');
        exchange.abort();
      },
    };
  };
}

const ENDED_EXCHANGE: Exchange = { resume() {}, abort() {} };

/** Passes everything on, and reports once: the head says that the site is well, a failure that it is not. */
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
    this.report(OVERLOAD_STATUSES.has(head.status) ? 'bad' : 'good');
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
