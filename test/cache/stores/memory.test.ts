import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { describeStoreContract, storedResponse } from './store-contract.ts';

/** A clock that a test advances. Its timers run when {@link runTimers} is called. */
function createManualClock() {
  let time = 1_000_000;
  const timers: (() => void)[] = [];
  return {
    /** Runs the timers that are set, and counts them. */
    runTimers(): number {
      const due = timers.splice(0);
      for (const run of due) run();
      return due.length;
    },
    now: () => time,
    after(_delay: number, task: () => void): () => void {
      timers.push(task);
      return () => {};
    },
    advance(milliseconds: number): void {
      time += milliseconds;
    },
  };
}

describeStoreContract('the memory store', async (run) => {
  const clock = createManualClock();
  const store = new MemoryStore({ clock });
  await run({ store, peer: store, now: clock.now, tick: async () => clock.advance(1) });
  await store.close();
});

test('purges are forgotten if their names are too long together, and count as purges of everything then', async () => {
  const clock = createManualClock();
  const store = new MemoryStore({ clock });
  const requested = storedResponse(clock.now());
  const purgeMany = async (length: number): Promise<void> => {
    const tags = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(length, 'a'));
    for (const kind of ['tags', 'keys'] as const)
      await store.purge(kind === 'tags' ? { kind, tags } : { kind, keys: tags }, 'hard');
  };
  clock.advance(1);
  await purgeMany(1_000);
  expect(store.put('/a', requested)).toBe(true);
  await purgeMany(100_000);
  expect(store.put('/b', requested)).toBe(false);
});

test('a response replaces one that was requested before the clock was set back', () => {
  const clock = createManualClock();
  const store = new MemoryStore({ clock });
  expect(store.put('/a', storedResponse(clock.now()))).toBe(true);
  clock.advance(-60_000);
  expect(store.put('/a', storedResponse(clock.now(), { status: 404 }))).toBe(true);
  expect(store.get('/a')).toMatchObject([{ status: 404 }]);
});

const KIB = 1024;

describe('a purge of a tag with very many keys', () => {
  const MANY = 3_000;
  const filled = () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    const put = (key: string, tags: readonly string[], variantKey = '') =>
      store.put(
        key,
        storedResponse(clock.now(), { tags, variantKey, vary: variantKey === '' ? [] : ['origin'] }),
      );
    for (let index = 0; index < MANY; index += 1)
      put(`/${index}`, ['all', index % 2 === 0 ? 'even' : 'odd', `id/${index}`]);
    return { store, put };
  };
  const tagged = (...tags: readonly string[]) => ({ kind: 'tags', tags }) as const;

  test('removes all of its responses and no others', async () => {
    const { store } = filled();
    expect(await store.purge(tagged('even'), 'hard')).toBe(MANY / 2);
    expect(store.get('/2')).toHaveLength(0);
    expect(store.get('/3')).toHaveLength(1);
    expect(await store.purge(tagged('even'), 'hard')).toBe(0);
    expect(await store.purge(tagged('all', 'id/7'), 'soft')).toBe(MANY / 2);
    expect(store.get('/3')[0]?.isSoftPurged).toBe(true);
  });

  test('removes only the variants that have the tag, and those that are stored later', async () => {
    const { store, put } = filled();
    put('/two', ['all', 'a'], 'origin:a');
    put('/two', ['b'], 'origin:b');
    expect(await store.purge(tagged('all'), 'hard')).toBe(MANY + 1);
    expect(store.get('/two').map(({ variantKey }) => variantKey)).toEqual(['origin:b']);
    put('/new', ['all']);
    // The tag was purged in this millisecond, so a response that was requested in it is rejected.
    expect(store.get('/new')).toHaveLength(0);
  });

  test('works when only few responses have the tag later', async () => {
    const { store, put } = filled();
    for (let index = 3; index < MANY; index += 1) store.purge({ kind: 'keys', keys: [`/${index}`] }, 'hard');
    expect(store.stats().responseCount).toBe(3);
    for (let index = 0; index < 2 * MANY; index += 1) put(`/other/${index}`, ['rest']);
    expect(await store.purge(tagged('all'), 'soft')).toBe(3);
    store.purge({ kind: 'keys', keys: ['/1'] }, 'hard');
    expect(await store.purge(tagged('all'), 'hard')).toBe(2);
    expect(await store.purge(tagged('all'), 'hard')).toBe(0);
    expect(store.stats().responseCount).toBe(2 * MANY);
  });
});

