import type { Exchange, FailureKind, ResponseHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import type { Breaker, Outcome } from './breaker.ts';

/** What a failure says of the site: nothing, where it was the caller's or the gateway's own. */
const OF_THE_SITE: Readonly<Record<FailureKind, Outcome>> = {
  timeout: 'bad',
  refused: 'bad',
  dns: 'bad',
  tls: 'bad',
  broken: 'bad',
  unsendable: 'neutral',
  upload: 'neutral',
  stopping: 'neutral',
  open: 'neutral',
  unstored: 'neutral',
  'client-gone': 'neutral',
};

/** What a site answers with, or what stands before it, when it cannot do its work. A 500 may be one route's fault. */
const OVERLOADED = new Set([502, 503, 504]);

/** What stands before a transport. */
export type Guard = (send: (sink: ResponseSink) => Exchange, sink: ResponseSink) => Exchange;

/**
 * Sends where the circuit lets it, and reports the outcome; else fails at once as `open`.
 *
 * @param now milliseconds since the epoch
 */
export function throughBreaker(breaker: Breaker, now: () => number): Guard {
  return (send, sink) => {
    const admission = breaker.admit(now());
    if (admission.kind === 'refused') {
      sink.fail({ kind: 'open', retryAfter: Math.ceil(admission.wait / 1000) });
      return OVER;
    }
    const watched = new WatchedSink(sink, (outcome) => breaker.report(admission.epoch, outcome, now()));
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

const OVER: Exchange = { resume() {}, abort() {} };

/** Passes everything on, and reports once: the head says that the site is well, a failure that it is not. */
class WatchedSink implements ResponseSink {
  readonly #sink: ResponseSink;
  #report: ((outcome: Outcome) => void) | undefined;

  constructor(sink: ResponseSink, report: (outcome: Outcome) => void) {
    this.#sink = sink;
    this.#report = report;
  }

  report(outcome: Outcome): void {
    const report = this.#report;
    this.#report = undefined;
    report?.(outcome);
  }

  interim(head: ResponseHead): void {
    this.#sink.interim?.(head);
  }

  head(head: ResponseHead): void {
    this.report(OVERLOADED.has(head.status) ? 'bad' : 'good');
    this.#sink.head(head);
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink.write(chunk);
  }

  end(trailers: readonly string[]): void {
    this.#sink.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    this.report(OF_THE_SITE[failure.kind]);
    this.#sink.fail(failure);
  }
}
