import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { ProvenUsers } from '../../../../src/gateway/site/caching/users.ts';
import { closeAfterTest } from '../../../support/close-after-test.ts';
import { createSettledGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { runServer } from '../../../support/run.ts';
import { listStored } from '../../../support/stored-responses.ts';
import { createSmallDocument } from '../../../support/stub-site.ts';

/** How the gateway learns whether a session is one of a user: by what the site answers, never by what is claimed. */

const EDITOR = 'wordpress_logged_in_1=ann%7C1';
const ADMIN = '/wp-admin/';
const MINUTE = 60_000;

class Site {
  /** Requests by method and target. */
  readonly requests: string[] = [];
  readonly held: (() => void)[] = [];
  /** Whether the site holds back its answers about users. */
  holds = false;
  /** Status of the administration for a client with these cookies. */
  admin: (cookie: string) => number = (cookie) => (cookie.includes(EDITOR) ? 200 : 302);

  respond(method: string, url: string, cookie: string, response: ServerResponse): void {
    this.requests.push(`${method} ${url}`);
    // The clock is ahead of that of Node.
    response.sendDate = false;
    const html = { 'content-type': 'text/html' };
    if (url === ADMIN) {
      const status = this.admin(cookie);
      const answer = (): void =>
        void response
          .writeHead(status, status === 302 ? { location: '/wp-login.php?reauth=1' } : html)
          .end('a');
      if (this.holds) this.held.push(answer);
      else answer();
    } else if (url === '/wp-login.php' && method === 'POST') {
      response
        .writeHead(302, { location: '/wp-admin/', 'set-cookie': [`${EDITOR}; path=/; HttpOnly`] })
        .end();
    } else if (url === '/wp-login.php?action=logout')
      response.writeHead(302, { 'set-cookie': 'wordpress_logged_in_1=%20; path=/' }).end();
    else if (url === '/wp-login.php?action=postpass')
      response.writeHead(302, { location: '/?key=wc_order_1' }).end();
    else if (url === '/shop/') response.writeHead(200, html).end('<li class="product type-product">');
    else if (method === 'GET' && url.startsWith('/checkout/') && !cookie.includes('cart=1'))
      response.writeHead(302, { location: '/cart/' }).end();
    else response.writeHead(200, html).end(`<p>${url}</p>`);
  }

  get questions(): number {
    return this.requests.filter((line) => line === `GET ${ADMIN}`).length;
  }
}

const PAGES = ['/a/', '/b/'];

async function start(options: SiteCacheOptions = {}) {
  const site = new Site();
  const { origin } = await runServer(({ headers, method = '', url = '' }, response) => {
    site.respond(method, url, headers.cookie ?? '', response);
  });
  const clock = new GatewayClock();
  const begin = async () => {
    const gateway = createSettledGateway({
      sites: [
        {
          url: origin,
          document: createSmallDocument(),
          passthrough: true,
          cache: { pages: 600, ...options },
        },
      ],
      cache: 'memory',
      clock,
    });
    await gateway.rediscover();
    closeAfterTest(() => gateway.stop());
    return gateway.app;
  };
  let app = await begin();
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    clock.tick();
    const response = await app.request(path, { redirect: 'manual', ...init });
    await response.clone().text();
    clock.tick();
    return response;
  };
  return {
    clock,
    site,
    send,
    stored: (pages: readonly string[]) => listStored(app, pages),
    async restart(): Promise<void> {
      app = await begin();
    },
    /** Stores the pages, sends a write with these cookies, and tells whether it has purged them all. */
    async purges(cookie: string, path = '/form/'): Promise<boolean> {
      for (const page of PAGES) await send(page, {});
      await send(path, { method: 'POST', headers: { cookie } });
      return (await listStored(app, PAGES)).length === 0;
    },
  };
}

describe('a session is proved', () => {
  test('by the login, without a question', async () => {
    const { purges, send, site } = await start();
    await send('/wp-login.php', { method: 'POST' });
    expect(await purges(EDITOR)).toBe(true);
    expect(site.questions).toBe(0);
  });

  test('by one question to the site, after a restart of the gateway too', async () => {
    const { purges, restart, send, site } = await start();
    await send('/wp-login.php', { method: 'POST' });
    await restart();
    expect([await purges(EDITOR), await purges(EDITOR), await purges(EDITOR)]).toEqual([true, true, true]);
    // As the editor, and as somebody whom the site does not know.
    expect(site.questions).toBe(2);
  });

  test('by one of its cookies: a browser sends another one to the administration', async () => {
    const { purges } = await start();
    const other = 'wordpress_sec_1=ann%7C2';
    expect(await purges(`${other}; ${EDITOR}`, '/wp-admin/post.php')).toBe(true);
    expect(await purges(other)).toBe(true);
  });

  test('in the folder of WordPress that the write went to', async () => {
    const { purges, site } = await start();
    await purges(EDITOR, '/wp/wp-admin/post.php');
    expect(site.requests).toContain('GET /wp/wp-admin/');
  });

  test('for an hour', async () => {
    const { clock, purges, site } = await start();
    await purges(EDITOR);
    clock.pass(61 * MINUTE);
    site.admin = () => 302;
    expect(await purges(EDITOR)).toBe(false);
  });
});

