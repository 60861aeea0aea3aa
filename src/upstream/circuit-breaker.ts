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

/** Counts of the requests in the window. */
export interface OutcomeCounts {
  readonly all: number;
  readonly failed: number;
}

/**
 * A circuit breaker. It has no clock: times are arguments, in milliseconds.
 *
 * - closed: all requests pass and are counted.
 * - open: no request passes until the open duration is over.
 * - half-open: one request passes as a probe. Its success closes the circuit; its failure opens it for twice as long.
 */
export interface CircuitBreaker {
  readonly state: CircuitState;
  /** The requests that were counted in the closed state. */
  counts(now: number): OutcomeCounts;
  /** Milliseconds until `admit` admits a request; 0 if it does so now. */
  retryIn(now: number, isWrite?: boolean): number;
  /**
   * Admits or refuses a request.
   *
   * @param isWrite a write is refused only after a request that was sent since the circuit opened has failed
   */
  admit(now: number, isWrite?: boolean): CircuitAdmission;
  /** Ignores outcomes of requests that were admitted before the circuit last changed its state. */
  report(epoch: number, outcome: CircuitOutcome, now: number): void;
}

/** Number of slices of the window. Counts expire one slice at a time. */
const SLICES = 10;

/** @param mayOpen a further condition for opening, checked when the thresholds are reached */
export function createCircuitBreaker(
  options: CircuitBreakerOptions = DEFAULT_CIRCUIT_BREAKER,
  mayOpen: (now: number) => boolean = () => true,
): CircuitBreaker {
  const { minimumRequests, failureRatio, window } = options;
  const outcomes = createSlidingWindow(window / SLICES);
  let state: CircuitState = 'closed';
  let epoch = 0;
  let openDuration = options.openDuration;
  /** End of the open state; in the half-open state, the time at which the next probe may start. */
  let openUntil = 0;
  /** Whether a request that was sent since the circuit opened has failed. */
  let hasProbeFailed = false;

  function changeState(next: CircuitState, now: number): void {
    state = next;
    epoch += 1;
    openUntil = now + openDuration;
    outcomes.clear();
  }

  function close(now: number): void {
    openDuration = options.openDuration;
    hasProbeFailed = false;
    changeState('closed', now);
  }

  /** Handles the outcome of a probe, or of a write that was sent while the circuit was open. */
  function reportProbe(outcome: CircuitOutcome, now: number): void {
    if (outcome === 'success') {
      close(now);
      return;
    }
    if (outcome === 'failure') hasProbeFailed = true;
    if (state === 'open') return;
    if (outcome === 'neutral') openUntil = now;
    else {
      openDuration = Math.min(openDuration * 2, options.maxOpenDuration);
      changeState('open', now);
    }
  }

  function retryIn(now: number, isWrite = false): number {
    return state === 'closed' || (isWrite && !hasProbeFailed) ? 0 : Math.max(0, openUntil - now);
  }

  return {
    get state() {
      return state;
    },
    counts: (now) => outcomes.sum(now),
    retryIn,
    admit(now, isWrite = false) {
      const wait = retryIn(now, isWrite);
      if (wait > 0) return { kind: 'refused', retryIn: wait };
      // If a probe has no outcome after the open duration, the next probe starts.
      if (state !== 'closed' && now >= openUntil) changeState('half-open', now);
      return { kind: 'admitted', epoch };
    },
    report(reportedEpoch, outcome, now) {
      if (reportedEpoch !== epoch) return;
      if (state !== 'closed') {
        reportProbe(outcome, now);
        return;
      }
      if (outcome === 'neutral') return;
      const { all, failed } = outcomes.add(outcome === 'failure', now);
      if (all >= minimumRequests && failed >= all * failureRatio && mayOpen(now)) changeState('open', now);
    },
  };
}

/** Counts requests and failures over the last {@link SLICES} slices of time. */
function createSlidingWindow(slice: number): {
  add(isFailure: boolean, now: number): OutcomeCounts;
  sum(now: number): OutcomeCounts;
  clear(): void;
} {
  let slices: { readonly number: number; all: number; failed: number }[] = [];
  const total = { all: 0, failed: 0 };
  const count = (counts: OutcomeCounts, sign: 1 | -1): void => {
    total.all += sign * counts.all;
    total.failed += sign * counts.failed;
  };
  const sum = (now: number): OutcomeCounts => {
    const oldest = Math.floor(now / slice) - SLICES;
    if ((slices[0]?.number ?? oldest + 1) <= oldest) {
      for (const expired of slices) if (expired.number <= oldest) count(expired, -1);
      slices = slices.filter((counted) => counted.number > oldest);
    }
    return total;
  };
  return {
    sum,
    add(isFailure, now) {
      const number = Math.floor(now / slice);
      let current = slices.at(-1);
      if (current?.number !== number) {
        sum(now);
        current = { number, all: 0, failed: 0 };
        slices.push(current);
      }
      const one = { all: 1, failed: Number(isFailure) };
      current.all += one.all;
      current.failed += one.failed;
      count(one, 1);
      return total;
    },
    clear() {
      slices = [];
      total.all = 0;
      total.failed = 0;
    },
  };
}