describe('an invalidation by a write', () => {
  const setUp = () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    const invalidate = (...tags: readonly string[]) => store.invalidate({ kind: 'tags', tags });
    const put = (key: string, tags: readonly string[]) =>
      store.put(key, storedResponse(clock.now(), { tags }));
    return { clock, store, invalidate, put };
  };

  test('applies to the next lookup, also one of the inspector', () => {
    const { invalidate, put, store } = setUp();
    put('/a', ['posts']);
    put('/b', ['pages']);
    invalidate('posts');
    expect(store.inspector.peek('/a')).toEqual([]);
    expect(['/a', '/b'].map((key) => store.get(key).length)).toEqual([0, 1]);
  });

  test('that is soft leaves a response without any time in which it may be served', () => {
    const { clock, invalidate, put, store } = setUp();
    put('/a', ['posts']);
    put('/b', ['posts', 'pages']);
    store.invalidate({ kind: 'tags', tags: ['posts'] }, 'soft');
    const windows = { staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 };
    expect(store.get('/a')[0]).toMatchObject({ ...windows, isSoftPurged: true });
    expect(store.inspector.peek('/b')[0]).toMatchObject({ ...windows, isSoftPurged: true });
    invalidate('pages');
    expect(store.get('/b')).toEqual([]);
    clock.advance(1);
    put('/a', ['posts']);
    expect(store.get('/a')[0]?.isSoftPurged).toBe(false);
  });

  test('keeps the body and its compressed forms if the next response is the same', () => {
    const { clock, put, store } = setUp();
    put('/a', ['posts']);
    const [before] = store.get('/a');
    if (before === undefined) throw new Error('nothing is stored');
    const compressed = { sourceHeaders: before.headers, headers: [], body: new Uint8Array(3) };
    store.attachCompressed('/a', before, 'br', compressed);
    store.invalidate({ kind: 'tags', tags: ['posts'] }, 'soft');
    clock.advance(1);
    put('/a', ['posts']);
    expect(store.get('/a')[0]?.body).toBe(before.body);
    expect(store.get('/a')[0]?.compressed?.has('br')).toBe(true);
    clock.advance(1);
    store.put('/a', storedResponse(clock.now(), { body: new TextEncoder().encode('{"id":2}') }));
    expect(store.get('/a')[0]?.compressed).toBeUndefined();
  });

  test('does not visit the responses: their memory is given back later, in slices', async () => {
    const { clock, invalidate, put, store } = setUp();
    for (let index = 0; index < 5_000; index += 1) put(`/${index}`, ['all', `${index}`]);
    invalidate('all');
    expect(store.stats().responseCount).toBe(5_000);
    expect(store.get('/7')).toEqual([]);
    expect(store.stats().responseCount).toBe(4_999);
    while (clock.runTimers() > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(store.stats()).toMatchObject({ responseCount: 0, bytes: 0 });
    expect([...store.inspector.countTags()]).toEqual([]);
  });

  test('of everything, and of more tags than are recorded, leaves nothing', () => {
    const { clock, invalidate, put, store } = setUp();
    put('/a', []);
    store.invalidate({ kind: 'all' });
    expect(store.get('/a')).toEqual([]);
    clock.advance(1);
    put('/b', ['posts/3']);
    put('/c', ['other']);
    for (let index = 0; index < 30_000; index += 1) invalidate(`posts/${index}`);
    expect(['/b', '/c'].map((key) => store.get(key).length)).toEqual([0, 0]);
  });

  test('of one tag after another removes a variant and keeps the others', () => {
    const { clock, invalidate, store } = setUp();
    const put = (variantKey: string) =>
      store.put('/a', storedResponse(clock.now(), { variantKey, vary: ['origin'], tags: [variantKey] }));
    for (const variant of ['a', 'b', 'c']) put(variant);
    invalidate('a');
    invalidate('x');
    expect(store.get('/a').map(({ variantKey }) => variantKey)).toEqual(['c', 'b']);
    invalidate('b');
    clock.advance(1);
    put('b');
    expect(store.get('/a').map(({ variantKey }) => variantKey)).toEqual(['b', 'c']);
  });

  test('and a soft purge after it select what each would alone', async () => {
    const { invalidate, put, store } = setUp();
    put('/a', ['posts']);
    put('/b', ['pages']);
    invalidate('posts');
    expect(await store.purge({ kind: 'tags', tags: ['posts', 'pages'] }, 'soft')).toBe(1);
    expect(store.get('/a')).toEqual([]);
    expect(store.get('/b').map(({ isSoftPurged }) => isSoftPurged)).toEqual([true]);
  });
});

