import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway, GatewayOptions } from '../../../src/gateway/index.ts';
import { openGateway } from '../../../src/open-gateway.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import {
  type ConsoleTestClient,
  consoleOptions,
  FORM,
  readCsrfToken,
  recordActions,
  type Send,
  STORED_SITE,
  signIn,
  submitToken,
  TOKEN,
} from './support/console-client.ts';

const HTML = { accept: 'text/html,*/*;q=0.8' };

const { lines, log } = recordActions<{ readonly action: string; readonly result: string }>();
const options = (): GatewayOptions => consoleOptions({ log });

beforeEach(() => {
  lines.length = 0;
});

describe('the console on a gateway', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startNodeGateway(options());
  });
  afterAll(() => gateway.stop());

  test('/-/ leads a browser there, and is nothing for a machine', async () => {
    const browser = await gateway.request('/-/', { headers: HTML });
    expect([browser.status, browser.headers.get('location')]).toEqual([303, './console/']);
    const machine = await gateway.request('/-/');
    expect([machine.status, (await machine.json()).code]).toEqual([404, 'gateway_not_found']);
  });

  test('a page leads to the sign-in, whose form knows the page', async () => {
    const page = await gateway.request('/-/console/sites/content/document?a=b');
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      '../../sign-in?next=sites%2Fcontent%2Fdocument%3Fa%3Db',
    ]);
    const form = await gateway.request('/-/console/sign-in?next=sites%2Fcontent%2Fdocument%3Fa%3Db');
    expect(await form.text()).toContain('value="sites/content/document?a=b"');
  });

  // The last of them are no pages of this host.
  test.each([
    ['sites/content/document?a=b', 'sites/content/document?a=b'],
    ['https://evil.example.com/', ''],
    ['/\\evil', ''],
    ['sites/../../x', ''],
    ['sites/a/b?\nx', ''],
  ])('the sign-in for %j leads to "%s"', async (next, location) => {
    const body = new URLSearchParams({ token: TOKEN, next }).toString();
    const response = await gateway.request('/-/console/sign-in', { method: 'POST', headers: FORM, body });
    expect([response.status, response.headers.get('location')]).toEqual([303, `./${location}`]);
  });

  test('the token opens a session, which the log names by its hash', async () => {
    const response = await submitToken(gateway.request, TOKEN);
    expect(response.headers.get('set-cookie')).toMatch(
      /^waygate_session_[0-9a-f]{8}=[^;]+; Max-Age=28800; (?:Secure; )?HttpOnly; (?:Secure; )?SameSite=Strict(?:; Secure)?$/,
    );
    expect(lines).toMatchObject([
      { who: expect.stringMatching(/^session [0-9a-f]{12}$/), action: 'sign-in' },
    ]);
    const { get } = await signIn(gateway.request, TOKEN);
    const page = await get('/-/console/');
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    // A page of the site that opened the console cannot read it.
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(await page.text()).toContain('Harbour Notes');
  });

  test('a wrong token is refused, and logged without it', async () => {
    const response = await submitToken(gateway.request, 'wrong-secret');
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await response.text()).toContain('not the gateway&#39;s admin token');
    expect(lines).toMatchObject([
      { who: 'nobody', action: 'sign-in', result: 'refused', target: 'wrong token' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('wrong-secret');
  });

  test('a session authenticates pages alone, and the bearer token operations alone', async () => {
    const { cookie } = await signIn(gateway.request, TOKEN);
    expect((await gateway.request('/-/sites', { headers: { cookie } })).status).toBe(401);
    const authorization = `Bearer ${TOKEN}`;
    expect((await gateway.request('/-/sites', { headers: { authorization } })).status).toBe(200);
    expect((await gateway.request('/-/console/', { headers: { authorization } })).status).toBe(303);
  });

  test('a session that was signed out is refused', async () => {
    const { act, get } = await signIn(gateway.request, TOKEN);
    const response = await act('sign-out');
    expect(response.headers.get('set-cookie')).toMatch(/^waygate_session_[0-9a-f]{8}=; Max-Age=0/);
    const page = await get('/-/console/');
    expect([page.status, page.headers.get('location')]).toEqual([303, './sign-in']);
    expect(lines.map(({ action }) => action)).toEqual(['sign-in', 'sign-out']);
  });

  test.each([
    ['nothing of it', ''],
    ['no signature', 'abc'],
    ['a signature of another length', encodeURIComponent('abc.9999999999999.AAAA=')],
    ['a signature of another value', encodeURIComponent(`abc.9999999999999.${'A'.repeat(43)}=`)],
  ])('a cookie with %s is no session', async (_name, value) => {
    const { cookie } = await signIn(gateway.request, TOKEN);
    const headers = { cookie: `${cookie.split('=')[0]}=${value}` };
    expect((await gateway.request('/-/console/', { headers })).headers.get('location')).toBe('./sign-in');
  });

  test.each(['nothing', 'sites/other/cache', 'sites/content/nothing', 'sites/%ff/cache'])(
    'there is no page %s',
    async (path) => {
      const { get } = await signIn(gateway.request, TOKEN);
      const page = await get(`/-/console/${path}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );
});

describe('a form', () => {
  let gateway: Gateway;
  beforeAll(() => {
    gateway = openGateway(options());
  });
  afterAll(() => gateway.stop());
  const send = async (path: string, init?: RequestInit): Promise<Response> =>
    gateway.app.request(`http://gateway.example.com${path}`, init);
  const readToken = async ({ get }: ConsoleTestClient): Promise<string> =>
    readCsrfToken(await (await get('/-/console/')).text());
  const purge = async (
    headers: Record<string, string>,
    getToken: (client: ConsoleTestClient) => string | Promise<string>,
  ): Promise<Response> => {
    const client = await signIn(send, TOKEN);
    const { cookie } = client;
    const csrf = await getToken(client);
    const body = new URLSearchParams({ _token: csrf, site: 'content', kind: 'site' }).toString();
    return send('/-/console/purge', { method: 'POST', headers: { cookie, ...FORM, ...headers }, body });
  };
  const hasPurged = (): boolean =>
    lines.some(({ action, result }) => action === 'purge' && result === 'done');

  const OWN = { 'sec-fetch-site': 'same-origin', origin: 'http://gateway.example.com' };
  test.each<[string, Record<string, string>]>([
    ['of a page', OWN],
    // The proxy replaced the host.
    ['behind a proxy', { ...OWN, origin: 'https://public.example.com' }],
  ])('%s with the token of its session is used', async (_, headers) => {
    expect((await purge(headers, readToken)).status).toBe(303);
    expect(hasPurged()).toBe(true);
  });

  test.each<[string, Record<string, string>, getToken: () => string | Promise<string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }, () => ''],
    ['of a page of the site at the same origin', OWN, () => ''],
    ['with a made-up token', OWN, () => '0'.repeat(32)],
    ['with the token of another session', OWN, async () => readToken(await signIn(send, TOKEN))],
  ])('%s is refused with advice', async (_, headers, getToken) => {
    const response = await purge(headers, getToken);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Open the page again');
    expect(hasPurged()).toBe(false);
  });

  test('of an unknown action is not found, and one that is too long is refused', async () => {
    const { act } = await signIn(send, TOKEN);
    expect((await act('nothing')).status).toBe(404);
    expect((await act('purge', { text: 'x'.repeat(1_100_000) })).status).toBe(413);
  });
});

