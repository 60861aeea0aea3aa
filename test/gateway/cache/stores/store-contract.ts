import { describe, expect, test } from 'vitest';
import { canServeOnFailure, NO_REQUEST_DIRECTIVES } from '../../../../src/gateway/cache/policy/reuse.ts';
import {
  type CacheStore,
  PURGE_MODES,
  type PurgeSelection,
  type PutResult,
  type StoredResponse,
  type StoreMark,
} from '../../../../src/gateway/cache/store.ts';

/** A new store for one test, which is closed after it. */
export interface StoreUnderTest {
  readonly store: CacheStore & { close(): Promise<void> };
  /** Waits until the clock has advanced. */
  tick(): Promise<void>;
  /** Current time on the clock of `requestTime`. */
  now(): number;
  /** A second store on the same shared tier, or the same store if it is not shared. */
  readonly peer: CacheStore;
}

const text = (value: string) => new TextEncoder().encode(value);

/** Looks up the responses of a key. */
export async function read(store: CacheStore, key: string): Promise<readonly StoredResponse[]> {
  return (await store.get(key)).responses;
}

/** Stores a response as after a lookup. */
export async function put(store: CacheStore, key: string, response: StoredResponse): Promise<PutResult> {
  return store.put(key, response, await markOf(store, key));
}

/** The mark of a request that is sent now. */
async function markOf(store: CacheStore, key: string): Promise<StoreMark> {
  const { mark } = await store.get(key);
  if (mark === null) throw new Error('the store is away');
  return mark;
}

export function storedResponse(index: number, facts: Partial<StoredResponse> = {}): StoredResponse {
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'Link', '<https://example.com/>; rel="next"'],
    body: text('{"id":1}'),
    variantKey: '',
    vary: [],
    requestTime: index,
    responseTime: index,
    initialAge: 0,
    freshnessLifetime: 60,
    staleWhileRevalidate: 30,
    staleIfError: 300,
    staleIfUnreachable: 300,
    isSoftPurged: false,
    tags: [],
    ...facts,
  };
}

