import { describe, expect, test } from 'vitest';
import type { Exchange, ResponseSink, UpstreamFailureKind } from '../../src/http/exchange.ts';
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

/** Sends one request with an outcome; `false` if the breaker refuses it. */
function request(breaker: CircuitBreaker, outcome: CircuitOutcome, now: number): boolean {
  const admission = breaker.admit(now);
  if (admission.kind === 'refused') return false;
  breaker.report(admission.epoch, outcome, now);
  return true;
}

function createOpenBreaker(at: number): CircuitBreaker {
  const breaker = createCircuitBreaker(OPTIONS);
  for (let count = 0; count < OPTIONS.minimumRequests; count++) request(breaker, 'failure', at);
  expect(breaker.state).toBe('open');
  return breaker;
}

describe('a circuit', () => {
  test.each<[name: string, outcomes: readonly CircuitOutcome[], state: string]>([
    ['stays closed for fewer failures than the minimum', Array(9).fill('failure'), 'closed'],
    ['opens when the minimum has failed', Array(10).fill('failure'), 'open'],
    ['opens at the failure ratio', [...Array(10).fill('success'), ...Array(10).fill('failure')], 'open'],
    [
      'stays closed below the failure ratio',
      [...Array(11).fill('success'), ...Array(10).fill('failure')],
      'closed',
    ],
    ['does not count neutral outcomes', Array(100).fill('neutral'), 'closed'],
  ])('%s', (_name, outcomes, state) => {
    const breaker = createCircuitBreaker(OPTIONS);
    for (const outcome of outcomes) request(breaker, outcome, 0);
    expect(breaker.state).toBe(state);
  });

  test('ignores failures older than its window', () => {
    const breaker = createCircuitBreaker(OPTIONS);
    for (let count = 0; count < 9; count++) request(breaker, 'failure', 0);
    request(breaker, 'failure', OPTIONS.window + 1_000);
    expect(breaker.state).toBe('closed');
  });

  test('refuses requests while it is open, and returns the remaining time', () => {
    const breaker = createOpenBreaker(1_000);
    expect(breaker.admit(2_000)).toEqual({ kind: 'refused', retryIn: 4_000 });
  });

  test('admits one probe after the open duration, and closes if the probe succeeds', () => {
    const breaker = createOpenBreaker(0);
    const probe = breaker.admit(5_000);
    expect(probe.kind).toBe('admitted');
    expect(breaker.state).toBe('half-open');
    expect(breaker.admit(5_001).kind).toBe('refused');
    if (probe.kind === 'admitted') breaker.report(probe.epoch, 'success', 5_100);
    expect(breaker.state).toBe('closed');
  });

  test('doubles the open duration after each failed probe, up to a limit', () => {
    const breaker = createOpenBreaker(0);
    let now = 0;
    for (const rest of [5_000, 10_000, 15_000, 15_000]) {
      expect(request(breaker, 'failure', now + rest - 1)).toBe(false);
      now += rest;
      expect(request(breaker, 'failure', now)).toBe(true);
    }
    expect(request(breaker, 'success', now + 15_000)).toBe(true);
    expect(breaker.state).toBe('closed');
  });

  test('admits another probe after a neutral or missing outcome', () => {
    const breaker = createOpenBreaker(0);
    expect(request(breaker, 'neutral', 5_000)).toBe(true);
    expect(breaker.admit(5_000).kind).toBe('admitted');
    expect(breaker.admit(9_999).kind).toBe('refused');
    expect(breaker.admit(10_000).kind).toBe('admitted');
  });

  test('ignores outcomes of requests that were admitted before it opened', () => {
    const breaker = createCircuitBreaker(OPTIONS);
    const early = breaker.admit(0);
    for (let count = 0; count < OPTIONS.minimumRequests; count++) request(breaker, 'failure', 0);
    breaker.admit(5_000);
    if (early.kind === 'admitted') breaker.report(early.epoch, 'success', 5_001);
    expect(breaker.state).toBe('half-open');
  });
});

describe('a request through a breaker', () => {
  class RecordingSink implements ResponseSink {
    readonly calls: string[] = [];
    head({ status }: { readonly status: number }): void {
      this.calls.push(String(status));
    }
    write(): boolean {
      return true;
    }
    end(): void {
      this.calls.push('end');
    }
    fail({ kind, retryAfter }: { readonly kind: UpstreamFailureKind; readonly retryAfter?: number }): void {
      this.calls.push(retryAfter === undefined ? kind : `${kind} ${retryAfter}`);
    }
  }
  const respondWith = (status: number) => (sink: ResponseSink) => {
    sink.head({ status, reason: '', headers: [] });
    sink.end([]);
    return { resume() {}, abort() {} };
  };
  const failWith = (kind: UpstreamFailureKind) => (sink: ResponseSink) => {
    sink.fail({ kind });
    return { resume() {}, abort() {} };
  };
  const stateAfterTen = (send: (sink: ResponseSink) => Exchange): string => {
    const breaker = createCircuitBreaker(OPTIONS);
    for (let count = 0; count < 10; count++)
      createCircuitBreakerGuard(breaker, () => 0)(send, new RecordingSink());
    return breaker.state;
  };

  test.each([
    [200, 'closed'],
    [404, 'closed'],
    [500, 'closed'],
    [502, 'open'],
    [503, 'open'],
    [504, 'open'],
  ])('of ten with status %i leaves the circuit %s', (status, state) => {
    expect(stateAfterTen(respondWith(status))).toBe(state);
  });

  test.each<[UpstreamFailureKind, string]>([
    ['timeout', 'open'],
    ['refused', 'open'],
    ['connection-broken', 'open'],
    ['client-gone', 'closed'],
    ['invalid-request', 'closed'],
    ['body-length-mismatch', 'closed'],
    ['shutting-down', 'closed'],
  ])('of ten that fail with %s leaves the circuit %s', (kind, state) => {
    expect(stateAfterTen(failWith(kind))).toBe(state);
  });

  test('fails at once while the circuit is open, without a request to the site', () => {
    const breaker = createOpenBreaker(0);
    const sink = new RecordingSink();
    createCircuitBreakerGuard(breaker, () => 500)(respondWith(200), sink);
    expect(sink.calls).toEqual(['circuit-open 5']);
  });

  test('a response is relayed unchanged', () => {
    const sink = new RecordingSink();
    createCircuitBreakerGuard(createCircuitBreaker(OPTIONS), () => 0)(respondWith(200), sink);
    expect(sink.calls).toEqual(['200', 'end']);
  });

  test('a client that leaves is a neutral outcome', () => {
    const hanging = () => ({ resume() {}, abort() {} });
    const breaker = createOpenBreaker(0);
    createCircuitBreakerGuard(breaker, () => 5_000)(hanging, new RecordingSink()).abort();
    expect(breaker.admit(5_000).kind).toBe('admitted');
  });
});
