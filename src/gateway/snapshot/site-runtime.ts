import { summarizeFailure } from '../../discovery/failures.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SnapshotDiscovery } from './discover-snapshot.ts';
import { createDocumentHistory, type DiscoveryCause, type DocumentHistory } from './document-history.ts';
import type { Snapshot } from './snapshot.ts';

/** Delay of the first retry after a failed discovery, in milliseconds. It doubles, with jitter, up to the interval. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 60_000;

/** Options of {@link createSiteRuntime}. */
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

/** Holds the snapshot of one site, and replaces it after each discovery that found a change. */
export interface SiteRuntime {
  /** Serves the requests that start now; `null` before the first success. */
  readonly snapshot: Snapshot | null;
  /** Error of the last discovery; `null` if it succeeded. */
  readonly lastDiscoveryError: Error | null;
  /** The same in one sentence for every client: without address, and without anything that the site sent. */
  readonly failureSummary: string | null;
  /** Time of the last successful discovery, in milliseconds since the epoch. */
  readonly lastDiscoveredAt: number | null;
  /** Time of the next discovery, in milliseconds since the epoch; `null` if none is planned. */
  readonly nextDiscoveryAt: number | null;
  /** The versions of the document that were served. */
  readonly history: DocumentHistory;
  /** Starts discovery, now and on the interval. Idempotent. */
  start(): void;
  /** Discovers now. Concurrent calls share one discovery. Never rejects: an error is logged, and the snapshot stays. */
  rediscover(): Promise<void>;
  stop(): void;
}

export function createSiteRuntime(options: SiteRuntimeOptions): SiteRuntime {
  const { clock, log } = options;
  let snapshot = options.initialSnapshot;
  let lastDiscoveryError: Error | null = null;
  let lastDiscoveredAt: number | null = null;
  let nextDiscoveryAt: number | null = null;
  const history = createDocumentHistory(clock);
  if (snapshot !== null) history.begin(snapshot);
  let failures = 0;
  let running: Promise<void> | null = null;
  let cancelTimer = (): void => {};
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  const abort = new AbortController();

  async function discoverOnce(cause: DiscoveryCause): Promise<void> {
    try {
      const next = await options.discoverSnapshot(abort.signal);
      if (abort.signal.aborted) return;
      if (next !== null) {
        const previous = snapshot;
        snapshot = next;
        await history.add(next, previous, cause, abort.signal);
        log.info({ site: options.siteName, operations: next.operationCount }, 'document replaced');
      } else log.info({ site: options.siteName }, 'discovery found no change');
      lastDiscoveryError = null;
      lastDiscoveredAt = clock.now();
      failures = 0;
    } catch (error) {
      if (abort.signal.aborted) return;
      lastDiscoveryError = error instanceof Error ? error : new Error(String(error));
      failures += 1;
      const served =
        snapshot === null ? 'requests get a 503 until it succeeds' : 'the last good document stays in use';
      log.warn(
        { site: options.siteName, err: lastDiscoveryError, failures },
        `discovery failed; ${served}. ${lastDiscoveryError.message}`,
      );
    }
  }

  function schedule(): void {
    cancelTimer();
    nextDiscoveryAt = null;
    if (state !== 'started') return;
    const retryDelay =
      failures > 0 ? computeRetryDelay(failures, options.random()) : Number.POSITIVE_INFINITY;
    const delay = Math.min(retryDelay, options.rediscoveryInterval ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(delay)) return;
    nextDiscoveryAt = clock.now() + delay;
    cancelTimer = clock.after(delay, () => void discoverFor('interval'));
  }

  function discoverFor(cause: DiscoveryCause): Promise<void> {
    running ??= discoverOnce(cause).finally(() => {
      running = null;
      schedule();
    });
    return running;
  }

  return {
    get snapshot() {
      return snapshot;
    },
    get lastDiscoveryError() {
      return lastDiscoveryError;
    },
    get failureSummary() {
      return lastDiscoveryError === null ? null : summarizeFailure(lastDiscoveryError);
    },
    get lastDiscoveredAt() {
      return lastDiscoveredAt;
    },
    get nextDiscoveryAt() {
      return nextDiscoveryAt;
    },
    history,
    start() {
      if (state !== 'idle') return;
      state = 'started';
      void discoverFor('start');
    },
    rediscover: () => discoverFor('request'),
    stop() {
      state = 'stopped';
      cancelTimer();
      // A pending request to a site that does not respond would keep the process alive.
      abort.abort();
    },
  };
}

/** Doubles with each failure, with jitter between half and all of it, so that many gateways don't retry in step. */
function computeRetryDelay(failures: number, random: number): number {
  const ceiling = Math.min(MAX_RETRY_DELAY, FIRST_RETRY_DELAY * 2 ** Math.max(0, failures - 1));
  return ceiling / 2 + (ceiling / 2) * random;
}
