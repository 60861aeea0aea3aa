import type { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { Gateway, GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { collectGarbage } from '../support/garbage.ts';
import { networks, perMinute, startGateway, type TestOptions } from '../support/gateway.ts';
import { runStubSite } from '../support/run.ts';
import { unreachableOrigin } from '../support/server.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { createWordPressError, type StubSite } from '../support/stub-site.ts';
import { giveTurns, waitUntil } from '../support/wait.ts';

const start = (gateway: GatewayOptions, more: TestOptions = {}) => startGateway({ ...more, gateway });

/** A site whose index can be closed, and whose responses to writes can be held. */
async function startSite(): Promise<StubSite & { isClosed: boolean; held: Promise<void> }> {
  const endpoints = (methods: string): object => ({
    methods: [methods],
    args: { page: { type: 'integer' } },
  });
  const index = {
    ...createSmallIndex(),
    routes: {
      '/demo/v1/notes': {
        ...{ namespace: 'demo/v1', methods: ['GET', 'POST'] },
        endpoints: [endpoints('GET'), endpoints('POST')],
      },
    },
  };
  const state = { isClosed: false, held: Promise.resolve() };
  const stub = await runStubSite({
    index,
    respond: ({ query }) =>
      query.get('page') === 'none'
        ? createWordPressError(400, 'rest_invalid_param', 'Invalid parameter(s): page')
        : { body: [] },
    intercept(request, response) {
      if (state.isClosed && request.route === '/') response.writeHead(503).end();
      else if (request.method === 'POST') void state.held.then(() => response.writeHead(201).end('[]'));
      else return false;
      return true;
    },
  });
  return Object.assign(state, stub);
}

function hold(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release: () => release() };
}

/** A site whose `/page` shows the field by which it is told a shop, once it has been released. */
async function startShop(release: Promise<void> | undefined = undefined) {
  let isAsked = false;
  const { url } = await runStubSite({
    index: createSmallIndex(),
    intercept({ headers, url }, response) {
      if (url !== '/page') return false;
      isAsked = true;
      response.setHeader('Cache-Control', 's-maxage=3600');
      const respond = (): void => void response.end(headers['x-shop']);
      if (release === undefined || headers['x-shop'] === 'new') respond();
      else void release.then(respond);
      return true;
    },
  });
  const optionsOf = (shop: string): GatewayOptions => ({
    sites: [{ url, passthrough: true, upstream: { headers: { 'X-Shop': shop } } }],
    cache: 'memory',
  });
  return { optionsOf, isAsked: () => isAsked };
}

describe('a gateway that takes the place of another', () => {
  test('serves a changed site by the document of before, also while the index is closed', async () => {
    const site = await startSite();
    const options = (rediscover: number): GatewayOptions => ({
      sites: [{ url: site.url, rediscover }],
      cache: 'off',
    });
    const served = await start(options(60_000));
    for (let at = 0; at < 3; at++)
      expect((await served.request('/demo/v1/notes?page=none')).status).toBe(400);
    const countRequests = async (): Promise<number> => {
      const counts =
        (await served.readMetrics()).match(
          /^waygate_operation_duration_seconds_count\{.*status="4xx".*\} 3$/gm,
        ) ?? [];
      return counts.length;
    };
    expect(await countRequests()).toBe(1);
    site.isClosed = true;
    await served.replace(options(120_000));
    expect((await served.request('/openapi.json')).status).toBe(200);
    expect(await countRequests()).toBe(1);
  });

  test('purges what a write has changed that was forwarded before', async () => {
    const site = await startSite();
    const options = (ttl: number): GatewayOptions => ({
      sites: [{ url: site.url, cache: { rules: [{ match: '/demo/v1/*', ttl }] } }],
      cache: 'memory',
    });
    const served = await start(options(60));
    const readHit = async (): Promise<string> =>
      String((await served.request('/demo/v1/notes')).headers.get('cache-status'));
    await readHit();
    expect(await readHit()).toContain('; hit');
    const { held, release } = hold();
    site.held = held;
    const written = fetch(`${served.origin}/demo/v1/notes`, { method: 'POST' });
    await waitUntil(() => site.requests.some(({ method }) => method === 'POST'));
    await served.replace(options(120));
    expect(await readHit()).toContain('; hit');
    release();
    expect((await written).status).toBe(201);
    expect(await readHit()).toContain('; fwd=');
  });

  test.each<[string, string, boolean]>([
    ['renamed', 'b', false],
    ['removed, and added again later', 'a', true],
  ])('serves no response to the credentials of before if its site was %s', async (_, name, isRemoved) => {
    const seen: unknown[] = [];
    const site = await runStubSite({
      index: createSmallIndex(),
      intercept({ headers, url }, response) {
        if (url !== '/page') return false;
        seen.push(headers.authorization);
        response.writeHead(200, { 'Cache-Control': 's-maxage=3600' }).end('page');
        return true;
      },
    });
    const own = { url: site.url, hosts: ['127.0.0.1'], passthrough: true, discovery: 'off' } as const;
    const shared = { cache: 'memory' } as const;
    const other = { url: 'http://127.0.0.1:9/', name: 'other', discovery: 'off', passthrough: true } as const;
    const withPassword = (password: string) => ({ upstream: { auth: { user: 'a', password } } });
    const served = await start({ ...shared, sites: [{ ...own, name: 'a', ...withPassword('1') }] });
    await served.request('/page');
    expect((await served.request('/page')).headers.get('cache-status')).toContain('; hit');
    if (isRemoved) await served.replace({ ...shared, sites: [other] });
    await served.replace({ ...shared, sites: [{ ...own, name, ...withPassword('2') }] });
    await served.request('/page');
    expect(seen).toEqual(['a:1', 'a:2'].map((auth) => `Basic ${btoa(auth)}`));
  });

  test('stores no response that the one before has requested after it', async () => {
    const { held, release } = hold();
    const { isAsked, optionsOf } = await startShop(held);
    const served = await start(optionsOf('old'));
    const before = [1, 2, 3].map(() => served.request('/page'));
    await waitUntil(isAsked);
    await giveTurns(20);
    await served.replace(optionsOf('new'));
    release();
    await Promise.all(before);
    expect(await (await served.request('/page')).text()).toBe('new');
  });

  test('gets the requests that a middleware of the one before has kept waiting', async () => {
    const { optionsOf } = await startShop();
    const { held, release } = hold();
    let isHeld = false;
    const wait = async (_: unknown, next: () => Promise<void>): Promise<void> => {
      isHeld = true;
      await held;
      await next();
    };
    const served = await start(optionsOf('old'), { addTo: (app: Hono) => void app.use(wait) });
    const waiting = served.request('/page');
    await waitUntil(() => isHeld);
    await served.replace(optionsOf('new'));
    release();
    expect(await (await waiting).text()).toBe('new');
    expect(await (await served.request('/page')).text()).toBe('new');
  });

  test('goes on with the counts of clients and with the open circuit of a site', async () => {
    const limits = { client: perMinute(2) };
    const site = await startSite();
    const down = {
      name: 'down',
      url: await unreachableOrigin(),
      discovery: 'off',
      passthrough: true,
    } as const;
    const options = (ttl: number, access: SiteOptions['access'] = {}): GatewayOptions => ({
      sites: [
        { url: site.url, name: 'a', limits, cache: { rules: [{ match: '/demo/*', ttl }] } },
        { ...down, access },
      ],
      cache: 'memory',
    });
    const served = await start(options(1));
    const readStatus = async (path: string): Promise<number> => (await served.request(path)).status;
    for (const expected of [200, 200, 429]) expect(await readStatus('/a/demo/v1/notes')).toBe(expected);
    for (let at = 0; at < 20; at++) await readStatus(`/down/${at}`);
    const isOpen = async (): Promise<boolean> =>
      (await served.readMetrics()).includes('waygate_site_circuit_open{site="down"} 1');
    expect(await isOpen()).toBe(true);
    await served.replace(options(2, { deny: networks('192.0.2.1') }));
    expect(await readStatus('/a/demo/v1/notes')).toBe(429);
    expect(await isOpen()).toBe(true);
  });

  test('does not wait for a site that the one before could not serve either', async () => {
    const site = await startSite();
    const away = { name: 'away', url: await unreachableOrigin() };
    const served = await start({ sites: [{ url: site.url, name: 'a' }, away] });
    await served.replace({
      sites: [
        { url: site.url, name: 'a' },
        { ...away, rediscover: 60_000 },
      ],
    });
    expect((await served.request('/a/demo/v1/notes')).status).toBe(200);
    await expect(served.replace({ sites: [{ ...away, name: 'new' }] })).rejects.toThrow('cannot be served');
    expect((await served.request('/a/demo/v1/notes')).status).toBe(200);
  });

  test('takes what it can read: changed and new sites that are away get their settings, and are provisional', async () => {
    const [site, url] = [await startSite(), await unreachableOrigin()];
    const a = { url: site.url, name: 'a' };
    const served = await start({ sites: [a, { ...a, name: 'b' }] });
    await served.replace({ sites: [a, { name: 'b', url, passthrough: true }, { name: 'new', url }] });
    const statuses = ['/a/demo/v1/notes', '/b/page/', '/new/demo/v1/notes'].map((path) =>
      served.request(path),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 502, 503]);
  });

  test('leaves nothing of twenty others in memory, and no timer', async () => {
    const site = await startSite();
    const options = (at: number): GatewayOptions => ({
      sites: [
        { url: site.url, name: 'a', rediscover: 60_000 + at },
        ...(at % 2 === 0 ? [] : [{ url: site.url, name: 'b', rediscover: 60_000 }]),
      ],
      cache: 'memory',
    });
    const served = await start(options(0));
    const countTimers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timers = countTimers();
    const left: WeakRef<object>[] = [];
    let gateway: WeakRef<Gateway> = new WeakRef(served.gateway);
    for (let at = 1; at <= 20; at++) {
      left.push(gateway);
      for (const each of gateway.deref()?.context.sites.values() ?? []) left.push(new WeakRef(each));
      gateway = new WeakRef(await served.replace(options(at)));
      expect((await served.request('/a/demo/v1/notes')).status).toBe(200);
    }
    // An idle connection keeps its last request.
    await waitUntil(() => {
      collectGarbage();
      return left.filter((reference) => reference.deref() !== undefined).length < 10;
    });
    // Each gateway has timers of its own.
    expect(countTimers()).toBeLessThan(timers + 20);
  });
});
