import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PurgeSelection, StoredResponse } from '../../../src/cache/store.ts';
import { ManualClock } from '../engine/support/manual-clock.ts';
import { describeStoreContract, storedResponse } from './store-contract.ts';
import { createProcesses, deliverAll, startWorkers, type Worker } from './worker-processes.ts';

describeStoreContract('the store of a worker', async (run) => {
  const [worker] = (await startWorkers(createProcesses(), 1)) as [Worker];
  const delivery = setInterval(() => void deliverAll(worker), 1);
  await run({ store: worker.store, peer: worker.store, now: Date.now, tick: () => sleep(3) });
  clearInterval(delivery);
});

const TAGGED: PurgeSelection = { kind: 'tags', tags: ['a'] };

/** Stores a response in each store, and returns the function that counts the stores which find it. */
function storeInAll(clock: ManualClock, workers: readonly Worker[]): () => number {
  clock.advance(5);
  const response = storedResponse(clock.now(), { responseTime: clock.now(), tags: ['a'] });
  for (const { store } of workers) expect(store.put('/a', response)).toBe(true);
  return () =>
    workers.filter(({ store }) => store.get('/a').some(({ isSoftPurged }) => !isSoftPurged)).length;
}

test.each(['a worker', 'the primary process'])(
  'a purge of %s completes when no worker serves what it selects, and counts all responses',
  async (origin) => {
    const clock = new ManualClock();
    const processes = createProcesses(clock);
    const workers = await startWorkers(processes, 3);
    const store = origin === 'a worker' ? workers[0]?.store : processes.purges.store;
    const countServed = storeInAll(clock, workers);
    let purged: number | undefined;
    void Promise.resolve(store?.purge(TAGGED, 'hard')).then((count) => {
      purged = count;
    });
    await deliverAll(...workers.slice(0, 2));
    expect(purged).toBeUndefined();
    await deliverAll(...workers);
    expect([purged, countServed()]).toEqual([3, 0]);
    void store?.invalidate?.(TAGGED, () => {});
    await deliverAll(...workers);
  },
);

test('a write marks the responses of all workers, which the site may confirm', async () => {
  const clock = new ManualClock();
  const workers = await startWorkers(createProcesses(clock), 2);
  storeInAll(clock, workers);
  void workers[0]?.store.invalidate(TAGGED, () => {}, 'soft');
  await deliverAll(...workers);
  for (const { store } of workers) expect(store.get('/a')).toMatchObject([{ isSoftPurged: true }]);
});

test('a write with clauses marks the responses of all workers that contain a text', async () => {
  const clock = new ManualClock();
  const workers = await startWorkers(createProcesses(clock), 2);
  const countServed = storeInAll(clock, workers);
  const invalidate = async (text: string) => {
    const clauses = [{ tags: ['a'], texts: [text] }];
    void workers[0]?.store.invalidate({ kind: 'tags', tags: [], clauses }, () => {}, 'soft');
    await deliverAll(...workers);
  };
  await invalidate('nothing');
  expect(countServed()).toBe(2);
  await invalidate('id');
  expect(countServed()).toBe(0);
});

test('a worker that hangs delays a purge until its lease ends, and uses nothing that it stores then', async () => {
  const clock = new ManualClock();
  const [worker, hung] = (await startWorkers(createProcesses(clock), 2)) as [Worker, Worker];
  storeInAll(clock, [worker, hung]);
  let isOver = false;
  void worker.store
    .invalidate(TAGGED, () => {})
    .then(() => {
      isOver = true;
    });
  await deliverAll(worker);
  clock.advance(2_990);
  await deliverAll(worker);
  expect([isOver, hung.store.get('/a').length]).toEqual([false, 1]);
  clock.advance(60);
  await deliverAll(worker);
  expect(isOver).toBe(true);
  // It handles requests before the messages that have arrived.
  const now = clock.now();
  expect(hung.store.get('/a')).toEqual([]);
  expect(hung.store.put('/b', storedResponse(now))).toBe(false);
  expect(hung.store.isPurgedSince('/a', null, now)).toBe(true);
  hung.report();
  await deliverAll(worker, hung);
  clock.advance(1);
  expect(hung.store.get('/a')).toEqual([]);
  expect(hung.store.put('/b', storedResponse(clock.now()))).toBe(true);
});

test('a purge does not wait for a worker that has ended, that starts, or that hangs since before its lease ended', async () => {
  const clock = new ManualClock();
  const processes = createProcesses(clock);
  const [worker, dead, hung] = (await startWorkers(processes, 3)) as [Worker, Worker, Worker];
  clock.advance(3_100);
  for (const each of [worker, dead]) each.report();
  await deliverAll(worker, dead);
  const starting = processes.addWorker();
  const purged = worker.store.invalidate(TAGGED, () => {});
  await deliverAll(worker);
  dead.end();
  await deliverAll(worker);
  await purged;
  // The messages are there when they begin.
  const requestTime = clock.now();
  for (const late of [starting, hung]) late.report();
  await deliverAll(worker, starting, hung);
  for (const { store } of [starting, hung]) {
    expect(store.put('/a', storedResponse(requestTime, { tags: ['a'] }))).toBe(false);
  }
});

