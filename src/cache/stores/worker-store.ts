import type { Clock } from '../../ports.ts';
import {
  type Awaitable,
  type CacheStore,
  markOverlapped,
  type PurgeLabels,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
  type WritePurgeMode,
} from '../store.ts';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts';

/**
 * The stores of a gateway of several processes. Each worker stores what it has fetched itself. The primary process stores nothing, and
 * tells each purge to all workers: a purge completes when every worker has run it.
 *
 * A worker uses its memory for {@link LEASE} after it has sent a message to which the primary process has replied, and the messages
 * between two processes keep their order. So a worker that hangs delays a purge no longer than that: it uses nothing that it stores
 * until it has received a reply, and with it the purges before.
 */

/** Milliseconds for which a worker uses its memory after it has sent a message to which the primary process has replied. */
const LEASE = 3_000;
/** Milliseconds that the primary process waits past the end of a lease: timers are not exact. */
const LEASE_MARGIN = 50;

const NO_RESPONSES: readonly StoredResponse[] = [];

/** A purge, as one process tells it to another; of a write, see {@link CacheStore.invalidate}, or any other. */
export type StorePurge = { readonly selection: PurgeSelection } & (
  | { readonly isWrite: false; readonly mode: PurgeMode }
  | { readonly isWrite: true; readonly mode: WritePurgeMode }
);

/** What processes reply that have run a purge. */
export interface PurgeReply {
  /** Number of the responses. */
  readonly count: number;
  /** Whether none of them may have written to the site at the same time. */
  readonly isAlone: boolean;
}

/** Tells a purge to other processes. Resolves when none of them uses what it selects. */
type TellPurge = (purge: StorePurge) => Promise<PurgeReply>;

interface WorkerStoreOptions extends Omit<MemoryStoreOptions, 'isShared'> {
  /** Tells a purge to the other workers. */
  readonly tellOthers: TellPurge;
  /** Returns the milliseconds of a monotonic clock. */
  readonly monotonicNow: () => number;
}

/** The store of a worker. It finds nothing, and stores nothing, while purges of other processes may be unknown. */
export class WorkerStore extends MemoryStore {
  readonly #tellOthers: TellPurge;
  readonly #monotonicNow: () => number;
  #leaseEnd = Number.NEGATIVE_INFINITY;
  /** Purges of other processes that are not finished. */
  readonly #running = new Set<Promise<number>>();

  constructor(options: WorkerStoreOptions) {
    super({ ...options, isShared: true });
    this.#tellOthers = options.tellOthers;
    this.#monotonicNow = options.monotonicNow;
  }

