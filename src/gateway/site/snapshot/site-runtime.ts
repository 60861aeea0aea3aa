import { DiscoveryError, STOPPED } from '../../../base/errors.ts';
import { computeBackoff, type Environment, endsWithin } from '../../../base/ports.ts';
import { describeReason, summarizeFailure } from '../../../generator/discovery/failures.ts';
import type { SnapshotDiscovery } from './discover-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import {
  type DocumentChanges,
  listDocumentChanges,
  MAX_REPLACEMENTS,
  type StoredDocument,
} from './stored-document.ts';

/** Milliseconds. The delay doubles, with jitter, up to the interval. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 60_000;
/** Milliseconds for a site that is read, except for `OPTIONS` of some resources. */
const MAX_REVIEW_DELAY = 60 * 60_000;
/** Milliseconds for which a site must offer documents that lack too much. */
const LOSS_TIME = 30 * 60_000;

const UNANSWERED = /^(?:loop|dns|refused|tls|certificate-.+|unreachable|not-http)$/;

export interface SiteRuntimeOptions extends Environment {
  readonly discoverSnapshot: SnapshotDiscovery | null;
  readonly onReplaced?: (snapshot: Snapshot) => void;
  readonly stored?: StoredDocument | undefined;
  readonly known: DiscoveryState;
  /** Milliseconds between discoveries; `undefined` for one at the start, then on request only. */
  readonly rediscoveryInterval: number | undefined;
}

/** Milliseconds that requests wait for the first discovery. */
const MAX_WAIT = 10_000;

/** Kept by a reload that doesn't change how the index is read. */
export interface DiscoveryState {
  readonly snapshot: Snapshot | null;
  readonly lastIndex: string;
  readonly lastDiscoveryError: Error | null;
  readonly lastDiscoveredAt: number | null;
  readonly discoveries: Readonly<Record<'succeeded' | 'failed', number>>;
  /** A document that lacks too much of the served one, since that time. */
  readonly held: { readonly snapshot: Snapshot; readonly since: number } | null;
  /** The site, and not this gateway, has answered a failed discovery. */
  readonly hasAnswered: boolean;
  /** The served document lacks response types, because the site did not answer in time. */
  readonly isIncomplete: boolean;
  /** Changes by the last replacements of the document, the latest first. */
  readonly changes: readonly DocumentChanges[];
}

export const NO_DISCOVERIES: DiscoveryState = {
  snapshot: null,
  lastIndex: '',
  lastDiscoveryError: null,
  lastDiscoveredAt: null,
  discoveries: { succeeded: 0, failed: 0 },
  held: null,
  hasAnswered: false,
  isIncomplete: false,
  changes: [],
};

export class SiteRuntime {
  /** Replaced as a whole, by this class only. */
  known: DiscoveryState;
  readonly #options: SiteRuntimeOptions;
  #failures = 0;
  /** Successive discoveries in which resources did not answer `OPTIONS`. */
  #unfinished = 0;
  #hasAttempted = false;
  #waitsUntil = Number.POSITIVE_INFINITY;
  running: Promise<void> | null = null;
  #following: Promise<void> | null = null;
  #restoring: Promise<void> | undefined;
  #cancelTimer = (): void => {};
  #state: 'idle' | 'started' | 'stopped' = 'idle';
  #abort = new AbortController();

  constructor(options: SiteRuntimeOptions) {
    this.#options = options;
    this.known = options.known;
  }

  get snapshot(): Snapshot | null {
    return this.known.snapshot;
  }

  get lastDiscoveryError(): Error | null {
    return this.known.lastDiscoveryError;
  }

