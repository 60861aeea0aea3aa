import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { HttpCache } from '../../../src/cache/http-cache.ts';
import { SiteCaching } from '../../../src/gateway/caching/site-caching.ts';
import type { WriteObserver } from '../../../src/gateway/caching/write-decision.ts';
import { getGatewayInternals } from '../../../src/gateway/gateway.ts';
import { createGateway } from '../../../src/gateway/index.ts';
import type { Snapshot } from '../../../src/gateway/snapshot/snapshot.ts';
import { decodeWithWebStreams } from '../../../src/http/content-decoding.ts';
import type { IncomingRequestHead } from '../../../src/http/exchange.ts';
import { silentLog } from '../../../src/ports.ts';
import { SiteStates } from '../../../src/state.ts';
import { ManualClock } from '../../cache/engine/support/manual-clock.ts';
import { storedResponse } from '../../cache/stores/store-contract.ts';
import {
  createProcesses,
  deliverAll,
  startWorkers,
  type Worker,
} from '../../cache/stores/worker-processes.ts';
import { startStubSite } from '../../support/stub-site.ts';

/**
 * Edits of one post through several workers. What was there before an edit decides which stored responses it selects, and an edit
 * through another worker may change that at any time.
 */

let snapshot: Snapshot;

beforeAll(async () => {
  const site = await startStubSite();
  const gateway = createGateway({ sites: [{ url: site.url }], cache: 'memory' });
  await gateway.rediscover();
  const found = [...getGatewayInternals(gateway).context.sites.values()][0]?.runtime.snapshot;
  if (found == null) throw new Error('no document');
  snapshot = found;
  await gateway.stop();
  return () => site.close();
});

const TARGET = '/wp-json/wp/v2/posts/7';
const HEAD: IncomingRequestHead = {
  method: 'POST',
  target: `${TARGET}?excerpt=new`,
  headers: ['authorization', 'Basic YTpi'],
  peerAddress: '',
  protocol: 'http',
  httpVersion: '1.1',
};

const excerptOf = (version: number): string => `The excerpt of version ${1_000 + version}`;
const createPost = (version: number): object => ({
  id: 7,
  link: 'https://example.com/hello/',
  status: 'publish',
  title: { rendered: 'The title' },
  excerpt: { rendered: `<p>${excerptOf(version)}</p>` },
  _links: { self: [{ href: 'https://example.com/wp-json/wp/v2/posts/7' }] },
});

const REST = '/post';

/** What is stored: a page with the excerpt, one that shows the post without it, and the post itself. */
const BODIES: Readonly<Record<string, (version: number) => string>> = {
  '/excerpt/': (version) => `<p class="post-7">${excerptOf(version)}</p><i>${version}</i>`,
  '/title/': (version) => `<p class="post-7">The title</p><i>${version}</i>`,
  [REST]: (version) => JSON.stringify(createPost(version)),
};
const KEYS = Object.keys(BODIES);

interface Edit {
  readonly process: Process;
  readonly observer: WriteObserver;
  /** That the site has made of it; `null` until then. */
  version: number | null;
}

interface Read {
  readonly process: Process;
  readonly key: string;
  readonly startTime: number;
  /** That the site sends; `null` until then. */
  version: number | null;
}

interface Process {
  readonly worker: Worker;
  readonly caching: SiteCaching;
}

/** A site with one post, and workers in front of it. */
class SharedSite {
  readonly clock = new ManualClock();
  processes: Process[] = [];
  edits: Edit[] = [];
  reads: Read[] = [];
  version = 0;
  /** The last version whose edit has been responded to. */
  completed = 0;

  async start(count: number): Promise<this> {
    const workers = await startWorkers(createProcesses(this.clock), count);
    const { clock } = this;
    this.processes = workers.map((worker) => {
      const cache = new HttpCache({ store: worker.store, clock });
      const states = new SiteStates(undefined, undefined, snapshot.origin, clock, silentLog);
      const environment = { clock, log: silentLog, random: () => 0.5, states };
      const readRoute = () => Promise.resolve(undefined);
      const caching = new SiteCaching(
        ...([cache, { pages: 60 }, false, true, decodeWithWebStreams, environment, readRoute] as const),
      );
      return { worker, caching };
    });
    return this;
  }

