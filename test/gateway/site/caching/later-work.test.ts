import { describe, expect, test } from 'vitest';
import { startGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { EDITOR, readSmallIndex } from '../../../support/stub-site.ts';

/**
 * Requests after whose response the site goes on working: WP-Cron, posts by mail, payments. What is read between
 * the response and the end of the work is as old as before, and must not stay stored.
 */

const SECOND = 1_000;
const PAGE = '/page/';
const TASKS = '/due/?doing_wp_cron=1767225600.1234567890123456789012';
const index = { ...readSmallIndex(), namespaces: ['wp/v2', 'wc/v3'] };
const writes = [
  { match: '/known/*', purges: 'nothing' },
  { match: '/all/*', purges: 'everything' },
] as const;

/** Starts a gateway before a site whose page changes when the site has done its work. */
async function start(isShop = false, webhook?: string) {
  const clock = new GatewayClock();
  let content = 'old';
  const options = {
    cache: { pages: 3_600, writes, tagged: 3_600, ...(webhook && { webhook }) },
    inMemory: true,
    gateway: { clock },
    ...(isShop && { index }),
  };
  const running = await startGateway(options, ({ headers, method, url }) => ({
    status: url.startsWith('/refused/') ? 403 : url.startsWith('/due/') ? 302 : 200,
    headers: {
      ...{ date: new Date(clock.now()).toUTCString(), location: TASKS },
      'x-waygate-response': String(headers['x-waygate-request']).split('.', 1)[0] ?? '',
      ...(webhook && (method === 'GET' ? { 'x-waygate-tags': 'post-1' } : { 'x-waygate-changed': 'none' })),
    },
    body: url === PAGE ? `<p>${content}</p>` : 'done',
  }));
  const request = async (path: string, init?: RequestInit): Promise<string> => {
    clock.tick();
    const text = await (await running.request(path, init)).text();
    clock.tick();
    return text;
  };
  const read = () => request(PAGE);
  return {
    ...{ ...running, clock, request, read },
    async send(line: string): Promise<void> {
      const [method = '', path = '', referer = ''] = line.split(' ');
      await request(path, { method, headers: { authorization: EDITOR.authorization, referer } });
    },
    /** @returns the seconds after a request at which a change of the site shows: the first of some */
    async findShown(...seconds: readonly number[]): Promise<number | null> {
      content = 'new';
      let passed = 0;
      for (const second of seconds) {
        clock.pass((second - passed) * SECOND);
        passed = second;
        if ((await read()) === '<p>new</p>') return second;
      }
      return null;
    },
  };
}

/** Requests by how often the site is asked again: after 10 s. */
const CASES: Readonly<Record<string, readonly [times: number, line: string, before?: string]>> = {
  'a scheduled post, rtCamp/nginx-helper#164': [1, 'POST /wp-cron.php?doing_wp_cron=1767225600.5'],
  'tasks that run in a page, WordPress/wordpress-develop#842': [1, 'GET /news/?doing_wp_cron=1', 'GET /due/'],
  'tasks that the site has not redirected to': [0, 'GET /news/?doing_wp_cron=1767225600.5'],
  'tasks that the client has sent the site to': [
    0,
    'GET /news/?doing_wp_cron=1',
    'GET /due/?to=doing%5fwp_cron',
  ],
  'tasks to whose page wp-login.php?action=postpass redirects back': [
    0,
    'GET /news/?doing_wp_cron=1',
    `GET /due/ http://localhost${TASKS}`,
  ],
  'tasks of a form': [0, 'GET /news/?doing_wp_cron=1', 'POST /due/'],
  'a report of a payment service, woocommerce/woocommerce#26182': [1, 'POST /?wc-api=any'],
  'a report to a site without WooCommerce, by anybody': [0, 'POST /?wc-api=any'],
  'one for which a rule of the site purges everything': [1, 'GET /all/wp-cron.php'],
  'one that the server refuses': [0, 'GET /refused/wp-cron.php'],
  'one that a rule of the site names': [0, 'GET /known/wp-cron.php'],
};

describe('what is read between the response and the end of the work', () => {
  test.each(Object.entries(CASES))('%s', async (name, [times, line, before]) => {
    const { clock, findShown, read, send } = await start(name.includes('woocommerce/'));
    if (before !== undefined) await send(before);
    clock.pass(590 * SECOND);
    await read();
    await send(line);
    expect(await read()).toBe('<p>old</p>');
    expect(await findShown(0, 9, 11, 180)).toBe(times === 0 ? null : 11);
  });

  test.each(['POST /wp-cron.php', 'GET /news/?doing_wp_cron=1', 'POST /?wc-api=any'])(
    'is what waygate.php names: %s',
    async (line) => {
      const { clock, findShown, read, send } = await start(true, 'a-secret');
      await send('GET /due/');
      clock.pass(60 * SECOND);
      await read();
      await send(line);
      expect(await findShown(11, 180)).toBe(null);
    },
  );

  test('is asked for again once a minute, however often anyone starts the work', async () => {
    const { clock, read, received, request } = await start();
    await read();
    const count = (): number => received.filter(({ url }) => url === PAGE).length;
    const before = count();
    for (let second = 0; second < 180; second += 2) {
      await request('/wp-cron.php');
      clock.pass(2 * SECOND);
      if (second % 6 === 0) await read();
    }
    expect(count() - before).toBeGreaterThanOrEqual(2);
    expect(count() - before).toBeLessThanOrEqual(4);
  });

  test('is asked for again after the last of many requests, and one purge waits for each delay', async () => {
    const { clock, findShown, read, send } = await start();
    const waiting = clock.waiting;
    for (let second = 0; second < 5; second += 1) {
      for (let count = 0; count < 20; count += 1) await send('GET /wp-cron.php');
      clock.pass(SECOND);
    }
    expect(clock.waiting - waiting).toBeLessThanOrEqual(2);
    await read();
    // The purge of the first of them is due in five seconds, and that of the others a minute later.
    expect(await findShown(0, 3, 6)).toBe(6);
  });

  test('is used while the site fails: nobody knows whether it has changed', async () => {
    const { clock, closeSite, read, send } = await start();
    await send('GET /wp-cron.php');
    await read();
    clock.pass(11 * SECOND);
    await closeSite();
    expect(await read()).toBe('<p>old</p>');
  });
});
