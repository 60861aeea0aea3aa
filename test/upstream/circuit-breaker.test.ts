import { describe, expect, test } from 'vitest';
import type { Exchange, FailureKind, ResponseSink } from '../../src/http/exchange.ts';
import {
  type CircuitBreaker,
  type CircuitOutcome,
  createCircuitBreaker,
  DEFAULT_CIRCUIT_BREAKER,
} from '../../src/upstream/circuit-breaker.ts';
import { createCircuitBreakerGuard } from '../../src/upstream/circuit-breaker-guard.ts';

const OPTIONS = {
  ...DEFAULT_CIRCUIT_BREAKER,
  window: 10_000,
  minimumRequests: 10,
  failureRatio: 0.5,
  openDuration: 5_000,
  maxOpenDuration: 15_000,
};

/** Asks once, and says how it ended; false where it was not let through. */
function ask(breaker: CircuitBreaker, outcome: CircuitOutcome, now: number): boolean {
  const admission = breaker.admit(now);
  if (admission.kind === 'refused') return false;
  breaker.report(admission.epoch, outcome, now);
  return true;
}

function opened(at: number): CircuitBreaker {
  const breaker = createCircuitBreaker(OPTIONS);
  for (let count = 0; count < OPTIONS.minimumRequests; count++) ask(breaker, 'failure', at);
  expect(breaker.state).toBe('open');
  return breaker;
}

describe('a circuit', () => {
  test.each<[name: string, outcomes: readonly CircuitOutcome[], state: string]>([
    ['stays closed for fewer failures than the minimum', Array(9).fill('failure'), 'closed'],
    ['opens when the minimum has failed', Array(10).fill('failure'), 'open'],
    ['opens at the share', [...Array(10).fill('success'), ...Array(10).fill('failure')], 'open'],
    ['stays closed below the share', [...Array(11).fill('success'), ...Array(10).fill('failure')], 'closed'],
    ['counts nothing that says nothing', Array(100).fill('neutral'), 'closed'],
  ])('%s', (_name, outcomes, state) => {
    const breaker = createCircuitBreaker(OPTIONS);
    for (const outcome of outcomes) ask(breaker, outcome, 0);
    expect(breaker.state).toBe(state);
  });

  test('forgets what is older than its window', () => {
    const breaker = createCircuitBreaker(OPTIONS);
    for (let count = 0; count < 9; count++) ask(breaker, 'failure', 0);
    ask(breaker, 'failure', OPTIONS.window + 1_000);
    expect(breaker.state).toBe('closed');
  });

  test('lets nothing through while it is open, and says for how long', () => {
    const breaker = opened(1_000);
    expect(breaker.admit(2_000)).toEqual({ kind: 'refused', retryIn: 4_000 });
  });

  test('lets one probe through when it has rested, and closes when that went well', () => {
    const breaker = opened(0);
    const probe = breaker.admit(5_000);
    expect(probe.kind).toBe('admitted');
    expect(breaker.state).toBe('half-open');
    expect(breaker.admit(5_001).kind).toBe('refused');
    if (probe.kind === 'admitted') breaker.report(probe.epoch, 'success', 5_100);
    expect(breaker.state).toBe('closed');
  });

  test('rests twice as long after each probe that failed, up to a bound', () => {
    const breaker = opened(0);
    let now = 0;
    for (const rest of [5_000, 10_000, 15_000, 15_000]) {
      expect(ask(breaker, 'failure', now + rest - 1)).toBe(false);
      now += rest;
      expect(ask(breaker, 'failure', now)).toBe(true);
    }
    expect(ask(breaker, 'success', now + 15_000)).toBe(true);
    expect(breaker.state).toBe('closed');
  });

  test('probes again where the probe said nothing, or was never heard of', () => {
    const breaker = opened(0);
    expect(ask(breaker, 'neutral', 5_000)).toBe(true);
    expect(breaker.admit(5_000).kind).toBe('admitted');
    expect(breaker.admit(9_999).kind).toBe('refused');
    expect(breaker.admit(10_000).kind).toBe('admitted');
  });

  test('does not listen to requests from before it opened', () => {
    const breaker = createCircuitBreaker(OPTIONS);
    const early = breaker.admit(0);
    for (let count = 0; count < OPTIONS.minimumRequests; count++) ask(breaker, 'failure', 0);
    breaker.admit(5_000);
    if (early.kind === 'admitted') breaker.report(early.epoch, 'success', 5_001);
    expect(breaker.state).toBe('half-open');
  });
});

describe('a request through a breaker', () => {
  class Sink implements ResponseSink {
    readonly heard: string[] = [];
    head({ status }: { readonly status: number }): void {
      this.heard.push(String(status));
    }
    write(): boolean {
      return true;
    }
    end(): void {
      this.heard.push('end');
    }
    fail({ kind, retryAfter }: { readonly kind: FailureKind; readonly retryAfter?: number }): void {
      this.heard.push(retryAfter === undefined ? kind : `${kind} ${retryAfter}`);
    }
  }
  const answering = (status: number) => (sink: ResponseSink) => {
    sink.head({ status, reason: '', headers: [] });
    sink.end([]);
    return { resume() {}, abort() {} };
  };
  const failing = (kind: FailureKind) => (sink: ResponseSink) => {
    sink.fail({ kind });
    return { resume() {}, abort() {} };
  };
  const afterTen = (send: (sink: ResponseSink) => Exchange): string => {
    const breaker = createCircuitBreaker(OPTIONS);
    for (let count = 0; count < 10; count++) createCircuitBreakerGuard(breaker, () => 0)(send, new Sink());
    return breaker.state;
  };

  test.each([
    [200, 'closed'],
    [404, 'closed'],
    [500, 'closed'],
    [502, 'open'],
    [503, 'open'],
    [504, 'open'],
  ])('ten answers %i leave it %s', (status, state) => {
    expect(afterTen(answering(status))).toBe(state);
  });

  test.each<[FailureKind, string]>([
    ['timeout', 'open'],
    ['refused', 'open'],
    ['connection-broken', 'open'],
    ['client-gone', 'closed'],
    ['invalid-request', 'closed'],
    ['body-length-mismatch', 'closed'],
    ['shutting-down', 'closed'],
  ])('ten failures of the kind %s leave it %s', (kind, state) => {
    expect(afterTen(failing(kind))).toBe(state);
  });

  test('fails at once where the circuit is open, and the site hears nothing', () => {
    const breaker = opened(0);
    const sink = new Sink();
    createCircuitBreakerGuard(breaker, () => 500)(answering(200), sink);
    expect(sink.heard).toEqual(['circuit-open 5']);
  });

  test('an answer passes unchanged', () => {
    const sink = new Sink();
    createCircuitBreakerGuard(createCircuitBreaker(OPTIONS), () => 0)(answering(200), sink);
    expect(sink.heard).toEqual(['200', 'end']);
  });

  test('a caller who leaves says nothing of the site', () => {
    const hanging = () => ({ resume() {}, abort() {} });
    const breaker = opened(0);
    createCircuitBreakerGuard(breaker, () => 5_000)(hanging, new Sink()).abort();
    expect(breaker.admit(5_000).kind).toBe('admitted');
  });
});