  begin(process: Process, parameters = ''): Edit {
    const head = { ...HEAD, target: HEAD.target + parameters };
    const resolved = snapshot.resolveRequest(head);
    if (resolved.kind === 'own') throw new Error('not forwarded');
    const observer = process.caching.observeWrite(snapshot, resolved, head, '');
    observer.createBodyValidator(false, undefined);
    const edit = { process, observer, version: null };
    this.edits.push(edit);
    return edit;
  }

  apply(edit: Edit): void {
    this.version += 1;
    edit.version = this.version;
  }

  end(edit: Edit): void {
    this.edits = this.edits.filter((other) => other !== edit);
    const { observer, version } = edit;
    if (version === null) {
      observer.cancel();
      return;
    }
    observer.head({ status: 200, reason: 'OK', headers: ['Content-Type', 'application/json'] });
    observer.write(new TextEncoder().encode(JSON.stringify(createPost(version))));
    void Promise.resolve(observer.end()).then(() => {
      this.completed = Math.max(this.completed, version);
    });
  }

  request(process: Process, key: string): Read {
    const read = { process, key, startTime: this.clock.now(), version: null };
    this.reads.push(read);
    return read;
  }

  respond(read: Read): void {
    this.reads = this.reads.filter((other) => other !== read);
    const { key, process, startTime, version } = read;
    const scope = process.caching.getStoreScope(snapshot);
    const tags = [`${scope} ${key === REST ? '/wp/v2/posts/7' : '@post:7'}`];
    const body = new TextEncoder().encode(BODIES[key]?.(version ?? this.version));
    if (key === REST) process.caching.writes.itemStates.addStored(key, tags);
    process.worker.store.put(key, storedResponse(startTime, { responseTime: this.clock.now(), tags, body }));
  }

  /** Returns the version of a response that is used without asking the site; `null` if there is none. */
  read(process: Process, key: string): number | null {
    const [found] = process.worker.store.get(key);
    if (found === undefined || found.isSoftPurged) return null;
    return Number(/\d+(?!.*\d)/.exec(new TextDecoder().decode(found.body))?.[0]) % 1_000;
  }

  deliverAll(): Promise<void> {
    return deliverAll(...this.processes.map(({ worker }) => worker));
  }

  /** Stores everything at all workers. */
  fill(): void {
    this.clock.advance(5);
    for (const process of this.processes)
      for (const key of KEYS) if (this.read(process, key) === null) this.respond(this.request(process, key));
    this.clock.advance(5);
  }

  async edit(process: Process): Promise<void> {
    const edit = this.begin(process);
    this.apply(edit);
    this.clock.advance(5);
    this.end(edit);
    await this.deliverAll();
  }

  listUsed(): readonly string[] {
    return this.processes.map((process) => KEYS.filter((key) => this.read(process, key) !== null).join(' '));
  }
}

test('an edit keeps what shows the post and not its excerpt, at all workers', async () => {
  const site = await new SharedSite().start(2);
  for (const process of [...site.processes, ...site.processes]) {
    site.fill();
    await site.edit(process);
    expect(site.listUsed()).toEqual(['/title/', '/title/']);
  }
});

test.each(['before the other ends', 'after the other has ended'])(
  'edits through two workers at the same time keep nothing that shows the post: the one ends %s',
  async (order) => {
    const site = await new SharedSite().start(2);
    const [one, other] = site.processes as [Process, Process];
    site.fill();
    const edits = [site.begin(one), site.begin(other)] as const;
    site.clock.advance(5);
    for (const edit of edits) site.apply(edit);
    for (const edit of edits) {
      site.end(edit);
      if (order.startsWith('before')) continue;
      await site.deliverAll();
      expect(site.listUsed()).toEqual(['', '']);
    }
    await site.deliverAll();
    expect(site.completed).toBe(2);
    expect(site.listUsed()).toEqual(['', '']);
  },
);

test.each([
  ['is not written, if no other worker writes', false],
  ['counts as written, if another worker writes, which may have changed it', true],
])('a status that an edit sends back as it was %s', async (_, isOverlapped) => {
  const site = await new SharedSite().start(2);
  const [one, other] = site.processes as [Process, Process];
  site.fill();
  const scope = one.caching.getStoreScope(snapshot);
  one.worker.store.put('/list', storedResponse(site.clock.now(), { tags: [`${scope} /wp/v2`] }));
  site.clock.advance(5);
  const edit = site.begin(one, '&status=publish');
  if (isOverlapped) site.apply(site.begin(other));
  site.apply(edit);
  site.clock.advance(5);
  site.end(edit);
  await site.deliverAll();
  expect(one.worker.store.get('/list').filter(({ isSoftPurged }) => !isSoftPurged)).toHaveLength(
    isOverlapped ? 0 : 1,
  );
});

