import type { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { resolveRequest } from '../../src/gateway/request-meaning.ts';
import { connectAgent, runAgentGateway } from '../agents/agent.ts';
import { startOnce } from '../support/close-after-test.ts';
import { startGateway } from '../support/gateway.ts';
import { runEchoSite, runServer, runStubSite, sendRaw } from '../support/run.ts';

const PUBLIC = 'https://www.example.com';

/** Starts a gateway in front of a whole site, which responds with the request as it was received. */
async function runWhole(site: Partial<SiteOptions> = {}, options: Partial<GatewayOptions> = {}) {
  const echo = await runEchoSite(({ headers, url }, response) => {
    // As redirect_canonical() does.
    if (url !== '/moved' || headers['host'] === 'www.example.com') return false;
    response.writeHead(301, { location: `${PUBLIC}/moved` }).end();
    return true;
  });
  const whole = { document: undefined, ...site, url: echo.origin };
  return { ...(await startGateway({ ...whole, gateway: options })), received: echo.received };
}

const startWhole = startOnce(runWhole);

/** Sends a request to a host. @returns what the site has answered, `Location`, or the status */
const askAt = async (origin: string, host: string, path: string, method = 'GET'): Promise<unknown> => {
  const { body, headers, status } = await sendRaw(origin, path, { method, headers: { host } });
  return headers.location ?? (body.includes('"url"') ? JSON.parse(body).headers : status);
};

describe('the addresses of the gateway itself', () => {
  test.each([
    ['/-/docs', 'text/html'],
    ['/-/docs/guide', 'text/html'],
    ['/-/docs.md', 'text/markdown'],
    ['/-/openapi.json', 'application/json'],
  ])('are below /-/: %s', async (path, type) => {
    const { request } = await startWhole({}, { admin: { port: 0, token: 'a-token-of-16-chars' } });
    const response = await request(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining(type),
    ]);
  });

  test('are where the settings put them, and link to each other', async () => {
    const site = { docs: '/reference', openapi: '/api/openapi.json', mcp: { path: '/agents' } } as const;
    const running = await runWhole(site);
    const page = await (await running.request('/reference')).text();
    for (const link of ['./reference/guide', './api/openapi.json', './reference.md'])
      expect(page).toContain(`"${link}`);
    const below = await (await running.request('/reference/guide')).text();
    expect(below).toContain('href="../reference"');
    expect((await running.request('/api/openapi.json')).headers.get('content-type')).toBe('application/json');
    for (const path of ['/-/docs', '/-/openapi.json', '/-/mcp'])
      expect((await running.request(path)).status, path).toBe(404);
    const { client } = await connectAgent(`${running.origin}/agents`);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_operation');
  });

  test('belong to each site with a host of its own; a host without site has the operations only', async () => {
    const [shop, blog] = [await runEchoSite(), await runEchoSite()];
    const site = { passthrough: true, discovery: 'auto' } as const;
    const other = { ...site, url: blog.origin, hosts: ['blog.example.com'], docs: '/docs' };
    const first = { ...site, url: shop.origin, hosts: ['www.example.com'] };
    const { origin } = await startGateway({ gateway: { sites: [first, other] } });
    expect(await askAt(origin, 'www.example.com', '/-/docs')).toBe(200);
    expect(await askAt(origin, 'blog.example.com', '/docs')).toBe(200);
    expect(await askAt(origin, 'blog.example.com', '/-/docs')).toBe(404);
    expect(await askAt(origin, 'none.example.com', '/-/docs')).toBe(404);
    expect(await askAt(origin, 'none.example.com', '/-/ready')).toBe(200);
  });
});

