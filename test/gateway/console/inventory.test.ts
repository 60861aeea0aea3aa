import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_GROUPS, MAX_PREVIEWED, previewPurge, takeInventory } from '../../../src/cache/inventory.ts';
import type { StoredResponse, StoreInspector } from '../../../src/cache/store.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import type { Clock } from '../../../src/ports.ts';

const SCOPE = 'example.com/';
const NOW = 1_000_000;
/** The clock of the store: nothing runs later. */
const clock: Clock = { now: () => NOW, after: () => () => {} };

const createResponse = (tags: readonly string[], changes: Partial<StoredResponse> = {}): StoredResponse => ({
  status: 200,
  headers: ['content-type', 'application/json'],
  body: new Uint8Array(100),
  variantKey: '',
  vary: [],
  requestTime: NOW - 20_000,
  responseTime: NOW - 10_000,
  initialAge: 0,
  freshnessLifetime: 30,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: 0,
  isSoftPurged: false,
  tags: tags.map((tag) => `${SCOPE} ${tag}`),
  ...changes,
});

/** Counts the responses that are read between two turns of other work, if 100 responses or tags take a millisecond. */
function createTurnCounter(inspector: StoreInspector) {
  const turns = [0];
  let visited = 0;
  const counted: StoreInspector = {
    ...inspector,
    peek(key) {
      turns.push((turns.pop() ?? 0) + 1);
      visited += 1;
      return inspector.peek(key);
    },
    *countTags() {
      for (const entry of inspector.countTags()) {
        visited += 1;
        yield entry;
      }
    },
  };
  const turnClock: Clock = {
    now: () => NOW + visited / 100,
    after(_delay, task) {
      turns.push(0);
      setImmediate(task);
      return () => {};
    },
  };
  return { inspector: counted, clock: turnClock, turns };
}

/** Three of the keys are named, and of 100,000 with an id those of every 500th are alike. */
const nameRoute = (key: string): string => {
  const id = /\/(\d+)"$/.exec(key)?.[1];
  return id === undefined ? (key.endsWith('\nthree') ? '' : '/wp/v2/posts/{id}') : `/kind${Number(id) % 500}`;
};

describe('an inventory', () => {
  const store = new MemoryStore({ clock });
  const { inspector } = store;
  store.put(`${SCOPE}\nhttp://a\none`, createResponse(['/', '/posts', '/posts/1']));
  store.put(
    `${SCOPE}\nhttp://a\ntwo`,
    createResponse(['/', '/posts'], { responseTime: NOW - 60_000, body: new Uint8Array(5_000) }),
  );
  store.put(`${SCOPE}\nhttp://a\nthree`, createResponse(['/', '/pages']));
  store.put('example.com/shop\nhttp://a\nfour', createResponse([], { tags: ['example.com/shop /'] }));

  test('counts the responses of one site by route and by tag', async () => {
    const options = { inspector, storeScope: SCOPE, clock, nameRoute };
    const { routeCount, routes, tagCount, tags, total } = await takeInventory(options);
    expect(total).toMatchObject({ responses: 3, fresh: 2, youngest: 10, oldest: 60 });
    expect(routes.map(({ name, responses }) => [name, responses])).toEqual([
      ['/wp/v2/posts/{id}', 2],
      ['', 1],
    ]);
    expect(tags.map(({ name, responses }) => [name, responses])).toEqual([
      ['/', 3],
      ['/posts', 2],
      ['/posts/1', 1],
      ['/pages', 1],
    ]);
    expect([routeCount, tagCount]).toEqual([2, 4]);
    expect(total.bytes).toBe(routes.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('does not change the order of eviction', async () => {
    const small = new MemoryStore({ clock, maxBytes: 6_500 });
    for (const name of ['a', 'b']) small.put(`${SCOPE}\n\n${name}`, createResponse(['/']));
    await takeInventory({ inspector: small.inspector, storeScope: SCOPE, clock, nameRoute });
    small.inspector.peek(`${SCOPE}\n\na`);
    for (const name of ['c', 'd']) small.put(`${SCOPE}\n\n${name}`, createResponse(['/']));
    const names = small.inspector.listKeys().map((key) => key.split('\n')[2]);
    expect(names).not.toContain('a');
    expect(names).toContain('d');
  });

  test('a preview of a purge counts what the purge then removes', async () => {
    const selection = { kind: 'tags', tags: [`${SCOPE} /posts`] } as const;
    const preview = await previewPurge(inspector, selection, clock);
    expect(preview).toMatchObject({ responses: 2 });
    expect(preview.examples.map(({ ttl }) => ttl)).toEqual([20, -30]);
    expect(store.stats().responseCount).toBe(4);
    expect(await store.purge(selection, 'hard')).toBe(2);
    expect((await previewPurge(inspector, selection, clock)).responses).toBe(0);
  });
});

describe('with 100,000 responses', () => {
  const COUNT = 100_000;
  const store = new MemoryStore({ clock, maxBytes: 1024 ** 3 });
  beforeAll(() => {
    for (let at = 0; at < COUNT; at += 1) {
      store.put(
        `${SCOPE}\nhttp://a\nR"/wp/v2/posts/${at}"`,
        createResponse([
          ...['/', '/wp', '/wp/v2', '/wp/v2/posts', `/wp/v2/posts/${at}`, `>#${at}`, `@${at % 5_000}`],
        ]),
      );
    }
  }, 60_000);

  test('an inventory is bounded, and gives other work a turn after each 4 ms', async () => {
    const { turns, ...counted } = createTurnCounter(store.inspector);
    const inventory = await takeInventory({ ...counted, storeScope: SCOPE, nameRoute });
    expect(inventory.total.responses).toBe(COUNT);
    expect([inventory.routes.length, inventory.routeCount]).toEqual([MAX_GROUPS, 500]);
    expect(inventory.tags).toHaveLength(MAX_GROUPS);
    expect(inventory.tagCount).toBe(2 * COUNT + 5_004);
    expect(Math.max(...turns)).toBe(400);
    // The tags are counted in turns too, before any response is read.
    expect(turns.filter((responses) => responses === 0).length).toBeGreaterThan(200);
  });

  test.each([
    ['all of them', { kind: 'all' }, COUNT],
    ['a tag that all have', { kind: 'tags', tags: [`${SCOPE} /wp`] }, COUNT],
    ['a tag that few have', { kind: 'tags', tags: [`${SCOPE} @17`] }, 20],
  ] as const)('so does a preview of %s', async (_, selection, count) => {
    const { turns, ...counted } = createTurnCounter(store.inspector);
    const preview = await previewPurge(counted.inspector, selection, counted.clock);
    expect(preview.responses).toBe(count);
    expect(preview.examples.length).toBe(Math.min(count, MAX_PREVIEWED));
    expect(Math.max(...turns)).toBe(400);
  });
});