/** Tests that every implementation of `CacheStore` must pass. */
export function describeStoreContract(
  name: string,
  withStore: (test: (subject: StoreUnderTest) => Promise<void>) => Promise<void>,
): void {
  const specify = (sentence: string, body: (subject: StoreUnderTest) => Promise<void>) =>
    test(sentence, () => withStore(body));

  describe(`${name} stores responses`, () => {
    specify('a response is returned as it was stored', async ({ store, peer, now }) => {
      const stored = storedResponse(now(), {
        status: 404,
        headers: ['X-Latin', 'caf\u00e9', 'X-Empty', '', 'X-Twice', 'a', 'X-Twice', 'b'],
        vary: ['accept', 'origin'],
        variantKey: 'accept: a\norigin: b',
        initialAge: 1.5,
        tags: ['posts', 'posts/1', 'caf\u00e9/\u{1F600}'],
      });
      expect(await put(store, '/a', stored)).toBe('stored');
      for (const side of [store, peer])
        expect((await read(side, '/a')).map(toComparable)).toEqual([toComparable(stored)]);
    });

    specify(
      'a response that was requested before the stored one does not replace it',
      async ({ store, tick, now }) => {
        const before = storedResponse(now(), { body: text('before') });
        await tick();
        expect(await put(store, '/a', storedResponse(now(), { body: text('after') }))).toBe('stored');
        expect(await put(store, '/a', { ...before, responseTime: now() })).toBe('outdated');
        const other = { ...before, variantKey: 'accept: a\n', vary: ['accept'] };
        expect(await put(store, '/a', other)).toBe('stored');
        const bodies = (await read(store, '/a')).map(({ body }) => new TextDecoder().decode(body));
        expect(bodies.sort()).toEqual(['after', 'before']);
      },
    );

    specify('a body may be empty, large, and contain any byte', async ({ store, peer, now }) => {
      const bodies = [
        new Uint8Array(0),
        Uint8Array.from({ length: 256 }, (_, value) => value),
        new Uint8Array(1_000_000).fill(10),
      ];
      for (const [index, body] of bodies.entries()) {
        await put(store, `/${index}`, storedResponse(now(), { body }));
        for (const side of [store, peer]) {
          const [found] = await read(side, `/${index}`);
          expect(found?.body.byteLength).toBe(body.byteLength);
          expect(found !== undefined && equal(found.body, body)).toBe(true);
        }
      }
    });

    specify('keys differ by every character', async ({ store, peer, now }) => {
      const keys = ['/a', '/A', '/a ', '/a\0', '/a\n', '/\u00e4', '/a?x[]=1', '/a?x[0]=1', '/a*', '/{a}'];
      for (const key of keys) await put(store, key, storedResponse(now(), { body: text(key) }));
      for (const key of keys) {
        const [found] = await read(peer, key);
        expect(new TextDecoder().decode(found?.body)).toBe(key);
      }
    });

    specify('variants of a key are returned the newest first', async ({ store, now }) => {
      for (const variantKey of ['a', 'b', 'c']) {
        await put(store, '/a', storedResponse(now(), { variantKey, vary: ['accept'], responseTime: now() }));
      }
      expect((await read(store, '/a')).map(({ variantKey }) => variantKey)).toEqual(['c', 'b', 'a']);
    });
  });

  describe(`${name} purges`, () => {
    const putAll = async ({ store, now }: StoreUnderTest) => {
      await put(store, '/a', storedResponse(now(), { tags: ['posts', 'posts/1'] }));
      await put(store, '/b', storedResponse(now(), { tags: ['posts', 'posts/2'] }));
      await put(store, '/c', storedResponse(now(), { tags: ['pages'] }));
      await put(store, '/d', storedResponse(now()));
    };
    const SELECTIONS: readonly [string, PurgeSelection, readonly string[]][] = [
      ['by a tag', { kind: 'tags', tags: ['posts'] }, ['/a', '/b']],
      ['by one of several tags', { kind: 'tags', tags: ['pages', 'posts/2', 'none'] }, ['/b', '/c']],
      ['by an unknown tag', { kind: 'tags', tags: ['none'] }, []],
      ['by no tag', { kind: 'tags', tags: [] }, []],
      ['by keys', { kind: 'tags', tags: ['/a', '/d', '/none'] }, ['/a', '/d']],
      ['everything', { kind: 'all' }, ['/a', '/b', '/c', '/d']],
    ];

    for (const [name, selection, selected] of SELECTIONS) {
      specify(
        `${name}: soft, what is selected is stale, and hard, it is removed everywhere`,
        async (subject) => {
          const { peer, store } = subject;
          await putAll(subject);
          await store.purge(selection, 'unconfirmed');
          expect(await keysOf(store)).toEqual(ALL_KEYS);
          expect(await keysOf(peer, ({ isSoftPurged }) => isSoftPurged)).toEqual(selected);
          await store.purge(selection, 'hard');
          for (const side of [store, peer]) {
            expect(await keysOf(side)).toEqual(ALL_KEYS.filter((key) => !selected.includes(key)));
          }
        },
      );
    }

    for (const mode of PURGE_MODES) {
      specify(
        `a response that was requested before a ${mode} purge of its tag is outdated`,
        async (subject) => {
          const { store, now, peer } = subject;
          const marks = [await markOf(store, '/a'), await markOf(store, '/b')] as const;
          await peer.purge({ kind: 'tags', tags: ['posts'] }, mode);
          const response = storedResponse(now(), { tags: ['x', 'posts'] });
          expect(await store.put('/a', response, marks[0])).toBe('outdated');
          expect(await store.put('/b', storedResponse(now(), { tags: ['pages'] }), marks[1])).toBe('stored');
          expect(await keysOf(store)).toEqual(['/b']);
        },
      );
    }

    specify(
      'a response that was requested before a purge of its key or of everything is outdated',
      async (subject) => {
        const { store, now, peer } = subject;
        const marks = [await markOf(store, '/a'), await markOf(store, '/b')] as const;
        await peer.purge({ kind: 'tags', tags: ['/a'] }, 'hard');
        expect(await store.put('/a', storedResponse(now()), marks[0])).toBe('outdated');
        expect(await store.put('/b', storedResponse(now()), marks[1])).toBe('stored');
        await peer.purge({ kind: 'all' }, 'hard');
        expect(await store.put('/b', storedResponse(now()), marks[1])).toBe('outdated');
      },
    );

    specify('two marks are equal if no purge came between them', async ({ peer, store }) => {
      const before = await markOf(store, '/a');
      expect(await markOf(store, '/b')).toBe(before);
      await peer.purge({ kind: 'tags', tags: ['posts'] }, 'unconfirmed');
      expect(await markOf(store, '/a')).not.toBe(before);
    });

    specify('a tag may be long, and any text', async ({ now, peer, store }) => {
      for (const tag of ['a'.repeat(15_000), '\ud800', '']) {
        await put(store, '/a', storedResponse(now(), { tags: [tag] }));
        expect(await read(peer, '/a')).toHaveLength(1);
        await peer.purge({ kind: 'tags', tags: [tag] }, 'hard');
        for (const side of [store, peer]) expect(await read(side, '/a')).toEqual([]);
      }
    });

    specify('a response that was requested after a purge is stored', async ({ store, peer, now, tick }) => {
      await put(store, '/a', storedResponse(now(), { tags: ['posts'], body: text('old') }));
      await store.purge({ kind: 'tags', tags: ['posts'] }, 'unconfirmed');
      await tick();
      const stored = storedResponse(now(), { tags: ['posts'], body: text('new') });
      expect(await put(store, '/a', stored)).toBe('stored');
      for (const side of [store, peer]) {
        const [found] = await read(side, '/a');
        expect(found?.isSoftPurged).toBe(false);
        expect(new TextDecoder().decode(found?.body)).toBe('new');
      }
    });

    specify('a purge of a tag selects the variants that have it', async ({ store, now }) => {
      await put(store, '/a', storedResponse(now(), { variantKey: 'en', tags: ['posts'] }));
      await put(store, '/a', storedResponse(now(), { variantKey: 'de', tags: ['pages'] }));
      await store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
      expect((await read(store, '/a')).map(({ variantKey }) => variantKey)).toEqual(['de']);
    });

    specify('the tags of a replaced response select nothing', async ({ store, now }) => {
      await put(store, '/a', storedResponse(now(), { tags: ['old', 'both'] }));
      await put(store, '/a', storedResponse(now(), { tags: ['new', 'both'] }));
      await store.purge({ kind: 'tags', tags: ['old'] }, 'hard');
      expect(await read(store, '/a')).toHaveLength(1);
      await store.purge({ kind: 'tags', tags: ['both'] }, 'hard');
      expect(await read(store, '/a')).toEqual([]);
    });
  });

  describe(`${name} purges by writes of unknown outcome`, () => {
    const UNCONFIRMED = { kind: 'tags', tags: ['posts'] } as const;
    const KEYS = ['/tag', '/other'];
    const putAll = async ({ now, peer, store }: StoreUnderTest) => {
      const lifetimes = { staleWhileRevalidate: 30, staleIfError: 0, staleIfUnreachable: 0 };
      await put(store, '/tag', storedResponse(now(), { ...lifetimes, tags: ['posts'] }));
      await put(store, '/other', storedResponse(now(), { ...lifetimes, tags: ['pages'] }));
      for (const key of KEYS) expect(await read(peer, key)).toHaveLength(1);
    };
    const statesOf = async (store: CacheStore) => {
      const states: string[] = [];
      for (const key of KEYS) {
        const [found] = await read(store, key);
        const isUsable =
          found !== undefined &&
          canServeOnFailure(found, NO_REQUEST_DIRECTIVES, found.responseTime + 20_000, 'error');
        states.push(found?.isSoftPurged === false ? 'fresh' : isUsable ? 'if the site fails' : 'never');
      }
      return states;
    };
    const IF_FAILING = 'if the site fails';

    specify('that is used as before while the site fails, and not otherwise', async (subject) => {
      const { now, peer, store, tick } = subject;
      await putAll(subject);
      const mark = await markOf(store, '/tag');
      await store.purge(UNCONFIRMED, 'unconfirmed');
      for (const side of [store, peer]) {
        expect(await statesOf(side)).toEqual([IF_FAILING, 'fresh']);
        expect((await read(side, '/tag'))[0]).toMatchObject({
          freshnessLifetime: 60,
          staleWhileRevalidate: 0,
        });
      }
      expect(await store.put('/tag', storedResponse(now(), { tags: ['posts'] }), mark)).toBe('outdated');
      await tick();
      expect(await put(store, '/tag', storedResponse(now(), { tags: ['posts'] }))).toBe('stored');
      for (const side of [store, peer]) expect((await statesOf(side)).at(0)).toBe('fresh');
    });

    specify('and then by one that succeeded, after which nothing is used', async (subject) => {
      const { peer, store } = subject;
      await putAll(subject);
      await store.purge(UNCONFIRMED, 'unconfirmed');
      for (const side of [store, peer]) expect((await statesOf(side)).at(0)).toBe(IF_FAILING);
      await peer.purge(UNCONFIRMED, 'revalidate');
      await store.purge(UNCONFIRMED, 'unconfirmed');
      for (const side of [store, peer]) expect(await statesOf(side)).toEqual(['never', 'fresh']);
    });
  });

  describe(`${name} lists what is in memory`, () => {
    specify('by key, without the purged responses', async ({ store, now }) => {
      for (const tag of ['posts', 'pages'])
        await put(store, `/${tag}`, storedResponse(now(), { tags: [tag] }));
      await store.purge({ kind: 'tags', tags: ['posts'] }, 'hard');
      const entries = [...store.report().entries].map(([key, { length }]) => [key, length]);
      expect(entries.filter(([, length]) => length !== 0)).toEqual([['/pages', 1]]);
    });
  });

  describe(`${name} is bounded`, () => {
    specify('a body is copied from the larger buffer that it is a view of', async ({ store, now }) => {
      const packet = new Uint8Array(1000).fill(1);
      await put(store, '/a', storedResponse(now(), { body: packet.subarray(10, 20) }));
      packet.fill(2);
      const [found] = await read(store, '/a');
      expect([...(found?.body ?? [])]).toEqual(new Array(10).fill(1));
      expect(found?.body.buffer.byteLength).toBeLessThan(1000);
    });

    specify('the number of variants is bounded', async ({ store, peer, now }) => {
      for (let index = 0; index < 100; index += 1) {
        await put(
          store,
          '/a',
          storedResponse(now(), { variantKey: String(index), responseTime: now() + 1000 * index }),
        );
      }
      for (const side of [store, peer]) {
        const variants = (await read(side, '/a')).map(({ variantKey }) => Number(variantKey));
        expect(variants.length).toBeLessThanOrEqual(64);
        expect(variants[0]).toBe(99);
      }
    });

    specify('a body above the limit is not stored', async ({ store, now }) => {
      const body = new Uint8Array(16 * 1024 * 1024 + 1);
      expect(await put(store, '/a', storedResponse(now(), { body }))).toBe('unstored');
      expect(await read(store, '/a')).toEqual([]);
    });

    specify('a closed store is empty', async ({ store, now }) => {
      await put(store, '/a', storedResponse(now()));
      await store.close();
      await store.close();
      expect(await read(store, '/a')).toEqual([]);
      expect(store.report()).toMatchObject({ responseCount: 0, bytes: 0 });
    });
  });
}

const ALL_KEYS = ['/a', '/b', '/c', '/d'];

/** The keys that have a matching response. */
async function keysOf(store: CacheStore, matches: (response: StoredResponse) => boolean = () => true) {
  const found: string[] = [];
  for (const key of ALL_KEYS) if ((await read(store, key)).some(matches)) found.push(key);
  return found;
}

/** A response in a comparable form: without compressed bodies, and with rounded times. */
function toComparable({ requestTime, responseTime, ...others }: StoredResponse) {
  const { compressed: _, revision: __, usage: ___, ...facts } = others;
  return { ...facts, body: [...facts.body], waited: Math.round((responseTime - requestTime) / 10) };
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
