import type { Clock } from '../../ports.ts';
import { createStoredResponse } from '../policy/storability.ts';
import type {
  Awaitable,
  CacheStore,
  Lease,
  PurgeLabels,
  PurgeMode,
  PurgeSelection,
  SharedStoreState,
  StoredResponse,
  StoreInspector,
  StoreStats,
} from '../store.ts';
import type { MemoryStore } from './memory-store.ts';
import { createTieredStore, type SharedTier } from './tiered-store.ts';

/**
 * The store of a gateway of several processes. The primary process holds every response, and each worker the responses that it
 * has used, so that a hit stays within the worker.
 *
 * Messages between two processes keep their order. The primary process numbers the purges and sends each to all workers, and a
 * purge completes when every worker has acknowledged it. A worker uses its memory for {@link LEASE} after the primary process
 * has replied to it, so a worker that hangs delays a write no longer than that: it uses nothing that it stores until it has
 * received a reply, and with it the purges before.
 */

/** Milliseconds for which a worker uses its memory after it has sent a message to which the primary process has replied. */
const LEASE = 3_000;
/** Milliseconds between two renewals of the lease. */
const RENEWAL_INTERVAL = 500;
/** Milliseconds that the primary process waits past the end of a lease: timers are not exact. */
const LEASE_MARGIN = 50;
const MIB = 1024 * 1024;
/** Maximum length of a body that is shared, in bytes. A larger one stays in the memory of its worker. */
const MAX_SHARED_BYTES = 2 * MIB;
/** Maximum bytes of responses on their way to the primary process. Beyond that, a response is not shared. */
const MAX_BYTES_IN_FLIGHT = 32 * MIB;
/** Bytes of a response besides its body. */
const RESPONSE_OVERHEAD = 1024;
/** Attempts to read a key while this worker purges. */
const MAX_READ_ATTEMPTS = 3;
/** Leases of keys beyond which the expired ones are removed. */
const MAX_LEASES = 10_000;

/** Milliseconds of a lease that a lookup acquires. */
const FETCH_LEASE = 10_000;
/** Maximum parts of the name of a lease. */
const MAX_LEASE_NAMES = 8;

/**
 * Lists the leases that stand for a name: a fetch of one variant is named by its cache key, a line feed and the variant
 * (`createCollapseKey`), and the lease of the cache key stands for all of its variants.
 */
function listLeaseNames(name: string): readonly string[] {
  const names = [name];
  for (let end = name.lastIndexOf('\n'); end > 0 && names.length < MAX_LEASE_NAMES; ) {
    names.push(name.slice(0, end));
    end = name.lastIndexOf('\n', end - 1);
  }
  return names;
}

/** What a worker sends to the primary process. */
export type StoreRequest = { readonly id: number } & StoreOperation;

type StoreOperation =
  /** Renews the lease. */
  | { readonly kind: 'renew' }
  /** Looks up a key, and acquires its lease if nothing is stored, so that a miss needs no further message before its fetch. */
  | { readonly kind: 'get'; readonly key: string; readonly milliseconds: number }
  /** Stores a response. Has no reply. */
  | { readonly kind: 'put'; readonly key: string; readonly response: StoredResponse }
  | { readonly kind: 'purge'; readonly selection: PurgeSelection; readonly mode: PurgeMode }
  | { readonly kind: 'lease'; readonly key: string; readonly milliseconds: number }
  /** `lease`: the id of the request that acquired it. */
  | { readonly kind: 'release'; readonly key: string; readonly lease: number }
  /** Acknowledges a purge. */
  | { readonly kind: 'purged'; readonly number: number };

/** What the primary process sends to a worker. */
export type StoreMessage =
  /** `id`: of the request. `isDone`: whether the lease was acquired. */
  | { readonly kind: 'reply'; readonly id: number; readonly isDone: boolean }
  | {
      readonly kind: 'found';
      readonly id: number;
      readonly responses: readonly StoredResponse[];
      readonly isLeased: boolean;
    }
  | {
      readonly kind: 'purge';
      readonly number: number;
      readonly selection: PurgeSelection;
      readonly mode: PurgeMode;
    };

