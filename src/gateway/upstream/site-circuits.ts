import {
  GATEWAY_ERRORS,
  isMaintenance,
  type ResponseHead,
  type UpstreamFailure,
} from '../../base/http/exchange.ts';
import type { UpstreamFailureKind } from '../../base/http/network-errors.ts';
import type { Log } from '../../base/ports.ts';
import { isConnectTimeout } from './failures.ts';

export type SiteOutcome = 'unreachable' | 'bad' | 'good' | 'reached' | 'none';

/** All other failures are caused by the client or the gateway. */
const FAILURE_OUTCOMES: Partial<Readonly<Record<UpstreamFailureKind, SiteOutcome>>> = {
  timeout: 'bad',
  refused: 'unreachable',
  dns: 'unreachable',
  tls: 'unreachable',
  'connection-broken': 'bad',
  'head-too-large': 'reached',
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

export interface KnownAddress {
  readonly mayChangeSite: boolean;
  wasGood: boolean;
}

export interface SiteCircuitReport {
  readonly reason: 'connections fail' | 'all requests fail' | null;
  readonly unreachableSince: number | null;
  /** Since when reads fail that did not before, in milliseconds since the epoch; `null` after a good response. */
  readonly failingSince: number | null;
}

const MAX_UNCONNECTED = 20;
/** Milliseconds without a good response after a bad one until the circuit opens. */
const MAX_FAILING = 10_000;
/** Failing addresses without which the circuit stays closed. */
const MIN_FAILED = 3;
/** Milliseconds between two probes: those of addresses that were good come first. */
const PROBE_INTERVAL = 200;
const OTHER_PROBE_INTERVAL = 1_000;
const LOG_INTERVAL = 10_000;

/**
 * - It stops everything after 20 connections in a row, or all for 10 s, that could not be opened.
 * - It stops reads, but no writes, after 10 s without a good response, if three addresses fail that were good before: a client can
 * find any number that always fail, but it cannot make a good one fail.
 *
 * While it is open, one request passes every 200 ms, but one of an address that never was good waits a second
 * if connections succeed. A success closes it.
 */
export class SiteCircuits {
  readonly #log: Log;
  #reason: SiteCircuitReport['reason'] = null;
  #probedAt = 0;
  #unconnected = 0;
  #unreachableSince: number | null = null;
  #failingSince: number | null = null;
  readonly #failed = new Set<KnownAddress>();
  #isLoggedAway = false;
  #loggedAwayAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns milliseconds until it makes sense to try again; 0 if the request can be sent */
  admit(address: KnownAddress, now: number): number {
    if (this.#reason === 'connections fail' || (this.#reason !== null && !address.mayChangeSite)) {
      const isTelling = address.wasGood || this.#reason === 'connections fail';
      const interval = isTelling ? PROBE_INTERVAL : OTHER_PROBE_INTERVAL;
      // The clock was set back.
      const wait = now < this.#probedAt ? 0 : this.#probedAt + interval - now;
      if (wait > 0) return wait;
      this.#probedAt = now;
    }
    return 0;
  }

  record(address: KnownAddress, outcome: SiteOutcome, now: number): void {
    if (outcome === 'none') {
      this.#probedAt = 0;
      return;
    }
    if (outcome === 'unreachable') {
      this.#unreachableSince ??= now;
      this.#unconnected += 1;
    } else {
      this.#unreachableSince = null;
      this.#unconnected = 0;
    }
    if (outcome === 'good') {
      address.wasGood = true;
      this.#failingSince = null;
      this.#failed.clear();
    } else if (outcome === 'bad' && address.wasGood && !address.mayChangeSite) {
      this.#failingSince ??= now;
      if (this.#failed.size < MIN_FAILED) this.#failed.add(address);
    }
    const reason = this.#findReason(now);
    if (reason !== this.#reason) {
      this.#reason = reason;
      this.#probedAt = now;
    }
    if (reason !== null || this.#isLoggedAway) this.#logChange(now);
  }

  #findReason(now: number): SiteCircuitReport['reason'] {
    const unreachableFor = now - (this.#unreachableSince ?? now);
    const failingFor = now - (this.#failingSince ?? now);
    if (this.#unconnected >= MAX_UNCONNECTED || unreachableFor >= MAX_FAILING) return 'connections fail';
    return this.#failed.size >= MIN_FAILED && failingFor >= MAX_FAILING ? 'all requests fail' : null;
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
      if (reason !== null || this.#failingSince !== null || this.#unreachableSince !== null) return;
      this.#isLoggedAway = false;
      this.#log.info({ away: now - this.#loggedAwayAt }, 'the site is back');
    } else if (reason !== null && now - this.#loggedAwayAt >= LOG_INTERVAL) {
      this.#isLoggedAway = true;
      this.#loggedAwayAt = now;
      this.#log.warn({ reason }, 'the site is away');
    }
  }
}
