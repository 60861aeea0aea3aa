import { LRUCache } from 'lru-cache';
import {
  GATEWAY_ERRORS,
  isMaintenance,
  type ResponseHead,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../http/exchange.ts';
import type { Clock, Log } from '../ports.ts';
import { isConnectTimeout } from './failures.ts';

/** A request as the circuit of a site counts it. */
export interface CircuitSubject {
  /** Route template of the request, or a coarse path of a page. */
  readonly route: string;
  /** Whether the request may change the site. */
  readonly isWrite: boolean;
}

/** Evidence of the site's health. `neutral`: none, for instance because the client left. */
type CircuitOutcome = 'success' | 'failure' | 'neutral';

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

/** The state of a site's circuit, for the operator. */
export interface SiteCircuitReport {
  /** Why the circuit is open; `null` if it is closed. */
  readonly reason: 'connections fail' | 'most routes fail' | null;
  /** Since when no connection to the site could be opened, in milliseconds since the epoch; `null` if the last one could. */
  readonly unreachableSince: number | null;
  /** When a connection was last open. 0 if none was. */
  readonly reachedAt: number;
}

/** Connections in a row that could not be opened, after which the circuit opens. */
const MAX_UNCONNECTED = 20;
/** Milliseconds for which the latest outcome of a route counts. */
const WINDOW = 10_000;
/** Routes that must fail, as a minimum and as a share of those that were read. */
const MIN_FAILING_ROUTES = 5;
const FAILING_SHARE = 0.7;
/** Maximum routes that are known. The least recently used one is forgotten first. */
const MAX_ROUTES = 512;
/** Milliseconds between two probes of an open circuit: requests to a site that is back may be refused as long. */
const PROBE_INTERVAL = 200;
/** Milliseconds for which each request has failed until the log says that the site is away: one with few requests opens no circuit. */
const MIN_FAILING = 10_000;
/** Maximum requests that wait for the circuit. */
const MAX_HELD = 256;
/** Minimum milliseconds between two lines that the site is away. */
const LOG_INTERVAL = 10_000;

/**
 * The circuit breaker of one site. While it is open, one request passes every 200 ms, and closes it by its success.
 *
 * | it opens after                                                       | and stops                                   |
 * |----------------------------------------------------------------------|---------------------------------------------|
 * | 20 connections in a row that could not be opened                     | everything; writes after a probe has failed |
 * | a bad response of 70 % of the routes that were read, of five at least | reads                                       |
 *
 * A route counts once a read of it has succeeded: a client can make up any number of addresses that fail. A failing route alone stops
 * nothing, and neither does a client that the site limits. A write is never stopped because others got a bad response: it may succeed.
 */
export class SiteCircuits {
  readonly #log: Log;
  readonly #clock: Clock;
  #reason: SiteCircuitReport['reason'] = null;
  /** Changes with the state: outcomes of requests that were admitted before tell nothing about it. */
  #epoch = 0;
  #probedAt = 0;
  /** Whether a request that was sent since the circuit opened has failed. */
  #hasProbeFailed = false;
  #unconnected = 0;
  /** The latest outcome of each route of which a read has succeeded. */
  readonly #routes = new LRUCache<string, { isFailing: boolean; readonly at: number }>({ max: MAX_ROUTES });
  #held = 0;
  #unreachableSince: number | null = null;
  #reachedAt = 0;
  /** Since when each request has failed. */
  #failingSince: number | null = null;
  #isLoggedAway = false;
  /** When the log last said that the site is away. */
  #loggedAwayAt = Number.NEGATIVE_INFINITY;

  /** @param log of the site: receives a line when the site goes away, and one when it is back */
  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  admit(
    subject: CircuitSubject,
    now: number,
  ): SiteAdmission | { readonly kind: 'refused'; readonly retryIn: number } {
    if (this.#mayStop(subject)) {
      // If the clock was set back, nobody knows how long the last probe is ago.
      const wait = now < this.#probedAt ? 0 : this.#probedAt + PROBE_INTERVAL - now;
      if (wait > 0 && (!subject.isWrite || this.#hasProbeFailed)) return { kind: 'refused', retryIn: wait };
      this.#probedAt = now;
    }
    const epoch = this.#epoch;
    return { kind: 'admitted', report: (outcome, at) => this.#report(subject, epoch, outcome, at) };
  }

  #mayStop({ isWrite }: CircuitSubject): boolean {
    return this.#reason !== null && (this.#reason === 'connections fail' || !isWrite);
  }

  #report(subject: CircuitSubject, epoch: number, { connection, response }: SiteOutcome, now: number): void {
    const isCurrent = epoch === this.#epoch;
    if (connection === 'failure') {
      this.#unreachableSince ??= now;
      this.#unconnected += Number(isCurrent);
    } else if (connection === 'success') {
      this.#unreachableSince = null;
      this.#unconnected = 0;
      this.#reachedAt = now;
    }
    if (response === 'success') this.#failingSince = null;
    else if (response === 'failure' || this.#unreachableSince !== null) this.#failingSince ??= now;
    const { isWrite, route } = subject;
    const isFailing = response === 'failure';
    if (!isWrite && (response === 'success' || (isFailing && isCurrent && this.#routes.has(route))))
      this.#routes.set(route, { isFailing, at: now });

    if (this.#unconnected >= MAX_UNCONNECTED && this.#reason !== 'connections fail') {
      this.#setReason('connections fail', now);
    } else if (isCurrent && this.#mayStop(subject)) {
      const isOfConnections = connection === 'failure' || this.#reason === 'connections fail';
      const evidence = isOfConnections ? connection : response;
      if (evidence === 'success') this.#setReason(null, now);
      else if (evidence === 'failure') this.#hasProbeFailed = true;
      // The client left: the next request is the probe.
      else this.#probedAt = now - PROBE_INTERVAL;
    } else if (this.#reason === null && isFailing && this.#doMostRoutesFail(now)) {
      this.#setReason('most routes fail', now);
    }
    if (connection !== 'neutral' && (this.#isLoggedAway || this.#failingSince !== null || this.#reason))
      this.#logChange(now);
  }

  #setReason(reason: SiteCircuitReport['reason'], now: number): void {
    this.#reason = reason;
    this.#epoch += 1;
    this.#probedAt = now;
    this.#hasProbeFailed = false;
    this.#unconnected = 0;
    for (const outcome of this.#routes.values()) outcome.isFailing = false;
  }

  #doMostRoutesFail(now: number): boolean {
    let active = 0;
    let failing = 0;
    for (const { at, isFailing } of this.#routes.values()) {
      if (Math.abs(now - at) > WINDOW) continue;
      active += 1;
      failing += Number(isFailing);
    }
    return failing >= MIN_FAILING_ROUTES && failing >= active * FAILING_SHARE;
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
    return {
      reason: this.#reason,
      unreachableSince: this.#unreachableSince,
      reachedAt: this.#reachedAt,
    };
  }

  #logChange(now: number): void {
    const isFailing = now - (this.#failingSince ?? now) >= MIN_FAILING;
    const cause = this.#unreachableSince === null ? 'all requests fail' : 'connections fail';
    const reason = this.#reason ?? (isFailing ? cause : null);
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
}