/** Copies the members that a store needs, and nothing of the store that returned the response. */
function toMessage(response: StoredResponse): StoredResponse {
  return createStoredResponse(response, response.headers, response.body, response);
}

export interface ProcessStoreOptions {
  readonly memory: MemoryStore;
  readonly clock: Clock;
  /** Returns the milliseconds of a monotonic clock. */
  readonly monotonicNow: () => number;
}

/** The store of a worker, and the receiver of the messages of the primary process. */
export interface WorkerStore {
  readonly store: CacheStore;
  receive(message: StoreMessage): void;
}

/**
 * Creates the store of a worker.
 *
 * @param send sends a message to the primary process. Messages arrive in the order in which they are sent.
 */
export function createWorkerStore(
  options: ProcessStoreOptions,
  send: (message: StoreRequest) => void,
): WorkerStore {
  const { clock, memory } = options;
  const tier = new WorkerTier(options, send);
  tier.renewLease();
  return { store: createTieredStore(memory, tier, clock), receive: (message) => tier.receive(message) };
}

type StoreReply = Exclude<StoreMessage, { kind: 'purge' }>;

/** The shared tier as a worker sees it: the store of the primary process. */
class WorkerTier implements SharedTier {
  readonly state: SharedStoreState = 'connected';
  isReadable = true;
  readonly #options: ProcessStoreOptions;
  readonly #send: (message: StoreRequest) => void;
  /** By the id of the request. Called while the reply is received, before the messages after it. */
  readonly #waiting = new Map<number, (reply: StoreReply) => void>();
  /** The leases that lookups have acquired and no fetch has taken: ids of the lookups by key. */
  readonly #offered = new Map<string, number>();
  #lastId = 0;
  #purgeCount = 0;
  /** Responses that the primary process may not have received: ids and sizes, in their order. */
  readonly #putsInFlight: (readonly [id: number, size: number])[] = [];
  #bytesInFlight = 0;
  /** When the last request was sent to which the primary process has replied. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #cancelRenewal = (): void => {};

  constructor(options: ProcessStoreOptions, send: (message: StoreRequest) => void) {
    this.#options = options;
    this.#send = send;
  }

  get mayUseMemory(): boolean {
    return this.#options.monotonicNow() - this.#confirmedAt < LEASE;
  }

  receive(message: StoreMessage): void {
    if (message.kind === 'purge') {
      this.#options.memory.applySharedPurge(message.selection, message.mode);
      this.#send({ id: 0, kind: 'purged', number: message.number });
      return;
    }
    const onReply = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    onReply?.(message);
  }

  renewLease(): void {
    const { clock } = this.#options;
    this.#request({ kind: 'renew' }, () => {
      this.#cancelRenewal = clock.after(RENEWAL_INTERVAL, () => this.renewLease());
    });
  }

  get(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void> {
    return new Promise((resolve) => {
      const read = (attempt: number): void => {
        const purgeCount = this.#purgeCount;
        const id = this.#request({ kind: 'get', key, milliseconds: FETCH_LEASE }, (reply) => {
          if (reply.kind === 'found' && reply.isLeased) this.#offerLease(key, id);
          const isCurrent = purgeCount === this.#purgeCount;
          // A purge of this worker that was sent after the request may select what was found.
          if (!isCurrent && attempt < MAX_READ_ATTEMPTS) return read(attempt + 1);
          if (isCurrent && reply.kind === 'found') receive(reply.responses);
          resolve();
        });
      };
      read(1);
    });
  }

  put(key: string, response: StoredResponse): undefined | Promise<void> {
    const { byteLength } = response.body;
    const size = byteLength + RESPONSE_OVERHEAD;
    if (byteLength <= MAX_SHARED_BYTES && this.#bytesInFlight + size <= MAX_BYTES_IN_FLIGHT) {
      this.#lastId += 1;
      this.#putsInFlight.push([this.#lastId, size]);
      this.#bytesInFlight += size;
      this.#send({ id: this.#lastId, kind: 'put', key, response: toMessage(response) });
    }
    if (this.mayUseMemory) return undefined;
    // The purges that this worker may have missed arrive before the reply.
    return new Promise((resolve) => {
      this.#request({ kind: 'renew' }, () => resolve());
    });
  }

  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    this.#purgeCount += 1;
    return new Promise((resolve) => {
      this.#request({ kind: 'purge', selection, mode }, () => resolve());
    });
  }

  acquireLease(key: string, milliseconds: number): Awaitable<Lease | null> {
    for (const name of listLeaseNames(key)) {
      const id = this.#offered.get(name);
      if (id === undefined) continue;
      this.#offered.delete(name);
      return { release: () => this.#send({ id: 0, kind: 'release', key: name, lease: id }) };
    }
    return new Promise((resolve) => {
      const lease = this.#request({ kind: 'lease', key, milliseconds }, (reply) => {
        const release = (): void => this.#send({ id: 0, kind: 'release', key, lease });
        resolve(reply.kind === 'reply' && reply.isDone ? { release } : null);
      });
    });
  }

  close(): Promise<void> {
    this.#cancelRenewal();
    this.isReadable = false;
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    return Promise.resolve();
  }

  /** Keeps the lease that a lookup has acquired, for the fetch that follows in the same turn of the event loop. */
  #offerLease(key: string, id: number): void {
    this.#offered.set(key, id);
    this.#options.clock.after(0, () => {
      if (this.#offered.get(key) !== id) return;
      this.#offered.delete(key);
      this.#send({ id: 0, kind: 'release', key, lease: id });
    });
  }

  /** A reply shows that everything that was sent before its request has arrived. */
  #confirmPuts(requestId: number): void {
    const puts = this.#putsInFlight;
    let arrived = 0;
    for (const [id, size] of puts) {
      if (id > requestId) break;
      arrived += 1;
      this.#bytesInFlight -= size;
    }
    puts.splice(0, arrived);
  }

  /** @returns the id of the request */
  #request(operation: StoreOperation, onReply: (reply: StoreReply) => void): number {
    this.#lastId += 1;
    const id = this.#lastId;
    const sentAt = this.#options.monotonicNow();
    this.#waiting.set(id, (reply) => {
      this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
      this.#confirmPuts(id);
      onReply(reply);
    });
    this.#send({ ...operation, id });
    return id;
  }
}

