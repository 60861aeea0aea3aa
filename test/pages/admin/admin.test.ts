import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/ports.ts';
import { problemResponse } from '../../../src/gateway/exchange/problem.ts';
import { BodyMemory } from '../../../src/gateway/exchange/request-body-validator.ts';
import type { Gateway } from '../../../src/gateway/index.ts';
import { TokenAttempts } from '../../../src/gateway/site/limiting/site-limits.ts';
import {
  type AdminContext,
  adminResponse,
  createAdminApp,
  createAdminHandler,
  createOperatorCheck,
  readBody,
} from '../../../src/pages/admin/admin-app.ts';
import { ManualClock } from '../../gateway/cache/engine/support/manual-clock.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type EchoSite, startEchoSite } from '../../support/echo-site.ts';
import { createSettledGateway } from '../../support/gateway.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

const token = 'a-token-of-the-tests';
const BEARER = { authorization: `Bearer ${token}` };

const lines: object[] = [];
const record = (fields: object): void => {
  lines.push(fields);
};
const bodyMemory = new BodyMemory(4 * 1024 * 1024);
const context: AdminContext = {
  token,
  attempts: new TokenAttempts(systemClock),
  bodyMemory,
  log: { info: record, warn: record, error: record },
  readClient: ({ peerAddress: address, protocol }) => ({ address, network: address, protocol }),
};
const check = createOperatorCheck(context);
const tooLong = readBody(() => problemResponse({ status: 413, code: 'too_long', message: '' }));
const admin = createAdminHandler(
  createAdminApp(context, (app) => {
    app.get('/open', () => adminResponse({ open: true }));
    app.get('/things/:thing', check, ({ req }) => adminResponse(req.param()));
    app.post('/things/:thing', check, tooLong, async (call) => {
      call.set('target', `thing ${call.req.param('thing')}\u001b[31m`);
      return adminResponse({ text: new TextDecoder().decode(call.get('body')) }, 202);
    });
    app.post('/signed', tooLong, ({ var: { body } }) => adminResponse({ length: body.byteLength }));
    app.get('/broken', () => Promise.reject(new Error('broken')));
  }),
);

const requestAdmin = (path: string, init?: RequestInit): Promise<Response> =>
  admin(new Request(`http://gateway.example.com${path}`, init));

describe('an operation', () => {
  test('shares the memory for bodies with all other requests of the client', async () => {
    const bodies = Array.from({ length: 3 }, () => {
      const { readable, writable } = new TransformStream<Uint8Array>();
      // A body without a known length may have the maximum length.
      const init: RequestInit = { method: 'POST', headers: BEARER, body: readable };
      const response = requestAdmin('/-/things/one', Object.assign(init, { duplex: 'half' }));
      return { response, writer: writable.getWriter() };
    });
    const refused = await bodies[2]?.response;
    expect([refused?.status, await refused?.json()]).toMatchObject([503, { code: 'gateway_busy' }]);
    for (const { writer } of bodies.slice(0, 2)) await writer.close();
    for (const { response } of bodies.slice(0, 2)) expect((await response).status).toBe(202);
    expect(bodyMemory.stats().bytes).toBe(0);
  });

  test.each([
    ['/-/things/one', 'DELETE', 405, 'GET, HEAD, POST'],
    ['/-/signed', 'GET', 405, 'POST'],
    ['/-/things/one/two', 'GET', 404, null],
  ])('%s does not allow %s: %i', async (path, method, status, allow) => {
    const response = await requestAdmin(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  });
});

test('an operation that changes something writes one audit line, and reads write none', async () => {
  lines.length = 0;
  const head = { method: 'POST', target: '/-/things/one', headers: [], peerAddress: '192.0.2.7' };
  const send = (authorization: string) =>
    admin(
      new Request('http://gateway.example.com/-/things/one', { method: 'POST', headers: { authorization } }),
      { ...head, protocol: 'http', httpVersion: '1.1' },
    );
  await send(BEARER.authorization);
  await send('Bearer wrong-token');
  await requestAdmin('/-/things/one', { headers: BEARER });
  const line = { client: '192.0.2.7', action: 'things/:thing' };
  expect(lines).toEqual([
    { ...line, who: 'bearer', target: 'thing one [31m', result: 'begun' },
    { ...line, who: 'nobody', target: '', result: 'refused' },
  ]);
});

describe('the token', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no token', {}, 'Bearer realm="waygate"'],
    ['another scheme', { authorization: `Basic ${token}` }, 'Bearer realm="waygate"'],
    ['another token', { authorization: 'Bearer another' }, 'Bearer realm="waygate", error="invalid_token"'],
  ])('is required: %s', async (_, headers, challenge) => {
    const response = await requestAdmin('/-/things/one', { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(await response.json()).toMatchObject({ code: 'gateway_unauthorized' });
  });

  test('is accepted with any case of its scheme', async () => {
    const headers = { authorization: `bearer ${token}` };
    expect(await (await requestAdmin('/-/things/one', { headers })).json()).toEqual({ thing: 'one' });
  });
});

