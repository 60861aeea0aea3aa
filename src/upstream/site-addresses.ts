import type {
  Dispatch,
  Exchange,
  ResponseSink,
  UpstreamFailure,
  UpstreamFailureKind,
  UpstreamRequest,
} from '../http/exchange.ts';
import type { Clock, Log } from '../ports.ts';
import { isNotConnected } from './failures.ts';

/** Failures of an address that count against it where it sent no head, beside those without a connection. */
const UNHEALTHY: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'timeout',
  'connection-broken',
]);

/** Failures in a row after which an address is down, although connections to it open. */
const MAX_FAILURES = 3;
/** Milliseconds after which a request is sent to an address that is down, to see whether it is back. */
const RETRY_INTERVAL = 10_000;
/** Failed checks in a row after which an address is down. */
const MAX_FAILED_CHECKS = 2;

/** The state of one address, for the operator. */
export interface AddressReport {
  /** Scheme, host and port. */
  readonly address: string;
  readonly isUp: boolean;
  /** Requests that were sent and have no complete response. */
  readonly active: number;
  /** Since when the address is up or down, in milliseconds since the epoch. */
  readonly since: number;
}

class Address {
  readonly origin: string;
  isUp = true;
  active = 0;
  since: number;
  /** Failures in a row. */
  failures = 0;
  failedChecks = 0;
  /** Whether a check is running. */
  isChecked = false;
  /** When the next request is sent to it although it is down, in milliseconds since the epoch. */
  retryAt = 0;

  constructor(origin: string, now: number) {
    this.origin = origin;
    this.since = now;
  }
}

/**
 * The addresses of one site that has several. Each request is sent to the address with the fewest active ones, in turn among
 * equals. An address is down after a connection could not be opened, after three failures in a row, or after two failed
 * checks; it is up again after a response or a successful check. While all are down, all are used: the gateway refuses
 * nothing that the site might answer.
 */
export class SiteAddresses {
  readonly #addresses: readonly Address[];
  readonly #clock: Clock;
  readonly #log: Log;
  /** Index of the address that is first among equals. */
  #turn = 0;
  #cancelCheck: (() => void) | undefined;

  /** @param log of the site */
  constructor(origins: readonly string[], clock: Clock, log: Log) {
    this.#addresses = origins.map((origin) => new Address(origin, clock.now()));
    this.#clock = clock;
    this.#log = log;
  }

