import { describe, expect, test } from 'vitest';
import {
  CircuitBreaker,
  type CircuitOutcome,
  DEFAULT_CIRCUIT_BREAKER,
} from '../../src/upstream/site-circuits.ts';

const OPTIONS = {
  ...DEFAULT_CIRCUIT_BREAKER,
  window: 10_000,
  minimumRequests: 10,
  failureRatio: 0.5,
  probeInterval: 5_000,
};

type Admission =
  | { readonly kind: 'admitted'; readonly epoch: number }
  | { readonly kind: 'refused'; readonly retryIn: number };

function admit(breaker: CircuitBreaker, now: number, isWrite = false): Admission {
  const retryIn = breaker.retryIn(now, isWrite);
  return retryIn > 0 ? { kind: 'refused', retryIn } : { kind: 'admitted', epoch: breaker.admit(now) };
}

/** Sends one request with an outcome; `false` if the breaker refuses it. */
function request(breaker: CircuitBreaker, outcome: CircuitOutcome, now: number): boolean {
  const admission = admit(breaker, now);
  if (admission.kind === 'refused') return false;
  breaker.report(admission.epoch, outcome, now);
  return true;
}

function createOpenBreaker(at: number): CircuitBreaker {
  const breaker = new CircuitBreaker(OPTIONS);
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
    const breaker = new CircuitBreaker(OPTIONS);
    for (const outcome of outcomes) request(breaker, outcome, 0);
    expect(breaker.state).toBe(state);
  });

  test('ignores failures older than its window', () => {
    const breaker = new CircuitBreaker(OPTIONS);
    for (let count = 0; count < 9; count++) request(breaker, 'failure', 0);
    request(breaker, 'failure', OPTIONS.window + 1_000);
    expect(breaker.state).toBe('closed');
  });

  test('counts nothing of before the clock was set back', () => {
    const breaker = new CircuitBreaker(OPTIONS);
    for (let count = 0; count < 9; count++) request(breaker, 'failure', 3_600_000);
    request(breaker, 'failure', 0);
    expect(breaker.state).toBe('closed');
  });

  test('admits a probe when the clock was set back', () => {
    const breaker = createOpenBreaker(3_600_000);
    expect(request(breaker, 'failure', 0)).toBe(true);
    expect(admit(breaker, 1_000)).toEqual({ kind: 'refused', retryIn: 4_000 });
    expect(request(breaker, 'success', 5_000)).toBe(true);
    expect(breaker.state).toBe('closed');
  });

  test('refuses requests while it is open, and returns the remaining time', () => {
    const breaker = createOpenBreaker(1_000);
    expect(admit(breaker, 2_000)).toEqual({ kind: 'refused', retryIn: 4_000 });
  });

  test('admits one probe after the interval, and closes if the probe succeeds', () => {
    const breaker = createOpenBreaker(0);
    const probe = admit(breaker, 5_000);
    expect(probe.kind).toBe('admitted');
    expect(breaker.state).toBe('open');
    expect(admit(breaker, 5_001).kind).toBe('refused');
    if (probe.kind === 'admitted') breaker.report(probe.epoch, 'success', 5_100);
    expect(breaker.state).toBe('closed');
  });

  test('admits the next probe an interval after one that failed', () => {
    const breaker = createOpenBreaker(0);
    for (const now of [5_000, 10_000, 15_000]) {
      expect(request(breaker, 'failure', now - 1)).toBe(false);
      expect(request(breaker, 'failure', now)).toBe(true);
    }
    expect(request(breaker, 'success', 20_000)).toBe(true);
    expect(breaker.state).toBe('closed');
  });

  test('admits another probe after a neutral outcome, and an interval after one that is missing', () => {
    const breaker = createOpenBreaker(0);
    expect(request(breaker, 'neutral', 5_000)).toBe(true);
    expect(admit(breaker, 5_000).kind).toBe('admitted');
    expect(admit(breaker, 9_999).kind).toBe('refused');
    expect(admit(breaker, 10_000).kind).toBe('admitted');
  });

  test('refuses a write only after a request since it opened has failed', () => {
    const breaker = createOpenBreaker(0);
    const write = admit(breaker, 100, true);
    expect(write.kind).toBe('admitted');
    expect(admit(breaker, 100).kind).toBe('refused');
    if (write.kind === 'admitted') breaker.report(write.epoch, 'failure', 200);
    expect(admit(breaker, 300, true)).toEqual({ kind: 'refused', retryIn: 4_700 });
    expect(breaker.state).toBe('open');
  });

  test('closes when a write succeeds while it is open', () => {
    const breaker = createOpenBreaker(0);
    const write = admit(breaker, 100, true);
    if (write.kind === 'admitted') breaker.report(write.epoch, 'success', 200);
    expect(breaker.state).toBe('closed');
  });

  test('ignores outcomes of requests that were admitted before it opened', () => {
    const breaker = new CircuitBreaker(OPTIONS);
    const early = admit(breaker, 0);
    for (let count = 0; count < OPTIONS.minimumRequests; count++) request(breaker, 'failure', 0);
    admit(breaker, 5_000);
    if (early.kind === 'admitted') breaker.report(early.epoch, 'success', 5_001);
    expect(breaker.state).toBe('open');
  });
});