  #learn(news: Partial<DiscoveryState>): void {
    this.known = { ...this.known, ...news };
  }

  get isReady(): boolean {
    const { hasAnswered, snapshot } = this.known;
    return snapshot?.isProvisional === true ? hasAnswered : snapshot !== null;
  }

  get isRead(): boolean {
    return this.#options.discoverSnapshot !== null;
  }

  get isAwaited(): boolean {
    return !this.#hasAttempted && this.#options.clock.now() < this.#waitsUntil;
  }

  async waitForFirst(): Promise<void> {
    const { clock } = this.#options;
    const limit = Math.max(0, this.#waitsUntil - clock.now());
    if (this.running !== null) await endsWithin(limit, this.running, clock);
  }

  get failureSummary(): string | null {
    return this.lastDiscoveryError === null ? null : summarizeFailure(this.lastDiscoveryError);
  }

  get incompleteSummary(): string | null {
    return this.known.isIncomplete ? describeReason('incomplete')[1] : null;
  }

  /** Serves the last good document until a discovery succeeds. Never rejects. */
  restore(): Promise<void> {
    this.#restoring ??= this.#restoreOnce();
    return this.#restoring;
  }

  start(): void {
    const now = this.#options.clock.now();
    if (this.#state !== 'idle') return;
    this.#state = 'started';
    this.#waitsUntil = now + MAX_WAIT;
    void this.#discover();
  }

  /** A running one might have read the site before a change, so another follows. Never rejects. */
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
    if (restored === null) return;
    this.#learn(restored);
    log.info({ operations: restored.snapshot.operationCount }, 'served from the stored document');
  }

  renew(snapshot: Snapshot): void {
    this.#learn({ snapshot });
  }

  #discover(): Promise<void> {
    if (this.running !== null) return this.running;
    const { discoverSnapshot } = this.#options;
    if (discoverSnapshot === null) return Promise.resolve();
    if (this.#state !== 'stopped') this.#abort = new AbortController();
    this.running = this.#discoverOnce(discoverSnapshot)
      .catch((error: unknown) => this.#onFailure(error))
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
    const { failure, index, isUnfinished, snapshot } = await discoverSnapshot(
      signal,
      this.known.lastIndex,
      this.snapshot?.documented?.document,
    );
    signal.throwIfAborted();
    this.#learn({ lastIndex: index });
    if (failure !== null) {
      await this.#offerIncomplete(snapshot);
      throw failure;
    }
    const offered = snapshot ?? this.known.held?.snapshot ?? null;
    if (offered === null) log.info({}, 'discovery found no change');
    else await this.#offer(offered);
    this.#failures = 0;
    this.#unfinished = isUnfinished ? this.#unfinished + 1 : 0;
    const { failed, succeeded } = this.known.discoveries;
    this.#learn({
      lastDiscoveryError: null,
      isIncomplete: false,
      lastDiscoveredAt: clock.now(),
      discoveries: { succeeded: succeeded + 1, failed },
    });
  }

  async #offer(next: Snapshot): Promise<void> {
    const { clock, log } = this.#options;
    const { held, snapshot: served } = this.known;
    const since = held?.since ?? clock.now();
    const isBelievable =
      served === null ||
      next.documented === null ||
      next.operationCount * 2 >= served.operationCount ||
      clock.now() - since >= LOSS_TIME;
    if (isBelievable) {
      await this.#replace(next);
      return;
    }
    this.#learn({ held: { snapshot: next, since } });
    if (held !== null) return;
    log.warn(
      { served: served.operationCount, offered: next.operationCount },
      'the discovered document lacks too many operations: the last good one is served, for 30 minutes at most if the site stays like this',
    );
  }

  async #offerIncomplete(offered: Snapshot | null): Promise<void> {
    const { isIncomplete, snapshot } = this.known;
    if (offered === null || (snapshot?.documented && !isIncomplete)) return;
    this.#learn({ isIncomplete: true });
    await this.#offer(offered);
  }

  #onFailure(error: unknown): void {
    if (this.#abort.signal.aborted) return;
    const err = error instanceof Error ? error : new Error(String(error));
    const { failed, succeeded } = this.known.discoveries;
    const hasAnswered = !(error instanceof DiscoveryError && UNANSWERED.test(error.reason));
    this.#failures += 1;
    this.#learn({
      lastDiscoveryError: err,
      hasAnswered: this.known.hasAnswered || hasAnswered,
      discoveries: { succeeded, failed: failed + 1 },
    });
    this.#options.log.warn(
      { err, failures: this.#failures },
      `discovery failed; ${describeServed(this.snapshot)}. ${err.message}`,
    );
  }

  async #replace(next: Snapshot): Promise<void> {
    const { clock, log, onReplaced, stored } = this.#options;
    const { isIncomplete, snapshot: before } = this.known;
    this.#learn({ held: null, snapshot: next });
    log.info({ operations: next.operationCount }, 'document replaced');
    onReplaced?.(next);
    const store = (): void => {
      if (next.documented !== null) stored?.store(next.documented.document, this.known.changes);
    };
    // A stop can end the comparison.
    store();
    // Types that the document lacked before aren't a change of the site.
    const served = isIncomplete ? null : before;
    try {
      const changes = await listDocumentChanges(served, next, clock, this.#abort.signal);
      if (changes === null) return;
      this.#learn({ changes: [changes, ...this.known.changes].slice(0, MAX_REPLACEMENTS) });
      store();
    } catch (err) {
      if (!this.#abort.signal.aborted) log.warn({ err }, 'the changes of the document cannot be listed');
    }
  }

  #schedule(): void {
    const { clock, random, rediscoveryInterval } = this.#options;
    this.#cancelTimer();
    if (this.#state !== 'started') return;
    const attempts = Math.max(this.#failures, this.#unfinished);
    const most = this.#failures > 0 ? MAX_RETRY_DELAY : MAX_REVIEW_DELAY;
    const retryDelay =
      attempts > 0 ? computeBackoff(attempts, FIRST_RETRY_DELAY, most, random()) : Number.POSITIVE_INFINITY;
    const { held } = this.known;
    const reviewDelay =
      held === null
        ? Number.POSITIVE_INFINITY
        : Math.max(FIRST_RETRY_DELAY, held.since + LOSS_TIME - clock.now());
    const delay = Math.min(retryDelay, reviewDelay, rediscoveryInterval ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(delay)) return;
    this.#cancelTimer = clock.after(delay, () => void this.#discover());
  }
}

function describeServed(snapshot: Snapshot | null): string {
  if (snapshot === null) return 'requests get a 503 until it succeeds';
  return snapshot.isProvisional
    ? 'until it succeeds, all requests are forwarded, and nothing is validated or stored (`discovery: off` serves a plain origin)'
    : 'the last good document stays in use';
}
