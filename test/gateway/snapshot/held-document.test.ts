import { describe, expect, test } from 'vitest';
import { createGateway } from '../../../src/gateway/index.ts';
import { REVIEW_INTERVAL } from '../../../src/gateway/snapshot/held-document.ts';
import { serve } from '../../../src/node/index.ts';
import { type Clock, systemClock } from '../../../src/ports.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type StubSite, startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';
import { signIn } from '../console/support/console-client.ts';

const route = (namespace: string, methods: readonly string[] = ['GET']): object => ({
  namespace,
  methods,
  endpoints: [{ methods, args: {} }],
});

/** Routes of one plugin: `things-1` and so on. */
const plugin = (namespace: string, count: number, methods?: readonly string[]): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [
      `/${namespace}/things-${number + 1}`,
      route(namespace, methods),
    ]),
  );

const toIndex = (...plugins: readonly Record<string, object>[]): object => ({
  name: 'A site',
  namespaces: [],
  routes: Object.assign({}, ...plugins),
});

/** A clock whose long timers the test ends. */
function createReviewClock(): Clock & { readonly review: () => void; readonly reviews: () => number } {
  const reviews = new Set<() => void>();
  return {
    now: systemClock.now,
    after(delay, task) {
      if (delay !== REVIEW_INTERVAL) return systemClock.after(delay, task);
      reviews.add(task);
      return () => void reviews.delete(task);
    },
    review() {
      for (const task of [...reviews]) {
        reviews.delete(task);
        task();
      }
    },
    reviews: () => reviews.size,
  };
}

const bearer = { authorization: 'Bearer admin' };

interface Subject {
  readonly site: StubSite;
  readonly url: string;
  readonly clock: ReturnType<typeof createReviewClock>;
  readonly warnings: string[];
  /** Changes the index, and discovers the site. */
  discover(index: object): Promise<void>;
  readonly countOperations: () => Promise<number>;
  readonly readHeld: () => Promise<{
    readonly held: { readonly namespaces: string[]; readonly removed: string[] } | null;
  }>;
  decide(body: object): Promise<Response>;
}

/** @param gone whether the site responds to routes that its index does not list */
async function startSubject(first: object, { answers = (): boolean => false } = {}): Promise<Subject> {
  let index = first;
  const site = await startStubSite({
    index: () => index,
    respond: () => (answers() ? { status: 401, body: { code: 'rest_forbidden' } } : undefined),
  });
  const clock = createReviewClock();
  const warnings: string[] = [];
  const gateway = createGateway({
    sites: [{ url: site.url }],
    admin: { token: 'admin' },
    clock,
    log: { info() {}, error() {}, warn: (_, text) => warnings.push(text) },
  });
  const server = await serve(gateway, { port: 0, shutdownGrace: 100 });
  closeAfterTest(site.close, server.stop);
  const { url } = server;
  await waitUntil(() => gateway.isReady());
  const read = async (path: string) => (await fetch(url + path, { headers: bearer })).json();
  return {
    site,
    url,
    clock,
    warnings,
    async discover(next) {
      index = next;
      await gateway.rediscover();
    },
    countOperations: async () => Object.keys((await read('/openapi.json')).paths).length,
    readHeld: () => read('/-/sites/default/documents'),
    decide: (body) =>
      fetch(`${url}/-/sites/default/documents`, {
        method: 'POST',
        headers: bearer,
        body: JSON.stringify(body),
      }),
  };
}

const [CORE, SHOP, SMALL] = [plugin('wp/v2', 12), plugin('wc/v3', 6), plugin('tiny/v1', 2)];
const WHOLE = toIndex(CORE, SHOP, SMALL);
const WITHOUT_SHOP = toIndex(CORE, SMALL);

