import { describeReason, summarizeFailure } from '../../discovery/failures.ts';
import { DiscoveryError, STOPPED } from '../../errors.ts';
import { computeBackoff, endsWithin } from '../../ports.ts';
import type { SiteEnvironment } from '../../state.ts';
import { IncompleteDiscoveryError, type SnapshotDiscovery } from './discover-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { lacksTooMuch, type StoredDocument } from './stored-document.ts';

/** Delay of the first retry after a failed discovery, in milliseconds. It doubles, with jitter, up to the interval. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 60_000;
/** Milliseconds for which a site must offer documents that lack too much until one of them is served. */
export const LOSS_TIME: number = 30 * 60_000;

/** Reasons of failed discoveries to which the site has not answered. */
const UNANSWERED = /^(?:loop|dns|refused|tls|certificate-.+|unreachable|not-http)$/;

/** Options of a {@link SiteRuntime}. */
export interface SiteRuntimeOptions extends Omit<SiteEnvironment, 'states'> {
  /** `null` if the site is never read: its document is stated, or it has none. */
  readonly discoverSnapshot: SnapshotDiscovery | null;
  /** Called with each snapshot that replaces another. @default nothing is done */
  readonly onReplaced?: (snapshot: Snapshot) => void;
  /** Stores the last good document. @default they are lost when the process ends */
  readonly stored?: StoredDocument | undefined;
  /** Served until the first discovery succeeds. */
  readonly initialSnapshot: Snapshot | null;
  /** Milliseconds between discoveries; `undefined` for one at the start, then on request only. */
  readonly rediscoveryInterval: number | undefined;
}

/** Milliseconds from the start of the first discovery for which requests wait for it. */
const MAX_WAIT = 10_000;

/** Holds the snapshot of one site, and replaces it as a whole after each discovery that found a change. */
export class SiteRuntime {
  /** Serves the requests that start now; `null` if there is nothing to serve before the first success. */
  snapshot: Snapshot | null;
  lastDiscoveryError: Error | null = null;
  /** Time of the last successful discovery, in milliseconds since the epoch. */
  lastDiscoveredAt: number | null = null;
  readonly discoveries = { succeeded: 0, failed: 0 };
  /** A discovered document that lacks too much of the served one, and since when the site has offered such; `null` if it does not. */
  held: { readonly snapshot: Snapshot; readonly since: number } | null = null;
  readonly #options: SiteRuntimeOptions;
  #failures = 0;
  #hasAttempted = false;
  /** Whether the site, and not this gateway, has answered a failed discovery. */
  #hasAnswered = false;
  /** Whether the served document lacks response types, because the site did not answer in time. */
  #isIncomplete = false;
  /** When requests no longer wait for the first discovery, in milliseconds since the epoch. */
  #waitsUntil = Number.POSITIVE_INFINITY;
  running: Promise<void> | null = null;
  /** The discovery after the running one, which requests share. */
  #following: Promise<void> | null = null;
  #restoring: Promise<void> | undefined;
  #cancelTimer = (): void => {};
  #state: 'idle' | 'started' | 'stopped' = 'idle';
  /** Aborted by the stop. */
  #abort = new AbortController();

  constructor(options: SiteRuntimeOptions) {
    this.#options = options;
    this.snapshot = options.initialSnapshot;
  }

  /** Whether requests can come: there is a document, none is needed, or pages are served and the site has answered once. */
  get isReady(): boolean {
    return this.snapshot?.isProvisional === true ? this.#hasAnswered : this.snapshot !== null;
  }

  get isRead(): boolean {
    return this.#options.discoverSnapshot !== null;
  }

  /** Whether the first discovery has not ended, and requests wait for it. */
  get isAwaited(): boolean {
    return !this.#hasAttempted && this.#options.clock.now() < this.#waitsUntil;
  }

  /** Waits until the first discovery has ended, or has taken too long. Never rejects. */
  async waitForFirst(): Promise<void> {
    const { clock } = this.#options;
    const limit = Math.max(0, this.#waitsUntil - clock.now());
    if (this.running !== null) await endsWithin(limit, this.running, clock);
  }

  /** {@link lastDiscoveryError} in one sentence for every client: without address, and without anything that the site sent. */
  get failureSummary(): string | null {
    return this.lastDiscoveryError === null ? null : summarizeFailure(this.lastDiscoveryError);
  }

  /** Says that the served document lacks response types, in one sentence for every client; `null` if it is whole. */
  get incompleteSummary(): string | null {
    return this.#isIncomplete ? describeReason('incomplete')[1] : null;
  }

  /** Serves the last good document of an earlier process, if there is one, until a discovery succeeds. Never rejects. */
  restore(): Promise<void> {
    this.#restoring ??= this.#restoreOnce();
    return this.#restoring;
  }

  /**
   * Starts discovery, now and on the interval. Idempotent.
   */
  start(): void {
    const now = this.#options.clock.now();
    if (this.#state !== 'idle') return;
    this.#state = 'started';
    this.#waitsUntil = now + MAX_WAIT;
    void this.#discover();
  }

  /**
   * Discovers now, and again after a discovery that is running: it might have read the site before the change that the caller knows
   * of. The first discovery is not repeated. Concurrent calls share one. Never rejects: an error is logged, and the snapshot stays.
   */
  rediscover(): Promise<void> {
    if (this.running === null || !this.#hasAttempted) return this.#discover();
    this.#following ??= this.running.then(() => {
      this.#following = null;
      return this.#state === 'stopped' ? undefined : this.#discover();
    });
    return this.#following;
  }

  stop(): void {
    this.#state = 'stopped';
    this.#cancelTimer();
    // A pending request to a site that does not respond would keep the process alive.
    this.#abort.abort(STOPPED);
  }

  async #restoreOnce(): Promise<void> {
    const { log, stored } = this.#options;
    const restored = (await stored?.load()) ?? null;
    // An operator's own document has precedence.
    if (restored === null || this.snapshot?.documented != null) return;
    this.snapshot = restored;
    log.info({ operations: restored.operationCount }, 'served from the stored document');
  }

