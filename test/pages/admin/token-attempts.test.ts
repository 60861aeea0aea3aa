import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/ports.ts';
import type { Gateway } from '../../../src/gateway/index.ts';
import { openGateway } from '../../../src/open-gateway.ts';
import { networks, startGateway } from '../../support/gateway.ts';
import { signMessage } from '../../support/signed-message.ts';
import { FORM, TOKEN } from '../console/support/console-client.ts';

const ATTACKER = '192.0.2.66';
const OPERATOR = '192.0.2.1';

/** Where a secret is guessed, and the statuses of a wrong and of the right one. */
const DOORS = {
  operations: { path: '/-/sites', wrong: 401, right: 200 },
  'sign-in': { path: '/-/console/sign-in', wrong: 403, right: 303 },
  'webhook of one': { path: '/-/webhook/one', wrong: 401, right: 200 },
  'webhook of two': { path: '/-/webhook/two', wrong: 401, right: 200 },
} as const;

/** Starts a gateway, at which each door has the same secret. */
async function start(trust = networks('127.0.0.0/8', '::1')) {
  let now = Date.now();
  const site = { url: 'http://127.0.0.1:9/', discovery: 'off', passthrough: true } as const;
  const { request } = await startGateway({
    gateway: {
      sites: ['one', 'two'].map((name) => ({ ...site, name, cache: { webhook: TOKEN } })),
      ...{ clock: { now: () => now, after: systemClock.after }, trust },
    },
  });
  const send = async (door: keyof typeof DOORS, address: string, secret: string): Promise<Response> => {
    const { path } = DOORS[door];
    const body = door === 'sign-in' ? new URLSearchParams({ token: secret }).toString() : '{"tags":[]}';
    const headers = {
      ...{ operations: { authorization: `Bearer ${secret}` }, 'sign-in': FORM }[String(door)],
      ...(door.startsWith('webhook') && signMessage(secret, body, now)),
      'x-forwarded-for': address,
    };
    const init = door === 'operations' ? {} : { method: 'POST', body };
    return request(path, { ...init, headers });
  };
  const guess = async (door: keyof typeof DOORS, address: string, times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1)
      expect((await send(door, address, `x${at}`)).status).toBe(DOORS[door].wrong);
  };
  const wait = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { guess, request, send, wait };
}

test.each(Object.keys(DOORS) as (keyof typeof DOORS)[])(
  'at %s, the eleventh wrong secret of a network is refused for a quarter of an hour, and the right one never',
  async (door) => {
    const { guess, send, wait } = await start();
    await guess(door, ATTACKER, 10);
    const refused = await send(door, ATTACKER, 'x');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    // Icinga/icinga2#7943: the right credentials are locked out. Success does not reset the count: it would allow ten more.
    expect((await send(door, ATTACKER, TOKEN)).status).toBe(DOORS[door].right);
    expect((await send(door, ATTACKER, 'x')).status).toBe(429);
    await guess(door, OPERATOR, 1);
    wait(15 * 60_000);
    await guess(door, ATTACKER, 1);
  },
);

test('operations and the sign-in have one limit, and each site its own', async () => {
  const { guess, send } = await start();
  await guess('operations', ATTACKER, 10);
  expect((await send('sign-in', ATTACKER, 'x')).status).toBe(429);
  await guess('webhook of one', ATTACKER, 10);
  await guess('webhook of two', ATTACKER, 1);
});

test('guesses of any number of networks do not lock out the operator', async () => {
  const { send } = await start();
  for (let at = 0; at < 150; at += 1) await send('operations', `2001:db8:${at.toString(16)}::1`, 'x');
  expect((await send('operations', OPERATOR, TOKEN)).status).toBe(200);
});

// nextcloud/bruteforcesettings#16: all users come from the address of one proxy.
test('without known addresses, the right secret is not limited', async () => {
  const { send } = await start([]);
  for (let at = 0; at < 100; at += 1) await send('webhook of one', ATTACKER, 'x');
  expect((await send('webhook of one', OPERATOR, 'x')).status).toBe(429);
  expect((await send('webhook of one', OPERATOR, TOKEN)).status).toBe(200);
});

test('requests without a token are no guesses', async () => {
  const { request } = await start();
  for (let at = 0; at < 12; at += 1) expect((await request('/-/sites')).status).toBe(401);
});

test.each([
  ['operations', 'no further ones while the token is the same', TOKEN, 429],
  ['operations', 'ten of a new token', 'another-token-of-the-tests', 401],
  ['webhook', 'no further ones while the secret is the same', TOKEN, 429],
  ['webhook', 'ten of a new secret', 'another-token-of-the-tests', 401],
])('guesses at the %s get from a reload %s', async (door, _, next, expected) => {
  const open = (token: string, before: Gateway | null): Gateway => {
    // The cache's other settings differ, too.
    const cache = { webhook: token, pages: before === null ? 60 : 90 };
    const site = { url: 'http://127.0.0.1:9', discovery: 'off', cache } as const;
    return openGateway({ sites: [site], admin: { token } }, before);
  };
  const sent =
    door === 'operations'
      ? { path: 'sites', headers: { authorization: 'Bearer x' } }
      : { path: 'webhook/default', method: 'POST', body: '{}', headers: signMessage('x', '{}') };
  const guess = async (gateway: Gateway): Promise<number> =>
    (await gateway.fetch(new Request(`http://localhost/-/${sent.path}`, sent))).status;
  const before = open(TOKEN, null);
  for (let at = 0; at < 10; at += 1) expect(await guess(before)).toBe(401);
  expect(await guess(open(next, before))).toBe(expected);
});
