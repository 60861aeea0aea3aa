import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { startOnce } from '../../support/close-after-test.ts';
import { startGateway, type TestOptions } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import {
  type ConsoleTestClient,
  FORM,
  readCsrfToken,
  type Send,
  STORED_SITE,
  signIn,
  submitToken,
  TOKEN,
} from './support/console-client.ts';

const NAMED = expect.stringMatching(/^session [0-9a-f]{12}$/);

/** Lines of the log about what operators did. */
const lines: { readonly action?: string; readonly result?: string }[] = [];
const record = (fields: object, message: string): void => {
  if (message === 'operator action') lines.push(fields);
};
beforeEach(() => {
  lines.length = 0;
});

async function open(token: string, more: TestOptions['gateway'] = {}): Promise<Send> {
  const log = { info: record, warn: record, error: record };
  const gateway = { sites: [STORED_SITE], admin: { token }, log, ...more };
  const { request } = await startGateway({ inMemory: true, gateway });
  return (path, init) => request(`http://gateway.example.com${path}`, init);
}

/** A gateway, and an operator who has signed in. */
const start = startOnce(async () => {
  const send = await open(TOKEN);
  return { send, operator: await signIn(send, TOKEN) };
});

describe('the console', () => {
  test('is where /-/ leads a browser, and is nothing for a machine', async () => {
    const { send } = await start();
    const browser = await send('/-/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([browser.status, browser.headers.get('location')]).toEqual([303, './console/']);
    const machine = await send('/-/');
    expect([machine.status, (await machine.json()).code]).toEqual([404, 'gateway_not_found']);
  });

  test('leads to the sign-in, whose form knows the page', async () => {
    const { send } = await start();
    const page = await send('/-/console/sites/content/document?a=b');
    const next = 'sign-in?next=sites%2Fcontent%2Fdocument%3Fa%3Db';
    expect([page.status, page.headers.get('location')]).toEqual([303, `../../${next}`]);
    expect(await (await send(`/-/console/${next}`)).text()).toContain('value="sites/content/document?a=b"');
  });

  // The last of them are no pages of this host.
  test.each([
    ['sites/content/document?a=b', 'sites/content/document?a=b'],
    ['https://evil.example.com/', ''],
    ['/\\evil', ''],
    ['sites/../../x', ''],
    ['sites/a/b?\nx', ''],
  ])('leads after the sign-in for %j to "%s"', async (next, location) => {
    const { send } = await start();
    const body = new URLSearchParams({ token: TOKEN, next }).toString();
    const response = await send('/-/console/sign-in', { method: 'POST', headers: FORM, body });
    expect([response.status, response.headers.get('location')]).toEqual([303, `./${location}`]);
  });

  test('opens a session for the token, which the log names by its hash', async () => {
    const { operator, send } = await start();
    const response = await submitToken(send, TOKEN);
    expect(response.headers.get('set-cookie')).toMatch(
      /^waygate_session_[0-9a-f]{8}=[^;]+; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    expect(lines).toMatchObject([{ who: NAMED, action: 'sign-in' }]);
    const page = await operator.get('/-/console/');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    // A page of the site that opened the console cannot read it.
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(await page.text()).toContain('Harbour Notes');
  });

  test('refuses a wrong token, and logs it without the token', async () => {
    const { send } = await start();
    const response = await submitToken(send, 'wrong-secret');
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await response.text()).toContain('not the gateway&#39;s admin token');
    const line = { who: 'nobody', action: 'sign-in', result: 'refused', target: 'wrong token' };
    expect(lines).toMatchObject([line]);
    expect(JSON.stringify(lines)).not.toContain('wrong-secret');
  });

  test.each(['nothing', 'sites/other/cache', 'sites/content/nothing', 'sites/%ff/cache'])(
    'has no page %s',
    async (path) => {
      const page = await (await start()).operator.get(`/-/console/${path}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );

  test('says how to set a token if there is none', async () => {
    const send = await open('');
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

describe('a session', () => {
  test('authenticates pages alone, and the bearer token operations alone', async () => {
    const { operator, send } = await start();
    expect((await send('/-/sites', { headers: { cookie: operator.cookie } })).status).toBe(401);
    const authorization = `Bearer ${TOKEN}`;
    expect((await send('/-/sites', { headers: { authorization } })).status).toBe(200);
    expect((await send('/-/console/', { headers: { authorization } })).status).toBe(303);
  });

  test('is refused after the sign-out', async () => {
    const { act, get } = await signIn((await start()).send, TOKEN);
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
  ])('is no cookie with %s', async (_name, value) => {
    const { operator, send } = await start();
    const headers = { cookie: `${nameOf(operator.cookie)}=${value}` };
    expect((await send('/-/console/', { headers })).headers.get('location')).toBe('./sign-in');
  });

  test('ends after eight hours, however much it is used', async () => {
    const clock = new GatewayClock();
    const { get } = await signIn(await open(TOKEN, { clock }), TOKEN);
    clock.pass(28_440_000);
    expect((await get('/-/console/')).status).toBe(200);
    clock.pass(720_000);
    expect((await get('/-/console/')).status).toBe(303);
  });

  test('of https has a cookie for it only, which nobody but a trusted proxy can claim', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const attributes = async (send: Send): Promise<string | null> =>
      (await submitToken(send, TOKEN, headers)).headers.get('set-cookie');
    expect(await attributes((await start()).send)).not.toContain('Secure');
    expect(await attributes(await open(TOKEN, { publicUrl: 'https://example.com/' }))).toContain('; Secure');
  });
});

describe('a form', () => {
  const OWN = { 'sec-fetch-site': 'same-origin', origin: 'http://gateway.example.com' };
  const purge = async (headers: Record<string, string>, csrf: string): Promise<Response> => {
    const { operator, send } = await start();
    const body = new URLSearchParams({ _token: csrf, site: 'content', kind: 'site' }).toString();
    const fields = { cookie: operator.cookie, ...FORM, ...headers };
    return send('/-/console/purge', { method: 'POST', headers: fields, body });
  };
  const readToken = async ({ get }: ConsoleTestClient): Promise<string> =>
    readCsrfToken(await (await get('/-/console/')).text());

  test.each<[string, Record<string, string>]>([
    ['of a page', OWN],
    // The proxy replaced the host.
    ['behind a proxy', { ...OWN, origin: 'https://public.example.com' }],
  ])('%s with the token of its session is used', async (_, headers) => {
    const { operator } = await start();
    expect((await purge(headers, await readToken(operator))).status).toBe(303);
    expect(lines).toMatchObject([{ action: 'purge', result: 'done' }]);
  });

  test.each<[string, Record<string, string>, csrf: () => string | Promise<string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }, () => ''],
    ['of a page of the site at the same origin', OWN, () => ''],
    ['with a made-up token', OWN, () => '0'.repeat(32)],
    [
      'with the token of another session',
      OWN,
      async () => readToken(await signIn((await start()).send, TOKEN)),
    ],
  ])('%s is refused with advice, which the log has', async (_, headers, getToken) => {
    const csrf = await getToken();
    lines.length = 0;
    const response = await purge(headers, csrf);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Open the page again');
    expect(lines).toMatchObject([
      { who: NAMED, action: 'purge', target: 'form of another session', result: 'refused' },
    ]);
  });

  test('without a session has no line in the log, so that nobody else can fill it', async () => {
    const { send } = await start();
    expect((await send('/-/console/purge', { method: 'POST', headers: FORM, body: '' })).status).toBe(403);
    expect(lines).toEqual([]);
  });

  test('of an unknown action is not found, and one that is too long is refused', async () => {
    const { act } = (await start()).operator;
    expect((await act('nothing')).status).toBe(404);
    expect((await act('purge', { text: 'x'.repeat(1_100_000) })).status).toBe(413);
  });
});

const PURGE = { site: 'content' };

describe('the log', () => {
  test.each<[action: string, fields: Record<string, string>, result: string, target: string]>([
    ['rediscover', PURGE, 'begun', 'site content'],
    ['rediscover', { site: 'none' }, 'refused', ''],
    ['purge', { ...PURGE, kind: 'site' }, 'done', 'site content, purge of everything: 0'],
    ['purge', { ...PURGE, value: '/core/v2/posts' }, 'done', 'site content, purge of /core/v2/posts: 0'],
    ['purge', PURGE, 'refused', 'site content'],
  ])('has one line for %s %j', async (action, fields, result, target) => {
    await (await start()).operator.act(action, fields);
    expect(lines).toEqual([{ who: NAMED, client: '', action, target, result }]);
  });

  test('has what was typed, on one line and without control characters', async () => {
    const { act } = (await start()).operator;
    await act('purge', { ...PURGE, value: '/a<b>\n\u001b[31m\u202e&amp;"' });
    expect(lines).toMatchObject([{ target: 'site content, purge of /a<b>  [31m &amp;": 0' }]);
    lines.length = 0;
    await act('purge', { ...PURGE, value: `/${'x'.repeat(100_000)}` });
    expect(JSON.stringify(lines).length).toBeLessThan(500);
  });
});

const nameOf = (cookie: string): string => cookie.split('=')[0] ?? '';

describe('gateways at one host, where browsers send each cookie to every port', () => {
  test('keep their sessions apart by the names of the cookies, if their tokens differ', async () => {
    const [one, other] = [await open('token-one'), await open('token-two')];
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
    const other = await open(TOKEN, { sites: [{ ...STORED_SITE, name: 'other' }] });
    const { cookie } = (await start()).operator;
    expect(nameOf((await signIn(other, TOKEN)).cookie)).toBe(nameOf(cookie));
    expect((await other('/-/console/', { headers: { cookie } })).status).toBe(200);
    // The name does not reveal the token.
    const digest = createHash('sha256').update(TOKEN).digest('hex');
    expect(nameOf(cookie)).not.toContain(digest.slice(0, 8));
  });
});