describe('the operations of a gateway', () => {
  let site: EchoSite;
  let gateway: Gateway;
  const call = async (path: string, init?: RequestInit): Promise<Response> =>
    gateway.app.request(path, { headers: BEARER, ...init });

  beforeAll(async () => {
    site = await startEchoSite();
    gateway = createSettledGateway({
      sites: [{ url: site.origin }, { name: 'down', url: await unreachableOrigin() }],
      admin: { token },
    });
    await gateway.rediscover();
  });
  afterAll(async () => {
    gateway.stop();
    await site.close();
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

  test('are closed if no token is configured, with a message that says how to configure it', async () => {
    const closed = createSettledGateway({ sites: [{ url: site.origin }] });
    const response = await closed.app.request('/-/sites', { headers: BEARER });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('WAYGATE_ADMIN_TOKEN') });
    expect((await closed.app.request('/-/health')).status).toBe(200);
  });

  test('work where the app is mounted', async () => {
    const outer = new Hono().route('/at/:any', gateway.app);
    expect((await outer.request('/at/x/-/sites/default', { headers: BEARER })).status).toBe(200);
    expect((await outer.request('/at/x/-/sites/default')).status).toBe(401);
    const page = await outer.request('/at/x/-/console/sites/default/cache');
    expect(page.headers.get('location')).toBe('../../sign-in?next=sites%2Fdefault%2Fcache');
  });

  test.each(['/%2D/sites', '/-%2Fsites', '/-/../sites'])('are not at %s, which is the site', async (path) => {
    expect(await (await call(path)).json()).not.toHaveProperty('sites');
  });

  test('are not public if they have a separate listener', async () => {
    const separate = createSettledGateway({ sites: [{ url: site.origin }], admin: { token, port: 0 } });
    for (const path of ['sites', 'console/sign-in'])
      expect((await separate.app.request(`/-/${path}`, { headers: BEARER })).status).toBe(404);
    expect((await separate.app.request('/-/health')).status).toBe(200);
    const request = new Request('http://localhost/-/sites', { headers: BEARER });
    expect((await separate.admin(request)).status).toBe(200);
  });
});

describe('POST /-/rediscover', () => {
  /** A gateway of a site that can hang, and of one that cannot be reached. Its time stands still. */
  async function start() {
    const waiting: (() => void)[] = [];
    const state = { hangs: false };
    const site = await startStubSite({
      intercept(_, response) {
        if (state.hangs) waiting.push(() => response.destroy());
        return state.hangs;
      },
    });
    const clock = new ManualClock();
    const delays: number[] = [];
    const audit: object[] = [];
    const record = (fields: object, message: string) =>
      void (message === 'operator action' && audit.push(fields));
    const gateway = createSettledGateway({
      sites: [{ url: site.url }, { name: 'down', url: await unreachableOrigin() }],
      admin: { token },
      clock: {
        now: () => clock.now(),
        after(delay, task) {
          delays.push(delay);
          return clock.after(delay, task);
        },
      },
      log: { info: record, warn: record, error: record },
    });
    closeAfterTest(() => gateway.stop(), site.close);
    await gateway.rediscover();
    const send = (path: string, method = 'GET') => gateway.app.request(path, { method, headers: BEARER });
    return { audit, clock, delays, send, state, waiting };
  }

  test('responds with the state of the sites, and with 502 if one cannot be read', async () => {
    const { audit, send } = await start();
    const response = await send('/-/rediscover', 'POST');
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      sites: [{ discovery: { running: false, fault: null } }, { discovery: { fault: expect.any(String) } }],
    });
    expect(audit).toMatchObject([{ action: 'rediscover', result: 'failed' }]);
  });

  test('responds with 202 after 100 ms while a site hangs, and the report of the site says when it has been read', async () => {
    const { audit, clock, delays, send, state, waiting } = await start();
    state.hangs = true;
    const responding = send('/-/rediscover', 'POST');
    await waitUntil(() => waiting.length > 0 && delays.includes(100));
    clock.advance(100);
    const response = await responding;
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ sites: [{ discovery: { running: true } }, {}] });
    expect(audit).toMatchObject([{ action: 'rediscover', result: 'begun' }]);
    state.hangs = false;
    for (const end of waiting) end();
    const readState = async (): Promise<unknown> =>
      (await (await send('/-/sites/default')).json())['discovery'];
    await waitUntil(async () => Object(await readState()).running === false);
  });
});
