import { describe, expect, test } from 'vitest';
import type {
  IdentityResponse,
  PutResult,
  StoredResponse,
  StoreMark,
} from '../../../../src/gateway/cache/store.ts';
import { MemoryStore, type MemoryStoreOptions } from '../../../../src/gateway/cache/stores/memory-store.ts';
import { collectGarbage } from '../../../support/garbage.ts';
import { giveTurns } from '../../../support/wait.ts';
import { describeStoreContract, storedResponse } from './store-contract.ts';

const KIB = 1024;

/** Creates a store whose clock a test sets. */
function setUp(options: Omit<MemoryStoreOptions, 'clock'> = {}) {
  const clock = {
    time: 1_000_000,
    now: () => clock.time,
    after: () => () => {},
    advance(milliseconds: number): void {
      clock.time += milliseconds;
    },
  };
  const store = new MemoryStore({ ...options, clock });
  const put = (key: string, facts: Parameters<typeof storedResponse>[1] = {}): PutResult =>
    store.put(key, storedResponse(clock.time, facts), mark());
  const mark = (): StoreMark => store.get('').mark ?? 0;
  const hit = (key: string): void => {
    for (const { usage } of store.get(key).responses) if (usage !== undefined) usage.hits += 1;
  };
  return { clock, hit, mark, put, store };
}

type Facts = Parameters<typeof storedResponse>[1] & { readonly key?: string };

let count = 0;
/** A text that no other shares its memory with. */
function unique(length: number): string {
  count += 1;
  return Buffer.from(`${count}`.padEnd(length, 'a'), 'latin1').toString('latin1');
}