test('an edit through a worker that hangs is not known to the next one of another, which keeps nothing that shows the post', async () => {
  const site = await new SharedSite().start(2);
  const [one, other] = site.processes as [Process, Process];
  site.fill();
  site.apply(site.begin(other));
  site.respond(site.request(one, '/excerpt/'));
  const edit = site.begin(one);
  site.clock.advance(5);
  site.apply(edit);
  site.end(edit);
  for (let at = 0; at < 6; at += 1) {
    one.worker.report();
    await deliverAll(one.worker);
    site.clock.advance(1_000);
  }
  expect([site.completed, site.read(one, '/excerpt/')]).toEqual([2, null]);
});

/** What happens between two steps of edits. */
const between = fc.record({
  /** Queues of messages, by which the next one is delivered. */
  deliveries: fc.array(fc.nat({ max: 5 }), { maxLength: 6 }),
  /** Pages and workers that get a response from the site; those that ask for one, which they get after the next step. */
  reads: fc.array(fc.nat({ max: 8 }), { maxLength: 3 }),
  slowReads: fc.array(fc.nat({ max: 8 }), { maxLength: 1 }),
  isSettled: fc.nat({ max: 2 }).map((at) => at === 0),
  delay: fc.constantFrom(0, 0, 0, 1, 1, 2, 2, 5, 5, 5, 5, 5, 1_700),
  isReported: fc.boolean(),
});

test('no read after an edit gets what was before it, at any worker and in any order of what happens', async () => {
  const edits = fc.array(fc.nat({ max: 2 }), { minLength: 4, maxLength: 4 });
  // Each overlaps the one before, or does not.
  const times = fc.array(fc.nat({ max: 9 }), { minLength: 12, maxLength: 12 });
  const gaps = fc.array(between, { minLength: 12, maxLength: 12 });
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(edits, times, gaps, async (workerOf, timeOf, moments) => {
      const timed = timeOf.map((time, at) => ({
        edited: Math.floor(at / 3),
        time: time + 6 * Math.floor(at / 3),
      }));
      const steps = timed.sort((one, other) => one.time - other.time);
      const site = await new SharedSite().start(3);
      const processAt = (at: number): Process => site.processes[at % 3] as Process;
      const queues = site.processes.flatMap(({ worker }) => [worker.toPrimary, worker.toWorker]);
      const begun = new Map<number, Edit>();
      const check = (): void => {
        for (const process of site.processes) {
          expect(site.read(process, '/excerpt/') ?? Infinity).toBeGreaterThanOrEqual(site.completed);
          if ((site.read(process, '/title/') ?? Infinity) < site.completed) kept += 1;
        }
      };
      const request = (at: number): readonly Read[] => {
        const key = KEYS[Math.floor(at / 3)] as string;
        return site.read(processAt(at), key) === null ? [site.request(processAt(at), key)] : [];
      };
      site.fill();
      for (const [at, { edited }] of steps.entries()) {
        const edit = begun.get(edited);
        if (edit === undefined) begun.set(edited, site.begin(processAt(workerOf[edited] ?? 0)));
        else if (edit.version === null) site.apply(edit);
        else site.end(edit);
        for (const read of site.reads) site.respond(read);
        const { delay, deliveries, isReported, isSettled, reads, slowReads } = moments[
          at
        ] as (typeof moments)[0];
        for (const read of reads.flatMap(request)) site.respond(read);
        for (const read of slowReads.flatMap(request)) read.version = site.version;
        if (isReported) for (const { worker } of site.processes) worker.report();
        for (const queue of deliveries) {
          queues[queue]?.deliver();
          await new Promise((resolve) => setImmediate(resolve));
          check();
        }
        if (isSettled) await site.deliverAll();
        site.clock.advance(delay);
      }
      await site.deliverAll();
      check();
    }),
    { numRuns: 60 },
  );
  expect(kept).toBeGreaterThan(30);
});
