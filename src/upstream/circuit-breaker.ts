/** Thresholds at which a circuit opens and closes. Times are in milliseconds. */
export interface CircuitBreakerOptions {
  /** Length of the sliding window in which requests are counted. @default 10_000 */
  readonly window: number;
  /** Minimum number of requests in the window for the circuit to open. @default 20 */
  readonly minimumRequests: number;
  /** Ratio of failed requests in the window at which the circuit opens, 0 to 1. @default 0.7 */
  readonly failureRatio: number;
  /** Time for which the circuit stays open. It is doubled each time a probe fails. @default 5_000 */
  readonly openDuration: number;
  /** Upper limit of the doubled `openDuration`. @default 60_000 */
  readonly maxOpenDuration: number;
}

export const DEFAULT_CIRCUIT_BREAKER: CircuitBreakerOptions = {
  window: 10_000,
  minimumRequests: 20,
  failureRatio: 0.7,
  openDuration: 5_000,
  maxOpenDuration: 60_000,
};

export type CircuitState = 'closed' | 'open' | 'half-open';

/** Outcome of a request as evidence of the site's health. `neutral`: no evidence, for instance because the client left. */
export type CircuitOutcome = 'success' | 'failure' | 'neutral';

/** The decision whether a request may be sent. The outcome of an admitted request is reported with `epoch`. */
export type CircuitAdmission =
  | { readonly kind: 'admitted'; readonly epoch: number }
  /** `retryIn`: milliseconds until the next probe. */
  | { readonly kind: 'refused'; readonly retryIn: number };

/**
 * A circuit breaker for one site. It has no clock: times are arguments, in milliseconds.
 *
 * - closed: all requests pass and are counted.
 * - open: no request passes until the open duration is over.
 * - half-open: one request passes as a probe. Its success closes the circuit; its failure opens it for twice as long.
 */
export interface CircuitBreaker {
  readonly state: CircuitState;
  admit(now: number): CircuitAdmission;
  /** Ignores outcomes of requests that were admitted before the circuit last changed its state. */
  report(epoch: number, outcome: CircuitOutcome, now: number): void;
}

/** Number of slices of the window. Counts expire one slice at a time. */
const SLICES = 10;

export function createCircuitBreaker(
  options: CircuitBreakerOptions = DEFAULT_CIRCUIT_BREAKER,
): CircuitBreaker {
  const { minimumRequests, failureRatio, window } = options;
  const counts = createSlidingWindow(window / SLICES);
  let state: CircuitState = 'closed';
  let epoch = 0;
  let openDuration = options.openDuration;
  /** End of the open state; in the half-open state, the time at which the next probe may start. */
  let openUntil = 0;

  function changeState(next: CircuitState, now: number): void {
    state = next;
    epoch += 1;
    openUntil = now + openDuration;
    counts.clear();
  }

  return {
    get state() {
      return state;
    },
    admit(now) {
      if (state === 'closed') return { kind: 'admitted', epoch };
      if (now < openUntil) return { kind: 'refused', retryIn: openUntil - now };
      // If a probe has no outcome after the open duration, the next probe starts.
      changeState('half-open', now);
      return { kind: 'admitted', epoch };
    },
    report(reportedEpoch, outcome, now) {
      if (reportedEpoch !== epoch || state === 'open') return;
      if (state === 'half-open') {
        if (outcome === 'neutral') openUntil = now;
        else if (outcome === 'success') {
          openDuration = options.openDuration;
          changeState('closed', now);
        } else {
          openDuration = Math.min(openDuration * 2, options.maxOpenDuration);
          changeState('open', now);
        }
        return;
      }
      if (outcome === 'neutral') return;
      const { all, failed } = counts.add(outcome === 'failure', now);
      if (all >= minimumRequests && failed >= all * failureRatio) changeState('open', now);
    },
  };
}

interface OutcomeCounts {
  readonly all: number;
  readonly failed: number;
}

/** Counts requests and failures over the last {@link SLICES} slices of time. */
function createSlidingWindow(slice: number): {
  add(isFailure: boolean, now: number): OutcomeCounts;
  clear(): void;
} {
  let slices: { readonly number: number; all: number; failed: number }[] = [];
  const sum = { all: 0, failed: 0 };
  const count = (counts: OutcomeCounts, sign: 1 | -1): void => {
    sum.all += sign * counts.all;
    sum.failed += sign * counts.failed;
  };
  return {
    add(isFailure, now) {
      const number = Math.floor(now / slice);
      let current = slices.at(-1);
      if (current?.number !== number) {
        for (const expired of slices) if (expired.number <= number - SLICES) count(expired, -1);
        slices = slices.filter((counted) => counted.number > number - SLICES);
        current = { number, all: 0, failed: 0 };
        slices.push(current);
      }
      const one = { all: 1, failed: Number(isFailure) };
      current.all += one.all;
      current.failed += one.failed;
      count(one, 1);
      return sum;
    },
    clear() {
      slices = [];
      sum.all = 0;
      sum.failed = 0;
    },
  };
}
