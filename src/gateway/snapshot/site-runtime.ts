import { summarizeFailure } from '../../discovery/failures.ts';
import { ConfigurationError, DiscoveryError, STOPPED } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import { computeBackoff, endsWithin } from '../../ports.ts';
import type { SiteEnvironment } from '../../state.ts';
import type { SnapshotDiscovery } from './discover-snapshot.ts';
import {
  compareSnapshots,
  type DiscoveryCause,
  DocumentHistory,
  type DocumentVersion,
  type SnapshotComparison,
  type StoredDocument,
  type VersionChanges,
} from './document-history.ts';
import { findLosses, type HeldDocument, REVIEW_INTERVAL } from './held-document.ts';
import type { Snapshot } from './snapshot.ts';

/** Delay of the first retry after a failed discovery, in milliseconds. It doubles, with jitter, up to the interval. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 60_000;

/** What a {@link SiteRuntime} is created from. */
export interface SiteRuntimeOptions extends Omit<SiteEnvironment, 'states'> {
  readonly discoverSnapshot: SnapshotDiscovery;
  /** Called with each snapshot that replaces another. @default nothing is done */
  readonly onReplaced?: (snapshot: Snapshot) => void;
  /** Called with each document that replaces another one or is held back, and its changes. @default nothing is done */
  readonly onChanged?: ((change: DocumentChangeEvent) => void) | undefined;
  /**
   * Whether the routes that a held document lacks are gone at the site itself. Rejects if the site does not respond.
   * @default they are not known to be
   */
  readonly areRoutesGone?: (held: HeldDocument, signal: AbortSignal) => Promise<boolean>;
  /** Stores the last good document and those before it. @default they are lost when the process ends */
  readonly stored?: StoredDocument | undefined;
  /** Whether each change waits for an operator. @default false */
  readonly isPinned?: boolean;
  /** Milliseconds for which a document that lacks something is held back. @default only one with a large loss is */
  readonly holdRemovals?: number | undefined;
  /** Served until the first discovery succeeds. */
  readonly initialSnapshot: Snapshot | null;
  /** Milliseconds between discoveries; `undefined` for one at the start, then on request only. */
  readonly rediscoveryInterval: number | undefined;
}

/** A document that is served or held back from now on. */
export interface DocumentChangeEvent extends Omit<DocumentVersion, 'cause' | 'changes'> {
  /** Number of the version; `null` if it is held back. */
  readonly version: number | null;
  readonly cause: DocumentVersion['cause'] | HeldDocument['reason'];
  readonly changes: VersionChanges;
}

/** Milliseconds after which a timer that has not fired never will. */
const LATE = 1_000;

/** Milliseconds from the start of the first discovery for which requests wait for it. */
const MAX_WAIT = 10_000;

/** Holds the snapshot of one site, and replaces it as a whole after each discovery that found a change. */
export class SiteRuntime {
  /** Serves the requests that start now; `null` if there is nothing to serve before the first success. */
  snapshot: Snapshot | null;
  /** Error of the last discovery; `null` if it succeeded. */
  lastDiscoveryError: Error | null = null;
  /** Time of the last successful discovery, in milliseconds since the epoch. */
  lastDiscoveredAt: number | null = null;
  /** Discoveries since the start. */
  readonly discoveries = { succeeded: 0, failed: 0 };
  /** Time of the next discovery, in milliseconds since the epoch; `null` if none is planned. */
  nextDiscoveryAt: number | null = null;
  /** A document that waits for a decision, while the served one stays; `null` if there is none. */
  held: HeldDocument | null = null;
  readonly history: DocumentHistory;
  readonly #options: SiteRuntimeOptions;
  #isPinned = false;
  #failures = 0;
  #hasAttempted = false;
  /** When requests no longer wait for the first discovery, in milliseconds since the epoch. */
  #waitsUntil = Number.POSITIVE_INFINITY;
  running: Promise<void> | null = null;
  /** The discovery after the running one, which requests share. */
  #following: Promise<void> | null = null;
  #restoring: Promise<void> | undefined;
  /** The last comparison and replacement of documents. */
  #last: Promise<void> = Promise.resolve();
  #cancelTimer = (): void => {};
  #cancelReview = (): void => {};
  #state: 'idle' | 'started' | 'stopped' = 'idle';
  #control: AbortController | null = null;

