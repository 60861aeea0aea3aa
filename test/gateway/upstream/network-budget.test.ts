import { describe, expect, test } from 'vitest';
import { BodyReservation, createBodyMemory } from '../../../src/gateway/exchange/request-body-validator.ts';
import { ProvenEditors } from '../../../src/gateway/site/caching/users.ts';
import { NetworkBudget } from '../../../src/gateway/upstream/network-budget.ts';
import { SiteConcurrency, Slot } from '../../../src/gateway/upstream/site-concurrency.ts';
import { networks, startGateway } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import { signMessage } from '../../support/signed-message.ts';

const QUESTION = { target: '/wp-json/wp/v2/types?context=edit', nonceTarget: null };

describe('the budget of a network', () => {
  test.each([
    ['with each window, which begins with its first unit', [0, 59_999, 60_000], [true, false, true]],
    ['when the clock was set back to before the window', [3_600_000, 3_650_000, 0], [true, false, true]],
  ])('is whole again %s', (_, times, expected) => {
    let now = 0;
    const budget = new NetworkBudget({ ofNetwork: 1, window: 60_000 }, { now: () => now });
    const taken = times.map((time) => {
      now = time;
      return budget.take('192.0.2.1');
    });
    expect(taken).toEqual(expected);
  });

  test('takes bounded memory for any number of networks, and one that goes on is not forgotten', () => {
    const budget = new NetworkBudget({ ofNetwork: 1_000, window: 60_000 }, { now: () => 0 });
    const toAddress = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    for (let at = 0; at < 120_000; at += 1) {
      budget.take(toAddress(at));
      if (at % 1_000 === 0) budget.take('192.0.2.1');
    }
    expect(budget.find(toAddress(60_000)).taken).toBe(0);
    expect(budget.find('192.0.2.1').taken).toBe(120);
  });
});

const TRUST = { trust: networks('127.0.0.0/8', '::1') };

/** Uses up the budget of the first client. @returns whether the second one has it, too */
type SharesBudget = (first: string, second: string) => boolean | Promise<boolean>;

async function sharesGuesses(path: string, send: (guess: string) => RequestInit): Promise<SharesBudget> {
  const site = { cache: { pages: 60, webhook: 'the-secret-of-the-site' } };
  const { request } = await startGateway({ ...site, gateway: TRUST });
  const guess = async (client: string, at: number): Promise<number> => {
    const { headers, ...init } = send(`a-wrong-token-${at}`);
    return (await request(path, { ...init, headers: { ...headers, 'x-forwarded-for': client } })).status;
  };
  return async (first, second) => {
    for (let at = 0; at < 10; at += 1) expect(await guess(first, at)).not.toBe(429);
    return (await guess(second, 10)) === 429;
  };
}

/** A row for each user of networks. */
const USERS: Readonly<Record<string, () => Promise<SharesBudget> | SharesBudget>> = {
  async 'requests under a rate limit'() {
    const { request } = await startGateway(
      { limits: { client: { ofNetwork: 1, window: 60_000 } }, gateway: TRUST },
      () => ({ body: '' }),
    );
    const send = async (client: string): Promise<number> =>
      (await request('/a/', { headers: { 'x-forwarded-for': client } })).status;
    return async (first, second) => {
      expect(await send(first)).toBe(200);
      return (await send(second)) === 429;
    };
  },
  'guesses of the admin token': () =>
    sharesGuesses('/-/sites', (guess) => ({ headers: { authorization: `Bearer ${guess}` } })),
  'guesses in the console': () =>
    sharesGuesses('/-/console/sign-in', (token) => ({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ token })),
    })),
  'guesses of the secret of waygate.php': () =>
    sharesGuesses('/-/webhook/default', (guess) => ({
      method: 'POST',
      headers: signMessage(guess, '{}'),
      body: '{}',
    })),
  async "strangers' purges"() {
    const { gateway } = await startGateway();
    const writes = gateway.context.sites.get('default')?.caching?.writes;
    return (first, second) => {
      for (let at = 0; at < 10; at += 1) expect(writes?.admitStranger(first)).toBe(true);
      return writes?.admitStranger(second) === false;
    };
  },
  'questions whether a session may edit'() {
    const editors = new ProvenEditors(new GatewayClock());
    const ask = (client: string, at: number): Promise<boolean | null> =>
      editors.ask(
        { client, ask: () => new Promise(() => {}) },
        { ...QUESTION, credentials: [`wordpress_logged_in_1=${at}`] },
      );
    return async (first, second) => {
      for (let at = 0; at < 3; at += 1) void ask(first, at);
      const later = new Promise((resolve) => {
        setImmediate(resolve, 'waits');
      });
      return (await Promise.race([ask(second, 3), later])) === null;
    };
  },
  'bytes of bodies'() {
    const memory = createBodyMemory(100);
    return (first, second) => {
      expect(new BodyReservation(memory, first).grow(50)).toBe(true);
      return !new BodyReservation(memory, second).grow(1);
    };
  },
  'turns in the queue for a site'() {
    const concurrency = new SiteConcurrency({ max: 1, queue: 9 }, new GatewayClock());
    const order: string[] = [];
    const enter = (name: string, client: string): Slot => {
      const send = (): void => void order.push(name);
      const slot = new Slot(concurrency, { send, refuse: () => {}, describe: () => ({ name, since: 0 }) });
      if (concurrency.enter(slot, client, true)) send();
      return slot;
    };
    return (first, second) => {
      const slots = [enter('sent', '192.0.2.1'), enter('1', first), enter('2', first), enter('3', second)];
      slots[0]?.release();
      slots[1]?.release();
      return order.at(-1) === '2';
    };
  },
  'places in the queue for a site'() {
    const concurrency = new SiteConcurrency({ max: 1, queue: 3 }, new GatewayClock());
    const refused: string[] = [];
    const enter = (client: string): void => {
      const refuse = (): void => void refused.push(client);
      const slot = new Slot(concurrency, { send() {}, refuse, describe: () => ({ name: '', since: 0 }) });
      concurrency.enter(slot, client, true);
    };
    return (first, second) => {
      for (const client of ['192.0.2.1', first, first, first, second]) enter(client);
      return refused[0] === second;
    };
  },
};

describe.each(Object.entries(USERS))('%s', (_, create) => {
  test.each([
    ['are shared by addresses of one IPv6 network of 64 bits', '2001:db8:0:1::1', '2001:db8:0:1:ff::2', true],
    ['are not shared with another network', '2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ])('%s', async (_sentence, first, second, isShared) => {
    const shares = await create();
    expect(await shares(first, second)).toBe(isShared);
  });
});
