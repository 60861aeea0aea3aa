import { describe, expect, test } from 'vitest';
import type { CacheStore, PurgeMode, PurgeSelection, StoredResponse } from '../../../src/cache/store.ts';

/** What a store is tried on: a fresh one for each test, closed after it. */
export interface StoreUnderTest {
  readonly store: CacheStore;
  /** Lets a moment pass, so that what is asked for next was asked for after what happened before. */
  tick(): Promise<void>;
  /** The time that `requestTime` is told in. */
  now(): number;
  /** A second store on the same shared tier, or the same store: what one keeps the other has. */
  readonly peer: CacheStore;
}

const text = (value: string) => new TextEncoder().encode(value);

export function storedResponse(at: number, facts: Partial<StoredResponse> = {}): StoredResponse {
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Link', '<https://example.com/>; rel="next"'],
    body: text('{"id":1}'),
    variant: '',
    vary: [],
    requestTime: at,
    responseTime: at,
    initialAge: 0,
    lifetime: 60,
    staleWhileRevalidate: 30,
    staleIfError: 300,
    markedStale: false,
    tags: [],
    ...facts,
  };
}

/** What every store does, whatever it keeps its answers in. */
export function describeStoreContract(
  name: string,
  using: (test: (subject: StoreUnderTest) => Promise<void>) => Promise<void>,
): void {
  const specify = (sentence: string, body: (subject: StoreUnderTest) => Promise<void>) =>
    test(sentence, () => using(body));

  describe(`${name} keeps answers`, () => {
    specify('nothing is under a key that nothing was put under', async ({ store }) => {
      expect(await store.get('/none')).toEqual([]);
    });

    specify('an answer comes back as it was put', async ({ store, peer, now }) => {
      const put = storedResponse(now(), {
        status: 404,
        headers: ['X-Latin', 'caf\u00e9', 'X-Empty', '', 'X-Twice', 'a', 'X-Twice', 'b'],
        vary: ['accept', 'origin'],
        variant: 'accept: a\norigin: b',
        initialAge: 1.5,
        tags: ['posts', 'posts/1', 'caf\u00e9/\u{1F600}'],
      });
      expect(await store.put('/a', put)).toBe(true);
      for (const side of [store, peer]) expect((await side.get('/a')).map(plain)).toEqual([plain(put)]);
    });

    specify('bodies are bytes: empty, every value, and large', async ({ store, peer, now }) => {
      const bodies = [
        new Uint8Array(0),
        Uint8Array.from({ length: 256 }, (_, value) => value),
        new Uint8Array(300_000).fill(10),
      ];
      for (const [at, body] of bodies.entries()) {
        await store.put(`/${at}`, storedResponse(now(), { body }));
        for (const side of [store, peer]) {
          const [found] = await side.get(`/${at}`);
          expect(found?.body.byteLength).toBe(body.byteLength);
          expect(found !== undefined && equal(found.body, body)).toBe(true);
        }
      }
    });

    specify('a body that was a part of a larger buffer does not change with it', async ({ store, now }) => {
      const packet = new Uint8Array(1000).fill(1);
      await store.put('/a', storedResponse(now(), { body: packet.subarray(10, 20) }));
      packet.fill(2);
      const [found] = await store.get('/a');
      expect([...(found?.body ?? [])]).toEqual(new Array(10).fill(1));
      expect(found?.body.buffer.byteLength).toBeLessThan(1000);
    });

    specify('keys are told apart by every character', async ({ store, peer, now }) => {
      const keys = ['/a', '/A', '/a ', '/a\0', '/a\n', '/\u00e4', '/a?x[]=1', '/a?x[0]=1', '/a*', '/{a}'];
      for (const key of keys) await store.put(key, storedResponse(now(), { body: text(key) }));
      for (const key of keys) {
        const [found] = await peer.get(key);
        expect(new TextDecoder().decode(found?.body)).toBe(key);
      }
    });

    specify('an answer takes the place of one of the same variant', async ({ store, now }) => {
      await store.put('/a', storedResponse(now(), { body: text('old') }));
      await store.put('/a', storedResponse(now(), { body: text('new') }));
      expect((await store.get('/a')).map(({ body }) => new TextDecoder().decode(body))).toEqual(['new']);
    });

    specify('variants stand beside one another, the newest first', async ({ store, now }) => {
      for (const variant of ['a', 'b', 'c']) {
        await store.put('/a', storedResponse(now(), { variant, vary: ['accept'], responseTime: now() }));
      }
      expect((await store.get('/a')).map(({ variant }) => variant)).toEqual(['c', 'b', 'a']);
    });

    specify('variants of a key are bounded: the oldest goes', async ({ store, peer, now }) => {
      for (let at = 0; at < 100; at += 1) {
        await store.put(
          '/a',
          storedResponse(now(), { variant: String(at), responseTime: now() + 1000 * at }),
        );
      }
      for (const side of [store, peer]) {
        const variants = (await side.get('/a')).map(({ variant }) => Number(variant));
        expect(variants).toEqual(Array.from({ length: 64 }, (_, at) => 99 - at));
      }
    });

    specify('a body above the limit is refused', async ({ store, now }) => {
      expect(
        await store.put('/a', storedResponse(now(), { body: new Uint8Array(8 * 1024 * 1024 + 1) })),
      ).toBe(false);
      expect(await store.get('/a')).toEqual([]);
    });
  });

  describe(`${name} purges`, () => {
    const fill = async ({ store, now }: StoreUnderTest) => {
      await store.put('/a', storedResponse(now(), { tags: ['posts', 'posts/1'] }));
      await store.put('/b', storedResponse(now(), { tags: ['posts', 'posts/2'] }));
      await store.put('/c', storedResponse(now(), { tags: ['pages'] }));
      await store.put('/d', storedResponse(now()));
    };
    const SELECTIONS: readonly [string, PurgeSelection, readonly string[]][] = [
      ['by a tag', { kind: 'tags', tags: ['posts'] }, ['/a', '/b']],
      ['by one of several tags', { kind: 'tags', tags: ['pages', 'posts/2', 'none'] }, ['/b', '/c']],
      ['by a tag that none has', { kind: 'tags', tags: ['/a'] }, []],
      ['by no tag', { kind: 'tags', tags: [] }, []],
      ['by keys', { kind: 'keys', keys: ['/a', '/d', '/none'] }, ['/a', '/d']],
      ['by a key that is a tag', { kind: 'keys', keys: ['posts'] }, []],
      ['all', { kind: 'all' }, ['/a', '/b', '/c', '/d']],
    ];

    for (const [how, selection, struck] of SELECTIONS) {
      specify(`${how}, hard: what is struck is gone`, async (subject) => {
        await fill(subject);
        expect(await subject.store.purge(selection, 'hard')).toBe(struck.length);
        expect(await keysOf(subject.store)).toEqual(ALL.filter((key) => !struck.includes(key)));
      });

      specify(`${how}, soft: what is struck is stale`, async (subject) => {
        await fill(subject);
        expect(await subject.store.purge(selection, 'soft')).toBe(struck.length);
        expect(await keysOf(subject.store)).toEqual(ALL);
        const stale = await keysOf(subject.store, ({ markedStale }) => markedStale);
        expect(stale).toEqual(struck);
      });
    }

    const MODES: readonly PurgeMode[] = ['hard', 'soft'];
    for (const mode of MODES) {
      specify(
        `an answer asked for before a ${mode} purge of its tag is refused after it`,
        async (subject) => {
          const { store, now, tick } = subject;
          const asked = now();
          await tick();
          await store.purge({ kind: 'tags', tags: ['posts'] }, mode);
          await tick();
          expect(
            await store.put('/a', storedResponse(asked, { tags: ['x', 'posts'], responseTime: now() })),
          ).toBe(false);
          expect(await store.put('/b', storedResponse(asked, { tags: ['pages'] }))).toBe(true);
          expect(await keysOf(store)).toEqual(['/b']);
        },
      );
    }

    specify(
      'an answer asked for before a purge of its key, or of all, is refused after it',
      async (subject) => {
        const { store, now, tick } = subject;
        const asked = now();
        await tick();
        await store.purge({ kind: 'keys', keys: ['/a'] }, 'hard');
        await tick();
        expect(await store.put('/a', storedResponse(asked))).toBe(false);
        expect(await store.put('/b', storedResponse(asked))).toBe(true);
        await store.purge({ kind: 'all' }, 'hard');
        await tick();
        expect(await store.put('/b', storedResponse(asked))).toBe(false);
      },
    );

    specify('an answer asked for after a purge is kept', async ({ store, peer, now, tick }) => {
      await store.put('/a', storedResponse(now(), { tags: ['posts'], body: text('old') }));
      await store.purge({ kind: 'tags', tags: ['posts'] }, 'soft');
      await tick();
      const put = storedResponse(now(), { tags: ['posts'], body: text('new') });
      expect(await store.put('/a', put)).toBe(true);
      for (const side of [store, peer]) {
        const [found] = await side.get('/a');
        expect(found?.markedStale).toBe(false);
        expect(new TextDecoder().decode(found?.body)).toBe('new');
      }
    });

    specify('a purge of a tag strikes the variants that have it, and no others', async ({ store, now }) => {
      await store.put('/a', storedResponse(now(), { variant: 'en', tags: ['posts'] }));
      await store.put('/a', storedResponse(now(), { variant: 'de', tags: ['pages'] }));
      expect(await store.purge({ kind: 'tags', tags: ['posts'] }, 'hard')).toBe(1);
      expect((await store.get('/a')).map(({ variant }) => variant)).toEqual(['de']);
    });

    specify('tags of an answer that was replaced strike no more', async ({ store, now }) => {
      await store.put('/a', storedResponse(now(), { tags: ['old', 'both'] }));
      await store.put('/a', storedResponse(now(), { tags: ['new', 'both'] }));
      expect(await store.purge({ kind: 'tags', tags: ['old'] }, 'hard')).toBe(0);
      expect(await store.purge({ kind: 'tags', tags: ['both'] }, 'hard')).toBe(1);
      expect(await store.get('/a')).toEqual([]);
    });

    specify('a soft purge ends the freshness then, not earlier', async ({ store, now }) => {
      await store.put('/a', storedResponse(now(), { initialAge: 20, lifetime: 60, tags: ['posts'] }));
      await store.put('/b', storedResponse(now(), { initialAge: 90, lifetime: 60, tags: ['posts'] }));
      await store.purge({ kind: 'all' }, 'soft');
      const [[a], [b]] = [await store.get('/a'), await store.get('/b')];
      expect(a?.lifetime).toBeGreaterThanOrEqual(20);
      expect(a?.lifetime).toBeLessThan(30);
      expect(b?.lifetime).toBe(60);
    });

    specify('a soft purge after a hard one strikes nothing', async ({ store, now }) => {
      await store.put('/a', storedResponse(now(), { tags: ['posts'] }));
      await store.purge({ kind: 'all' }, 'hard');
      expect(await store.purge({ kind: 'all' }, 'soft')).toBe(0);
    });
  });

  describe(`${name} gives leave to ask`, () => {
    specify('for one key at a time, and again when it is given back', async ({ store }) => {
      const first = await store.lease('/a', 10_000);
      expect(first).not.toBeNull();
      expect(await store.lease('/b', 10_000)).not.toBeNull();
      first?.release();
      first?.release();
      expect(await store.lease('/a', 10_000)).not.toBeNull();
    });
  });

  describe(`${name} ends`, () => {
    specify('and then is as if it were empty', async ({ store, now }) => {
      await store.put('/a', storedResponse(now()));
      await store.close();
      await store.close();
      expect(await store.get('/a')).toEqual([]);
      expect(store.stats().entries).toBe(0);
      expect(store.stats().bytes).toBe(0);
    });
  });
}

const ALL = ['/a', '/b', '/c', '/d'];

/** Which of the keys have an answer that fits. */
async function keysOf(store: CacheStore, fits: (answer: StoredResponse) => boolean = () => true) {
  const found: string[] = [];
  for (const key of ALL) if ((await store.get(key)).some(fits)) found.push(key);
  return found;
}

/** An answer without what only some stores add, and times without the clock's own steps. */
function plain({ compressed: _, requestTime, responseTime, ...facts }: StoredResponse) {
  return { ...facts, body: [...facts.body], waited: Math.round((responseTime - requestTime) / 10) };
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