/** A worker, as the store of the primary process sees it. */
export interface StoreConnection {
  receive(request: StoreRequest): void;
  /** The process of the worker has ended. */
  close(): void;
}

interface KeyLease {
  readonly holder: Worker;
  readonly id: number;
  readonly expiresAt: number;
}

/** The store of the primary process, which all workers share. */
export class PrimaryStore implements CacheStore {
  readonly inspector: StoreInspector;
  readonly #options: ProcessStoreOptions;
  readonly #workers = new Set<Worker>();
  readonly #leases = new Map<string, KeyLease>();
  #purgeNumber = 0;

  constructor(options: ProcessStoreOptions) {
    this.#options = options;
    this.inspector = options.memory.inspector;
  }

  /** Adds a worker. Called before it can send anything. */
  connect(send: (message: StoreMessage) => void): StoreConnection {
    const worker = new Worker(send, this.#options);
    this.#workers.add(worker);
    return {
      receive: (request) => this.#receive(worker, request),
      close: () => {
        this.#workers.delete(worker);
        worker.close();
        for (const [key, { holder }] of this.#leases) if (holder === worker) this.#leases.delete(key);
      },
    };
  }

  get(key: string): readonly StoredResponse[] {
    return this.#options.memory.get(key);
  }

  put(key: string, response: StoredResponse): boolean {
    return this.#options.memory.put(key, response);
  }

  async purge(selection: PurgeSelection, mode: PurgeMode): Promise<number> {
    const count = this.#options.memory.purge(selection, mode);
    await this.#announce(selection, mode);
    return count;
  }

  async invalidate(selection: PurgeSelection, onRemoved: () => void, ofTags?: PurgeMode): Promise<number> {
    const count = this.#options.memory.invalidate(selection, onRemoved, ofTags);
    await this.#announce(selection, 'hard');
    return count;
  }

  isPurgedSince(key: string, response: PurgeLabels | null, time: number): boolean {
    return this.#options.memory.isPurgedSince(key, response, time);
  }

  acquireLease(): Awaitable<Lease | null> {
    return this.#options.memory.acquireLease();
  }

  countGroup(name: string | null): number {
    return this.#options.memory.countGroup(name);
  }

  stats(): StoreStats {
    return this.#options.memory.stats();
  }

  close(): Promise<void> {
    return this.#options.memory.close();
  }

  #receive(worker: Worker, request: StoreRequest): void {
    const { memory } = this.#options;
    const { id } = request;
    const reply = (isDone: boolean): void => worker.reply({ kind: 'reply', id, isDone });
    switch (request.kind) {
      case 'renew':
        reply(true);
        return;
      case 'get': {
        const responses = memory.get(request.key).map(toMessage);
        const isLeased = responses.length === 0 && this.#grantLease(worker, request);
        worker.reply({ kind: 'found', id, responses, isLeased });
        return;
      }
      case 'put':
        memory.put(request.key, request.response);
        return;
      case 'purge':
        memory.applySharedPurge(request.selection, request.mode);
        void this.#announce(request.selection, request.mode, worker).then(() => reply(true));
        return;
      case 'lease':
        reply(this.#grantLease(worker, request));
        return;
      case 'release':
        if (this.#leases.get(request.key)?.id === request.lease) this.#leases.delete(request.key);
        return;
      case 'purged':
        worker.acknowledge(request.number);
        return;
    }
  }

  /** Resolves when no worker except `origin`, which has run the purge already, uses a response that the purge selects. */
  async #announce(selection: PurgeSelection, mode: PurgeMode, origin?: Worker): Promise<void> {
    this.#purgeNumber += 1;
    const message = { kind: 'purge', number: this.#purgeNumber, selection, mode } as const;
    const others = [...this.#workers].filter((worker) => worker !== origin);
    await Promise.all(others.map((worker) => worker.purge(message)));
  }

  #grantLease(
    holder: Worker,
    { id, key, milliseconds }: Extract<StoreRequest, { kind: 'get' | 'lease' }>,
  ): boolean {
    const now = this.#options.monotonicNow();
    // A worker collapses its own fetches by itself.
    const isHeld = (name: string): boolean => {
      const current = this.#leases.get(name);
      return current !== undefined && current.holder !== holder && now < current.expiresAt;
    };
    if (listLeaseNames(key).some(isHeld)) return false;
    if (this.#leases.size >= MAX_LEASES) {
      for (const [other, { expiresAt }] of this.#leases) if (now >= expiresAt) this.#leases.delete(other);
    }
    this.#leases.set(key, { holder, id, expiresAt: now + milliseconds });
    return true;
  }
}

/** A worker: what was sent to it, and how long it may use its memory. */
class Worker {
  readonly #send: (message: StoreMessage) => void;
  readonly #options: ProcessStoreOptions;
  /** By the number of the purge. */
  readonly #unacknowledged = new Map<number, () => void>();
  /** When the lease ends that the last reply has granted at most. */
  #leaseEnd = Number.NEGATIVE_INFINITY;

  constructor(send: (message: StoreMessage) => void, options: ProcessStoreOptions) {
    this.#send = send;
    this.#options = options;
  }

  /** Each reply renews the lease, which began when the request was sent. */
  reply(message: StoreReply): void {
    this.#leaseEnd = this.#options.monotonicNow() + LEASE;
    this.#send(message);
  }

  /** Sends a purge. Resolves when the worker has run it, has ended, or uses its memory no longer. */
  purge(message: Extract<StoreMessage, { kind: 'purge' }>): Promise<void> {
    const { clock, monotonicNow } = this.#options;
    // Replies that are sent later arrive after the purge.
    const wait = this.#leaseEnd - monotonicNow();
    this.#send(message);
    if (wait <= -LEASE_MARGIN) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        this.#unacknowledged.delete(message.number);
        resolve();
      };
      const cancel = clock.after(wait + LEASE_MARGIN, finish);
      this.#unacknowledged.set(message.number, finish);
    });
  }

  acknowledge(number: number): void {
    this.#unacknowledged.get(number)?.();
  }

  close(): void {
    for (const finish of this.#unacknowledged.values()) finish();
  }
}