/** A clock that goes on while code runs. */
class RunningClock extends ManualClock {
  passed = 0;
  isRunning = false;

  override now(): number {
    if (this.isRunning) this.passed += 20;
    return super.now() + this.passed;
  }
}

test('a lease is renewed when the purges that have arrived before are finished', async () => {
  const clock = new RunningClock();
  const [worker, slow] = (await startWorkers(createProcesses(clock), 2)) as [Worker, Worker];
  storeInAll(clock, [worker, slow]);
  slow.store.put('/b', storedResponse(clock.now()));
  clock.passed += 2_000;
  void worker.store.purge({ kind: 'all' }, 'soft');
  clock.isRunning = true;
  await deliverAll(worker, slow);
  clock.isRunning = false;
  // The purge has not visited the response, and pauses.
  expect(slow.store.get('/b')).toMatchObject([{ isSoftPurged: false }]);
  slow.report();
  await deliverAll(worker, slow);
  clock.passed += 1_500;
  expect(slow.store.get('/b')).toEqual([]);
  clock.advance(0);
  await deliverAll(worker, slow);
  expect(slow.store.get('/b')).toMatchObject([{ isSoftPurged: true }]);
});

/** What a client did at a worker. */
interface Read {
  readonly worker: Worker;
  readonly key: string;
  readonly startTime: number;
  readonly version: number;
}

const KEYS = ['/a', '/b'];

test('no read that begins after the end of a write gets an older version, at any worker', async () => {
  const choice = fc.nat({ max: 1_000 });
  const kind = fc.constantFrom(
    ...['read', 'read', 'read', 'join', 'respond', 'respond', 'write', 'write'],
    ...['deliver', 'deliver', 'deliver', 'deliver', 'report', 'wait', 'hang', 'kill'],
  );
  const steps = fc.array(fc.record({ kind, choice }), { minLength: 100, maxLength: 300 });
  let hits = 0;
  let writes = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const clock = new ManualClock();
      const processes = createProcesses(clock);
      const workers = await startWorkers(processes, 3);
      /** At the site, and those that the last finished write of a key has made. */
      const versions = new Map(KEYS.map((key) => [key, 0]));
      const oldest = new Map(versions);
      const hanging = new Map<Worker, number>();
      let fetches: readonly Read[] = [];
      const expectCurrent = (version: number, key: string): void =>
        expect(version).toBeGreaterThanOrEqual(oldest.get(key) ?? 0);
      const readVersion = ({ body }: StoredResponse): number => Number(new TextDecoder().decode(body));
      for (const { choice: at, kind: step } of sequence) {
        const worker = workers[at % workers.length] as Worker;
        const key = KEYS[at % KEYS.length] as string;
        const isHanging = hanging.has(worker);
        if (step === 'read' && !isHanging) {
          const [found] = worker.store.get(key);
          if (found === undefined || found.isSoftPurged) {
            fetches = [...fetches, { worker, key, startTime: clock.now(), version: versions.get(key) ?? 0 }];
          } else {
            hits += 1;
            expectCurrent(readVersion(found), key);
          }
        } else if (step === 'join' && !isHanging) {
          // A client that begins now gets the response of a fetch that has begun before.
          const fetch = fetches.find((each) => each.worker === worker && each.key === key);
          const labels = { tags: [key], group: null };
          if (fetch === undefined || worker.store.isPurgedSince(key, labels, fetch.startTime)) continue;
          expectCurrent(fetch.version, key);
        } else if (step === 'respond') {
          const fetch = fetches[at % Math.max(1, fetches.length)];
          if (fetch === undefined || hanging.has(fetch.worker)) continue;
          fetches = fetches.filter((each) => each !== fetch);
          const body = new TextEncoder().encode(String(fetch.version));
          const { startTime } = fetch;
          const response = storedResponse(startTime, { responseTime: clock.now(), tags: [fetch.key], body });
          fetch.worker.store.put(fetch.key, response);
        } else if (step === 'write' && !isHanging) {
          writes += 1;
          const version = (versions.get(key) ?? 0) + 1;
          versions.set(key, version);
          const selection = { kind: 'tags', tags: [key] } as const;
          void worker.store
            .invalidate(selection, () => {}, at % 2 === 0 ? 'soft' : 'hard')
            .then(() => {
              // The clients of a worker that has ended get no response.
              if (workers.includes(worker)) oldest.set(key, Math.max(version, oldest.get(key) ?? 0));
            });
        } else if (step === 'deliver') {
          worker.toPrimary.deliver();
          if (!isHanging) worker.toWorker.deliver();
        } else if (step === 'report' && !isHanging) worker.report();
        else if (step === 'wait') clock.advance(at % 9 === 0 ? 1_600 : at % 10);
        else if (step === 'hang') {
          if (isHanging) hanging.delete(worker);
          else hanging.set(worker, clock.now());
        } else if (step === 'kill' && at % 5 === 0) {
          worker.end();
          hanging.delete(worker);
          fetches = fetches.filter((each) => each.worker !== worker);
          // Its writes may have changed what is stored.
          void processes.purges.store.invalidate?.({ kind: 'all' }, () => {});
          workers[at % workers.length] = processes.addWorker();
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    }),
    { numRuns: 100 },
  );
  expect(Math.min(hits, writes)).toBeGreaterThan(100);
});