async function measureMemory(): Promise<number> {
  // The second time without buffers, which are freed later.
  for (const _ of [1, 2]) {
    collectGarbage();
    await giveTurns(20);
  }
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

function createIdentity({ body, headers }: StoredResponse): IdentityResponse {
  const text = Buffer.from(headers.join('\r\n'), 'latin1').toString('latin1');
  return { headers: [...headers], body, text, sourceHeaders: headers, isCompressible: true, attempted: [] };
}

const tagged = (...tags: readonly string[]) => ({ kind: 'tags', tags }) as const;

const withStore: Parameters<typeof describeStoreContract>[1] = async (run) => {
  const { clock, store } = setUp();
  await run({ store, peer: store, now: clock.now, tick: async () => clock.advance(1) });
  await store.close();
};
describeStoreContract('the memory store', withStore);

test('a response replaces one that was requested before the clock was set back', () => {
  const { clock, put, store } = setUp();
  expect(put('/a')).toBe('stored');
  clock.time -= 60_000;
  expect(put('/a', { status: 404 })).toBe('stored');
  expect(store.get('/a').responses).toMatchObject([{ status: 404 }]);
});

describe('a purge', () => {
  test('is one of everything once its name is forgotten', () => {
    for (const [count, length] of [
      [30_000, 1],
      [200, 100_000],
    ] as const) {
      const { clock, mark, put, store } = setUp();
      const before = mark();
      put('/a', { tags: ['other'] });
      for (let index = 0; index < count; index += 1)
        store.purge(tagged(`${index}`.padEnd(length, 'a')), 'hard');
      expect(store.put('/b', storedResponse(clock.time, { tags: ['other'] }), before)).toBe('outdated');
      expect(store.get('/a').responses).toEqual([]);
      expect(put('/b', { tags: ['other'] })).toBe('stored');
    }
  });

  test('comes after the one before it when the clock is set back', () => {
    const { clock, mark, put, store } = setUp();
    store.purge(tagged('pages'), 'hard');
    clock.time -= 500;
    const before = mark();
    store.purge(tagged('posts'), 'hard');
    expect(store.put('/a', storedResponse(clock.time, { tags: ['posts'] }), before)).toBe('outdated');
    expect(put('/b', { tags: ['other'] })).toBe('stored');
  });
});

describe('the size of the memory store', () => {
  test('is bounded in bytes: the oldest responses without a hit are evicted', () => {
    const { hit, put, store } = setUp({ maxBytes: 160 * KIB });
    for (let index = 0; index < 8; index += 1) put(`/${index}`, { body: new Uint8Array(10 * KIB) });
    hit('/0');
    for (let index = 8; index < 14; index += 1) put(`/${index}`, { body: new Uint8Array(10 * KIB) });
    expect(store.report().bytes).toBeLessThanOrEqual(160 * KIB);
    expect(['/0', '/1', '/13'].map((key) => store.get(key).responses.length)).toEqual([1, 0, 1]);
    const { evictions, responseCount } = store.report();
    expect(evictions).toBe(14 - responseCount);
  });

  test('is not for scans and large files, however many (scylladb/scylladb#3643, varnishcache/varnish-cache#2480)', () => {
    const { hit, put, store } = setUp({ maxBytes: 16 * KIB * KIB });
    const keys = Array.from({ length: 100 }, (_, index) => `/${index}`);
    for (const key of keys) put(key, { body: new Uint8Array(100 * KIB) });
    for (const key of keys) for (const _ of [1, 2, 3]) hit(key);
    for (let index = 0; index < 3_000; index += 1) put(`/no/${index}`, { body: new Uint8Array(50 * KIB) });
    for (let index = 0; index < 20; index += 1) {
      put(`/large/${index}`, { body: new Uint8Array(7 * KIB * KIB) });
      hit(`/large/${index}`);
    }
    expect(keys.filter((key) => store.get(key).responses.length === 0)).toEqual([]);
  });

  test('leaves places to what is in use now: hits are halved each hour', () => {
    const { clock, hit, put, store } = setUp({ maxBytes: 160 * KIB });
    const keys = Array.from({ length: 10 }, (_, index) => `/${index}`);
    for (const key of keys) put(key, { body: new Uint8Array(10 * KIB) });
    for (const key of keys) for (let time = 0; time < 300; time += 1) hit(key);
    clock.advance(9 * 3_600_000);
    for (const key of keys) put(`${key}/new`, { body: new Uint8Array(10 * KIB) });
    expect(keys.filter((key) => store.get(key).responses.length > 0).length).toBeLessThan(3);
  });

  test.each<readonly [string, (index: number) => Facts]>([
    [
      'many fields',
      () => ({
        headers: Array(120)
          .fill('')
          .map(() => unique(60)),
      }),
    ],
    [
      'many tags',
      () => ({
        tags: Array(1_000)
          .fill('')
          .map(() => unique(60)),
      }),
    ],
    ['many variants', (index) => ({ key: `${index >> 6}`, variantKey: unique(2_000), vary: ['accept'] })],
    ['bodies', () => ({ body: new Uint8Array(20 * KIB) })],
    ['nothing else', () => ({ body: new Uint8Array(0) })],
  ])('is at least the memory of its responses: %s', async (_, createFacts) => {
    const { clock, store } = setUp({ maxBytes: 16 * KIB * KIB });
    const before = await measureMemory();
    for (let index = 0; store.report().evictions === 0; index += 1) {
      const { key = `${index}`, ...facts } = createFacts(index);
      store.put(key, storedResponse(clock.time, facts), 0);
      const [stored] = store.get(key).responses;
      // As a hit does.
      if (stored !== undefined) stored.identity = createIdentity(stored);
    }
    expect((await measureMemory()) - before).toBeLessThan(store.report().maxBytes);
    expect(store.report().responseCount).toBeGreaterThan(0);
  });

  test('includes keys, tags and compressed forms', () => {
    const { put, store } = setUp();
    const weigh = (change: () => void): number => {
      const before = store.report().bytes;
      change();
      return store.report().bytes - before;
    };
    const plain = weigh(() => put('/a'));
    expect(weigh(() => put(`/${'b'.repeat(1000)}`)) - plain).toBe(999);
    expect(weigh(() => put('/c', { tags: ['x'.repeat(500)] })) - plain).toBeGreaterThan(500);
    expect(weigh(() => compress(store, '/a', 5000))).toBeGreaterThan(5000);
  });

  test('is not exceeded by one response: it is rejected, removes the one that it would replace, and evicts nothing', () => {
    const { put, store } = setUp({ maxBytes: 50 * KIB });
    for (const key of ['/a', '/b']) put(key);
    expect(put('/b', { body: new Uint8Array(50 * KIB) })).toBe('unstored');
    expect(['/a', '/b'].map((key) => store.get(key).responses.length)).toEqual([1, 0]);
  });

  test('is zero when all responses have been removed in different ways', () => {
    const { clock, put, store } = setUp({ maxBytes: 400 * KIB });
    for (let index = 0; index < 1000; index += 1) {
      const tags = ['posts', `posts/${index}`, `posts/${index % 7}`];
      put(`/${index % 300}`, { tags, variantKey: String(index % 3) });
      if (index % 50 === 0)
        store.purge(tagged(`posts/${index % 7}`), index % 100 === 0 ? 'hard' : 'unconfirmed');
      if (index % 13 === 0) store.purge({ kind: 'tags', tags: [`/${index % 300}`] }, 'hard');
      clock.time += 1;
    }
    expect(store.report().responseCount).toBeGreaterThan(0);
    store.purge(tagged('posts'), 'hard');
    for (let index = 0; index < 300; index += 1) expect(store.get(`/${index}`).responses).toEqual([]);
    expect(store.report()).toMatchObject({ responseCount: 0, bytes: 0 });
  });
});

/** Adds a compressed form to the response of a key. */
function compress(store: MemoryStore, key: string, size: number): void {
  const [stored] = store.get(key).responses;
  if (stored === undefined) throw new Error('nothing is stored');
  const { headers } = stored;
  store.addForm(key, stored, 'br', {
    sourceHeaders: headers,
    headers,
    body: new Uint8Array(size),
    text: undefined,
  });
}

describe('compressed forms', () => {
  const formOf = (store: MemoryStore) => store.get('/a').responses[0]?.compressed?.get('br');

  test('are not stored for a response that was replaced, and if there is no space', () => {
    const { put, store } = setUp({ maxBytes: 100 * KIB, maxEntryBytes: 10 * KIB });
    put('/a');
    compress(store, '/a', 90 * KIB);
    expect(formOf(store)).toBeUndefined();
    const [before] = store.get('/a').responses;
    put('/a', { body: new Uint8Array(8) });
    const form = { sourceHeaders: [], headers: [], body: new Uint8Array(5), text: undefined };
    if (before !== undefined) store.addForm('/a', before, 'br', form);
    expect(formOf(store)).toBeUndefined();
  });
});
