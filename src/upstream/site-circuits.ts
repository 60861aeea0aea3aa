import { LRUCache } from 'lru-cache';
import type { ResponseHead, UpstreamFailure, UpstreamFailureKind } from '../http/exchange.ts';
import { hasField } from '../http/fields.ts';
import { isConnectTimeout } from './failures.ts';

/** A request as the circuits of a site count it. */
export interface CircuitSubject {
  /** Route template of the request, or a coarse path of a page. */
  readonly route: string;
  /** Whether the request may change the site. */
  readonly isWrite: boolean;
}

/** What the outcome of a request shows. */
export interface SiteOutcome {
  /** Whether a connection to the site could be opened. */
  readonly connection: CircuitOutcome;
  /** Whether the site responded as a healthy one would. */
  readonly response: CircuitOutcome;
}

/** What a request shows that was not sent, or that the client ended. */
export const NO_EVIDENCE: SiteOutcome = { connection: 'neutral', response: 'neutral' };
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
  overloaded: NO_EVIDENCE,
  'not-stored': NO_EVIDENCE,
  'client-gone': NO_EVIDENCE,
};

export function outcomeOfFailure(failure: UpstreamFailure): SiteOutcome {
  return isConnectTimeout(failure) ? NOT_CONNECTED : FAILURE_OUTCOMES[failure.kind];
}

/** Statuses of a site or proxy that is overloaded or down. A 500 may be a fault of one route. */
const OVERLOAD_STATUSES = new Set([502, 503, 504]);

/** A 429, or a 503 with `Retry-After`, limits one client or announces maintenance: it says nothing about a failure. */
export function outcomeOfHead({ headers, status }: ResponseHead): SiteOutcome {
  const isLimit = status === 429 || (status === 503 && hasField(headers, 'retry-after'));
  const response: CircuitOutcome = isLimit
    ? 'neutral'
    : OVERLOAD_STATUSES.has(status)
      ? 'failure'
      : 'success';
  return { connection: 'success', response };
}

/** A request that may be sent. */
export interface SiteAdmission {
  readonly kind: 'admitted';
  /** Records the outcome. Called once. */
  report(outcome: SiteOutcome, now: number): void;
}

/** The state of a site's circuits, in words. */
export interface SiteCircuitReport {
  readonly state: 'closed' | 'open' | 'half-open';
  /** Why the circuit of the whole site is not closed; `null` if it is. */
  readonly reason: 'connections fail' | 'most routes fail' | null;
  /** Routes whose reads are stopped, at most 20 of them. */
  readonly routes: readonly string[];
  /** Number of routes whose reads are stopped. */
  readonly routeCount: number;
}

/**
 * The circuit breakers of one site. A single route that fails does not stop the others.
 *
 * | circuit      | counts                         | stops while open                               |
 * |--------------|--------------------------------|------------------------------------------------|
 * | connection   | connections that fail to open  | everything; writes after a probe has failed    |
 * | site         | reads, if most routes fail     | reads                                          |
 * | each route   | reads of this route            | reads of this route                            |
 *
 * A route has a part in what most routes do once a read of it has succeeded. All others count as one, because a client can
 * make up any number of addresses that fail.
 *
 * A write is never stopped because reads or other writes got a bad response: it may succeed where they fail.
 */
export interface SiteCircuits {
  admit(
    subject: CircuitSubject,
    now: number,
  ): SiteAdmission | { readonly kind: 'refused'; readonly retryIn: number };
  report(): SiteCircuitReport;
}

/** Maximum routes that are counted, of those that have succeeded and of others. The least recently used one is forgotten first. */
const MAX_ROUTES = 512;
/** Minimum number of failing routes that count as a failure of the site. */
const MIN_FAILING_ROUTES = 5;
const MAX_REPORTED_ROUTES = 20;