describe('the size of the memory store', () => {
  test('is bounded in bytes: the least recently used keys are evicted', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 128 * KIB });
    const body = () => new Uint8Array(10 * KIB);
    for (let index = 0; index < 8; index += 1)
      store.put(`/${index}`, storedResponse(clock.now(), { body: body() }));
    store.get('/0');
    for (let index = 8; index < 12; index += 1)
      store.put(`/${index}`, storedResponse(clock.now(), { body: body() }));
    expect(store.stats().bytes).toBeLessThanOrEqual(128 * KIB);
    expect(store.get('/0')).toHaveLength(1);
    expect(store.get('/1')).toHaveLength(0);
    expect(store.get('/11')).toHaveLength(1);
    const { evictions, responseCount } = store.stats();
    expect(evictions).toBe(12 - responseCount);
  });

  test('may be any number of bytes', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 1_000_003 });
    expect(store.put('/a', storedResponse(clock.now()))).toBe(true);
    expect(store.stats().maxBytes).toBe(1_000_003);
  });

  test('includes headers, tags and keys', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    const weigh = (key: string, facts: Parameters<typeof storedResponse>[1]) => {
      const before = store.stats().bytes;
      store.put(key, storedResponse(clock.now(), facts));
      return store.stats().bytes - before;
    };
    const plain = weigh('/a', {});
    expect(plain).toBeGreaterThan(500);
    expect(weigh(`/${'b'.repeat(1000)}`, {}) - plain).toBeGreaterThanOrEqual(999);
    expect(
      weigh('/c', { headers: storedResponse(0).headers.concat('X-Long', 'x'.repeat(5000)) }) - plain,
    ).toBeGreaterThan(5000);
    const large = weigh('/d', { body: new Uint8Array(10_008) });
    expect(large).toBeGreaterThanOrEqual(10_008);
    expect(large).toBeLessThan(13_500);
    expect(
      weigh('/e', { tags: Array.from({ length: 100 }, (_, index) => `posts/${index}`) }) - plain,
    ).toBeGreaterThan(10_000);
  });

  test('rejects a response larger than the limit, and evicts nothing for it', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 50 * KIB });
    store.put('/a', storedResponse(clock.now()));
    expect(store.put('/b', storedResponse(clock.now(), { body: new Uint8Array(50 * KIB) }))).toBe(false);
    expect(store.get('/a')).toHaveLength(1);
  });

  test('removes the previous response of the key when it rejects a new one', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 50 * KIB });
    store.put('/a', storedResponse(clock.now()));
    expect(store.put('/a', storedResponse(clock.now(), { body: new Uint8Array(50 * KIB) }))).toBe(false);
    expect(store.get('/a')).toHaveLength(0);
    expect(store.stats()).toMatchObject({ responseCount: 0, bytes: 0 });
  });

  test('is bounded for each key: large variants evict older ones of the same key', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 400 * KIB, maxEntryBytes: 40 * KIB });
    store.put('/other', storedResponse(clock.now()));
    for (let index = 0; index < 50; index += 1) {
      store.put(
        '/a',
        storedResponse(clock.now(), { variantKey: String(index), body: new Uint8Array(20 * KIB) }),
      );
    }
    expect(store.stats().bytes).toBeLessThanOrEqual(110 * KIB);
    expect(store.get('/a')[0]?.variantKey).toBe('49');
    expect(store.get('/other')).toHaveLength(1);
  });

  test('is zero when all responses have been removed in different ways', async () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 200 * KIB });
    for (let index = 0; index < 1000; index += 1) {
      const tags = ['posts', `posts/${index}`, `posts/${index % 7}`];
      store.put(`/${index % 300}`, storedResponse(clock.now(), { tags, variantKey: String(index % 3) }));
      if (index % 50 === 0)
        await store.purge(
          { kind: 'tags', tags: [`posts/${index % 7}`] },
          index % 100 === 0 ? 'hard' : 'soft',
        );
      if (index % 13 === 0) await store.purge({ kind: 'keys', keys: [`/${index % 300}`] }, 'hard');
      clock.advance(1);
    }
    expect(store.stats().responseCount).toBeGreaterThan(0);
    await store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    expect(store.stats()).toMatchObject({ responseCount: 0, bytes: 0 });
  });
});

