import type { Clock, Log } from '../../ports.ts';
import type { Snapshot } from './snapshot.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** Waits after a failed reading, in milliseconds: doubled each time, with jitter, and never over the interval. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 60_000;

export interface SiteRuntimeOptions {
  readonly read: SnapshotReader;
  /** What to serve until the first reading succeeds. */
  readonly initial: Snapshot | null;
  /** Milliseconds between readings; `undefined` reads once, and then on demand. */
  readonly interval: number | undefined;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** What the log calls the site. */
  readonly name: string;
}

/** Holds what one site is served from, and replaces it whole. */
export interface SiteRuntime {
  /** What requests that begin now are served from; `null` before the first success. */
  readonly snapshot: Snapshot | null;
  /** The last reading's error, `null` after a success. */
  readonly fault: Error | null;
  /** When the site was last read, in milliseconds since the epoch. */
  readonly readAt: number | null;
  /** Begins reading, and reading again on the interval. Harmless when called twice. */
  start(): void;
  /** Reads now. Calls during a reading share it. Never rejects: a failure is logged and the last good snapshot kept. */
  rediscover(): Promise<void>;
  stop(): void;
}

export function createSiteRuntime(options: SiteRuntimeOptions): SiteRuntime {
  const { clock, log } = options;
  let snapshot = options.initial;
  let fault: Error | null = null;
  let readAt: number | null = null;
  let failures = 0;
  let running: Promise<void> | null = null;
  let cancel = (): void => {};
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  const ending = new AbortController();

  async function readOnce(): Promise<void> {
    try {
      const next = await options.read(ending.signal);
      if (ending.signal.aborted) return;
      if (next !== null) {
        snapshot = next;
        log.info({ site: options.name, operations: next.operationCount }, 'document replaced');
      } else log.info({ site: options.name }, 'read again: nothing new');
      fault = null;
      readAt = clock.now();
      failures = 0;
    } catch (error) {
      if (ending.signal.aborted) return;
      fault = error instanceof Error ? error : new Error(String(error));
      failures += 1;
      const kept = snapshot === null ? 'nothing to serve yet' : 'the last good document is kept';
      log.warn({ site: options.name, err: fault, failures }, `the site could not be read; ${kept}`);
    }
  }

  function schedule(): void {
    cancel();
    if (state !== 'started') return;
    const retry = failures > 0 ? retryDelay(failures, options.random()) : Number.POSITIVE_INFINITY;
    const delay = Math.min(retry, options.interval ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(delay)) cancel = clock.after(delay, () => void rediscover());
  }

  function rediscover(): Promise<void> {
    running ??= readOnce().finally(() => {
      running = null;
      schedule();
    });
    return running;
  }

  return {
    get snapshot() {
      return snapshot;
    },
    get fault() {
      return fault;
    },
    get readAt() {
      return readAt;
    },
    start() {
      if (state !== 'idle') return;
      state = 'started';
      void rediscover();
    },
    rediscover,
    stop() {
      state = 'stopped';
      cancel();
      // A site that never answers would keep a process alive that is done.
      ending.abort();
    },
  };
}

/** Full jitter between half and the whole of a doubling delay, so that many gateways don't ask a site in step. */
function retryDelay(failures: number, random: number): number {
  const ceiling = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** Math.max(0, failures - 1));
  return ceiling / 2 + (ceiling / 2) * random;
}