  /** Receives a reply of the primary process. @param sentAt when the message was sent, by the monotonic clock */
  async renewLease(sentAt: number): Promise<void> {
    if (this.#running.size > 0) await Promise.all(this.#running);
    this.#leaseEnd = Math.max(this.#leaseEnd, sentAt + LEASE);
  }

  /** Runs a purge of another process. */
  runPurge({ isWrite, mode, selection }: StorePurge): Awaitable<PurgeReply> {
    const isAlone = !markOverlapped(this.openWrites, selection);
    const count = isWrite ? super.invalidate(selection, () => {}, mode) : super.purge(selection, mode);
    if (!(count instanceof Promise)) return { count, isAlone };
    this.#running.add(count);
    return count.finally(() => this.#running.delete(count)).then((known) => ({ count: known, isAlone }));
  }

  get #hasLease(): boolean {
    return this.#monotonicNow() < this.#leaseEnd;
  }

  override get(key: string): readonly StoredResponse[] {
    return this.#hasLease ? super.get(key) : NO_RESPONSES;
  }

  override put(key: string, response: StoredResponse): boolean {
    return this.#hasLease && super.put(key, response);
  }

  override isPurgedSince(key: string, response: PurgeLabels | null, time: number): boolean {
    return !this.#hasLease || super.isPurgedSince(key, response, time);
  }

  override async purge(selection: PurgeSelection, mode: PurgeMode): Promise<number> {
    const ofOthers = this.#tellOthers({ selection, mode, isWrite: false });
    return (await super.purge(selection, mode)) + (await ofOthers).count;
  }

  override async invalidate(
    selection: PurgeSelection,
    onRemoved: () => void,
    mode: WritePurgeMode = 'hard',
    isLearned?: (routeClass: string) => boolean,
  ): Promise<number> {
    const count = super.invalidate(selection, onRemoved, mode, isLearned);
    const { isAlone } = await this.#tellOthers({ selection, mode, isWrite: true });
    if (!isAlone) markOverlapped(this.openWrites, selection);
    return count;
  }
}

/** A worker, as the primary process sees it. */
export interface PurgedWorker {
  /** Sends a purge. Resolves when the worker has run it; with `undefined` when it has ended. */
  readonly runPurge: (purge: StorePurge) => Promise<PurgeReply | undefined>;
  /** When the lease of the worker has ended at the latest. */
  leaseEnd: number;
}

/** The purges of all processes, in the primary process. */
export class WorkerPurges {
  readonly #clock: Clock;
  readonly #monotonicNow: () => number;
  readonly #workers = new Set<PurgedWorker>();
  /** The store of the primary process, which stores nothing. */
  readonly store: CacheStore = {
    get: () => NO_RESPONSES,
    put: () => false,
    purge: async (selection, mode) => (await this.tell({ selection, mode, isWrite: false })).count,
    invalidate: async (selection, _, mode = 'hard') =>
      (await this.tell({ selection, mode, isWrite: true })).count,
    acquireLease: () => null,
    stats: () => ({ responseCount: 0, bytes: 0, maxBytes: 0 }),
    close: () => Promise.resolve(),
  };

  constructor(clock: Clock, monotonicNow: () => number) {
    this.#clock = clock;
    this.#monotonicNow = monotonicNow;
  }

  /** Adds a worker. Called before it can use its memory. */
  add(runPurge: PurgedWorker['runPurge']): PurgedWorker {
    const worker: PurgedWorker = { runPurge, leaseEnd: Number.NEGATIVE_INFINITY };
    this.#workers.add(worker);
    return worker;
  }

  /** Called when a worker has ended. */
  remove(worker: PurgedWorker): void {
    this.#workers.delete(worker);
  }

  /** Called when a message of a worker has arrived, before the reply to it is sent. */
  renewLease(worker: PurgedWorker): void {
    worker.leaseEnd = this.#monotonicNow() + LEASE + LEASE_MARGIN;
  }

  /** Runs a purge in all workers except the one that has run it already. See {@link TellPurge}. */
  async tell(purge: StorePurge, origin: PurgedWorker | null = null): Promise<PurgeReply> {
    const others = [...this.#workers].filter((worker) => worker !== origin);
    const replies = await Promise.all(others.map((worker) => this.#runPurge(worker, purge)));
    const count = replies.reduce((sum, reply) => sum + reply.count, 0);
    return { count, isAlone: replies.every(({ isAlone }) => isAlone) };
  }

  /**
   * Resolves when a worker has run a purge, has ended, or has no lease: it may have written then. It gets the next one after the purge
   * only.
   */
  #runPurge(worker: PurgedWorker, purge: StorePurge): Promise<PurgeReply> {
    return new Promise((resolve) => {
      let cancel = (): void => {};
      let isOver = false;
      const finish = (reply: PurgeReply = { count: 0, isAlone: false }): void => {
        isOver = true;
        cancel();
        resolve(reply);
      };
      const check = (): void => {
        const left = worker.leaseEnd - this.#monotonicNow();
        if (isOver) return;
        if (left > 0) cancel = this.#clock.after(left, check);
        else finish();
      };
      void worker.runPurge(purge).then(finish);
      check();
    });
  }
}
