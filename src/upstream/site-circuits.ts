import { LRUCache } from 'lru-cache';
import type { ResponseHead, UpstreamFailure, UpstreamFailureKind } from '../http/exchange.ts';
import { hasField } from '../http/fields.ts';
import {
  type CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitOutcome,
  createCircuitBreaker,
  DEFAULT_CIRCUIT_BREAKER,
} from './circuit-breaker.ts';
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
  const connection = createCircuitBreaker(options);
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