describe('a session', () => {
  let now = Date.parse('2026-11-21T08:00:00Z');
  const clock = { now: () => now, after: () => () => {} };
  const start = (token: string) => {
    const gateway = openGateway({ ...options(), clock, admin: { token } });
    onTestFinished(() => gateway.stop());
    return async (path: string, init?: RequestInit): Promise<Response> =>
      gateway.app.request(`http://gateway.example.com${path}`, init);
  };

  test('ends after eight hours, however much it is used', async () => {
    const { get } = await signIn(start(TOKEN), TOKEN);
    now += 7.9 * 3_600_000;
    expect((await get('/-/console/')).status).toBe(200);
    now += 0.2 * 3_600_000;
    expect((await get('/-/console/')).status).toBe(303);
  });

  test('without a configured token there is none: the console says how to set one', async () => {
    const send = start('');
    for (const path of ['/-/console/', '/-/console/sign-in']) {
      const response = await send(path);
      expect(response.status).toBe(403);
      const text = await response.text();
      expect(text).toContain('WAYGATE_ADMIN_TOKEN');
      expect(text).not.toContain('<form');
    }
    expect((await submitToken(send, '')).status).toBe(403);
  });
});

const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

function startWith(token: string, more: Partial<GatewayOptions> = {}): Send {
  const gateway = openGateway(consoleOptions({ admin: { token }, ...more }));
  gateways.push(gateway);
  return async (path, init) => gateway.app.request(`http://localhost${path}`, init);
}

