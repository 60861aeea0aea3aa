import { LRUCache } from 'lru-cache';
import {
  GATEWAY_ERRORS,
  isMaintenance,
  type ResponseHead,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../http/exchange.ts';
import { getOrCreate } from '../memoize.ts';
import type { Clock, Log } from '../ports.ts';
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

/** Outcomes by failure. All others are caused by the client or the gateway, and are no evidence. */
const FAILURE_OUTCOMES: Partial<Readonly<Record<UpstreamFailureKind, SiteOutcome>>> = {
  timeout: BAD_RESPONSE,
  refused: NOT_CONNECTED,
  dns: NOT_CONNECTED,
  tls: NOT_CONNECTED,
  'connection-broken': BAD_RESPONSE,
  'transfer-coding': { connection: 'success', response: 'neutral' },
};

export function outcomeOfFailure(failure: UpstreamFailure): SiteOutcome {
  return isConnectTimeout(failure) ? NOT_CONNECTED : (FAILURE_OUTCOMES[failure.kind] ?? NO_EVIDENCE);
}

/**
 * A 500 may be a fault of one route, and a 429 limits one client. So may a 503 that the site sends to a client it knows: nginx's
 * `limit_req_status` is 503 by default.
 *
 * @param isShared whether others may get the response, so that the request tells nothing about its client
 */
export function outcomeOfHead(head: ResponseHead, isShared: boolean): SiteOutcome {
  const { status } = head;
  const isFailure = GATEWAY_ERRORS.has(status);
  const isLimit = status === 429 || (status === 503 && (!isShared || isMaintenance(head)));
  return { connection: 'success', response: isLimit ? 'neutral' : isFailure ? 'failure' : 'success' };
}

/** A request that may be sent. */
export interface SiteAdmission {
  readonly kind: 'admitted';
  /** Records the outcome. Called once. */
  report(outcome: SiteOutcome, now: number): void;
}

/** The state of a site's circuits, in words. */
export interface SiteCircuitReport {
  readonly state: 'closed' | 'open';
  /** Why the circuit of the whole site is not closed; `null` if it is. */
  readonly reason: 'connections fail' | 'most routes fail' | null;
  /** Routes whose reads are stopped, at most 20 of them. */
  readonly routes: readonly string[];
  /** Number of routes whose reads are stopped. */
  readonly routeCount: number;
  /** Since when no connection to the site could be opened, in milliseconds since the epoch; `null` if the last one could. */
  readonly unreachableSince: number | null;
  /** When a connection was last open. 0 if none was. */
  readonly reachedAt: number;
}

/** Maximum routes that are counted, of those that have succeeded and of others. The least recently used one is forgotten first. */
const MAX_ROUTES = 512;
/** Minimum number of failing routes that count as a failure of the site. */
const MIN_FAILING_ROUTES = 5;
const MAX_REPORTED_ROUTES = 20;
/** Milliseconds for which no connection could be opened until the log says that the site is away, if no circuit opens before. */
const MIN_UNREACHABLE = 1_000;
/** The same for responses: for which none was good. A site with few requests opens no circuit. */
const MIN_FAILING = 10_000;
/** Maximum requests that wait for a circuit. */
const MAX_HELD = 256;
/** Minimum milliseconds between two lines that the site is away. */
const LOG_INTERVAL = 10_000;

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
export class SiteCircuits {
  readonly #options: CircuitBreakerOptions;
  readonly #log: Log;
  readonly #clock: Clock;
  #held = 0;
  readonly #succeeded = new LRUCache<string, CircuitBreaker>({ max: MAX_ROUTES });
  readonly #others = new LRUCache<string, CircuitBreaker>({ max: MAX_ROUTES });
  readonly #connection: CircuitBreaker;
  readonly #site: CircuitBreaker;
  #unreachableSince: number | null = null;
  #reachedAt = 0;
  /** Since when each request has failed. */
  #failingSince: number | null = null;
  #isLoggedAway = false;
  /** When the log last said that the site is away. */
  #loggedAwayAt = Number.NEGATIVE_INFINITY;

  /** @param log of the site: receives a line when the site goes away, and one when it is back */
  constructor(options: CircuitBreakerOptions, log: Log, clock: Clock) {
    this.#options = options;
    this.#log = log;
    this.#clock = clock;
    this.#connection = new CircuitBreaker(options);
    this.#site = new CircuitBreaker(options, (now) => this.#doMostRoutesFail(now));
  }

  admit(
    { isWrite, route }: CircuitSubject,
    now: number,
  ): SiteAdmission | { readonly kind: 'refused'; readonly retryIn: number } {
    // The site's circuit is last: it reads the counts of the routes.
    const ofRoute = isWrite ? null : this.#getRoute(route);
    const circuits = ofRoute === null ? [this.#connection] : [this.#connection, ofRoute, this.#site];
    // All are asked first, so that no circuit uses its probe for a request that another one refuses.
    let retryIn = 0;
    for (const circuit of circuits) retryIn = Math.max(retryIn, circuit.retryIn(now, isWrite));
    if (retryIn > 0) return { kind: 'refused', retryIn };
    const epochs: number[] = [];
    for (const circuit of circuits) epochs.push(circuit.admit(now));
    return {
      kind: 'admitted',
      report: (outcome, reportedAt) => {
        if (outcome.connection === 'failure') this.#unreachableSince ??= reportedAt;
        else if (outcome.connection === 'success') {
          this.#unreachableSince = null;
          this.#reachedAt = reportedAt;
        }
        if (outcome.response === 'success') this.#failingSince = null;
        else if (outcome.response === 'failure' || this.#unreachableSince !== null)
          this.#failingSince ??= reportedAt;
        const hasSucceeded = ofRoute !== null && outcome.response === 'success';
        if (hasSucceeded && this.#others.delete(route)) this.#succeeded.set(route, ofRoute);
        for (const [index, circuit] of circuits.entries()) {
          const evidence = circuit === this.#connection ? outcome.connection : outcome.response;
          circuit.report(epochs[index] ?? -1, evidence, reportedAt);
        }
        const isHealthy = this.#failingSince === null && this.#site.state === 'closed';
        if (outcome !== NO_EVIDENCE && (this.#isLoggedAway || !isHealthy)) this.#logChange(reportedAt);
      },
    };
  }

  /** Lets a refused request ask again after `delay` milliseconds. @returns the function that prevents it; `undefined` if too many wait */
  hold(delay: number, askAgain: () => void): (() => void) | undefined {
    if (this.#held >= MAX_HELD) return undefined;
    this.#held += 1;
    const cancel = this.#clock.after(delay, () => {
      this.#held -= 1;
      askAgain();
    });
    return () => {
      this.#held -= 1;
      cancel();
    };
  }

  report(): SiteCircuitReport {
    const stopped = [...this.#succeeded.entries(), ...this.#others.entries()].flatMap(([name, { state }]) =>
      state === 'closed' ? [] : [name],
    );
    return {
      state: this.#connection.state === 'closed' ? this.#site.state : this.#connection.state,
      reason: this.#reason,
      routes: stopped.slice(0, MAX_REPORTED_ROUTES),
      routeCount: stopped.length,
      unreachableSince: this.#unreachableSince,
      reachedAt: this.#reachedAt,
    };
  }

  get #reason(): SiteCircuitReport['reason'] {
    if (this.#connection.state !== 'closed') return 'connections fail';
    return this.#site.state === 'closed' ? null : 'most routes fail';
  }

  #logChange(now: number): void {
    const isUnreachable = now - (this.#unreachableSince ?? now) >= MIN_UNREACHABLE;
    const isFailing = now - (this.#failingSince ?? now) >= MIN_FAILING;
    const ofCircuits = isUnreachable ? 'connections fail' : this.#reason;
    const reason = ofCircuits ?? (isFailing ? 'all requests fail' : null);
    if (this.#isLoggedAway) {
      if (reason !== null || this.#failingSince !== null) return;
      this.#isLoggedAway = false;
      this.#log.info({ away: now - this.#loggedAwayAt }, 'the site is back');
    } else if (reason !== null && now - this.#loggedAwayAt >= LOG_INTERVAL) {
      this.#isLoggedAway = true;
      this.#loggedAwayAt = now;
      this.#log.warn({ reason }, 'the site is away');
    }
  }

  /** Whether at least `failureRatio` of the routes that were read within the window fail. */
  #doMostRoutesFail(now: number): boolean {
    const known = this.#countRoutes(this.#succeeded, now);
    const unknown = this.#countRoutes(this.#others, now);
    const active = known.active + Math.min(1, unknown.active);
    const failing = known.failing + Math.min(1, unknown.failing);
    return failing >= MIN_FAILING_ROUTES && failing >= active * this.#options.failureRatio;
  }

  #countRoutes(
    routes: LRUCache<string, CircuitBreaker>,
    now: number,
  ): { readonly active: number; readonly failing: number } {
    let active = 0;
    let failing = 0;
    for (const route of routes.values()) {
      const { all, failed } = route.sum(now);
      const isStopped = route.state !== 'closed';
      if (isStopped || all > 0) active += 1;
      if (isStopped || (all > 0 && failed >= all * this.#options.failureRatio)) failing += 1;
    }
    return { active, failing };
  }

  #getRoute(name: string): CircuitBreaker {
    const create = (): CircuitBreaker => new CircuitBreaker(this.#options);
    return this.#succeeded.get(name) ?? getOrCreate<string, CircuitBreaker>(this.#others, name, create);
  }
}

/** Thresholds at which a circuit opens and closes. Times are in milliseconds. */
export interface CircuitBreakerOptions {
  /** Length of the sliding window in which requests are counted. @default 10_000 */
  readonly window: number;
  /** Minimum number of requests in the window for the circuit to open. @default 20 */
  readonly minimumRequests: number;
  /** Ratio of failed requests in the window at which the circuit opens, 0 to 1. @default 0.7 */
  readonly failureRatio: number;
  /** Time between two probes of an open circuit: requests to a site that is back may be refused as long. @default 200 */
  readonly probeInterval: number;
}

export const DEFAULT_CIRCUIT_BREAKER: CircuitBreakerOptions = {
  window: 10_000,
  minimumRequests: 20,
  failureRatio: 0.7,
  probeInterval: 200,
};

/** Outcome of a request as evidence of the site's health. `neutral`: no evidence, for instance because the client left. */
export type CircuitOutcome = 'success' | 'failure' | 'neutral';

/** Number of slices of the window. Counts expire one slice at a time. */
const SLICES = 10;

/** Whether a slice is within the window. One of the future is not: the clock was set back. */
function isRecent(age: number): boolean {
  return age >= 0 && age < SLICES;
}

/**
 * A circuit breaker. It has no clock: times are arguments, in milliseconds.
 *
 * - closed: all requests pass and are counted.
 * - open: one request passes in each probe interval. Its success closes the circuit.
 */
export class CircuitBreaker {
  state: SiteCircuitReport['state'] = 'closed';
  readonly #options: CircuitBreakerOptions;
  readonly #mayOpen: (now: number) => boolean;
  #epoch = 0;
  /** When the last probe of the open state began, or the state itself. */
  #probedAt = 0;
  /** Whether a request that was sent since the circuit opened has failed. */
  #hasProbeFailed = false;
  #slices: { readonly number: number; all: number; failed: number }[] = [];
  /** The sum of the slices. */
  readonly #total = { all: 0, failed: 0 };

  /** @param mayOpen a further condition for opening, checked when the thresholds are reached */
  constructor(options: CircuitBreakerOptions, mayOpen: (now: number) => boolean = () => true) {
    this.#options = options;
    this.#mayOpen = mayOpen;
  }

  /**
   * Milliseconds until the circuit admits a request; 0 if it does so now.
   *
   * @param isWrite a write is refused only after a request that was sent since the circuit opened has failed
   */
  retryIn(now: number, isWrite = false): number {
    const isPassing = this.state === 'closed' || (isWrite && !this.#hasProbeFailed);
    return isPassing ? 0 : this.#wait(now);
  }

  /** Milliseconds until the next probe may start; 0 if the clock was set back, so that nobody knows. */
  #wait(now: number): number {
    return now < this.#probedAt ? 0 : Math.max(0, this.#probedAt + this.#options.probeInterval - now);
  }

  /** Admits a request that need not wait. @returns the epoch that its outcome is reported with */
  admit(now: number): number {
    if (this.state === 'open' && this.#wait(now) === 0) this.#probedAt = now;
    return this.#epoch;
  }

  /** Ignores outcomes of requests that were admitted before the circuit last changed its state. */
  report(epoch: number, outcome: CircuitOutcome, now: number): void {
    if (epoch !== this.#epoch) return;
    if (this.state === 'closed') {
      if (outcome !== 'neutral') this.#count(outcome === 'failure', now);
    } else if (outcome === 'success') this.#changeState('closed', now);
    else if (outcome === 'failure') this.#hasProbeFailed = true;
    // The client left: the next request is the probe.
    else this.#probedAt = now - this.#options.probeInterval;
  }

  #changeState(next: SiteCircuitReport['state'], now: number): void {
    this.state = next;
    this.#epoch += 1;
    this.#probedAt = now;
    this.#hasProbeFailed = false;
    this.#slices = [];
    Object.assign(this.#total, { all: 0, failed: 0 });
  }

  #count(isFailure: boolean, now: number): void {
    const { failureRatio, minimumRequests, window } = this.#options;
    const number = Math.floor((now * SLICES) / window);
    let current = this.#slices.at(-1);
    if (current?.number !== number) {
      this.sum(now);
      current = { number, all: 0, failed: 0 };
      this.#slices.push(current);
    }
    for (const counts of [current, this.#total]) {
      counts.all += 1;
      counts.failed += Number(isFailure);
    }
    const { all, failed } = this.#total;
    if (all >= minimumRequests && failed >= all * failureRatio && this.#mayOpen(now)) {
      this.#changeState('open', now);
    }
  }

  /** Sums the requests in the window that were counted in the closed state. */
  sum(now: number): { readonly all: number; readonly failed: number } {
    const latest = Math.floor((now * SLICES) / this.#options.window);
    while (this.#slices[0] !== undefined && !isRecent(latest - this.#slices[0].number)) {
      const expired = this.#slices.shift();
      this.#total.all -= expired?.all ?? 0;
      this.#total.failed -= expired?.failed ?? 0;
    }
    return this.#total;
  }
}