describe('a site with several hosts', () => {
  const HOSTS = ['www.example.com', 'example.org', '*.example.com'];
  const several = { hosts: HOSTS, publicUrl: PUBLIC };

  test('is told the one that was asked for, and no response is shared between them', async () => {
    const { origin } = await runWhole(several);
    for (const host of ['b.example.com', 'c.example.com', 'www.example.com', 'b.example.com'])
      expect(await askAt(origin, host, '/x')).toMatchObject({ host, 'x-forwarded-host': host });
    // A name of the server that is none of the site's names is used for all of them.
    const fixed = await runWhole({ ...several, upstream: { host: 'internal.example' } }, {});
    expect(await askAt(fixed.origin, 'b.example.com', '/x')).toMatchObject({ host: 'internal.example' });
  });

  test('redirects its other names itself', async () => {
    const { origin } = await runWhole(several);
    expect(await askAt(origin, 'example.org', '/moved')).toBe(`${PUBLIC}/moved`);
    expect(await askAt(origin, 'www.example.com', '/moved')).toMatchObject({ host: 'www.example.com' });
  });

  /** Path, `Location` of the site, and what the client gets. `AT` is the host that it asks, `PORT` of the site's own server. */
  const LOCATIONS: readonly (readonly [path: string, location: string, expected: string])[] = [
    ['/wp-admin', 'http://AT:PORT/wp-admin/', 'https://AT/wp-admin/'],
    // joshcummingsdesign/wordpress-fpm#14, nicolargo/varnish-nginx-wordpress#7
    ['/wp-content/themes', 'http://AT:8080/wp-content/themes/', 'https://AT/wp-content/themes/'],
    ['/about?b=1', 'http://AT/about/?b=1', 'https://AT/about/?b=1'],
    ['/old', 'http://AT:PORT/about/', 'https://AT/about/'],
    ['/older', 'https://AT/about/?c', 'https://AT/about/?c'],
    ['/oldest', '/about/', '/about/'],
    // Another service of the host, and another host.
    ['/mail', 'http://AT:8080/webmail/', 'http://AT:8080/webmail/'],
    ['/away', 'https://example.net/', 'https://example.net/'],
  ];

  test.each([
    ['one host', ['www.example.com'], 'www.example.com', ''],
    ['two hosts, the first', ['www.example.com', 'example.org'], 'www.example.com', ''],
    ['two hosts, the second', ['www.example.com', 'example.org'], 'example.org', ''],
    ['two hosts, at a port', ['www.example.com', 'example.org'], 'example.org:8443', ''],
    ['a subsite of two hosts', ['www.example.com', 'example.org'], 'example.org', '/de'],
  ])('is the gateway where its client has asked: %s', async (_, hosts, host, folder) => {
    const [name = ''] = host.split(':');
    const fill = (text: string, at: string): string =>
      text.replace(/AT(?::\w+)?|^(?=\/\w)/, (place) => place.replace('AT', at) + folder);
    const site = await runServer(({ url = '' }, response) => {
      const [, location = ''] = LOCATIONS.find(([path]) => folder + path === url) ?? [];
      response.writeHead(301, { location: fill(location, name).replace('PORT', String(site.port)) }).end();
    });
    const { origin } = await startGateway({
      ...{ url: site.origin, hosts, upstream: { host: 'www.example.com' } },
      gateway: { publicUrl: PUBLIC },
    });
    for (const [path, , expected] of LOCATIONS)
      expect(await askAt(origin, host, folder + path)).toBe(
        fill(expected, expected.startsWith('http:') ? name : host),
      );
  });

  test('with one host, the gateway redirects reads of the name with and without www. to the public URL', async () => {
    const { origin } = await runWhole({ hosts: ['www.example.com'], publicUrl: PUBLIC });
    expect(await askAt(origin, 'example.com', '/a/?b=1')).toBe(`${PUBLIC}/a/?b=1`);
    // A client would repeat it as a GET.
    expect(await askAt(origin, 'example.com', '/a/?b=1', 'POST')).toBe(421);
    expect(await askAt(origin, 'example.org', '/')).toBe(421);
  });
});

/** A gateway whose middleware responds with what a request means. */
const startResolving = startOnce(async () => {
  const { url } = await runStubSite({ prefix: 'a.p' });
  const addTo = (app: Hono) => void app.use('*', async (c) => c.json(await resolveRequest(c)));
  return startGateway({ document: undefined, url, addTo });
});

test.each([
  ['/x.php/wp-login.php', 'page', '/x.php/wp-login.php', null],
  ['/wp-login.php/x', 'page', '/wp-login.php', null],
  ['/de/index.php/wp-json/wp/v2/users', 'page', '/de/index.php/wp-json/wp/v2/users', '/wp/v2/users'],
  ['/de/index.php/a.p/wp/v2/users', 'page', '/de/index.php', '/wp/v2/users'],
  ['/%61.p/wp/v2/users', 'route', '/a.p/wp/v2/users', '/wp/v2/users'],
  ['/any/?rest.route=/wp/v2/users', 'route', '/any', '/wp/v2/users'],
  ['/axp/wp/v2/users', 'page', '/axp/wp/v2/users', null],
])('a middleware is told what %s can run', async (address, kind, path, route) => {
  const { request } = await startResolving();
  expect(await (await request(address)).json()).toMatchObject({ kind, path, route });
});

test("an agent's call passes the middleware of the address that it calls", async () => {
  const seen: string[] = [];
  const addTo = (app: Hono): void => {
    app.use('*', async (c, next) => {
      const { operation, route } = await resolveRequest(c);
      seen.push(`${c.req.method} ${operation}`);
      return route?.startsWith('/core/v2/media') ? c.json({ code: 'blocked' }, 404) : next();
    });
  };
  const running = await runAgentGateway(true, { addTo });
  const { call } = await connectAgent(`${running.origin}/content/mcp`, running.login);
  expect(await call('read_operation', { id: 'listMedia' })).toMatchObject({
    isError: true,
    content: expect.stringContaining('blocked'),
  });
  expect((await call('read_operation', { id: 'listPosts' })).isError).toBe(false);
  expect(seen).toEqual(expect.arrayContaining(['POST null', 'GET listMedia', 'GET listPosts']));
});