const nameOf = (cookie: string): string => cookie.split('=')[0] ?? '';

describe('gateways at one host, where browsers send each cookie to every port', () => {
  test('keep their sessions apart by the names of the cookies, if their tokens differ', async () => {
    const [one, other] = [startWith('token-one'), startWith('token-two')];
    const [first, second] = [await signIn(one, 'token-one'), await signIn(other, 'token-two')];
    expect(nameOf(first.cookie)).not.toBe(nameOf(second.cookie));
    for (const cookie of [`${first.cookie}; ${second.cookie}`, `${second.cookie}; ${first.cookie}`]) {
      expect((await one('/-/console/', { headers: { cookie } })).status).toBe(200);
      expect((await other('/-/console/', { headers: { cookie } })).status).toBe(200);
    }
    const response = await first.act('sign-out');
    expect(nameOf(response.headers.get('set-cookie') ?? '')).toBe(nameOf(first.cookie));
  });

  test('share the session if they have the same token, whatever their sites are', async () => {
    const other = startWith('token-one', { sites: [{ ...STORED_SITE, name: 'other' }] });
    const { cookie } = await signIn(startWith('token-one'), 'token-one');
    expect(nameOf((await signIn(other, 'token-one')).cookie)).toBe(nameOf(cookie));
    expect((await other('/-/console/', { headers: { cookie } })).status).toBe(200);
  });

  test('do not reveal the token by the name', async () => {
    const { cookie } = await signIn(startWith('token-one'), 'token-one');
    const digest = createHash('sha256').update('token-one').digest('hex');
    expect(nameOf(cookie)).not.toContain(digest.slice(0, 8));
  });
});

describe('the attributes of the cookie', () => {
  const attributes = async (send: Send, headers: Record<string, string> = {}): Promise<string> =>
    (await submitToken(send, 'token-one', headers)).headers.get('set-cookie')?.replace(/^[^;]*; /, '') ?? '';

  test('contain Secure for https, which nobody but a trusted proxy can claim', async () => {
    const send = startWith('token-one');
    expect(await attributes(send, { 'x-forwarded-proto': 'https' })).not.toContain('Secure');
    expect(await attributes(startWith('token-one', { publicUrl: 'https://example.com/' }))).toContain(
      'Secure',
    );
  });
});

describe('the log of the console', () => {
  const gateway = openGateway(consoleOptions({ cache: 'memory', log }));
  afterAll(() => gateway.stop());
  const send: Send = async (path, init) => gateway.app.request(`http://gateway.example.com${path}`, init);
  let operator: ConsoleTestClient;
  beforeAll(async () => {
    operator = await signIn(send, TOKEN);
  });
  const name = expect.stringMatching(/^session [0-9a-f]{12}$/);
  const purge = { site: 'content' };
  test.each<[action: string, fields: Record<string, string>, result: string, target: string]>([
    ['rediscover', { site: 'content' }, 'begun', 'site content'],
    ['rediscover', { site: 'none' }, 'refused', ''],
    ['purge', { ...purge, kind: 'site' }, 'done', 'site content, purge of everything: 0'],
    ['purge', { ...purge, value: '/core/v2/posts' }, 'done', 'site content, purge of /core/v2/posts: 0'],
    ['purge', purge, 'refused', 'site content'],
  ])('has one line for %s %j', async (action, fields, result, target) => {
    await operator.act(action, fields);
    expect(lines).toEqual([{ who: name, client: '', action, target, result }]);
  });

  test('has what was typed, on one line and without control characters', async () => {
    await operator.act('purge', { ...purge, value: '/a<b>\n\u001b[31m\u202e&amp;"' });
    expect(lines).toMatchObject([{ target: 'site content, purge of /a<b>  [31m &amp;": 0' }]);
    lines.length = 0;
    await operator.act('purge', { ...purge, value: `/${'x'.repeat(100_000)}` });
    expect(JSON.stringify(lines).length).toBeLessThan(500);
  });
  const submit = async (fields: Record<string, string>, headers: Record<string, string>): Promise<Response> =>
    send('/-/console/purge', {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    });

  test('has a line for a form that is refused if it was sent with a session, so that nobody else can fill it', async () => {
    await submit({}, {});
    await submit({ _token: 'x' }, { cookie: operator.cookie });
    const target = 'form of another session';
    expect(lines).toEqual([{ who: name, client: '', action: 'purge', target, result: 'refused' }]);
  });
});
