import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/ports.ts';
import type { Gateway, GatewayOptions } from '../../../src/gateway/index.ts';
import { openGateway } from '../../../src/open-gateway.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { signMessage } from '../../support/signed-message.ts';
import { FORM } from '../console/support/console-client.ts';

const TOKEN = 'a-token-of-the-tests';
const ATTACKER = '192.0.2.66';
const OPERATOR = '192.0.2.1';

const guesses = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `x${at}`);

describe('guesses of the admin token on a gateway', () => {
  let now = Date.now();

  async function start(options: Partial<GatewayOptions> = {}) {
    const running: RunningGateway = await startNodeGateway({
      sites: [{ url: await unreachableOrigin(), discovery: 'off', passthrough: true }],
      admin: { token: TOKEN },
      clock: { now: () => now, after: systemClock.after },
      trust: ['127.0.0.0/8', '::1'],
      ...options,
    });
    onTestFinished(running.stop);
    const send = (address: string, path: string, init: RequestInit = {}) =>
      running.request(path, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } });
    return {
      get: (address: string, token: string | null) =>
        send(address, '/-/sites', { headers: token === null ? {} : { authorization: `Bearer ${token}` } }),
      signIn: (address: string, token: string) =>
        send(address, '/-/console/sign-in', {
          method: 'POST',
          headers: FORM,
          body: new URLSearchParams({ token }).toString(),
        }),
    };
  }

  test('the eleventh wrong one of a network is refused for a quarter of an hour', async () => {
    const { get, signIn } = await start();
    for (let guess = 0; guess < 10; guess += 1) expect((await get(ATTACKER, `x${guess}`)).status).toBe(401);
    const refused = await get(ATTACKER, 'x');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    expect(await refused.json()).toMatchObject({ code: 'gateway_too_many_attempts' });
    // The sign-in of the console has the same limit.
    expect((await signIn(ATTACKER, 'x')).status).toBe(429);
    expect((await get(OPERATOR, 'x')).status).toBe(401);
    now += 15 * 60_000;
    expect((await get(ATTACKER, 'x')).status).toBe(401);
  });

  test.each<[string, string, string, readonly string[]]>([
    // nextcloud/bruteforcesettings#16, nextcloud/server#703: all users come from the address of one proxy.
    ['an operator behind the proxy of an attacker', '10.0.0.2', '10.0.0.2', guesses(100)],
    // Icinga/icinga2#7943: the right credentials are locked out after one wrong request.
    ['an operator who has mistyped', OPERATOR, OPERATOR, [`${TOKEN.slice(0, -1)}`, ...guesses(9)]],
  ])('the right token is never refused: %s', async (_who, attacker, operator, tokens) => {
    const { get, signIn } = await start();
    for (const guess of tokens) await get(attacker, guess);
    expect((await get(attacker, 'x')).status).toBe(429);
    for (let request = 0; request < 3; request += 1) expect((await get(operator, TOKEN)).status).toBe(200);
    expect((await signIn(operator, TOKEN)).status).toBe(303);
    // Success does not reset the count: it would allow ten more guesses.
    expect((await get(attacker, 'x')).status).toBe(429);
  });

  test('from any number of networks do not lock out the operator', async () => {
    const { get } = await start();
    for (let network = 0; network < 150; network += 1) await get(`2001:db8:${network.toString(16)}::1`, 'x');
    expect((await get(OPERATOR, TOKEN)).status).toBe(200);
  });

  test.each([
    ['no further ones while the token is the same', TOKEN, 429],
    ['ten of a new token', 'another-token-of-the-tests', 401],
  ])('get from a reload %s', async (_, next, expected) => {
    const open = (token: string, before: Gateway | null): Gateway =>
      openGateway({ sites: [{ url: 'http://127.0.0.1:9', discovery: 'off' }], admin: { token } }, before);
    const headers = { authorization: 'Bearer x' };
    const guess = async (gateway: Gateway): Promise<number> =>
      (await gateway.fetch(new Request('http://localhost/-/sites', { headers }))).status;
    const before = open(TOKEN, null);
    for (let at = 0; at < 10; at += 1) expect(await guess(before)).toBe(401);
    expect(await guess(open(next, before))).toBe(expected);
  });

  test('do not include requests without a token, and right ones are not limited', async () => {
    const { get } = await start();
    for (let request = 0; request < 12; request += 1) expect((await get(OPERATOR, null)).status).toBe(401);
    const right = await Promise.all(Array.from({ length: 20 }, () => get(OPERATOR, TOKEN)));
    expect(right.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('guesses of the secrets of a site on a gateway', () => {
  const secret = 'the-secret-of-senders';

  async function start(
    isAddressKnown = true,
  ): Promise<(address: string, kind: string, guess: string) => Promise<number>> {
    const cache = { webhook: secret } as const;
    const url = await unreachableOrigin();
    const { request, stop } = await startNodeGateway({
      sites: ['one', 'two'].map((name) => ({ name, url, discovery: 'off', passthrough: true, cache })),
      cache: 'memory',
      admin: { token: TOKEN },
      trust: isAddressKnown ? ['127.0.0.0/8', '::1'] : [],
    });
    onTestFinished(stop);
    let count = 0;
    return async (address, kind, key) => {
      count += 1;
      const body = `{"instance":"a","sequence":${count},"tags":[]}`;
      const kinds: Readonly<Record<string, readonly [string, string, Readonly<Record<string, string>>]>> = {
        'a webhook of one': ['POST', '/-/webhook/one', signMessage(key, body)],
        'a webhook of two': ['POST', '/-/webhook/two', signMessage(key, body)],
      };
      const [method = '', path = '', headers = {}] = kinds[kind] ?? [];
      const fields = { ...headers, 'x-forwarded-for': address };
      const sent = await request(path, { method, headers: fields, ...(method === 'POST' ? { body } : {}) });
      await sent.text();
      return sent.status;
    };
  }

  test('the eleventh is refused, the right one is not', async () => {
    const send = await start();
    const kind = 'a webhook of one';
    for (const guess of guesses(10)) expect(await send(ATTACKER, kind, guess)).toBe(401);
    expect(await send(ATTACKER, kind, 'x')).toBe(429);
    expect(await send(ATTACKER, kind, secret)).toBe(200);
    expect(await send(OPERATOR, kind, 'x')).toBe(401);
    expect(await send(ATTACKER, 'a webhook of two', 'x')).toBe(401);
  });

  test('without a known address the right secret is not limited', async () => {
    const send = await start(false);
    const kind = 'a webhook of one';
    for (const guess of guesses(12)) await send(ATTACKER, kind, guess);
    expect([await send(ATTACKER, kind, 'x'), await send(ATTACKER, kind, secret)]).toEqual([429, 200]);
  });
});
