import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/cache/stores/index.ts';
import { describeStoreContract, storedResponse } from './store-contract.ts';

/** A clock that stands still until it is moved. */
function standing() {
  let time = 1_000_000;
  return {
    now: () => time,
    pass(milliseconds: number): void {
      time += milliseconds;
    },
  };
}

describeStoreContract('the memory store', async (run) => {
  const clock = standing();
  const store = createMemoryStore({ clock });
  await run({ store, peer: store, now: clock.now, tick: async () => clock.pass(1) });
  await store.close();
});

const KIB = 1024;

describe('a tag that very many answers have', () => {
  const MANY = 3_000;
  const filled = () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    const put = (key: string, tags: readonly string[], variant = '') =>
      store.put(key, storedResponse(clock.now(), { tags, variant, vary: variant === '' ? [] : ['origin'] }));
    for (let at = 0; at < MANY; at += 1) put(`/${at}`, ['all', at % 2 === 0 ? 'even' : 'odd', `id/${at}`]);
    return { store, put };
  };
  const tagged = (...tags: readonly string[]) => ({ kind: 'tags', tags }) as const;

  test('strikes them all, and no other', () => {
    const { store } = filled();
    expect(store.purge(tagged('even'), 'hard')).toBe(MANY / 2);
    expect(store.get('/2')).toHaveLength(0);
    expect(store.get('/3')).toHaveLength(1);
    expect(store.purge(tagged('even'), 'hard')).toBe(0);
    expect(store.purge(tagged('all', 'id/7'), 'soft')).toBe(MANY / 2);
    expect(store.get('/3')[0]?.markedStale).toBe(true);
  });

  test('strikes one of the answers of a key, and what is put there later', () => {
    const { store, put } = filled();
    put('/two', ['all', 'a'], 'origin:a');
    put('/two', ['b'], 'origin:b');
    expect(store.purge(tagged('all'), 'hard')).toBe(MANY + 1);
    expect(store.get('/two').map(({ variant }) => variant)).toEqual(['origin:b']);
    put('/new', ['all']);
    // Everything of the tag was struck in this very millisecond, so that nothing that was asked for in it is kept.
    expect(store.get('/new')).toHaveLength(0);
  });

  test('and that few have later, strikes those', () => {
    const { store, put } = filled();
    for (let at = 3; at < MANY; at += 1) store.purge({ kind: 'keys', keys: [`/${at}`] }, 'hard');
    expect(store.stats().entries).toBe(3);
    for (let at = 0; at < 2 * MANY; at += 1) put(`/other/${at}`, ['rest']);
    expect(store.purge(tagged('all'), 'soft')).toBe(3);
    store.purge({ kind: 'keys', keys: ['/1'] }, 'hard');
    expect(store.purge(tagged('all'), 'hard')).toBe(2);
    expect(store.purge(tagged('all'), 'hard')).toBe(0);
    expect(store.stats().entries).toBe(2 * MANY);
  });
});

describe('the memory store is bounded', () => {
  test('in bytes, and gives up what was used least recently', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 128 * KIB });
    const body = () => new Uint8Array(10 * KIB);
    for (let at = 0; at < 8; at += 1) store.put(`/${at}`, storedResponse(clock.now(), { body: body() }));
    store.get('/0');
    for (let at = 8; at < 12; at += 1) store.put(`/${at}`, storedResponse(clock.now(), { body: body() }));
    expect(store.stats().bytes).toBeLessThanOrEqual(128 * KIB);
    expect(store.get('/0')).toHaveLength(1);
    expect(store.get('/1')).toHaveLength(0);
    expect(store.get('/11')).toHaveLength(1);
  });

  test('whatever number they are', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 1_000_003 });
    expect(store.put('/a', storedResponse(clock.now()))).toBe(true);
    expect(store.stats().maxBytes).toBe(1_000_003);
  });

  test('counting headers, tags and key beside the body', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
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
    const large = weigh('/d', { body: new Uint8Array(10_008) }) - plain;
    expect(large).toBeGreaterThanOrEqual(9900);
    expect(large).toBeLessThan(11_300);
    expect(
      weigh('/e', { tags: Array.from({ length: 100 }, (_, at) => `posts/${at}`) }) - plain,
    ).toBeGreaterThan(10_000);
  });

  test('by an answer larger than the whole: it is refused and nothing else goes', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 50 * KIB });
    store.put('/a', storedResponse(clock.now()));
    expect(store.put('/b', storedResponse(clock.now(), { body: new Uint8Array(50 * KIB) }))).toBe(false);
    expect(store.get('/a')).toHaveLength(1);
  });

  test('an answer that is refused does not leave the one before it in place', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 50 * KIB });
    store.put('/a', storedResponse(clock.now()));
    expect(store.put('/a', storedResponse(clock.now(), { body: new Uint8Array(50 * KIB) }))).toBe(false);
    expect(store.get('/a')).toHaveLength(0);
    expect(store.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });

  test('for one key: large variants push out older ones of the key, not the other keys', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 400 * KIB, maxEntryBytes: 40 * KIB });
    store.put('/other', storedResponse(clock.now()));
    for (let at = 0; at < 50; at += 1) {
      store.put('/a', storedResponse(clock.now(), { variant: String(at), body: new Uint8Array(20 * KIB) }));
    }
    expect(store.stats().bytes).toBeLessThanOrEqual(110 * KIB);
    expect(store.get('/a')[0]?.variant).toBe('49');
    expect(store.get('/other')).toHaveLength(1);
  });

  test('and its counts are nothing when all is gone, in whatever way it went', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 200 * KIB });
    for (let at = 0; at < 1000; at += 1) {
      const tags = ['posts', `posts/${at}`, `posts/${at % 7}`];
      store.put(`/${at % 300}`, storedResponse(clock.now(), { tags, variant: String(at % 3) }));
      if (at % 50 === 0)
        store.purge({ kind: 'tags', tags: [`posts/${at % 7}`] }, at % 100 === 0 ? 'hard' : 'soft');
      if (at % 13 === 0) store.purge({ kind: 'keys', keys: [`/${at % 300}`] }, 'hard');
      clock.pass(1);
    }
    expect(store.stats().entries).toBeGreaterThan(0);
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    expect(store.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });
});