describe('a body that the memory store has returned', () => {
  test('does not change after its eviction, when the store reuses buffers', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 256 * KIB });
    const filled = (index: number) => new Uint8Array(1000 + (index % 500)).fill(index % 251);
    const returned: { readonly at: number; readonly body: Uint8Array }[] = [];
    for (let index = 0; index < 3000; index += 1) {
      store.put(`/${index}`, storedResponse(clock.now(), { body: filled(index) }));
      // Some responses are read at once or later; most are not.
      for (const read of index % 3 === 0 ? [index, index - 20] : []) {
        const [found] = store.get(`/${read}`);
        if (found !== undefined) returned.push({ at: read, body: found.body });
      }
      if (index % 7 === 0)
        store.put(`/${index}`, storedResponse(clock.now(), { body: filled(index), variantKey: 'b' }));
    }
    expect(returned.length).toBeGreaterThan(1000);
    expect(returned.filter(({ at: index, body }) => !body.every((byte) => byte === index % 251))).toEqual([]);
  });

  test('may be in a reused buffer, but only of a response that was never returned', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock, maxBytes: 256 * KIB });
    const buffers = new Set<ArrayBufferLike>();
    for (let index = 0; index < 1000; index += 1) {
      store.put(`/${index}`, storedResponse(clock.now(), { body: new Uint8Array(10_000) }));
      // The buffer of a returned response is not reused.
      if (index % 100 === 99) for (const { body } of store.get(`/${index}`)) buffers.add(body.buffer);
    }
    expect(buffers.size).toBe(10);
  });
});

describe('the purge log of the memory store', () => {
  test('rejects all earlier responses when there were more purges than it records', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    const requestTime = clock.now();
    for (let index = 0; index < 30_000; index += 1) {
      clock.advance(1);
      store.purge({ kind: 'tags', tags: [`posts/${index}`] }, 'hard');
    }
    expect(store.put('/a', storedResponse(requestTime, { tags: ['posts/3'] }))).toBe(false);
    expect(store.put('/a', storedResponse(requestTime, { tags: ['other'] }))).toBe(false);
    expect(store.put('/a', storedResponse(clock.now(), { tags: ['other'] }))).toBe(true);
    expect(store.put('/b', storedResponse(clock.now(), { tags: ['posts/29999'] }))).toBe(false);
  });

  test('rejects a response that took an hour', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    const requestTime = clock.now();
    clock.advance(1);
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    clock.advance(3_600_000);
    store.purge({ kind: 'tags', tags: ['pages'] }, 'hard');
    expect(store.put('/a', storedResponse(requestTime, { tags: ['posts'] }))).toBe(false);
  });

  test('keeps its order when the clock is set back', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    clock.advance(1000);
    store.purge({ kind: 'tags', tags: ['pages'] }, 'hard');
    clock.advance(-500);
    const requestTime = clock.now();
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    clock.advance(100);
    expect(store.put('/a', storedResponse(requestTime, { tags: ['posts'] }))).toBe(false);
  });

  test('is not checked by putUnchecked', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    store.purge({ kind: 'all' }, 'hard');
    expect(store.putUnchecked('/a', storedResponse(clock.now() - 10))).toBe(true);
  });
});

describe('compressed bodies in the memory store', () => {
  const compress = (from: readonly string[], size: number) => ({
    sourceHeaders: from,
    headers: from,
    body: new Uint8Array(size),
  });

  test('are included in the size, and removed with their response', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    store.put('/a', storedResponse(clock.now(), { tags: ['posts'] }));
    const [found] = store.get('/a');
    if (found === undefined) throw new Error('the response is missing');
    const before = store.stats().bytes;
    expect(store.attachCompressed('/a', found, 'br', compress(found.headers, 5000))).toBe(true);
    expect(store.stats().bytes - before).toBeGreaterThan(5000);
    expect(store.get('/a')[0]?.compressed?.get('br')?.body.byteLength).toBe(5000);
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    expect(store.stats()).toMatchObject({ responseCount: 0, bytes: 0 });
    expect(store.attachCompressed('/a', found, 'gzip', compress(found.headers, 10))).toBe(false);
  });

  test('survive a soft purge and new headers, but not a new body', () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    store.put('/a', storedResponse(clock.now()));
    const [first] = store.get('/a');
    if (first === undefined) throw new Error('the response is missing');
    store.purge({ kind: 'all' }, 'soft');
    expect(store.attachCompressed('/a', first, 'br', compress(first.headers, 5))).toBe(true);
    clock.advance(1);
    store.put('/a', { ...first, headers: ['ETag', '"2"'], requestTime: clock.now() });
    const [updated] = store.get('/a');
    expect(updated?.headers).toEqual(['ETag', '"2"']);
    expect(updated?.compressed?.get('br')?.sourceHeaders).toBe(first.headers);
    store.put('/a', storedResponse(clock.now(), { body: new Uint8Array(8) }));
    expect(store.get('/a')[0]?.compressed).toBeUndefined();
    expect(store.attachCompressed('/a', first, 'br', compress(first.headers, 5))).toBe(false);
  });
});
