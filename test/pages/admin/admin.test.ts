import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../../support/close-after-test.ts';
import { BEARER, startGateway, type TestGateway, TOKEN } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import { runEchoSite, runStubSite } from '../../support/run.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';

/** Lines of the log about what operators did. */
const auditOf = ({ lines }: Pick<TestGateway, 'lines'>): readonly object[] =>
  lines.flatMap(({ level: _, msg, ...fields }) => (msg === 'operator action' ? [fields] : []));

describe('the operations of a gateway', () => {
  const start = startOnce(async () => {
    const sites = [{ url: (await runEchoSite()).origin }, { name: 'down', url: await unreachableOrigin() }];
    return startGateway({ inMemory: true, gateway: { sites } });
  });
  const call = async (path: string, init?: RequestInit): Promise<Response> =>
    (await start()).request(path, { headers: BEARER, ...init });

  test.each([
    ['/-/sites/default', 'DELETE', 405, 'GET, HEAD'],
    ['/-/webhook/default', 'GET', 405, 'POST'],
    ['/-/sites/default/two/three', 'GET', 404, null],
  ])('do not allow %s %s: %i', async (path, method, status, allow) => {
    const response = await call(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  });

  test('write one audit line if they change something, and reads write none', async () => {
    const before = auditOf(await start()).length;
    const body = JSON.stringify({ tags: ['a\u009b31m'] });
    for (const headers of [BEARER, { authorization: 'Bearer wrong-token' }])
      await call('/-/purge', { method: 'POST', body, headers });
    await call('/-/sites');
    expect(auditOf(await start()).slice(before)).toEqual([
      { who: 'bearer', client: '', action: 'purge', target: '{"tags":["a 31m"]}', result: 'done' },
      { who: 'nobody', client: '', action: 'purge', target: '', result: 'refused' },
    ]);
  });

  test('accept the token with any case of its scheme, and no other scheme', async () => {
    const read = (authorization: string) => call('/-/sites', { headers: { authorization } });
    const statuses = [await read(`bearer ${TOKEN}`), await read(`Basic ${TOKEN}`)].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 401]);
  });

  test('describe each site', async () => {
    const { sites } = (await (await call('/-/sites')).json()) as { sites: object[] };
    expect(sites).toMatchObject([
      {
        site: 'default',
        mount: '/',
        title: 'Echo',
        ready: true,
        operations: 6,
        discovery: { lastRead: expect.stringMatching(/^\d{4}-/), fault: null, diagnostics: {} },
        validation: '/-/sites/default/validation',
      },
      { site: 'down', mount: '/down', ready: false, operations: 0, discovery: { lastRead: null } },
    ]);
  });

  test('call the site without a name default', async () => {
    expect(await (await call('/-/sites/default')).json()).toMatchObject({ mount: '/', title: 'Echo' });
  });

  test('work where the app is mounted', async () => {
    const outer = new Hono().route('/at/:any', (await start()).gateway.app);
    expect((await outer.request('/at/x/-/sites/default', { headers: BEARER })).status).toBe(200);
    expect((await outer.request('/at/x/-/sites/default')).status).toBe(401);
    const page = await outer.request('/at/x/-/console/sites/default/cache');
    expect(page.headers.get('location')).toBe('../../sign-in?next=sites%2Fdefault%2Fcache');
  });

  test.each(['/%2D/sites', '/-%2Fsites', '/-/../sites'])('are not at %s, which is the site', async (path) => {
    expect(await (await call(path)).json()).not.toHaveProperty('sites');
  });

  test('are not public if they have a separate listener', async () => {
    const admin = { token: TOKEN, port: 0 };
    const { gateway, request } = await startGateway({ inMemory: true, gateway: { admin } });
    for (const path of ['sites', 'console/sign-in'])
      expect((await request(`/-/${path}`, { headers: BEARER })).status).toBe(404);
    expect((await request('/-/health')).status).toBe(200);
    const url = new URL('http://localhost/-/sites');
    const head = {
      ...{ method: 'GET', target: url.pathname, headers: [], peerAddress: '' },
      httpVersion: '1.1',
    };
    const response = await gateway.admin(new Request(url, { headers: BEARER }), {
      ...head,
      protocol: 'http',
    });
    expect(response.status).toBe(200);
  });
});

describe('POST /-/rediscover', () => {
  /** A gateway of a site that can hang, and of one that cannot be reached. Its time stands still. */
  async function start() {
    const waiting: (() => void)[] = [];
    const state = { hangs: false };
    const site = await runStubSite({
      intercept(_, response) {
        if (state.hangs) waiting.push(() => response.destroy());
        return state.hangs;
      },
    });
    const clock = new GatewayClock(undefined, 0);
    const sites = [{ url: site.url }, { name: 'down', url: await unreachableOrigin() }];
    const running = await startGateway({ inMemory: true, gateway: { sites, clock } });
    const send = (path: string, method = 'GET') => running.request(path, { method, headers: BEARER });
    return { ...running, clock, send, state, waiting };
  }

  test('responds with the state of the sites, and with 502 if one cannot be read', async () => {
    const { send, ...running } = await start();
    const response = await send('/-/rediscover', 'POST');
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      sites: [{ discovery: { running: false, fault: null } }, { discovery: { fault: expect.any(String) } }],
    });
    expect(auditOf(running)).toMatchObject([{ action: 'rediscover', result: 'failed' }]);
  });

  test('responds with 202 after 100 ms while a site hangs, and the report of the site says when it has been read', async () => {
    const { clock, send, state, waiting, ...running } = await start();
    state.hangs = true;
    const responding = send('/-/rediscover', 'POST');
    await waitUntil(() => waiting.length > 0 && clock.delays.includes(100));
    clock.pass(100);
    const response = await responding;
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ sites: [{ discovery: { running: true } }, {}] });
    expect(auditOf(running)).toMatchObject([{ action: 'rediscover', result: 'begun' }]);
    state.hangs = false;
    for (const end of waiting) end();
    const readState = async (): Promise<unknown> =>
      (await (await send('/-/sites/default')).json())['discovery'];
    await waitUntil(async () => Object(await readState()).running === false);
  });
});