describe('what the memory store gives out', () => {
  test('stays as it is when the store has long given it up and used its memory again', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 256 * KIB });
    const filled = (at: number) => new Uint8Array(1000 + (at % 500)).fill(at % 251);
    const given: { readonly at: number; readonly body: Uint8Array }[] = [];
    for (let at = 0; at < 3000; at += 1) {
      store.put(`/${at}`, storedResponse(clock.now(), { body: filled(at) }));
      // Some are read, when they are new or a while after; most never are.
      for (const asked of at % 3 === 0 ? [at, at - 20] : []) {
        const [found] = store.get(`/${asked}`);
        if (found !== undefined) given.push({ at: asked, body: found.body });
      }
      if (at % 7 === 0) store.put(`/${at}`, storedResponse(clock.now(), { body: filled(at), variant: 'b' }));
    }
    expect(given.length).toBeGreaterThan(1000);
    expect(given.filter(({ at, body }) => !body.every((byte) => byte === at % 251))).toEqual([]);
  });

  test('is the memory of what was given up, where nobody has seen that', () => {
    const clock = standing();
    const store = createMemoryStore({ clock, maxBytes: 256 * KIB });
    const buffers = new Set<ArrayBufferLike>();
    for (let at = 0; at < 1000; at += 1) {
      store.put(`/${at}`, storedResponse(clock.now(), { body: new Uint8Array(10_000) }));
      // Looked at, it is not used again.
      if (at % 100 === 99) for (const { body } of store.get(`/${at}`)) buffers.add(body.buffer);
    }
    expect(buffers.size).toBe(10);
  });
});

describe('the memory store remembers purges', () => {
  test('more of them than it names: then against all that was asked for before', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    const asked = clock.now();
    for (let at = 0; at < 30_000; at += 1) {
      clock.pass(1);
      store.purge({ kind: 'tags', tags: [`posts/${at}`] }, 'hard');
    }
    expect(store.put('/a', storedResponse(asked, { tags: ['posts/3'] }))).toBe(false);
    expect(store.put('/a', storedResponse(asked, { tags: ['other'] }))).toBe(false);
    expect(store.put('/a', storedResponse(clock.now(), { tags: ['other'] }))).toBe(true);
    expect(store.put('/b', storedResponse(clock.now(), { tags: ['posts/29999'] }))).toBe(false);
  });

  test('for longer than a site is waited for: an answer that took an hour is refused', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    const asked = clock.now();
    clock.pass(1);
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    clock.pass(3_600_000);
    store.purge({ kind: 'tags', tags: ['pages'] }, 'hard');
    expect(store.put('/a', storedResponse(asked, { tags: ['posts'] }))).toBe(false);
  });

  test('when the clock is set back: a purge is never before an earlier one', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    clock.pass(1000);
    store.purge({ kind: 'tags', tags: ['pages'] }, 'hard');
    clock.pass(-500);
    const asked = clock.now();
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    clock.pass(100);
    expect(store.put('/a', storedResponse(asked, { tags: ['posts'] }))).toBe(false);
  });

  test('filling in what is known to be newer does not ask them', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    store.purge({ kind: 'all' }, 'hard');
    expect(store.putUnchecked('/a', storedResponse(clock.now() - 10))).toBe(true);
  });
});

describe('the memory store keeps renditions beside an answer', () => {
  const coded = (from: readonly string[], size: number) => ({
    sourceHeaders: from,
    headers: from,
    body: new Uint8Array(size),
  });

  test('counted in bytes, and gone with it', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    store.put('/a', storedResponse(clock.now(), { tags: ['posts'] }));
    const [found] = store.get('/a');
    if (found === undefined) throw new Error('it was put');
    const before = store.stats().bytes;
    expect(store.attachCompressed('/a', found, 'br', coded(found.headers, 5000))).toBe(true);
    expect(store.stats().bytes - before).toBeGreaterThan(5000);
    expect(store.get('/a')[0]?.compressed?.get('br')?.body.byteLength).toBe(5000);
    store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
    expect(store.stats()).toMatchObject({ entries: 0, bytes: 0 });
    expect(store.attachCompressed('/a', found, 'gzip', coded(found.headers, 10))).toBe(false);
  });

  test('through a soft purge and new headers over the same body; not under another body', () => {
    const clock = standing();
    const store = createMemoryStore({ clock });
    store.put('/a', storedResponse(clock.now()));
    const [first] = store.get('/a');
    if (first === undefined) throw new Error('it was put');
    store.purge({ kind: 'all' }, 'soft');
    expect(store.attachCompressed('/a', first, 'br', coded(first.headers, 5))).toBe(true);
    clock.pass(1);
    store.put('/a', { ...first, headers: ['ETag', '"2"'], requestTime: clock.now() });
    const [updated] = store.get('/a');
    expect(updated?.headers).toEqual(['ETag', '"2"']);
    expect(updated?.compressed?.get('br')?.sourceHeaders).toBe(first.headers);
    store.put('/a', storedResponse(clock.now(), { body: new Uint8Array(8) }));
    expect(store.get('/a')[0]?.compressed).toBeUndefined();
    expect(store.attachCompressed('/a', first, 'br', coded(first.headers, 5))).toBe(false);
  });
});
