import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { ProvenEditors } from '../../../../src/gateway/site/caching/users.ts';
import { closeAfterTest } from '../../../support/close-after-test.ts';
import { createSettledGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { runServer } from '../../../support/run.ts';
import { listStored } from '../../../support/stored-responses.ts';
import { documentOf, readRecordedIndex } from '../../../support/stub-site.ts';

/** How the gateway learns who may edit: by what the site answers, never by what is claimed, or by a login. */

const EDITOR = 'wordpress_logged_in_1=ann%7C1';
const MEMBER = 'wordpress_logged_in_1=bob%7C1';
const NONCE = '/wp-admin/admin-ajax.php?action=rest-nonce';
const RIGHT = '/wp-json/wp/v2/types?context=edit';
const FOLDER_RIGHT = '/wp/?rest_route=/wp/v2/types&context=edit';
const question = (cookie: string) => ({ credentials: [cookie], target: RIGHT, nonceTarget: NONCE });
const MINUTE = 60_000;

class Site {
  /** Requests by method and target. */
  readonly requests: string[] = [];
  readonly held: (() => void)[] = [];
  /** Whether the site holds back its answers about users. */
  holds = false;
  /** Status of what only editors can read, for a client with these cookies. */
  may: (cookie: string) => number = (cookie) => (cookie.includes(EDITOR) ? 200 : 403);

  respond({ headers, method = '', url = '' }: IncomingMessage, response: ServerResponse): void {
    const { cookie = '' } = headers;
    this.requests.push(`${method} ${url}`);
    // The clock is ahead of that of Node.
    response.sendDate = false;
    const html = { 'content-type': 'text/html' };
    if (url === NONCE || url === `/wp${NONCE}`) {
      const isKnown = [EDITOR, MEMBER].some((each) => cookie.includes(each));
      const answer = (): void =>
        void response.writeHead(isKnown ? 200 : 400).end(isKnown ? '0123456789' : '0');
      if (this.holds) this.held.push(answer);
      else answer();
    } else if (url === RIGHT || url === FOLDER_RIGHT) {
      const isSession = cookie === '' || headers['x-wp-nonce'] === '0123456789';
      response.writeHead(this.may(isSession ? cookie : ''), html).end('{}');
    } else if (url === '/wp-login.php' && method === 'POST')
      response.writeHead(302, { location: '/wp-admin/', 'set-cookie': [`${EDITOR}; path=/`] }).end();
    else if (method !== 'GET' && url.startsWith('/wp-json/wp/v2/'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}');
    else if (url === '/wp-login.php?action=postpass')
      response.writeHead(302, { location: '/?key=wc_order_1' }).end();
    else if (url === '/shop/') response.writeHead(200, html).end('<li class="product type-product">');
    else if (method === 'GET' && url.startsWith('/checkout/') && !cookie.includes('cart=1'))
      response.writeHead(302, { location: '/cart/' }).end();
    else response.writeHead(200, html).end(`<p>${url}</p>`);
  }

  get questions(): number {
    return this.requests.filter((line) => [`GET ${NONCE}`, `GET ${RIGHT}`].includes(line)).length;
  }
}

const PAGES = ['/a/', '/b/'];

async function start(options: SiteCacheOptions = {}, document = documentOf(readRecordedIndex())) {
  const site = new Site();
  const { origin } = await runServer((request, response) => site.respond(request, response));
  const clock = new GatewayClock();
  const begin = async () => {
    const gateway = createSettledGateway({
      sites: [{ url: origin, document, passthrough: true, cache: { pages: 600, ...options } }],
      cache: 'memory',
      clock,
    });
    await gateway.rediscover();
    closeAfterTest(() => gateway.stop());
    return gateway.app;
  };
  let app = await begin();
  const send = async (path: string, init: RequestInit, remoteAddress = ''): Promise<Response> => {
    clock.tick();
    const environment = { incoming: { socket: { remoteAddress } } };
    const response = await app.request(path, { redirect: 'manual', ...init }, environment);
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
    async purges(cookie: string, path = '/form/', more: RequestInit = {}): Promise<boolean> {
      for (const page of PAGES) await send(page, {});
      await send(path, { method: 'POST', ...more, headers: { cookie, ...Object(more.headers) } });
      return (await listStored(app, PAGES)).length === 0;
    },
  };
}

describe('a session is proved', () => {
  test('by an accepted write that needs the right, without a question', async () => {
    const { purges, site } = await start();
    expect(await purges(EDITOR, '/wp-json/wp/v2/posts')).toBe(true);
    expect(await purges(EDITOR)).toBe(true);
    expect(site.questions).toBe(0);
  });

  test('by one question to the site, after a restart of the gateway too', async () => {
    const { purges, restart, site } = await start();
    await purges(EDITOR, '/wp-json/wp/v2/posts');
    await restart();
    expect([await purges(EDITOR), await purges(EDITOR), await purges(EDITOR)]).toEqual([true, true, true]);
    // For a nonce, as the editor, and as somebody whom the site does not know.
    expect(site.questions).toBe(3);
  });

  test('by the nonce of a write to a route', async () => {
    const { purges, site } = await start();
    const headers = { 'x-wp-nonce': '0123456789' };
    expect(await purges(EDITOR, '/wp-json/acme/v1/a', { headers })).toBe(true);
    expect(site.requests).not.toContain(`GET ${NONCE}`);
  });

  test('in the folder of WordPress that the write went to', async () => {
    const { purges, site } = await start();
    await purges(EDITOR, '/wp/wp-admin/post.php');
    expect(site.requests).toContain(`GET /wp${NONCE}`);
  });

  test('for an hour', async () => {
    const { clock, purges, site } = await start();
    await purges(EDITOR);
    clock.pass(61 * MINUTE);
    site.may = () => 403;
    expect(await purges(EDITOR)).toBe(false);
  });
});

describe('a session is not proved', () => {
  test.each([
    ['if the site does not know it', 'wordpress_logged_in_1=x', 1],
    ['if it may not edit', MEMBER, 2],
  ])('%s, and that is asked once in ten minutes', async (_, cookie, questions) => {
    const { clock, purges, site } = await start();
    expect([await purges(cookie), await purges(cookie)]).toEqual([false, false]);
    expect(site.questions).toBe(questions);
    clock.pass(11 * MINUTE);
    await purges(cookie);
    expect(site.questions).toBe(2 * questions);
  });

  test.each([
    ['a login', '/wp-login.php'],
    ['one’s own profile', '/wp-json/wp/v2/users/me'],
    ['one’s own profile by its number', '/wp-json/wp/v2/users/5'],
    ['a comment', '/wp-json/wp/v2/comments'],
  ])('by %s', async (_, path) => {
    const { purges, site } = await start();
    site.may = () => 403;
    expect([await purges(EDITOR, path), await purges(EDITOR)]).toEqual([false, false]);
  });

  test('if the site answers everyone, as a firewall does with 200', async () => {
    const { purges, site } = await start();
    site.may = () => 200;
    expect(await purges(EDITOR)).toBe(false);
  });

  test.each([
    ['by a cookie that an editor has sent beside the login', '/form/', `${EDITOR}; wordpress_logged_in_2=x`],
    ['by a right in another folder', '/wp/wp-admin/post.php', EDITOR],
  ])('%s', async (_, path, cookie) => {
    const { purges, site } = await start();
    expect(await purges(cookie, path)).toBe(true);
    site.may = () => 403;
    expect(await purges(path === '/form/' ? 'wordpress_logged_in_2=x' : EDITOR)).toBe(false);
  });

  test('by cookies that are no login', async () => {
    const { purges, site } = await start();
    for (const cookie of ['wordpress_test_cookie=1', 'wp-settings-1=a', 'session=a', 'wordpress_logged_in_1'])
      expect(await purges(cookie)).toBe(false);
    expect(site.questions).toBe(0);
  });
});

const answer = (status: number) => Promise.resolve({ status, text: '0123456789' });
const asEditor = (_: string, isAnonymous: boolean) => answer(isAnonymous ? 401 : 200);

test('a firewall that answers one client with 200 keeps nobody else from being proved', async () => {
  const editors = new ProvenEditors(new GatewayClock());
  const stranger = { client: '192.0.2.1', ask: () => answer(200) };
  expect(await editors.ask(stranger, question('wordpress_logged_in_1=x'))).toBe(false);
  expect(await editors.ask({ client: '198.51.100.1', ask: asEditor }, question(EDITOR))).toBe(true);
});

test('strangers of many networks keep nobody waiting whose proof has run out', async () => {
  const clock = new GatewayClock();
  const editors = new ProvenEditors(clock);
  editors.prove(question(EDITOR));
  clock.pass(61 * MINUTE);
  const strangers = Array.from({ length: 50 }, (_, at) =>
    editors.ask(
      { client: `192.0.2.${at}`, ask: () => new Promise(() => {}) },
      question(`wordpress_logged_in_1=${at}`),
    ),
  );
  expect(await Promise.race([...strangers.slice(32), 'none'])).toBe(null);
  expect(await editors.ask({ client: '198.51.100.1', ask: asEditor }, question(EDITOR))).toBe(true);
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
  expect(site.questions).toBe(3);
  // Alone it is nobody's yet, so the site is asked about it.
  await write({ authorization });
  expect(site.requests.filter((line) => line.includes('context=edit'))).not.toHaveLength(0);
});

test('a site that fails is asked again, and everything is purged within a minute', async () => {
  const { clock, purges, send, site } = await start();
  site.may = () => 503;
  expect(await purges(EDITOR)).toBe(false);
  clock.pass(11_000);
  const [page = ''] = PAGES;
  expect((await send(page, {})).headers.get('cache-status')).not.toContain('; hit');
  site.may = (cookie) => (cookie.includes(EDITOR) ? 200 : 403);
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

test('sixty addresses in a minute are the most that all of them purge, whatever networks and accounts they have', async () => {
  const pages = Array.from({ length: 100 }, (_, at) => `/page-${at}/`);
  const { clock, send, stored } = await start();
  for (const page of pages) await send(page, {});
  const headers = (at: number) => ({ cookie: MEMBER, referer: `http://localhost${pages[at]}` });
  for (const [at] of pages.entries())
    await send('/wp-admin/admin-ajax.php', { method: 'POST', headers: headers(at) }, `192.0.2.${at % 20}`);
  expect(await stored(pages)).toHaveLength(40);
  clock.pass(MINUTE);
  await send('/wp-admin/admin-ajax.php', { method: 'POST', headers: headers(99) }, '192.0.2.1');
  expect(await stored(pages)).toHaveLength(39);
});

test('a route that takes only writes costs nobody an address, because nothing of it is stored', async () => {
  const courses = Array.from({ length: 60 }, (_, at) => `/courses/course-${at}/`);
  const route = '/lp/v1/courses/enroll-course';
  const { send, stored } = await start({}, documentOf(createRoutesIndex({ [route]: 'POST' })));
  for (const course of courses) await send(course, {});
  expect(await stored(courses)).toEqual(courses);
  for (const [at, course] of courses.entries()) {
    const headers = { cookie: MEMBER, referer: `http://localhost${course}` };
    await send(`/wp-json${route}`, { method: 'POST', headers }, `192.0.2.${at % 10}`);
  }
  expect(await stored(courses)).toEqual([]);
});

test('a forum of ten members who reply and like twice a minute keeps its other pages, and shows each reply at once', async () => {
  const pages = Array.from({ length: 24 }, (_, at) => `/topic-${at}/`);
  const { send, stored } = await start();
  for (const page of pages) await send(page, {});
  for (let member = 0; member < 10; member += 1) {
    const topic = pages[member % 5] ?? '';
    const headers = { cookie: MEMBER, referer: `http://localhost${topic}` };
    for (const path of [topic, '/wp-admin/admin-ajax.php', topic, '/wp-admin/admin-ajax.php']) {
      await send(path, { method: 'POST', headers }, `192.0.2.${member}`);
      expect(await stored(pages)).toEqual(pages.filter((page) => page !== topic));
      await send(topic, {});
    }
  }
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