describe('a new document', () => {
  test.each([
    ['without routes is held back', toIndex(), true],
    ['without a namespace that held a quarter is held back', WITHOUT_SHOP, true],
    [
      'with less than half of the operations is held back',
      toIndex(plugin('wp/v2', 6), plugin('wc/v3', 2), plugin('tiny/v1', 1)),
      true,
    ],
    [
      'with half of the operations replaces the served one',
      toIndex(plugin('wp/v2', 6), plugin('wc/v3', 2), SMALL),
      false,
    ],
    ['without a small namespace replaces the served one', toIndex(CORE, SHOP), false],
    [
      'with other routes beside the same ones replaces the served one',
      toIndex(CORE, SHOP, SMALL, plugin('new/v1', 40)),
      false,
    ],
  ])('%s', async (_, next, isHeld) => {
    const { countOperations, discover, readHeld, url, warnings } = await startSubject(WHOLE);
    await discover(next);
    expect(await countOperations()).toBe(isHeld ? 20 : Object.keys(Object(next).routes).length);
    expect((await readHeld()).held !== null).toBe(isHeld);
    const ready = await (await fetch(`${url}/-/ready`)).json();
    expect(ready).toEqual(
      isHeld
        ? { status: 'ready', details: [expect.objectContaining({ state: 'held' })] }
        : { status: 'ready' },
    );
    const metrics = await (await fetch(`${url}/-/metrics`, { headers: bearer })).text();
    expect(metrics).toContain(`waygate_site_document_held{site="default"} ${Number(isHeld)}`);
    expect(warnings.filter((text) => text.includes('held back'))).toHaveLength(Number(isHeld));
  });

  test.each([
    [3, 2, true],
    [6, 4, true],
    [6, 5, false],
    [12, 8, true],
    [13, 8, false],
  ])('of %i operations that has %i later is held back: %s', async (before, after, isHeld) => {
    const { discover, readHeld } = await startSubject(toIndex(plugin('wp/v2', before)));
    await discover(toIndex(plugin('wp/v2', after)));
    expect((await readHeld()).held !== null).toBe(isHeld);
  });

  test('says what would go', async () => {
    const { discover, readHeld } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    expect(await readHeld()).toMatchObject({
      site: 'default',
      held: {
        operations: { served: 20, offered: 14, removed: 6 },
        namespaces: ['wc/v3'],
        removed: Array.from({ length: 6 }, (_, number) => `GET /wc/v3/things-${number + 1}`),
      },
    });
  });

  test('counts routes that share a path as the document does', async () => {
    const twins = {
      '/wc/v3/items/(?P<id>\\d+)': route('wc/v3'),
      '/wc/v3/items/(?P<slug>[a-z]+)': route('wc/v3'),
    };
    const { countOperations, discover, readHeld } = await startSubject(toIndex(CORE, SHOP, twins));
    await discover(toIndex(SMALL));
    expect(await readHeld()).toMatchObject({ held: { operations: { served: await countOperations() } } });
  });

  test('lists a bounded number of what would go', async () => {
    const { discover, readHeld } = await startSubject(toIndex(plugin('wp/v2', 900)));
    await discover(toIndex());
    expect((await readHeld()).held?.removed).toHaveLength(200);
  });

  test('is dropped when the index lists the routes again', async () => {
    const { clock, discover, readHeld } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    await discover(WITHOUT_SHOP);
    expect((await readHeld()).held).not.toBeNull();
    await discover(WHOLE);
    expect((await readHeld()).held).toBeNull();
    expect(clock.reviews()).toBe(0);
  });
});