  report(): readonly AddressReport[] {
    return this.#addresses.map(({ active, isUp, origin: address, since }) => ({
      address,
      isUp,
      active,
      since,
    }));
  }

  /** Checks all addresses at an interval, in milliseconds, until {@link stop}. @param check whether an address responds */
  startChecks(interval: number, check: (origin: string) => Promise<boolean>): void {
    if (this.#cancelCheck !== undefined) return;
    const run = (): void => {
      this.#cancelCheck = this.#clock.after(interval, run);
      for (const address of this.#addresses) {
        if (address.isChecked) continue;
        address.isChecked = true;
        void check(address.origin).then(
          (isHealthy) => this.#recordCheck(address, isHealthy),
          () => this.#recordCheck(address, false),
        );
      }
    };
    this.#cancelCheck = this.#clock.after(interval, run);
  }

  stop(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = () => {};
  }

  #recordCheck(address: Address, isHealthy: boolean): void {
    address.isChecked = false;
    address.failedChecks = isHealthy ? 0 : address.failedChecks + 1;
    if (isHealthy) this.#setUp(address, true, 'it responds to checks');
    else if (address.failedChecks >= MAX_FAILED_CHECKS) this.#setUp(address, false, 'checks fail');
  }

  #setUp(address: Address, isUp: boolean, reason: string): void {
    const now = this.#clock.now();
    if (isUp) address.failures = 0;
    else address.retryAt = now + RETRY_INTERVAL;
    if (address.isUp === isUp) return;
    address.isUp = isUp;
    address.since = now;
    const fields = { address: address.origin, reason };
    if (isUp) this.#log.info(fields, 'an address of the site is up');
    else this.#log.warn(fields, 'an address of the site is down');
  }

  /**
   * Picks an address.
   *
   * @param tried addresses that have failed for the request
   * @param mayTry whether the request may be sent to an address that is down: it can be sent again elsewhere
   * @returns `undefined` if all were tried
   */
  #pick(tried: ReadonlySet<Address>, mayTry: boolean): Address | undefined {
    const now = this.#clock.now();
    const count = this.#addresses.length;
    let best: Address | undefined;
    let bestRank = Number.POSITIVE_INFINITY;
    for (let step = 0; step < count; step += 1) {
      const address = this.#addresses[(this.#turn + step) % count];
      if (address === undefined || tried.has(address)) continue;
      const isDue = mayTry && now >= address.retryAt;
      // An address that is down comes after all others, and the one that has been down for longest comes first.
      const rank = address.isUp ? address.active : isDue ? -1 : 1e15 + address.retryAt;
      if (rank >= bestRank) continue;
      best = address;
      bestRank = rank;
    }
    this.#turn = (this.#turn + 1) % count;
    // One request at a time finds out whether an address is back.
    if (best?.isUp === false) best.retryAt = now + RETRY_INTERVAL;
    return best;
  }

  #recordFailure(address: Address, failure: UpstreamFailure): void {
    const isUnconnected = isNotConnected(failure);
    if (!isUnconnected && !UNHEALTHY.has(failure.kind)) return;
    address.failures += 1;
    if (isUnconnected) this.#setUp(address, false, `no connection: ${failure.kind}`);
    else if (address.failures >= MAX_FAILURES) this.#setUp(address, false, `failures: ${failure.kind}`);
  }

  /**
   * Sends a request to one of the addresses. If that fails, the request is sent to another one where this is safe:
   *
   * - no connection was opened, so the first address has not got the request; or
   * - the request is safe (`retryable`), its connection broke, and nothing of a response had arrived. A timeout is no such
   *   failure: the next address would take as long.
   *
   * A request whose body is a stream is sent once: the first address may have got a part of it.
   *
   * @param getDispatch returns the transport to an origin
   */
  send<Stream>(
    getDispatch: (origin: string) => Dispatch<Stream>,
    request: UpstreamRequest<Stream>,
    sink: ResponseSink,
  ): Exchange {
    const canRepeat = request.body === null || request.body instanceof Uint8Array;
    const tried = new Set<Address>();
    let current: Address | undefined;
    let upstream: Exchange | undefined;
    let isAborted = false;
    /** Whether a part of a response has arrived. */
    let isAnswered = false;
    /** @returns `false` if no address is left */
    const start = (): boolean => {
      const address = this.#pick(tried, canRepeat && request.retryable);
      if (address === undefined) return false;
      tried.add(address);
      current = address;
      address.active += 1;
      const exchange = getDispatch(address.origin)(request, receiver);
      // The address may have failed already, and the next one been asked.
      if (current === address) upstream = exchange;
      return true;
    };
    const leave = (): Address | undefined => {
      const address = current;
      current = undefined;
      if (address !== undefined) address.active -= 1;
      return address;
    };
    const mayRepeat = (failure: UpstreamFailure): boolean =>
      canRepeat && (isNotConnected(failure) || (request.retryable && failure.kind === 'connection-broken'));
    const receiver: ResponseSink = {
      interim(head) {
        isAnswered = true;
        sink.interim?.(head);
      },
      head: (head) => {
        isAnswered = true;
        if (current !== undefined) this.#setUp(current, true, 'it responds');
        sink.head(head);
      },
      write: (chunk) => sink.write(chunk),
      end(trailers) {
        leave();
        sink.end(trailers);
      },
      fail: (failure) => {
        const address = leave();
        if (address !== undefined && !isAnswered) this.#recordFailure(address, failure);
        if (isAnswered || isAborted || !mayRepeat(failure) || !start()) sink.fail(failure);
      },
    };
    start();
    return {
      resume: () => upstream?.resume(),
      abort() {
        isAborted = true;
        leave();
        upstream?.abort();
      },
    };
  }
}
