import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/ports.ts';
import { MemoryStore } from '../../src/gateway/cache/stores/memory-store.ts';
import { perMinute, type Responder, startGateway, type TestOptions } from '../support/gateway.ts';
import { readSmallIndex } from '../support/stub-site.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A network in folders, each of whose responses links to the REST root of its site: `/de/` is one. */
const network =
  (linksTo = (path: string): string => (path.startsWith('/de/') ? '/de' : '')): Responder =>
  ({ query, url }) => {
    const own = query.get('_fields') === 'url' ? linksTo(url) : null;
    if (own !== null) return { headers: JSON_TYPE, body: { url: `http://www.example.com${own}` } };
    const isRest = /\/wp-json\/|rest_route=/.test(url);
    const Link = `<http://www.example.com${linksTo(url)}/wp-json/>; rel="https://api.w.org/"`;
    return {
      headers: { Link, 'content-type': isRest ? 'application/json' : 'text/html' },
      body: isRest ? [] : 'a',
    };
  };

const start = (options: TestOptions = {}, respond = network()) => startGateway(options, respond);

describe('a subsite that has answered', () => {
  test.each([
    ['a page below it', '/de/about/'],
    ['a read of a route', '/de/wp-json/wp/v2/posts?page=2'],
    ['a write', '/de/wp-json/wp/v2/posts'],
  ])(
    'is known by the link of %s: its core routes have the lifetimes of the document',
    async (what, first) => {
      const { read, request } = await start();
      const method = what === 'a write' ? 'POST' : 'GET';
      await request(first, { method });
      for (const address of ['/de/wp-json/wp/v2/types', '/de/?rest_route=/wp/v2/types']) {
        await read(address);
        expect(await read(address)).toEqual(['[]', expect.stringMatching(/^hit/)]);
      }
      // Another folder has none, and a plugin of the main site can be missing there.
      for (const address of ['/xyz/wp-json/wp/v2/types', '/de/wp-json/acme/v1/x']) {
        await read(address);
        expect(await read(address)).toEqual(['[]', expect.stringMatching(/no-freshness/)]);
      }
    },
  );

  test('without links, is known once its root has answered in JSON', async () => {
    const { read } = await startGateway({}, ({ url }) => ({
      body: [url],
      headers: { 'content-type': 'application/json' },
    }));
    await read('/de/wp-json/');
    const statuses: string[] = [];
    for (const folder of ['/de', '/de', '/fr', '/fr'])
      statuses.push((await read(`${folder}/wp-json/wp/v2/types`))[1]);
    expect(statuses.map((status) => status.startsWith('hit'))).toEqual([false, true, false, false]);
  });

  test('is validated by the rules of its core routes', async () => {
    const { request } = await start({ validation: { mode: 'enforce' } });
    const send = async (folder: string): Promise<number> =>
      (await request(`${folder}/wp-json/wp/v2/posts?per_page=x`)).status;
    await request('/de/');
    expect([await send(''), await send('/de'), await send('/xyz')]).toEqual([400, 400, 200]);
  });
});

const PAGES = ['/', '/de/', '/de/about/', '/fr/'];
const PASSWORD = { authorization: 'Basic ZGU6cGFzcw==' };
const COOKIE = { cookie: 'wordpress_logged_in_1=de' };
const NONCE = '0123456789';

/** A network whose `/de/` has an editor, who is nobody elsewhere. */
const withEditor: Responder = (request, count, response) => {
  const { headers, method, query, url } = request;
  const isKnown = headers.authorization === PASSWORD.authorization || headers.cookie === COOKIE.cookie;
  if (url.endsWith('action=rest-nonce')) return { status: isKnown ? 200 : 400, body: isKnown ? NONCE : '0' };
  if (query.get('context') === 'edit') {
    const isEditor =
      isKnown && url.startsWith('/de/') && (!headers.cookie || headers['x-wp-nonce'] === NONCE);
    return { status: isEditor ? 200 : 403, headers: { 'content-type': 'application/json' }, body: {} };
  }
  const link = (path: string): string => /^\/(?:de|fr)(?=\/)/.exec(path)?.[0] ?? '';
  const answer = network(link)(request, count, response);
  return method === 'GET' || !url.includes('/wp-json/') ? answer : { ...answer, body: { id: 9 } };
};

