import {
  GATEWAY_ERRORS,
  isMaintenance,
  type ResponseHead,
  type UpstreamFailure,
  type UpstreamFailureKind,
} from '../http/exchange.ts';
import type { Log } from '../ports.ts';
import { isConnectTimeout } from './failures.ts';

/** `reached`: the response says nothing (429). `none`: nothing was sent and answered. */
export type SiteOutcome = 'unreachable' | 'bad' | 'good' | 'reached' | 'none';

/** Outcomes by failure. All others are caused by the client or the gateway. */
const FAILURE_OUTCOMES: Partial<Readonly<Record<UpstreamFailureKind, SiteOutcome>>> = {
  timeout: 'bad',
  refused: 'unreachable',
  dns: 'unreachable',
  tls: 'unreachable',
  'connection-broken': 'bad',
};

export function outcomeOfFailure(failure: UpstreamFailure): SiteOutcome {
  return isConnectTimeout(failure) ? 'unreachable' : (FAILURE_OUTCOMES[failure.kind] ?? 'none');
}

/** A 500 can be a fault of one route; 429 and 503 (nginx's `limit_req_status`) can limit one client. */
export function outcomeOfHead(head: ResponseHead, isShared: boolean): SiteOutcome {
  const { status } = head;
  if (status === 429 || (status === 503 && (!isShared || isMaintenance(head)))) return 'reached';
  return GATEWAY_ERRORS.has(status) ? 'bad' : 'good';
}

export interface SiteAdmission {
  readonly kind: 'admitted';
  report(outcome: SiteOutcome, now: number): void;
}

export interface SiteCircuitReport {
  /** Why the circuit is open; `null` if it is closed. */
  readonly reason: 'connections fail' | 'all requests fail' | null;
  /** In milliseconds since the epoch; `null` if the last connection could be opened. */
  readonly unreachableSince: number | null;
  /** Since when each request has failed, in milliseconds since the epoch; `null` if the last one has not. */
  readonly failingSince: number | null;
}

const MAX_UNCONNECTED = 20;
/** Milliseconds without a good response after a bad one, after which the circuit opens. */
const MAX_FAILING = 10_000;
const PROBE_INTERVAL = 200;
const LOG_INTERVAL = 10_000;

/**
 * The circuit breaker of one site.
 *
 * - It stops everything after 20 connections in a row, or all for 10 s, that could not be opened.
 * - It stops reads after 10 s in which every request got a bad response. A write can succeed all the same.
 *
 * While it is open, one request passes every 200 ms, and closes it by its success. A single failing route
 * stops nothing.
 */
export class SiteCircuits {
  readonly #log: Log;
  #reason: SiteCircuitReport['reason'] = null;
  #probedAt = 0;
  #unconnected = 0;
  #unreachableSince: number | null = null;
  #failingSince: number | null = null;
  #isLoggedAway = false;
  #loggedAwayAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  admit(
    isWrite: boolean,
    now: number,
  ): SiteAdmission | { readonly kind: 'refused'; readonly retryIn: number } {
    if (this.#reason === 'connections fail' || (this.#reason !== null && !isWrite)) {
      // The clock was set back.
      const wait = now < this.#probedAt ? 0 : this.#probedAt + PROBE_INTERVAL - now;
      if (wait > 0) return { kind: 'refused', retryIn: wait };
      this.#probedAt = now;
    }
    return { kind: 'admitted', report: (outcome, at) => this.#report(isWrite, outcome, at) };
  }

  #report(isWrite: boolean, outcome: SiteOutcome, now: number): void {
    if (outcome === 'none') {
      this.#probedAt = now - PROBE_INTERVAL;
      return;
    }
    if (outcome === 'unreachable') {
      this.#unreachableSince ??= now;
      this.#unconnected += 1;
    } else {
      this.#unreachableSince = null;
      this.#unconnected = 0;
    }
    if (outcome === 'good') this.#failingSince = null;
    // A write can be at fault itself.
    else if (outcome === 'unreachable' || (outcome === 'bad' && !isWrite)) this.#failingSince ??= now;
    const reason = this.#findReason(now);
    if (reason !== this.#reason) {
      this.#reason = reason;
      this.#probedAt = now;
    }
    if (reason !== null || this.#isLoggedAway) this.#logChange(now);
  }

  #findReason(now: number): SiteCircuitReport['reason'] {
    const isFailing = now - (this.#failingSince ?? now) >= MAX_FAILING;
    if (this.#unreachableSince !== null && (isFailing || this.#unconnected >= MAX_UNCONNECTED))
      return 'connections fail';
    return isFailing ? 'all requests fail' : null;
  }

  report(): SiteCircuitReport {
    return {
      reason: this.#reason,
      unreachableSince: this.#unreachableSince,
      failingSince: this.#failingSince,
    };
  }

  #logChange(now: number): void {
    const reason = this.#reason;
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
