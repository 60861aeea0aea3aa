import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { consoleOptions, type Send, STORED_SITE, signIn, submitToken } from './support/console-client.ts';

const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

function start(token: string, more: Partial<GatewayOptions> = {}): Send {
  const gateway = new Gateway(consoleOptions({ admin: { token }, ...more }));
  gateways.push(gateway);
  return async (path, init) => gateway.app.request(`http://localhost${path}`, init);
}

const nameOf = (cookie: string): string => cookie.split('=')[0] ?? '';

describe('gateways at one host, where browsers send each cookie to every port', () => {
  test('keep their sessions apart by the names of the cookies, if their tokens differ', async () => {
    const [one, other] = [start('token-one'), start('token-two')];
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
    const other = start('token-one', { sites: [{ ...STORED_SITE, name: 'other' }] });
    const { cookie } = await signIn(start('token-one'), 'token-one');
    expect(nameOf((await signIn(other, 'token-one')).cookie)).toBe(nameOf(cookie));
    expect((await other('/-/console/', { headers: { cookie } })).status).toBe(200);
  });

  test('do not reveal the token by the name', async () => {
    const { cookie } = await signIn(start('token-one'), 'token-one');
    const digest = createHash('sha256').update('token-one').digest('hex');
    expect(nameOf(cookie)).not.toContain(digest.slice(0, 8));
  });
});

describe('the attributes of the cookie', () => {
  const attributes = async (send: Send, headers: Record<string, string> = {}): Promise<string> =>
    (await submitToken(send, 'token-one', headers)).headers.get('set-cookie')?.replace(/^[^;]*; /, '') ?? '';

  test('contain Secure for https, which nobody but a trusted proxy can claim', async () => {
    const send = start('token-one');
    expect(await attributes(send, { 'x-forwarded-proto': 'https' })).not.toContain('Secure');
    expect(await attributes(start('token-one', { publicUrl: 'https://example.com/' }))).toContain('Secure');
  });
});
