import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CacheStore, PurgeSelection } from '../../../src/cache/store.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import {
  createWorkerStore,
  PrimaryStore,
  type StoreMessage,
  type StoreRequest,
} from '../../../src/cache/stores/process-store.ts';
import { systemClock } from '../../../src/ports.ts';
import { waitUntil } from '../../support/wait.ts';
import { describeStoreContract, storedResponse } from './store-contract.ts';
import { StubGateway, VersionedSite } from './stub-gateway.ts';

/** A channel between two processes: messages are copied, and arrive in their order, later. */
class Channel<Message> {
  isHeld = false;
  isClosed = false;
  readonly #queue: Message[] = [];
  readonly #receive: (message: Message) => void;

  constructor(receive: (message: Message) => void) {
    this.#receive = receive;
  }

  /** Messages so far. */
  readonly sent: Message[] = [];

  readonly send = (message: Message): void => {
    this.sent.push(message);
    this.#queue.push(structuredClone(message));
    setImmediate(() => this.deliver());
  };

  deliver(): void {
    if (this.isHeld) return;
    for (const message of this.#queue.splice(0)) if (!this.isClosed) this.#receive(message);
  }
}

/** The stores of a primary process and of workers, with a monotonic clock that a test advances. */
function createProcesses() {
  let skipped = 0;
  const monotonicNow = (): number => performance.timeOrigin + skipped;
  const options = () => ({
    memory: new MemoryStore({ clock: systemClock }),
    clock: systemClock,
    monotonicNow,
  });
  const primary = new PrimaryStore(options());
  const addWorker = () => {
    const toWorker = new Channel<StoreMessage>((message) => worker.receive(message));
    const connection = primary.connect(toWorker.send);
    const toPrimary = new Channel<StoreRequest>((message) => connection.receive(message));
    const workerOptions = options();
    const worker = createWorkerStore(workerOptions, toPrimary.send);
    return { store: worker.store, memory: workerOptions.memory, toPrimary, toWorker, connection };
  };
  const skip = (milliseconds: number): void => {
    skipped += milliseconds;
  };
  return { primary, addWorker, skip };
}

type WorkerProcess = ReturnType<ReturnType<typeof createProcesses>['addWorker']>;

/** Waits until a worker has its lease: then a hit is served without a message. */
async function waitForLease({ store }: WorkerProcess): Promise<void> {
  await waitUntil(() => !(store.get('/not-stored') instanceof Promise) || isSynchronous(store));
}

function isSynchronous(store: CacheStore): boolean {
  return !(store.get('/probe') instanceof Promise);
}

async function putProbe({ store }: WorkerProcess): Promise<void> {
  await sleep(2);
  await store.put('/probe', storedResponse(Date.now(), { responseTime: Date.now(), tags: ['probe'] }));
}

describeStoreContract('the store of a worker', async (run) => {
  const { addWorker } = createProcesses();
  const [worker, peer] = [addWorker(), addWorker()];
  await sleep(3);
  await run({ store: worker.store, peer: peer.store, now: Date.now, tick: () => sleep(3) });
  await Promise.all([worker.store.close(), peer.store.close()]);
});

const tagged = (...tags: readonly string[]): PurgeSelection => ({ kind: 'tags', tags });

describe('the stores of several processes', () => {
  test('share what one worker has stored, and serve a hit without a message', async () => {
    const { addWorker, primary } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    await putProbe(worker);
    await waitUntil(() => primary.get('/probe').length === 1);
    expect(await peer.store.get('/probe')).toHaveLength(1);
    await waitForLease(peer);
    expect(peer.store.get('/probe')).toHaveLength(1);
  });

  test('a miss costs three messages: the last two are sent together', async () => {
    const worker = createProcesses().addWorker();
    await putProbe(worker);
    await waitForLease(worker);
    const [toPrimary, toWorker] = [worker.toPrimary.sent, worker.toWorker.sent];
    await worker.store.get('/missed');
    const lease = worker.store.acquireLease('/missed', 10_000);
    await sleep(2);
    const now = Date.now();
    // The response may be used at once.
    expect(worker.store.put('/missed', storedResponse(now, { responseTime: now }))).toBe(true);
    expect(lease).not.toBeInstanceOf(Promise);
    if (!(lease instanceof Promise)) lease?.release();
    const sent = toPrimary.filter((message) => 'key' in message && message.key === '/missed');
    expect(sent.map(({ kind }) => kind)).toEqual(['get', 'put', 'release']);
    await sleep(20);
    const ids = sent.map(({ id }) => id).filter((id) => id > 0);
    const replies = toWorker.filter((message) => message.kind !== 'purge' && ids.includes(message.id));
    expect(replies.map(({ kind }) => kind)).toEqual(['found']);
  });

  test('a purge of a worker ends when no other process has the response', async () => {
    const { addWorker, primary } = createProcesses();
    const [worker, peer, third] = [addWorker(), addWorker(), addWorker()];
    await putProbe(worker);
    for (const each of [peer, third]) await each.store.get('/probe');
    await worker.store.invalidate?.(tagged('probe'), () => {});
    for (const { memory } of [worker, peer, third]) expect(memory.get('/probe')).toEqual([]);
    expect(primary.get('/probe')).toEqual([]);
  });

  test('a purge of the primary process ends when no worker has the response', async () => {
    const { addWorker, primary } = createProcesses();
    const worker = addWorker();
    await putProbe(worker);
    await primary.purge({ kind: 'all' }, 'hard');
    expect(worker.memory.get('/probe')).toEqual([]);
  });

  test('a response that another worker requested before the purge is not stored', async () => {
    const { addWorker, primary } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    const requestTime = Date.now();
    await sleep(2);
    await worker.store.invalidate?.(tagged('probe'), () => {});
    expect(await peer.store.put('/probe', storedResponse(requestTime, { tags: ['probe'] }))).toBe(false);
    expect(primary.get('/probe')).toEqual([]);
  });

  test('a worker that has not received a purge cannot store an outdated response for the others', async () => {
    const { addWorker, primary } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    const requestTime = Date.now();
    await sleep(2);
    peer.toWorker.isHeld = true;
    const purged = worker.store.invalidate?.(tagged('probe'), () => {});
    // The write has not ended until this worker has run the purge.
    void peer.store.put('/probe', storedResponse(requestTime, { tags: ['probe'] }));
    await sleep(10);
    expect(primary.get('/probe')).toEqual([]);
    peer.toWorker.isHeld = false;
    peer.toWorker.deliver();
    await purged;
    expect(await peer.store.get('/probe')).toEqual([]);
  });

  test('a lookup that was sent before a purge of the same worker finds nothing that it selects', async () => {
    const { addWorker } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    await putProbe(peer);
    const found = worker.store.get('/probe');
    const purged = worker.store.invalidate?.(tagged('probe'), () => {});
    expect(await found).toEqual([]);
    await purged;
    expect(worker.memory.get('/probe')).toEqual([]);
  });

  test('a purge waits for the acknowledgement of each worker that has a lease', async () => {
    const { addWorker } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    await putProbe(worker);
    await peer.store.get('/probe');
    peer.toPrimary.isHeld = true;
    let isOver = false;
    const purged = Promise.resolve(worker.store.invalidate?.(tagged('probe'), () => {})).then(() => {
      isOver = true;
    });
    await sleep(50);
    expect(isOver).toBe(false);
    peer.toPrimary.isHeld = false;
    peer.toPrimary.deliver();
    await purged;
  });

  test('a worker that hangs delays a purge until its lease ends, and uses nothing of its memory then', async () => {
    const { addWorker, skip } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    await putProbe(worker);
    await peer.store.get('/probe');
    await waitForLease(peer);
    peer.toWorker.isHeld = true;
    await worker.store.invalidate?.(tagged('probe'), () => {});
    // The process has hung for the time of the lease, and handles a request before the messages that have arrived.
    skip(3_000);
    expect(peer.memory.get('/probe')).toHaveLength(1);
    const found = peer.store.get('/probe');
    expect(found).toBeInstanceOf(Promise);
    peer.toWorker.isHeld = false;
    peer.toWorker.deliver();
    expect(await found).toEqual([]);
  });

  test('a purge does not wait for a worker that has ended, or that has never used its memory', async () => {
    const { addWorker } = createProcesses();
    const [worker, dead, starting] = [addWorker(), addWorker(), addWorker()];
    await putProbe(worker);
    await dead.store.get('/probe');
    dead.toPrimary.isClosed = true;
    starting.toPrimary.isClosed = true;
    const purged = worker.store.invalidate?.(tagged('probe'), () => {});
    dead.connection.close();
    starting.connection.close();
    await purged;
  });

  test('a lease of a key is granted to one worker, and again when that has ended', async () => {
    const { addWorker } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    expect(await worker.store.acquireLease('/a', 10_000)).not.toBeNull();
    expect(await peer.store.acquireLease('/a', 10_000)).toBeNull();
    worker.connection.close();
    expect(await peer.store.acquireLease('/a', 10_000)).not.toBeNull();
  });

  test('a lookup that finds nothing has the lease of the key, for all of its variants', async () => {
    const { addWorker } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    const found = worker.store.get('/a');
    const lease = Promise.resolve(found).then(() => worker.store.acquireLease('/a\nen', 10_000));
    const other = await Promise.resolve(found).then(() => peer.store.acquireLease('/a\nde', 10_000));
    expect(other).toBeNull();
    (await lease)?.release();
    await waitUntil(async () => (await peer.store.acquireLease('/a\nde', 10_000)) !== null);
  });

  test('a lookup without a fetch after it gives the lease back', async () => {
    const { addWorker } = createProcesses();
    const [worker, peer] = [addWorker(), addWorker()];
    expect(await worker.store.get('/a')).toEqual([]);
    await waitUntil(async () => (await peer.store.acquireLease('/a', 10_000)) !== null);
  });

  test('no reader gets a version older than a write whose purge has ended', async () => {
    const { addWorker } = createProcesses();
    const site = new VersionedSite();
    const gateways = [addWorker(), addWorker(), addWorker()].map(({ store }) => new StubGateway(store, site));
    const oldest = new Map<string, number>();
    const stale: string[] = [];
    let isOver = false;
    const read = async (gateway: StubGateway): Promise<void> => {
      while (!isOver) {
        for (const key of ['/a', '/b', '/c']) {
          const expected = oldest.get(key) ?? 0;
          const version = await gateway.read(key);
          if (version < expected) stale.push(`${key}: ${version} after ${expected}`);
        }
        await sleep(0);
      }
    };
    const readers = gateways.flatMap((gateway) => [read(gateway), read(gateway)]);
    for (let index = 0; index < 120; index += 1) {
      const key = ['/a', '/b', '/c'][index % 3] ?? '';
      const version = await gateways[index % gateways.length]?.write(key);
      oldest.set(key, version ?? 0);
      await sleep(index % 4);
    }
    isOver = true;
    await Promise.all(readers);
    expect(stale).toEqual([]);
    expect(site.requestCount).toBeGreaterThan(0);
  });
});

test('a response that a write purges on its way to the primary process is not reported as stored', async () => {
  const { addWorker } = createProcesses();
  const worker = addWorker();
  worker.toPrimary.isHeld = true;
  const put = worker.store.put('/a', storedResponse(Date.now(), { tags: ['a'] }));
  await sleep(2);
  const purged = worker.store.invalidate?.({ kind: 'tags', tags: ['a'] }, () => {}, 'soft');
  worker.toPrimary.isHeld = false;
  worker.toPrimary.deliver();
  expect(await put).toBe(false);
  await purged;
});