export function createSiteCircuits(options: CircuitBreakerOptions = DEFAULT_CIRCUIT_BREAKER): SiteCircuits {
  const succeeded = new LRUCache<string, CircuitBreaker>({ max: MAX_ROUTES });
  const others = new LRUCache<string, CircuitBreaker>({ max: MAX_ROUTES });
  // A probe that finds no server costs the site nothing, so that a site that is back is noticed at once.
  const connection = createCircuitBreaker({ ...options, maxOpenDuration: options.openDuration });
  const site = createCircuitBreaker(options, doMostRoutesFail);

  /** Whether at least `failureRatio` of the routes that were read within the window fail. */
  function doMostRoutesFail(now: number): boolean {
    const known = countRoutes(succeeded, now);
    const unknown = countRoutes(others, now);
    const active = known.active + Math.min(1, unknown.active);
    const failing = known.failing + Math.min(1, unknown.failing);
    return failing >= MIN_FAILING_ROUTES && failing >= active * options.failureRatio;
  }

  function countRoutes(
    routes: LRUCache<string, CircuitBreaker>,
    now: number,
  ): { readonly active: number; readonly failing: number } {
    let active = 0;
    let failing = 0;
    for (const route of routes.values()) {
      const { all, failed } = route.counts(now);
      const isStopped = route.state !== 'closed';
      if (isStopped || all > 0) active += 1;
      if (isStopped || (all > 0 && failed >= all * options.failureRatio)) failing += 1;
    }
    return { active, failing };
  }

  function getRoute(name: string): CircuitBreaker {
    let route = succeeded.get(name) ?? others.get(name);
    if (route === undefined) {
      route = createCircuitBreaker(options);
      others.set(name, route);
    }
    return route;
  }

  function recordSuccess(name: string, route: CircuitBreaker): void {
    if (!others.delete(name)) return;
    succeeded.set(name, route);
  }

  return {
    admit({ route, isWrite }, now) {
      // The site's circuit is last: it reads the counts of the routes.
      const ofRoute = isWrite ? null : getRoute(route);
      const circuits = ofRoute === null ? [connection] : [connection, ofRoute, site];
      // All are asked first, so that no circuit uses its probe for a request that another one refuses.
      const retryIn = Math.max(...circuits.map((circuit) => circuit.retryIn(now, isWrite)));
      if (retryIn > 0) return { kind: 'refused', retryIn };
      const epochs = circuits.map((circuit) => {
        const admission = circuit.admit(now, isWrite);
        return admission.kind === 'admitted' ? admission.epoch : -1;
      });
      return {
        kind: 'admitted',
        report(outcome, reportedAt) {
          if (ofRoute !== null && outcome.response === 'success') recordSuccess(route, ofRoute);
          for (const [index, circuit] of circuits.entries()) {
            const evidence = circuit === connection ? outcome.connection : outcome.response;
            circuit.report(epochs[index] ?? -1, evidence, reportedAt);
          }
        },
      };
    },
    report() {
      const stopped = [...succeeded.entries(), ...others.entries()].flatMap(([name, { state }]) =>
        state === 'closed' ? [] : [name],
      );
      const failing = connection.state === 'closed' ? site : connection;
      return {
        state: failing.state,
        reason:
          failing.state === 'closed' ? null : failing === site ? 'most routes fail' : 'connections fail',
        routes: stopped.slice(0, MAX_REPORTED_ROUTES),
        routeCount: stopped.length,
      };
    },
  };
}

/** Thresholds at which a circuit opens and closes. Times are in milliseconds. */
export interface CircuitBreakerOptions {
  /** Length of the sliding window in which requests are counted. @default 10_000 */
  readonly window: number;
  /** Minimum number of requests in the window for the circuit to open. @default 20 */
  readonly minimumRequests: number;
  /** Ratio of failed requests in the window at which the circuit opens, 0 to 1. @default 0.7 */
  readonly failureRatio: number;
  /** Time for which the circuit stays open. It is doubled each time a probe fails. @default 1_000 */
  readonly openDuration: number;
  /** Upper limit of the doubled `openDuration`: a site that is back may be refused as long. @default 5_000 */
  readonly maxOpenDuration: number;
}

export const DEFAULT_CIRCUIT_BREAKER: CircuitBreakerOptions = {
  window: 10_000,
  minimumRequests: 20,
  failureRatio: 0.7,
  openDuration: 1_000,
  maxOpenDuration: 5_000,
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