describe('a write of an editor of one subsite', () => {
  /** Stores pages, sends a write, and lists the pages that are left. */
  async function startStored(isNew = false, respond = withEditor) {
    const { read, request } = await start({ isNew }, respond);
    // What is stored before the index of its folder is read counts as the main site's.
    for (const page of PAGES) await request(page, { method: 'HEAD' });
    return async (
      path: string,
      headers: Record<string, string>,
      body = 'a=1',
    ): Promise<readonly string[]> => {
      for (const page of [...PAGES, ...PAGES]) await read(page);
      const type = body.startsWith('<') ? 'text/xml' : 'application/x-www-form-urlencoded';
      await request(path, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
      const left: string[] = [];
      for (const page of PAGES) if ((await read(page))[1].startsWith('hit')) left.push(page);
      return left;
    };
  }

  test.each<[string, string, Record<string, string>]>([
    ['a post, with a password for applications', '/de/wp-json/wp/v2/posts/9', PASSWORD],
    ['a post in the block editor', '/de/?rest_route=/wp/v2/posts/9', { ...COOKIE, 'x-wp-nonce': NONCE }],
    ['a plugin’s route, with a password', '/de/wp-json/acme/v1/a', PASSWORD],
    ['a plugin’s route, with a nonce', '/de/wp-json/acme/v1/a', { ...COOKIE, 'x-wp-nonce': NONCE }],
    ['wp-admin', '/de/wp-admin/post.php', COOKIE],
    ['a form of a page', '/de/about/', COOKIE],
  ])('purges that one and the main site: %s', async (_, path, headers) => {
    const send = await startStored();
    expect(await send(path, headers)).toEqual(['/fr/']);
    // Elsewhere the same person may not edit.
    expect(await send('/fr/', headers)).toEqual(['/', '/de/', '/de/about/']);
    expect(await send('/wp-json/acme/v1/a', headers)).toEqual(PAGES);
  });

  test('purges all folders of a site whose index names the site in each of them, e.g. of a language plugin', async () => {
    const translated: Responder = (request, count, response) =>
      request.query.get('_fields') === 'url'
        ? { headers: JSON_TYPE, body: { url: 'http://www.example.com' } }
        : withEditor(request, count, response);
    for (const path of ['/de/wp-json/wp/v2/posts/9', '/wp-json/wp/v2/posts/9']) {
      const send = await startStored(false, translated);
      expect(await send(path, PASSWORD)).toEqual([]);
    }
  });

  const HOSTS = ['www.example.com', 'shop.example.org'];
  const HOST_PAGES = ['http://www.example.com/', 'http://shop.example.org/news/'];

  /** Two gateways share a store; only the first has seen pages. @param isSame whether both hosts are names of one site */
  async function startHosts(isSame: boolean) {
    const byHost: Responder = (request, count, response) => {
      const folder = /^\/fr(?=\/)/.exec(request.url)?.[0] ?? '';
      const url = `http://${request.headers.host}${folder}`;
      const { name } = readSmallIndex();
      const isOther = url.endsWith('shop.example.org') && !isSame;
      if (request.query.has('_fields'))
        return { headers: JSON_TYPE, body: { url, name: isOther ? 'Shop' : name } };
      const answer = withEditor(request, count, response);
      // An item's response has other links.
      const Link = request.method === 'POST' ? '' : `<${url}/wp-json/>; rel="https://api.w.org/"`;
      return answer && { ...answer, headers: { ...answer.headers, Link } };
    };
    const gateway = { cache: new MemoryStore({ clock: systemClock }) };
    const options = { hosts: HOSTS, inMemory: true, gateway };
    const first = await startGateway(options, byHost);
    const second = await startGateway({ ...options, url: first.siteUrl });
    // What is stored before the index of its host is read counts as the main site's.
    for (const page of HOST_PAGES) await first.request(page, { method: 'HEAD' });
    const isHit = async (page: string): Promise<boolean> => (await first.read(page))[1].startsWith('hit');
    const write = async (host: string, writer = first): Promise<readonly boolean[]> => {
      for (const page of [...HOST_PAGES, ...HOST_PAGES]) await first.read(page);
      const init = { method: 'POST', headers: PASSWORD, body: 'a=1' };
      await writer.request(`http://${host}/wp-json/wp/v2/posts/9`, init);
      return Promise.all(HOST_PAGES.map(isHit));
    };
    return { second, write };
  }

  test.each([
    ['leaves', 'a mapped domain of a network, which has a name of its own', false],
    ['purges', 'another host name of the same site', true],
  ])('%s the pages of %s', async (_effect, _host, isSame) => {
    const { write } = await startHosts(isSame);
    expect(await write('www.example.com')).toEqual([false, !isSame]);
    // The site itself lists the posts of the others.
    expect(await write('shop.example.org')).toEqual([false, false]);
  });

  test('purges what another gateway has stored of its host', async () => {
    const { second, write } = await startHosts(false);
    // It knows that the site is a network.
    await second.request('http://www.example.com/fr/');
    expect(await write('shop.example.org', second)).toEqual([false, false]);
  });

  test('purges all subsites if it changes the network, or a name', async () => {
    const send = await startStored();
    for (const path of ['/de/wp-admin/network/settings.php', '/de/wp-admin/profile.php'])
      expect(await send(path, COOKIE)).toEqual([]);
  });

  test('of which nothing has answered yet purges what it has', async () => {
    const { read, request } = await start({}, withEditor);
    await read('/');
    await request('/de/wp-admin/post.php', { method: 'POST', headers: COOKIE });
    expect((await read('/'))[1]).not.toMatch(/^hit/);
  });
});

const USERS = [
  '/wp/v2/users*',
  '/wp-json/wp/v2/users*',
  '/?rest_route=/wp/v2/users*',
  '/index.php?rest_route=%2Fwp%2Fv2%2Fusers*',
  '/index.php/wp-json/wp/v2/Users*',
];
/** Addresses that run the route, or would below a subsite. */
const SPELLINGS = [
  '/wp-json/wp/v2/users',
  '/wp-json/WP/v2/users/',
  '//wp-json/wp/v2//users',
  '/%77p-json/wp/v2/%75sers/1',
  '/wp%2djson/wp/v2/users',
  '/index.php/wp-json/wp/v2/users',
  '/?rest_route=/wp/v2/users',
  '/any-page/?rest_route=/wp/v2/users',
  '/feed/?%72est.route=%2Fwp/v2/users',
  '/wp-json/wp/v2/posts?rest_route=/wp/v2/users',
  '/de/wp-json/wp/v2/users',
  '/de/?rest_route=/wp/v2/users',
  // wp-media/wp-rocket#121, wp-media/wp-rocket#5624, wp-media/wp-rocket#7354
  '/xyz/wp-json/wp/v2/users',
  '/xyz/%77p-json/wp/v2/users',
  '/fr/index.php/wp-json/wp/v2/users',
  '/xyz/?rest_route=/wp/v2/users',
];
const OTHERS = ['/wp-json/wp/v2/posts', '/wp-json/wp/v2/%75sers', '/?rest_route=/wp/v2'];

describe('a rule about a route or a script holds for every spelling, below every folder', () => {
  test.each(USERS)('of limits: %s', async (match) => {
    const { request } = await start({ limits: { rules: [{ match, client: perMinute(1) }] } });
    const send = async (path: string): Promise<number> => (await request(path)).status;
    await request('/de/');
    expect(await send('/wp-json/wp/v2/users')).toBe(200);
    for (const path of SPELLINGS) expect(`${path} ${await send(path)}`).toBe(`${path} 429`);
    for (const path of OTHERS) expect(`${path} ${await send(path)}`).toBe(`${path} 200`);
  });

  test.each(USERS)('of the cache: %s', async (match) => {
    const rules = [
      { match, store: false },
      { match: '*', ttl: 60 },
      { match: '/*', ttl: 60 },
    ];
    const { read } = await start({ cache: { rules } });
    await read('/de/');
    for (const path of SPELLINGS)
      expect(await read(path)).toEqual([expect.any(String), expect.stringMatching(/rule/)]);
    await read('/wp-json/wp/v2/posts');
    expect(await read('/wp-json/wp/v2/posts')).toEqual(['[]', expect.stringMatching(/^hit/)]);
  });

  // BoldGrid/w3-total-cache#171 and SatelliteWP/rocket-nginx#33 run scripts in any folder, EasyEngine/site-type-wp#217 limits them.
  test('of a script', async () => {
    const { request } = await start({
      limits: { rules: [{ match: ['/wp-login.php*', '/xmlrpc.php'], client: perMinute(1) }] },
    });
    const send = async (path: string): Promise<number> => (await request(path, { method: 'POST' })).status;
    expect(await send('/wp-login.php')).not.toBe(429);
    for (const path of [
      '/de/wp-login.php',
      '/xyz/wp-login.php?a',
      '/blog1/xmlrpc.php',
      '/xyz/wp-%6cogin.php/x',
      '//wp-login.php',
    ])
      expect(`${path} ${await send(path)}`).toBe(`${path} 429`);
    expect(await send('/de/wp-comments-post.php')).not.toBe(429);
  });

  test.each(['POST /wp-json/acme/v1/vote', 'POST /?rest_route=/acme/v1/vote', 'POST /acme/v1/vote'])(
    'of writes: %s',
    async (match) => {
      const { read, request } = await start({
        cache: { pages: 60, writes: [{ match, purges: ['/about'] }] },
      });
      const addresses = [
        '/wp-json/acme/v1/vote',
        '/any/?rest_route=/acme/v1/vote',
        '/xyz/wp-json/acme/v1/vote',
      ];
      for (const address of addresses) {
        await read('/about/');
        expect(await read('/about/')).toEqual(['a', expect.stringMatching(/^hit/)]);
        await request(address, { method: 'POST' });
        expect(await read('/about/')).toEqual(['a', expect.stringMatching(/^fwd/)]);
      }
    },
  );
});
