import type {
  Exchange,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
  UpstreamFailureKind,
} from '../http/exchange.ts';
import { hasField } from '../http/fields.ts';
import type { CircuitOutcome } from './circuit-breaker.ts';
import { isConnectTimeout } from './failures.ts';
import type { CircuitSubject, SiteCircuits, SiteOutcome } from './site-circuits.ts';

const NO_EVIDENCE: SiteOutcome = { connection: 'neutral', response: 'neutral' };
const NOT_CONNECTED: SiteOutcome = { connection: 'failure', response: 'neutral' };
const BAD_RESPONSE: SiteOutcome = { connection: 'success', response: 'failure' };

/** Outcomes by failure. A failure that the client or the gateway caused is no evidence. */
const FAILURE_OUTCOMES: Readonly<Record<UpstreamFailureKind, SiteOutcome>> = {
  timeout: BAD_RESPONSE,
  refused: NOT_CONNECTED,
  dns: NOT_CONNECTED,
  tls: NOT_CONNECTED,
  'connection-broken': BAD_RESPONSE,
  'transfer-coding': { connection: 'success', response: 'neutral' },
  'invalid-request': NO_EVIDENCE,
  'body-length-mismatch': NO_EVIDENCE,
  'shutting-down': NO_EVIDENCE,
  'circuit-open': NO_EVIDENCE,
  'not-stored': NO_EVIDENCE,
  'client-gone': NO_EVIDENCE,
};

function outcomeOfFailure(failure: UpstreamFailure): SiteOutcome {
  return isConnectTimeout(failure) ? NOT_CONNECTED : FAILURE_OUTCOMES[failure.kind];
}

/** Statuses of a site or proxy that is overloaded or down. A 500 may be a fault of one route. */
const OVERLOAD_STATUSES = new Set([502, 503, 504]);

/** A 429, or a 503 with `Retry-After`, limits one client or announces maintenance: it says nothing about a failure. */
function outcomeOfHead({ headers, status }: ResponseHead): SiteOutcome {
  const isLimit = status === 429 || (status === 503 && hasField(headers, 'retry-after'));
  const response: CircuitOutcome = isLimit
    ? 'neutral'
    : OVERLOAD_STATUSES.has(status)
      ? 'failure'
      : 'success';
  return { connection: 'success', response };
}

/** A function that sends a request through `send`, or fails the sink without sending it. */
export type SendGuard = (send: (sink: ResponseSink) => Exchange, sink: ResponseSink) => Exchange;

/** Creates the guard of one request. */
export type CircuitBreakerGuard = (subject: CircuitSubject) => SendGuard;

/**
 * Creates a guard that sends requests while their circuits are closed, and reports their outcomes. While a circuit is open,
 * requests fail at once with `circuit-open`.
 *
 * @param now returns milliseconds since the epoch
 */
export function createCircuitBreakerGuard(circuits: SiteCircuits, now: () => number): CircuitBreakerGuard {
  return (subject) => (send, sink) => {
    const admission = circuits.admit(subject, now());
    if (admission.kind === 'refused') {
      sink.fail({ kind: 'circuit-open', retryAfter: Math.ceil(admission.retryIn / 1000) });
      return ENDED_EXCHANGE;
    }
    const reporting = new ReportingSink(sink, (outcome) => admission.report(outcome, now()));
    const exchange = send(reporting);
    return {
      resume: () => exchange.resume(),
      abort() {
        reporting.report(NO_EVIDENCE);
        exchange.abort();
      },
    };
  };
}

const ENDED_EXCHANGE: Exchange = { resume() {}, abort() {} };

/** Forwards all calls to a sink, and reports the outcome once: by the head, or by the failure. */
class ReportingSink implements ResponseSink {
  readonly #sink: ResponseSink;
  #report: ((outcome: SiteOutcome) => void) | undefined;

  constructor(sink: ResponseSink, report: (outcome: SiteOutcome) => void) {
    this.#sink = sink;
    this.#report = report;
  }

  report(outcome: SiteOutcome): void {
    const report = this.#report;
    this.#report = undefined;
    report?.(outcome);
  }

  interim(head: ResponseHead): void {
    this.#sink.interim?.(head);
  }

  head(head: ResponseHead): void {
    this.report(outcomeOfHead(head));
    this.#sink.head(head);
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink.write(chunk);
  }

  end(trailers: readonly string[]): void {
    this.#sink.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    this.report(outcomeOfFailure(failure));
    this.#sink.fail(failure);
  }
}