describe('a session is not proved', () => {
  test('if the site sends it to the login, and that is asked once in ten minutes', async () => {
    const { clock, purges, site } = await start();
    const madeUp = 'wordpress_logged_in_1=x';
    expect([await purges(madeUp), await purges(madeUp)]).toEqual([false, false]);
    expect(site.questions).toBe(1);
    clock.pass(11 * MINUTE);
    await purges(madeUp);
    expect(site.questions).toBe(2);
  });

  test('if the site shows everyone its administration, as a firewall does that answers 200', async () => {
    const { purges, site } = await start();
    site.admin = () => 200;
    expect(await purges(EDITOR)).toBe(false);
  });

  test('if it can read a page that looks like the administration, by the cookie of a cart', async () => {
    const { purges, site } = await start();
    expect(await purges('wordpress_logged_in_1=x; cart=1', '/checkout/edit-account/wp-admin/')).toBe(false);
    expect(site.requests).toContain('GET /checkout/edit-account/wp-admin/');
  });

  test('by cookies that are no login', async () => {
    const { purges, site } = await start();
    for (const cookie of ['wordpress_test_cookie=1', 'wp-settings-1=a', 'session=a', 'wordpress_logged_in_1'])
      expect(await purges(cookie)).toBe(false);
    expect(site.questions).toBe(0);
  });

  test('by the cookie that is left after a logout', async () => {
    const { purges, send, site } = await start();
    await send('/wp-login.php?action=logout', { method: 'POST' });
    site.admin = () => 302;
    expect(await purges('wordpress_logged_in_1=%20')).toBe(false);
  });
});

test('a firewall that answers one client with 200 keeps nobody else from being proved', async () => {
  const users = new ProvenUsers(new GatewayClock());
  const [stranger, editor] = [
    () => Promise.resolve(200),
    (_: string, isAnonymous: boolean) => Promise.resolve(isAnonymous ? 302 : 200),
  ];
  expect(await users.ask({ client: '192.0.2.1', ask: stranger }, ['wordpress_logged_in_1=x'], ADMIN)).toBe(
    false,
  );
  expect(await users.ask({ client: '198.51.100.1', ask: editor }, [EDITOR], ADMIN)).toBe(true);
});

test('strangers of many networks keep nobody waiting whose proof has run out', async () => {
  const clock = new GatewayClock();
  const users = new ProvenUsers(clock);
  users.prove([EDITOR]);
  clock.pass(61 * MINUTE);
  const strangers = Array.from({ length: 50 }, (_, at) =>
    users.ask(
      { client: `192.0.2.${at}`, ask: () => new Promise(() => {}) },
      [`wordpress_logged_in_1=${at}`],
      ADMIN,
    ),
  );
  expect(await Promise.race([...strangers.slice(32), 'none'])).toBe(null);
  const ask = (_: string, isAnonymous: boolean) => Promise.resolve(isAnonymous ? 302 : 200);
  expect(await users.ask({ client: '198.51.100.1', ask }, [EDITOR], ADMIN)).toBe(true);
});

test('a password that an editor sends beside the login proves nobody else', async () => {
  const { send, site } = await start();
  const authorization = `Basic ${btoa('staging:password')}`;
  const write = async (headers: Readonly<Record<string, string>>) => {
    for (const page of PAGES) await send(page, {});
    await send('/form/', { method: 'POST', headers });
  };
  await write({ authorization, cookie: EDITOR });
  await write({ authorization, cookie: EDITOR });
  expect(site.questions).toBe(2);
  // Alone it is nobody's yet, so the site is asked about it.
  await write({ authorization });
  expect(site.requests.filter((line) => line.includes('context=edit'))).not.toHaveLength(0);
});

test('a site that fails is asked again, and everything is purged within a minute', async () => {
  const { clock, purges, send, site } = await start();
  site.admin = () => 503;
  expect(await purges(EDITOR)).toBe(false);
  clock.pass(11_000);
  const [page = ''] = PAGES;
  expect((await send(page, {})).headers.get('cache-status')).not.toContain('; hit');
  site.admin = (cookie) => (cookie.includes(EDITOR) ? 200 : 302);
  expect(await purges(EDITOR)).toBe(true);
});

test('the site gets one question at a time, and few of them wait for one network', async () => {
  const { send, site } = await start();
  await send('/a/', {});
  site.holds = true;
  const writes = Array.from({ length: 20 }, (_, at) =>
    send('/form/', { method: 'POST', headers: { cookie: `wordpress_logged_in_1=${at}` } }),
  );
  // All others have their response.
  await Promise.all(writes.slice(3));
  expect(site.questions).toBe(1);
  site.holds = false;
  for (const answer of site.held) answer();
  await Promise.all(writes);
  expect(site.questions).toBe(3);
});

test('strangers purge few addresses in a minute, and all others are left as they are', async () => {
  const pages = Array.from({ length: 40 }, (_, at) => `/page-${at}/`);
  const { send, stored } = await start();
  for (const page of pages) await send(page, {});
  expect(await stored(pages)).toEqual(pages);
  for (const page of pages) await send(page, { method: 'POST' });
  expect(await stored(pages)).toHaveLength(30);
});

test('strangers purge few products in a minute, whatever address the site repeats, and then all of them once', async () => {
  const { clock, send } = await start();
  let hits = 0;
  for (let round = 0; round < 30; round += 1) {
    for (let read = 0; read < 3; read += 1) {
      const { headers } = await send('/shop/', {});
      if (headers.get('cache-status')?.includes('; hit') === true) hits += 1;
    }
    const body = new URLSearchParams({ post_password: 'a', 'woocommerce-process-checkout-nonce': '1' });
    await send('/wp-login.php?action=postpass', { method: 'POST', body });
  }
  expect(hits).toBeGreaterThan(60);
  clock.pass(11_000);
  expect((await send('/shop/', {})).headers.get('cache-status')).not.toContain('; hit');
});