describe('an operator', () => {
  test('accepts the held document', async () => {
    const { countOperations, decide, discover, readHeld, url } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    expect((await decide({ action: 'promote' })).status).toBe(200);
    expect(await countOperations()).toBe(14);
    expect((await readHeld()).held).toBeNull();
    expect((await decide({ action: 'promote' })).status).toBe(409);
    const { versions } = await (await fetch(`${url}/docs/changes.json`)).json();
    expect(versions).toHaveLength(2);
  });

  test('rejects it, and it is offered again only after the index has changed', async () => {
    const { countOperations, decide, discover, readHeld } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    expect((await decide({ action: 'reject' })).status).toBe(200);
    await discover(WITHOUT_SHOP);
    expect((await readHeld()).held).toBeNull();
    expect(await countOperations()).toBe(20);
    await discover(toIndex(CORE));
    expect((await readHeld()).held?.namespaces).toEqual(['wc/v3', 'tiny/v1']);
  });

  test.each([{}, { action: 'later' }, []])('needs an action: %j', async (body) => {
    const { decide, discover, readHeld } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    expect((await decide(body)).status).toBe(400);
    expect((await readHeld()).held).not.toBeNull();
  });

  test('needs the token', async () => {
    const { discover, readHeld, url } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    const path = `${url}/-/sites/default/documents`;
    expect((await fetch(path)).status).toBe(401);
    const refused = await fetch(path, { method: 'POST', body: '{"action":"promote"}' });
    expect(refused.status).toBe(401);
    expect((await readHeld()).held).not.toBeNull();
  });

  test('decides in the console', async () => {
    const { countOperations, discover, readHeld, url } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    const client = await signIn((path, init) => fetch(url + path, { redirect: 'manual', ...init }), 'admin');
    expect(await (await client.get('/-/console/')).text()).toContain('sites/default/document">Decide</a>');
    const page = await (await client.get('/-/console/sites/default/document')).text();
    expect(page).toContain('GET /wc/v3/things-1');
    expect(page).toContain('Serve the new document');
    await client.act('change-document', { site: 'default', action: 'promote' });
    expect(await countOperations()).toBe(14);
    await discover(toIndex());
    await client.act('change-document', { site: 'default', action: 'reject' });
    expect((await readHeld()).held).toBeNull();
    expect(await countOperations()).toBe(14);
  });
});

describe('after half an hour', () => {
  test('a document whose missing routes are gone is accepted', async () => {
    const { clock, countOperations, discover, readHeld, site } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    const before = site.requests.length;
    clock.review();
    await waitUntil(async () => (await readHeld()).held === null);
    expect(await countOperations()).toBe(14);
    const asked = site.requests.slice(before);
    expect(asked.map(({ method, route: asking }) => `${method} ${asking}`)).toEqual([
      'GET /wc/v3/things-1',
      'GET /wc/v3/things-2',
      'GET /wc/v3/things-3',
    ]);
    for (const { headers } of asked)
      expect([headers.authorization, headers.cookie]).toEqual([undefined, undefined]);
  });

  test.each([
    ['whose missing routes respond', WHOLE, WITHOUT_SHOP, true],
    [
      'that lacks routes of other methods only',
      toIndex(CORE, plugin('wc/v3', 6, ['POST'])),
      toIndex(CORE),
      false,
    ],
  ])('a document %s stays held back, and is reviewed again', async (_, first, next, respond) => {
    let isAnswering = respond;
    const { clock, countOperations, discover, readHeld } = await startSubject(first, {
      answers: () => isAnswering,
    });
    await discover(next);
    const before = await countOperations();
    clock.review();
    await waitUntil(() => clock.reviews() === 1);
    expect((await readHeld()).held).not.toBeNull();
    expect(await countOperations()).toBe(before);
    if (!respond) return;
    isAnswering = false;
    clock.review();
    await waitUntil(async () => (await readHeld()).held === null);
  });

  test('a document is not accepted while the site is down', async () => {
    const { clock, countOperations, discover, readHeld, site, warnings } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    await site.close();
    clock.review();
    await waitUntil(() => clock.reviews() === 1);
    expect((await readHeld()).held).not.toBeNull();
    expect(await countOperations()).toBe(20);
    expect(warnings.join()).toContain('it is not known whether');
  });

  test('a document that was rejected meanwhile stays rejected', async () => {
    const { clock, countOperations, decide, discover } = await startSubject(WHOLE);
    await discover(WITHOUT_SHOP);
    await decide({ action: 'reject' });
    expect(clock.reviews()).toBe(0);
    expect(await countOperations()).toBe(20);
  });
});
