import { summarizeFailure } from '../../discovery/failures.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SnapshotDiscovery } from './discover-snapshot.ts';
import { type DiscoveryCause, DocumentHistory } from './document-history.ts';
import type { Snapshot } from './snapshot.ts';

/** Delay of the first retry after a failed discovery, in milliseconds. It doubles, with jitter, up to the interval. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 60_000;

/** What a {@link SiteRuntime} is created from. */
export interface SiteRuntimeOptions {
  readonly discoverSnapshot: SnapshotDiscovery;
  /** Served until the first discovery succeeds. */
  readonly initialSnapshot: Snapshot | null;
  /** Milliseconds between discoveries; `undefined` for one at the start, then on request only. */
  readonly rediscoveryInterval: number | undefined;
  readonly clock: Clock;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** Name of the site in the log. */
  readonly siteName: string;
}

/** Holds the snapshot of one site, and replaces it as a whole after each discovery that found a change. */
export class SiteRuntime {
  /** Serves the requests that start now; `null` if there is nothing to serve before the first success. */
  snapshot: Snapshot | null;
  /** Error of the last discovery; `null` if it succeeded. */
  lastDiscoveryError: Error | null = null;
  /** Time of the last successful discovery, in milliseconds since the epoch. */
  lastDiscoveredAt: number | null = null;
  /** Time of the next discovery, in milliseconds since the epoch; `null` if none is planned. */
  nextDiscoveryAt: number | null = null;
  /** The versions of the document that were served. */
  readonly history: DocumentHistory;
  readonly #options: SiteRuntimeOptions;
  #failures = 0;
  #hasAttempted = false;
  #running: Promise<void> | null = null;
  #cancelTimer = (): void => {};
  #state: 'idle' | 'started' | 'stopped' = 'idle';
  readonly #abort = new AbortController();

  constructor(options: SiteRuntimeOptions) {
    this.#options = options;
    this.snapshot = options.initialSnapshot;
    this.history = new DocumentHistory(options.clock);
    if (this.snapshot !== null) this.history.begin(this.snapshot);
  }

  /** Whether requests may come: there is a document, none is needed, or pages are served and the first discovery has ended. */
  get isReady(): boolean {
    return this.snapshot !== null && (!this.snapshot.isProvisional || this.#hasAttempted);
  }

  /** {@link lastDiscoveryError} in one sentence for every client: without address, and without anything that the site sent. */
  get failureSummary(): string | null {
    return this.lastDiscoveryError === null ? null : summarizeFailure(this.lastDiscoveryError);
  }

  /** Starts discovery, now and on the interval. Idempotent. */
  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'started';
    void this.#discoverFor('start');
  }

  /** Discovers now. Concurrent calls share one discovery. Never rejects: an error is logged, and the snapshot stays. */
  rediscover(): Promise<void> {
    return this.#discoverFor('request');
  }

  stop(): void {
    this.#state = 'stopped';
    this.#cancelTimer();
    // A pending request to a site that does not respond would keep the process alive.
    this.#abort.abort();
  }

  #discoverFor(cause: DiscoveryCause): Promise<void> {
    this.#running ??= this.#discoverOnce(cause).finally(() => {
      this.#running = null;
      this.#hasAttempted = true;
      this.#schedule();
    });
    return this.#running;
  }

  async #discoverOnce(cause: DiscoveryCause): Promise<void> {
    const { clock, discoverSnapshot, log, siteName: site } = this.#options;
    const { signal } = this.#abort;
    try {
      const next = await discoverSnapshot(signal);
      if (signal.aborted) return;
      if (next !== null) {
        const previous = this.snapshot;
        this.snapshot = next;
        await this.history.add(next, previous, cause, signal);
        log.info({ site, operations: next.operationCount }, 'document replaced');
      } else log.info({ site }, 'discovery found no change');
      this.lastDiscoveryError = null;
      this.lastDiscoveredAt = clock.now();
      this.#failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      this.lastDiscoveryError = error instanceof Error ? error : new Error(String(error));
      this.#failures += 1;
      log.warn(
        { site, err: this.lastDiscoveryError, failures: this.#failures },
        `discovery failed; ${describeServed(this.snapshot)}. ${this.lastDiscoveryError.message}`,
      );
    }
  }

  #schedule(): void {
    const { clock, random, rediscoveryInterval } = this.#options;
    this.#cancelTimer();
    this.nextDiscoveryAt = null;
    if (this.#state !== 'started') return;
    const retryDelay =
      this.#failures > 0 ? computeRetryDelay(this.#failures, random()) : Number.POSITIVE_INFINITY;
    const delay = Math.min(retryDelay, rediscoveryInterval ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(delay)) return;
    this.nextDiscoveryAt = clock.now() + delay;
    this.#cancelTimer = clock.after(delay, () => void this.#discoverFor('interval'));
  }
}

/** What the requests of a site get after a failed discovery. */
function describeServed(snapshot: Snapshot | null): string {
  if (snapshot === null) return 'requests get a 503 until it succeeds';
  return snapshot.isProvisional
    ? 'until it succeeds, all requests are forwarded, and nothing is validated or stored (`discovery: off` serves a plain origin)'
    : 'the last good document stays in use';
}

/** Doubles with each failure, with jitter between half and all of it, so that many gateways don't retry in step. */
function computeRetryDelay(failures: number, random: number): number {
  const ceiling = Math.min(MAX_RETRY_DELAY, FIRST_RETRY_DELAY * 2 ** Math.max(0, failures - 1));
  return ceiling / 2 + (ceiling / 2) * random;
}
