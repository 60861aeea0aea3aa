import { describe, expect, test } from 'vitest';
import type { WriteSelection } from '../../../src/cache/dependencies/evidence.ts';
import type { PurgeMode, PurgeSelection } from '../../../src/cache/store.ts';
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
  const other = (routeClass: string) => ({ name: 'other', routeClass });
  const setUp = () => {
    const clock = createManualClock();
    const store = new MemoryStore({ clock });
    let removed = 0;
    const invalidate = (selection: PurgeSelection, ofTags: PurgeMode = 'hard') =>
      store.invalidate(
        selection,
        () => {
          removed += 1;
        },
        ofTags,
      );
    const put = (key: string, tags: readonly string[], routeClass: string | null = null) =>
      store.put(
        key,
        storedResponse(clock.now(), { tags, group: routeClass === null ? null : other(routeClass) }),
      );
    return { clock, store, invalidate, put, removed: () => removed };
  };
  const groups = (...exceptKinds: readonly string[]) => [{ name: 'other', exceptKinds }];

  test('applies to the next lookup, also one of the inspector', () => {
    const { invalidate, put, removed, store } = setUp();
    put('/a', ['posts']);
    put('/b', ['pages']);
    put('/c', [], 'boards');
    put('/d', [], 'tasks');
    expect(invalidate({ kind: 'tags', tags: ['posts'], groups: groups('tasks') })).toBe(1);
    expect(store.inspector.peek('/a')).toEqual([]);
    const found = ['/a', '/b', '/c', '/d'].map((key) =>
      store.get(key).map(({ isSoftPurged }) => isSoftPurged),
    );
    expect(found).toEqual([[], [false], [true], [false]]);
    expect(removed()).toBe(1);
  });

  describe('with clauses', () => {
    const clause = (text: string, ...tags: readonly string[]): PurgeSelection => ({
      kind: 'tags',
      tags: [],
      clauses: [{ tags, texts: [text] }],
    });
    const isKept = (store: MemoryStore, key: string) => store.get(key).some((each) => !each.isSoftPurged);

    test('compares a response once, at the next lookup or in the sweep', async () => {
      const { clock, invalidate, put, removed, store } = setUp();
      let reads = 0;
      for (const key of ['/a', '/b']) {
        put(key, ['item']);
        const [found] = store.inspector.peek(key);
        if (found === undefined) throw new Error('nothing is stored');
        const { body } = found;
        const get = () => {
          reads += 1;
          return body;
        };
        Object.defineProperty(found, 'body', { get });
      }
      invalidate(clause('nothing', 'other'), 'soft');
      for (const key of ['/a', '/b']) store.get(key);
      expect(reads).toBe(0);
      invalidate(clause('nothing', 'item'), 'soft');
      store.get('/a');
      const readOnce = reads;
      expect(readOnce).toBeGreaterThan(0);
      store.get('/a');
      expect(reads).toBe(readOnce);
      while (clock.runTimers() > 0) await new Promise((resolve) => setImmediate(resolve));
      expect(reads).toBe(2 * readOnce);
      expect([isKept(store, '/a'), isKept(store, '/b'), removed()]).toEqual([true, true, 0]);
    });

    test.each(['soft', 'hard'] as const)('keep the route classes that a %s purge excepts', (mode) => {
      const { clock, store } = setUp();
      const body = new TextEncoder().encode('a long text');
      for (const routeClass of ['/posts', '/pages'])
        store.put(
          routeClass,
          storedResponse(clock.now(), { tags: ['item'], body, group: { name: 'g', routeClass } }),
        );
      const clauses = [{ tags: ['item'], texts: ['a long text'], exceptKinds: ['/posts'] }];
      store.purge({ kind: 'tags', tags: [], clauses }, mode);
      expect([isKept(store, '/posts'), isKept(store, '/pages')]).toEqual([true, false]);
    });

    test('find the text of what was stored after the first of them read already', async () => {
      const { clock, invalidate, store } = setUp();
      invalidate(clause('nothing', 'other'), 'soft');
      for (const key of ['/a', '/b']) {
        store.put(
          key,
          storedResponse(clock.now() + 1, { tags: ['item'], body: new TextEncoder().encode('a long text') }),
        );
        if (key === '/a') while (clock.runTimers() > 0) await new Promise((resolve) => setImmediate(resolve));
        // What is read later is not there.
        store.inspector.peek(key)[0]?.body.fill(0);
      }
      invalidate(clause('a long text', 'item'), 'soft');
      expect([isKept(store, '/a'), isKept(store, '/b')]).toEqual([false, true]);
    });

    test('count as without a condition when one tag has more of them than are recorded', () => {
      const { clock, invalidate, put, store } = setUp();
      put('/a', ['item']);
      for (let index = 0; index < 32; index += 1) invalidate(clause(`nothing ${index}`, 'item'), 'soft');
      expect(isKept(store, '/a')).toBe(true);
      clock.advance(1);
      put('/b', ['item']);
      invalidate(clause('nothing', 'item'), 'soft');
      expect([isKept(store, '/a'), isKept(store, '/b')]).toEqual([false, false]);
    });

    test('are forgotten when all responses have been compared with them', async () => {
      const { clock, invalidate, put, store } = setUp();
      put('/a', ['item']);
      for (let index = 0; index < 100; index += 1) {
        invalidate(clause(`nothing ${index}`, 'item'), 'soft');
        if (index % 30 === 29)
          while (clock.runTimers() > 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(isKept(store, '/a')).toBe(true);
    });

    test('count as without a condition for a response that has too many of them by several tags', () => {
      const { invalidate, put, store } = setUp();
      const tags = Array.from({ length: 33 }, (_, index) => `item ${index}`);
      put('/a', tags);
      put('/b', tags.slice(1));
      for (const tag of tags) invalidate(clause('nothing', tag), 'soft');
      expect([isKept(store, '/a'), isKept(store, '/b')]).toEqual([false, true]);
    });

    test('count as without a condition when their texts are too long, or were purged too long ago', () => {
      const { clock, invalidate, put, store } = setUp();
      put('/a', ['item']);
      invalidate(clause('x'.repeat(5 * 1024 * KIB), 'item'), 'soft');
      expect(isKept(store, '/a')).toBe(false);
      clock.advance(1);
      put('/a', ['item']);
      put('/b', ['other']);
      invalidate(clause('nothing', 'item'), 'soft');
      clock.advance(3_600_000);
      invalidate(clause('nothing', 'third'), 'soft');
      expect([isKept(store, '/a'), isKept(store, '/b')]).toEqual([false, false]);
    });

    test('select a response that an earlier one without a condition selects, and each of several texts', () => {
      const { clock, invalidate, put, removed, store } = setUp();
      put('/a', ['item']);
      invalidate({ kind: 'tags', tags: ['item'] }, 'soft');
      invalidate(clause('nothing', 'item'), 'soft');
      expect(isKept(store, '/a')).toBe(false);
      clock.advance(1);
      put('/b', ['item', 'more']);
      invalidate(clause('nothing', 'item'), 'soft');
      invalidate(clause('id', 'more'), 'soft');
      expect([isKept(store, '/b'), removed()]).toEqual([false, 2]);
    });
  });

  test('leaves a response of a group without any time in which it may be served', () => {
    const { invalidate, put, store } = setUp();
    put('/a', [], 'boards');
    invalidate({ kind: 'tags', tags: [], groups: groups() });
    const windows = { staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 };
    expect(store.get('/a')[0]).toMatchObject({ ...windows, isSoftPurged: true });
    expect(store.inspector.peek('/a')[0]).toMatchObject(windows);
    expect(store.countGroup('other')).toBe(0);
  });

  describe('that was not needed, as is learned later,', () => {
    const setUpTwo = () => {
      const site = setUp();
      const learned = new Set<string>();
      const write = (name: string, selection: Partial<WriteSelection> = { groups: groups() }) =>
        site.store.invalidate(
          { kind: 'tags', tags: [], ...selection },
          () => {},
          'soft',
          (routeClass) => learned.has(`${name} ${routeClass}`),
        );
      site.put('/a', ['posts'], 'boards');
      const isUsed = () => site.store.get('/a')[0]?.isSoftPurged === false;
      return { ...site, learned, write, isUsed };
    };

    test('leaves a response of the group in use', () => {
      const { isUsed, learned, store, write } = setUpTwo();
      const { freshnessLifetime } = store.get('/a')[0] ?? {};
      write('one');
      expect(isUsed()).toBe(false);
      learned.add('one boards');
      expect(isUsed()).toBe(true);
      expect(store.get('/a')[0]).toMatchObject({ freshnessLifetime });
      expect(store.countGroup('other')).toBe(1);
      write('two');
      expect(isUsed()).toBe(false);
      expect(store.countGroup('other')).toBe(0);
    });

    test('does so if no other was needed', () => {
      const { isUsed, learned, write } = setUpTwo();
      write('one');
      write('two');
      expect(isUsed()).toBe(false);
      learned.add('two boards');
      expect(isUsed()).toBe(false);
      learned.add('one boards');
      expect(isUsed()).toBe(true);
    });

    test.each<[string, (site: ReturnType<typeof setUpTwo>) => unknown]>([
      ['a tag selects it too', ({ write }) => write('two', { tags: ['posts'] })],
      [
        'a clause selects it too',
        ({ write }) => write('two', { clauses: [{ tags: ['posts'], texts: [''] }] }),
      ],
      ['its key was purged softly', ({ store }) => store.purge({ kind: 'keys', keys: ['/a'] }, 'soft')],
      ['all was purged softly', ({ store }) => store.purge({ kind: 'all' }, 'soft')],
      [
        'a purge that nothing is learned of came',
        ({ invalidate }) => invalidate({ kind: 'tags', tags: [], groups: groups() }),
      ],
      [
        'a write failed',
        ({ store }) =>
          store.invalidate({ kind: 'tags', tags: [], groups: groups() }, () => {}, 'unconfirmed'),
      ],
      ['too many came', ({ write }) => Array.from({ length: 250 }, () => write('one'))],
    ])('does not if %s', async (_, then) => {
      for (const isFirst of [true, false]) {
        const site = setUpTwo();
        if (isFirst) site.write('one');
        await then(site);
        if (!isFirst) site.write('one');
        site.learned.add('one boards');
        expect(site.isUsed()).toBe(false);
      }
    });
  });

  test('may purge the responses of tags softly too, which a later one can remove', () => {
    const { clock, invalidate, put, store } = setUp();
    put('/a', ['posts'], 'boards');
    put('/b', ['posts', 'pages']);
    invalidate({ kind: 'tags', tags: ['posts'] }, 'soft');
    const marks = () => ['/a', '/b'].map((key) => store.get(key).map(({ isSoftPurged }) => isSoftPurged));
    expect(marks()).toEqual([[true], [true]]);
    invalidate({ kind: 'tags', tags: ['pages'] });
    expect(marks()).toEqual([[true], []]);
    clock.advance(1);
    put('/a', ['posts'], 'boards');
    expect(marks()).toEqual([[false], []]);
    expect(store.countGroup('other')).toBe(1);
  });

  test('refuses what was requested before it', () => {
    const { clock, invalidate, store } = setUp();
    const requested = storedResponse(clock.now(), { tags: ['posts'], group: other('boards') });
    clock.advance(1);
    invalidate({ kind: 'tags', tags: ['posts'], groups: groups() }, 'soft');
    expect(store.put('/a', requested)).toBe(false);
  });

  test('does not count a soft-purged response in its group, and gives its memory back once', async () => {
    const { clock, invalidate, put, store } = setUp();
    for (let round = 0; round < 3; round += 1) {
      put('/a', [`tag ${round}`], 'boards');
      expect(store.countGroup('other')).toBe(1);
      invalidate({ kind: 'tags', tags: [], groups: groups() });
      while (clock.runTimers() > 0) await new Promise((resolve) => setImmediate(resolve));
      expect(store.countGroup('other')).toBe(0);
      clock.advance(1);
    }
    expect(store.stats().responseCount).toBe(1);
    store.purge({ kind: 'keys', keys: ['/a'] }, 'hard');
    expect(store.stats()).toMatchObject({ responseCount: 0, bytes: 0 });
    expect([...store.inspector.countTags()]).toEqual([]);
  });

  test('keeps the body and its compressed forms if the next response is the same', () => {
    const { clock, invalidate, put, store } = setUp();
    put('/a', [], 'boards');
    const [before] = store.get('/a');
    if (before === undefined) throw new Error('nothing is stored');
    const compressed = { sourceHeaders: before.headers, headers: [], body: new Uint8Array(3) };
    store.attachCompressed('/a', before, 'br', compressed);
    invalidate({ kind: 'tags', tags: [], groups: groups() });
    clock.advance(1);
    put('/a', [], 'boards');
    expect(store.get('/a')[0]?.body).toBe(before.body);
    expect(store.get('/a')[0]?.compressed?.has('br')).toBe(true);
    clock.advance(1);
    store.put('/a', storedResponse(clock.now(), { body: new TextEncoder().encode('{"id":2}') }));
    expect(store.get('/a')[0]?.compressed).toBeUndefined();
  });

  test('applies to responses that are stored before it only', () => {
    const { clock, invalidate, put, store } = setUp();
    put('/a', ['posts'], 'boards');
    invalidate({ kind: 'tags', tags: ['posts'], groups: groups() });
    clock.advance(1);
    put('/a', ['posts'], 'boards');
    expect(store.get('/a')).toHaveLength(1);
    expect(store.countGroup('other')).toBe(1);
  });

  test('does not visit the responses: their memory is given back later, in slices', async () => {
    const { clock, invalidate, put, store } = setUp();
    for (let index = 0; index < 5_000; index += 1) put(`/${index}`, ['all', `${index}`], 'boards');
    expect(invalidate({ kind: 'tags', tags: ['all'], groups: groups() })).toBe(5_000);
    expect(store.countGroup('other')).toBe(0);
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
    invalidate({ kind: 'all' });
    expect(store.get('/a')).toEqual([]);
    clock.advance(1);
    put('/b', ['posts/3']);
    put('/c', ['other']);
    for (let index = 0; index < 30_000; index += 1) invalidate({ kind: 'tags', tags: [`posts/${index}`] });
    expect(['/b', '/c'].map((key) => store.get(key).length)).toEqual([0, 0]);
  });

  test('of one tag after another removes a variant and keeps the others', () => {
    const { clock, invalidate, store } = setUp();
    const put = (variantKey: string) =>
      store.put('/a', storedResponse(clock.now(), { variantKey, vary: ['origin'], tags: [variantKey] }));
    for (const variant of ['a', 'b', 'c']) put(variant);
    invalidate({ kind: 'tags', tags: ['a'] });
    invalidate({ kind: 'tags', tags: ['x'] });
    expect(store.get('/a').map(({ variantKey }) => variantKey)).toEqual(['c', 'b']);
    invalidate({ kind: 'tags', tags: ['b'] });
    clock.advance(1);
    put('b');
    expect(store.get('/a').map(({ variantKey }) => variantKey)).toEqual(['b', 'c']);
  });

  test('and a soft purge after it select what each would alone', async () => {
    const { invalidate, put, store } = setUp();
    put('/a', ['posts']);
    put('/b', ['pages']);
    invalidate({ kind: 'tags', tags: ['posts'] });
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
