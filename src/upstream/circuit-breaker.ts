/** When a circuit opens and closes. Times are milliseconds. */
export interface CircuitBreakerOptions {
  /** What counts is what happened within this time. @default 10_000 */
  readonly window: number;
  /** Fewer requests than this within the window say nothing. @default 20 */
  readonly minimumRequests: number;
  /** The share of them that must have failed. @default 0.7 */
  readonly failureRatio: number;
  /** How long the circuit stays open; doubled each time that a probe fails. @default 5_000 */
  readonly openDuration: number;
  /** The longest rest. @default 60_000 */
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

/** How a request ended, as far as it says something of the site's health. */
export type CircuitOutcome = 'good' | 'bad' | 'neutral';

/** Leave to ask the site; `epoch` is what the outcome is to be reported under. */
export type CircuitAdmission =
  | { readonly kind: 'admitted'; readonly epoch: number }
  /** @param wait milliseconds until the next probe */
  | { readonly kind: 'refused'; readonly wait: number };

/**
 * A circuit breaker over one site, without a clock of its own. Closed: all pass, and are counted. Open: none pass. When
 * the rest is over it is half-open: one request passes as a probe, and what becomes of that closes the circuit or opens
 * it for longer.
 */
export interface CircuitBreaker {
  readonly state: CircuitState;
  admit(now: number): CircuitAdmission;
  /** Outcomes of an earlier epoch, from before the circuit changed, say nothing of the present one. */
  report(epoch: number, outcome: CircuitOutcome, now: number): void;
}

/** Slices of the window: what falls out of it falls out a tenth at a time. */
const SLICES = 10;

export function createCircuitBreaker(
  options: CircuitBreakerOptions = DEFAULT_CIRCUIT_BREAKER,
): CircuitBreaker {
  const { minimumRequests, failureRatio, window } = options;
  const counts = createSlidingWindow(window / SLICES);
  let state: CircuitState = 'closed';
  let epoch = 0;
  let rest = options.openDuration;
  /** Until then the circuit is open, or, half-open, the probe that runs has the site to itself. */
  let until = 0;

  function changeState(next: CircuitState, now: number): void {
    state = next;
    epoch += 1;
    until = now + rest;
    counts.clear();
  }

  return {
    get state() {
      return state;
    },
    admit(now) {
      if (state === 'closed') return { kind: 'admitted', epoch };
      if (now < until) return { kind: 'refused', wait: until - now };
      // A probe that nobody has heard of for as long as a rest is given up, and the next one goes.
      changeState('half-open', now);
      return { kind: 'admitted', epoch };
    },
    report(reported, outcome, now) {
      if (reported !== epoch || state === 'open') return;
      if (state === 'half-open') {
        if (outcome === 'neutral') until = now;
        else if (outcome === 'good') {
          rest = options.openDuration;
          changeState('closed', now);
        } else {
          rest = Math.min(rest * 2, options.maxOpenDuration);
          changeState('open', now);
        }
        return;
      }
      if (outcome === 'neutral') return;
      const { all, bad } = counts.add(outcome === 'bad', now);
      if (all >= minimumRequests && bad >= all * failureRatio) changeState('open', now);
    },
  };
}

interface Counts {
  readonly all: number;
  readonly bad: number;
}

/** Counts over the last {@link SLICES} slices of time. */
function createSlidingWindow(slice: number): { add(bad: boolean, now: number): Counts; clear(): void } {
  let slices: { readonly number: number; all: number; bad: number }[] = [];
  const sum = { all: 0, bad: 0 };
  const count = (counts: Counts, sign: 1 | -1): void => {
    sum.all += sign * counts.all;
    sum.bad += sign * counts.bad;
  };
  return {
    add(bad, now) {
      const number = Math.floor(now / slice);
      let current = slices.at(-1);
      if (current?.number !== number) {
        for (const gone of slices) if (gone.number <= number - SLICES) count(gone, -1);
        slices = slices.filter((counted) => counted.number > number - SLICES);
        current = { number, all: 0, bad: 0 };
        slices.push(current);
      }
      const one = { all: 1, bad: Number(bad) };
      current.all += one.all;
      current.bad += one.bad;
      count(one, 1);
      return sum;
    },
    clear() {
      slices = [];
      sum.all = 0;
      sum.bad = 0;
    },
  };
}