  /** Discovers, unless a discovery is running, and plans the next one. Never rejects: an error is logged. */
  #discover(): Promise<void> {
    if (this.running !== null) return this.running;
    const { discoverSnapshot } = this.#options;
    if (discoverSnapshot === null) return Promise.resolve();
    if (this.#state !== 'stopped') this.#abort = new AbortController();
    this.running = this.#discoverOnce(discoverSnapshot)
      .catch((error: unknown) => {
        if (error instanceof IncompleteDiscoveryError) this.#offerIncomplete(error);
        this.#onFailure(error);
      })
      .finally(() => {
        this.running = null;
        this.#hasAttempted = true;
        this.#schedule();
      });
    return this.running;
  }

  async #discoverOnce(discoverSnapshot: SnapshotDiscovery): Promise<void> {
    const { clock, log, stored } = this.#options;
    const { signal } = this.#abort;
    if (stored !== undefined) await this.restore();
    const next = await discoverSnapshot(signal);
    signal.throwIfAborted();
    const offered = next ?? this.held?.snapshot ?? null;
    if (offered === null) log.info({}, 'discovery found no change');
    else this.#offer(offered);
    this.lastDiscoveryError = null;
    this.#isIncomplete = false;
    this.#failures = 0;
    this.lastDiscoveredAt = clock.now();
    this.discoveries.succeeded += 1;
  }

  /** Serves a discovered document. One that lacks too much waits, while the served one stays. */
  #offer(next: Snapshot): void {
    const { clock, log } = this.#options;
    const { held, snapshot: served } = this;
    const since = held?.since ?? clock.now();
    const isBelievable =
      served === null ||
      next.documented === null ||
      !lacksTooMuch(served, next) ||
      clock.now() - since >= LOSS_TIME;
    if (isBelievable) {
      this.#replace(next);
      return;
    }
    this.held = { snapshot: next, since };
    if (held !== null) return;
    log.warn(
      { served: served.operationCount, offered: next.operationCount },
      'the discovered document lacks too many operations: the last good one is served, for 30 minutes at most if the site stays like this',
    );
  }

  /** Serves a document without response types, unless there is a better one, until the site has been read whole. */
  #offerIncomplete({ snapshot }: IncompleteDiscoveryError): void {
    if (snapshot === null || (this.snapshot?.documented && !this.#isIncomplete)) return;
    this.#isIncomplete = true;
    this.#offer(snapshot);
  }

  #onFailure(error: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.lastDiscoveryError = error instanceof Error ? error : new Error(String(error));
    this.#hasAnswered ||= !(error instanceof DiscoveryError && UNANSWERED.test(error.reason));
    this.#failures += 1;
    this.discoveries.failed += 1;
    this.#options.log.warn(
      { err: this.lastDiscoveryError, failures: this.#failures },
      `discovery failed; ${describeServed(this.snapshot)}. ${this.lastDiscoveryError.message}`,
    );
  }

  #replace(next: Snapshot): void {
    const { log, onReplaced, stored } = this.#options;
    this.held = null;
    this.snapshot = next;
    if (next.documented !== null) stored?.store(next.documented);
    log.info({ operations: next.operationCount }, 'document replaced');
    onReplaced?.(next);
  }

  #schedule(): void {
    const { clock, random, rediscoveryInterval } = this.#options;
    this.#cancelTimer();
    if (this.#state !== 'started') return;
    const retryDelay =
      this.#failures > 0
        ? computeBackoff(this.#failures, FIRST_RETRY_DELAY, MAX_RETRY_DELAY, random())
        : Number.POSITIVE_INFINITY;
    const reviewDelay =
      this.held === null
        ? Number.POSITIVE_INFINITY
        : Math.max(FIRST_RETRY_DELAY, this.held.since + LOSS_TIME - clock.now());
    const delay = Math.min(retryDelay, reviewDelay, rediscoveryInterval ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(delay)) return;
    this.#cancelTimer = clock.after(delay, () => void this.#discover());
  }
}

/** Clause about the responses that a site's requests get after a failed discovery. */
function describeServed(snapshot: Snapshot | null): string {
  if (snapshot === null) return 'requests get a 503 until it succeeds';
  return snapshot.isProvisional
    ? 'until it succeeds, all requests are forwarded, and nothing is validated or stored (`discovery: off` serves a plain origin)'
    : 'the last good document stays in use';
}