  constructor(options: SiteRuntimeOptions) {
    this.#options = options;
    this.snapshot = options.initialSnapshot;
    this.history = new DocumentHistory(options.clock);
    if (this.snapshot !== null) this.history.begin(this.snapshot);
  }

  /** Aborted by the stop. Workers refuse it outside of a request, and to every other request. */
  get #abort(): AbortController {
    this.#control ??= new AbortController();
    return this.#control;
  }

  /** Whether requests may come: there is a document, none is needed, or pages are served and the first discovery has ended. */
  get isReady(): boolean {
    if (this.snapshot?.isProvisional !== true) return this.snapshot !== null;
    const { lastDiscoveryError: error } = this;
    return this.#hasAttempted && !(error instanceof DiscoveryError && error.reason === 'loop');
  }

  /** Who says that each change of the document waits for an operator; `null` if changes are served as they are found. */
  get pinnedBy(): 'configuration' | 'operator' | null {
    if (this.#options.isPinned === true) return 'configuration';
    return this.#isPinned ? 'operator' : null;
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

  /** Serves the last good document of an earlier process, if there is one, until a discovery succeeds. Never rejects. */
  restore(): Promise<void> {
    this.#restoring ??= this.#restoreOnce();
    return this.#restoring;
  }

  /** Goes on as the runtime of the same site with other settings. @param snapshot created from what that one serves */
  continueFrom(previous: SiteRuntime, snapshot: Snapshot | null): void {
    if (snapshot !== null) this.snapshot = snapshot;
    this.#isPinned = previous.#isPinned;
    this.history.restore(previous.history.versions, previous.history.count);
  }

  /**
   * Starts discovery, now and on the interval. Idempotent. Where the timers of a request end with it, later calls do what is due, so it is
   * called for each request.
   */
  start(): void {
    const now = this.#options.clock.now();
    const { nextDiscoveryAt: due } = this;
    if (this.#state === 'started' && due !== null && now > due + LATE) void this.#discoverFor('interval');
    if (this.#state !== 'idle') return;
    this.#state = 'started';
    this.#waitsUntil = now + MAX_WAIT;
    void this.#discoverFor('start');
  }

  /**
   * Discovers now, and again after a discovery that is running: it may have read the site before the change that the caller knows
   * of. The first discovery is not repeated. Concurrent calls share one. Never rejects: an error is logged, and the snapshot stays.
   */
  rediscover(): Promise<void> {
    if (this.running === null || !this.#hasAttempted) return this.#discoverFor('request');
    this.#following ??= this.running.then(() => {
      this.#following = null;
      return this.#state === 'stopped' ? undefined : this.#discoverFor('request');
    });
    return this.#following;
  }

  /**
   * Serves the held document from now on, and follows the site again unless the configuration pins the document.
   *
   * @returns false if there is none, and no operator has pinned the document
   */
  async accept(): Promise<boolean> {
    let isDone = false;
    await this.#inTurn(async () => {
      const { held } = this;
      isDone = held !== null || this.#isPinned;
      if (held !== null) return this.#replace(held.snapshot, 'accepted', held.changes, false);
      this.#isPinned = false;
      if (isDone) this.#store();
    }).catch((error: unknown) => this.#onFailure(error));
    return isDone;
  }

  /** Holds back each change of the document from now on. @returns false if there is no document */
  pin(): boolean {
    if (this.snapshot?.documented == null) return false;
    this.#isPinned = true;
    this.#store();
    return true;
  }

  /** Returns the document of a version: the served one, or one of `state`. @returns `null` if it is not there */
  async findDocument(number: number): Promise<JsonObject | null> {
    const { history, snapshot } = this;
    const version = history.find(number);
    if (version === undefined) return null;
    if (number === history.count) return snapshot?.documented?.document ?? null;
    return (await this.#options.stored?.loadVersion(number, version)) ?? null;
  }

  /**
   * Serves an earlier version from now on, and pins it. The document that was served is held back, unless a newer one is.
   *
   * @returns false if the version is not there
   */
  async rollBack(number: number): Promise<boolean> {
    const { clock, stored } = this.#options;
    const document = number === this.history.count ? null : await this.findDocument(number);
    if (document === null || stored === undefined) return false;
    const snapshot = await stored.createSnapshot(document).catch((error: unknown) => {
      if (error instanceof ConfigurationError) return null;
      throw error;
    });
    if (snapshot === null) return false;
    const { signal } = this.#abort;
    let isDone = false;
    await this.#inTurn(async () => {
      const offered = this.held?.snapshot ?? this.snapshot;
      const comparison = await compareSnapshots(this.snapshot, snapshot, clock, signal);
      await this.#replace(snapshot, 'rolled-back', comparison?.changes ?? null, true);
      isDone = true;
      const changes = offered && (await compareSnapshots(snapshot, offered, clock, signal));
      if (changes && changes.changes.total > 0) this.#hold(offered, changes, 'pinned');
    }).catch((error: unknown) => this.#onFailure(error));
    return isDone;
  }

  /** Drops the held document. The same one is not offered again until the index of the site has changed. @returns false if there is none */
  reject(): boolean {
    if (this.held === null) return false;
    this.#setHeld(null);
    this.#options.log.info({}, 'the held document was rejected');
    return true;
  }

  stop(): void {
    this.#state = 'stopped';
    this.#cancelTimer();
    this.#cancelReview();
    // A pending request to a site that does not respond would keep the process alive.
    this.#abort.abort(STOPPED);
  }

  async #restoreOnce(): Promise<void> {
    const { log, stored } = this.#options;
    const restored = (await stored?.load()) ?? null;
    // An operator's own document has precedence.
    if (restored === null || this.snapshot?.documented != null) return;
    this.snapshot = restored.snapshot;
    this.#isPinned = restored.isPinned;
    this.history.restore(restored.versions, restored.count);
    log.info({ operations: restored.snapshot.operationCount }, 'served from the stored document');
  }

  /** Discovers, unless a discovery is running, and plans the next one. Never rejects: an error is logged. */
  #discoverFor(cause: DiscoveryCause): Promise<void> {
    if (this.running !== null) return this.running;
    if (this.#state !== 'stopped') this.#control = null;
    this.running = this.#discoverOnce(cause)
      .catch((error: unknown) => this.#onFailure(error))
      .finally(() => {
        this.running = null;
        this.#hasAttempted = true;
        this.#schedule();
      });
    return this.running;
  }

  /** Documents are compared and replaced one after the other. An operator does not wait for a site that hangs. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }

  async #discoverOnce(cause: DiscoveryCause): Promise<void> {
    const { clock, discoverSnapshot, log, stored } = this.#options;
    const { signal } = this.#abort;
    if (stored !== undefined) await this.restore();
    const next = await discoverSnapshot(signal);
    signal.throwIfAborted();
    if (next === null) log.info({}, 'discovery found no change');
    else await this.#inTurn(() => this.#offer(next, cause));
    this.lastDiscoveryError = null;
    this.#failures = 0;
    this.lastDiscoveredAt = clock.now();
    this.discoveries.succeeded += 1;
  }

  /** Serves a discovered document, or holds it back. */
  async #offer(next: Snapshot, cause: DiscoveryCause): Promise<void> {
    const { clock, log } = this.#options;
    const comparison = await compareSnapshots(this.snapshot, next, clock, this.#abort.signal);
    const reason = comparison && this.#findReason(next, comparison);
    if (!comparison && this.pinnedBy !== null)
      log.warn({}, 'no document is stored that could be pinned: the discovered one is served and pinned');
    if (!comparison || reason === null) await this.#replace(next, cause, comparison?.changes ?? null);
    else if (comparison.changes.total > 0) this.#hold(next, comparison, reason);
    // The site has what is pinned.
    else this.#setHeld(null);
  }

  #onFailure(error: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.lastDiscoveryError = error instanceof Error ? error : new Error(String(error));
    this.#failures += 1;
    this.discoveries.failed += 1;
    this.#options.log.warn(
      { err: this.lastDiscoveryError, failures: this.#failures },
      `discovery failed; ${describeServed(this.snapshot)}. ${this.lastDiscoveryError.message}`,
    );
  }

  /** @param isPinned whether an operator pins it */
  async #replace(
    next: Snapshot,
    cause: DiscoveryCause,
    changes: VersionChanges | null,
    isPinned: boolean = this.#isPinned,
  ): Promise<void> {
    const { log, onChanged, onReplaced, stored } = this.#options;
    this.#isPinned = isPinned;
    const previous = this.snapshot?.documented;
    const [version] = this.history.versions;
    this.#setHeld(null);
    this.snapshot = next;
    const isVersion = this.history.add(next, changes, cause);
    if (isVersion && previous && version) stored?.keep(this.history.count - 1, version, previous);
    const [added] = this.history.versions;
    if (isVersion && added && changes) onChanged?.({ ...added, changes, version: this.history.count });
    this.#store();
    log.info({ operations: next.operationCount }, 'document replaced');
    onReplaced?.(next);
  }

  #store(): void {
    const documented = this.snapshot?.documented ?? null;
    if (documented !== null) this.#options.stored?.store(documented, this.history, this.#isPinned);
  }

  /** Why a discovered document must wait; `null` if it need not. */
  #findReason(next: Snapshot, { hasRemovals }: SnapshotComparison): HeldDocument['reason'] | null {
    if (this.pinnedBy !== null) return 'pinned';
    if (findLosses(this.snapshot, next).isLarge) return 'large';
    return hasRemovals && this.#options.holdRemovals !== undefined ? 'removals' : null;
  }

  #hold(snapshot: Snapshot, { changes }: SnapshotComparison, reason: HeldDocument['reason']): void {
    const { clock, log, onChanged } = this.#options;
    const losses = findLosses(this.snapshot, snapshot);
    const held: HeldDocument = { snapshot, reason, losses, changes, since: clock.now(), reviewAt: null };
    this.#setHeld(held);
    const { namespaces, offered, removedCount, served } = losses;
    log.warn(
      { served, offered, removed: removedCount, namespaces, breaking: changes.breaking },
      `the discovered document is held back, because ${REASONS[reason]}: decide with \`waygate documents promote\` or \`reject\``,
    );
    onChanged?.({ version: null, cause: reason, seenAt: held.since, operations: losses.offered, changes });
    this.#scheduleReview(held);
  }

  #setHeld(held: HeldDocument | null): void {
    this.held = held;
    this.#cancelReview();
  }

  #scheduleReview(held: HeldDocument): void {
    const { clock, holdRemovals = REVIEW_INTERVAL } = this.#options;
    if (held.reason === 'pinned') return;
    held.reviewAt = clock.now() + holdRemovals;
    this.#cancelReview = clock.after(holdRemovals, () => void this.#review(held));
  }

  /** Accepts the held document if what it lacks is gone at the site, and otherwise looks again later. */
  async #review(held: HeldDocument): Promise<void> {
    const { areRoutesGone, log } = this.#options;
    let isConfirmed = false;
    try {
      if (held.losses.removedCount > 0) {
        isConfirmed = (await areRoutesGone?.(held, this.#abort.signal)) ?? false;
      } else {
        // Only the index says what an operation lacks.
        await this.rediscover();
        isConfirmed = this.lastDiscoveryError === null;
      }
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      log.warn({ err: error }, 'it is not known whether the routes that the held document lacks are gone');
    }
    // Somebody may have decided meanwhile.
    if (this.held !== held || this.#abort.signal.aborted) return;
    if (isConfirmed) {
      log.info({}, 'the routes that the held document lacks are gone: it is accepted');
      await this.accept();
    } else this.#scheduleReview(held);
  }

  #schedule(): void {
    const { clock, random, rediscoveryInterval } = this.#options;
    this.#cancelTimer();
    this.nextDiscoveryAt = null;
    if (this.#state !== 'started') return;
    const retryDelay =
      this.#failures > 0
        ? computeBackoff(this.#failures, FIRST_RETRY_DELAY, MAX_RETRY_DELAY, random())
        : Number.POSITIVE_INFINITY;
    const delay = Math.min(retryDelay, rediscoveryInterval ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(delay)) return;
    this.nextDiscoveryAt = clock.now() + delay;
    this.#cancelTimer = clock.after(delay, () => void this.#discoverFor('interval'));
  }
}

const REASONS: Readonly<Record<HeldDocument['reason'], string>> = {
  large: 'it lacks too much of the served one',
  removals: 'it lacks something that the served one has',
  pinned: 'the served one is pinned',
};

/** What the requests of a site get after a failed discovery. */
function describeServed(snapshot: Snapshot | null): string {
  if (snapshot === null) return 'requests get a 503 until it succeeds';
  return snapshot.isProvisional
    ? 'until it succeeds, all requests are forwarded, and nothing is validated or stored (`discovery: off` serves a plain origin)'
    : 'the last good document stays in use';
}
