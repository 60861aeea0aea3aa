import { describe, expect, test } from 'vitest';
import type { Gateway, SiteOptions } from '../../src/gateway/index.ts';
import { respond } from '../../src/gateway/respond.ts';
import { createSettledGateway, networks, startGateway } from '../support/gateway.ts';
import { PLAIN, runStubSite } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';

const unreachable = (more: Partial<SiteOptions>): SiteOptions => ({
  url: 'http://127.0.0.1:1',
  ...PLAIN,
  ...more,
});
const createWith = (...sites: readonly Partial<SiteOptions>[]): Gateway =>
  createSettledGateway({ sites: sites.map(unreachable) });

/** Which mount serves a `GET` of `/x`; the status if none does. */
async function findMount(
  gateway: Gateway,
  host: string,
  more: readonly string[] = [],
  target = '/x',
): Promise<string | number> {
  const handled = respond(gateway.context, {
    ...{ method: 'GET', target, peerAddress: '127.0.0.1', protocol: 'http', httpVersion: '1.1' },
    headers: ['Host', host, ...more],
  });
  if (handled.kind === 'site') return handled.site.settings.name;
  const request = { head: handled.head, callApp: null, openBody: () => null };
  return (await handled.createReply({ ...request, toFetch: () => new Request('http://gateway.example.com') }))
    .status;
}

describe('a host leads', () => {
  test.each([
    ['blog.example.com', 'blog'],
    ['BLOG.example.com:8080', 'blog'],
    ['blog.example.com.', 'blog'],
    ['shop.example.com', 'shops'],
    ['a.b.example.com', 'shops'],
    ['eu.shop.example.com', 'europe'],
    ['www.example.org:8443', 'secure'],
    ['www.example.org', 'plain'],
    ['www.example.org:80', 'plain'],
    ['[::1]:8080', 'local'],
    ['example.com', 421],
    ['evilexample.org', 421],
    ['.example.com', 421],
    ['blog.example.com:', 400],
    [`${'a.'.repeat(200)}example.com`, 400],
    ['[::ffff:127.0.0.1]', 400],
    ['127.1', 400],
    ['a b', 400],
    ['a%41', 400],
    ['[::1', 400],
    ['', 421],
  ])('%s to %s: the longest name first, then with a port', async (host, mount) => {
    const gateway = createWith(
      { name: 'blog', hosts: ['blog.example.com'] },
      { name: 'shops', hosts: ['*.example.com'] },
      { name: 'europe', hosts: ['*.shop.example.com'] },
      { name: 'plain', hosts: ['www.example.org'] },
      { name: 'secure', hosts: ['www.example.org:8443'] },
      { name: 'local', hosts: ['[::1]'] },
    );
    expect(await findMount(gateway, host)).toBe(mount);
  });

  test('to sites by path only if the setting hosts of the gateway lists it', async () => {
    const sites = [{ hosts: ['blog.example.com'] }, {}].map(unreachable);
    const gateway = createSettledGateway({ sites, hosts: ['www.example.com'] });
    expect(await findMount(gateway, 'blog.example.com')).toBe('blog.example.com');
    expect(await findMount(gateway, 'www.example.com')).toBe('default');
    expect(await findMount(gateway, 'any.example.net')).toBe(421);
  });

  test.each([
    ['localhost:8080', [{}], 'default'],
    ['127.0.0.1:8080', [{}], 'default'],
    ['[::1]:8080', [{}, { hosts: ['blog.example.com'] }], 'default'],
    ['127.0.0.1', [{ hosts: ['blog.example.com'] }], 'blog.example.com'],
    ['127.0.0.1', [{ hosts: ['blog.example.com'] }, { hosts: ['shop.example.com'] }], 421],
    ['192.0.2.1', [{}], 421],
    ['localhost.example.net', [{}], 421],
  ])(
    '%s of the machine itself to the only site, or to sites by path, of %j: %s',
    async (host, sites, mount) => {
      const gateway = createSettledGateway({ sites: sites.map(unreachable), hosts: ['www.example.com'] });
      expect(await findMount(gateway, host)).toBe(mount);
    },
  );

  test('by the word of a trusted proxy, and of nobody else', async () => {
    const sites = [{ hosts: ['blog.example.com'] }, { hosts: ['shop.example.com'] }].map(unreachable);
    const forwarded = ['X-Forwarded-Host', 'shop.example.com'];
    const trusting = createSettledGateway({ sites, trust: networks('127.0.0.1') });
    expect(await findMount(trusting, 'blog.example.com', forwarded)).toBe('shop.example.com');
    expect(await findMount(trusting, 'internal', forwarded)).toBe('shop.example.com');
    expect(await findMount(createSettledGateway({ sites }), 'blog.example.com', forwarded)).toBe(
      'blog.example.com',
    );
  });
});

describe('a site by host', () => {
  const BLOG = 'http://blog.example.com';
  const SHOP = 'http://shop.example.com';
  const ROUTE = '/wp-json/wp/v2/types';

  /** Starts a gateway before a site for each mount. Its routes respond with the host of the request. */
  async function start(...mounts: readonly Partial<SiteOptions>[]) {
    const requests: StubRequest[] = [];
    const respond = (request: StubRequest) => {
      requests.push(request);
      return { body: request.headers['x-forwarded-host'] };
    };
    const sites: SiteOptions[] = [];
    for (const mount of mounts)
      sites.push({ passthrough: true, ...mount, url: (await runStubSite({ respond })).url });
    return { ...(await startGateway({ inMemory: true, gateway: { sites } })), requests };
  }

  test('has its document, its documentation and its addresses at / of its host', async () => {
    const { request, requests } = await start(
      { hosts: ['blog.example.com'] },
      { hosts: ['shop.example.com'] },
    );
    const document = await (await request(`${BLOG}/-/openapi.json`)).json();
    expect(document).toMatchObject({ servers: [{ url: '/wp-json' }] });
    const page = await (await request(`${BLOG}/-/docs`)).text();
    expect(page).toContain(BLOG);
    expect(page).not.toContain('shop.example.com');
    const { headers } = await request(`${SHOP}${ROUTE}`);
    expect(requests.at(-1)).toMatchObject({
      url: ROUTE,
      headers: { 'x-forwarded-host': 'shop.example.com' },
    });
    expect(requests.at(-1)?.headers).not.toHaveProperty('x-forwarded-prefix');
    // The site links to itself, and the link leads to the host.
    expect(headers.get('link')).toContain(`<${SHOP}/wp-json/>`);
  });

  test('shares no stored response with another host', async () => {
    const { read } = await start(
      { hosts: ['blog.example.com', '*.blog.example.com'] },
      { hosts: ['shop.example.com'] },
      { name: 'path' },
    );
    for (const outcome of [/^fwd/, /^hit/])
      for (const host of [
        'blog.example.com',
        'a.blog.example.com',
        'shop.example.com',
        'other.example.com',
      ]) {
        const path = host === 'other.example.com' ? '/path' : '';
        const response = await read(`http://${host}${path}${ROUTE}`);
        expect(response).toEqual([`"${host}"`, expect.stringMatching(outcome)]);
      }
  });

  test('is known to the operations by its name, and a purge by URL finds it', async () => {
    const hosts = ['shop.example.com', '*.shop.example.com'];
    const { administer, read, readMetrics } = await start(
      { hosts: ['blog.example.com'] },
      { hosts },
      { name: 'api' },
    );
    const operate = async (path: string, body?: object): Promise<unknown> =>
      (await administer(`/-/${path}`, body)).json();
    expect(await operate('sites')).toMatchObject({
      sites: [
        { site: 'blog.example.com', mount: '/', hosts: ['blog.example.com'] },
        { site: 'shop.example.com', mount: '/', hosts },
        { site: 'api', mount: '/api' },
      ],
    });
    expect(await operate('sites/shop.example.com/validation')).toMatchObject({ site: 'shop.example.com' });
    for (const url of [BLOG, SHOP]) await read(url + ROUTE);
    expect(await operate('purge', { url: BLOG + ROUTE })).toMatchObject({ purged: 1 });
    expect(await operate('purge', { url: BLOG + ROUTE })).toMatchObject({ purged: 0 });
    expect(await operate('purge', { site: 'shop.example.com' })).toMatchObject({ purged: 1 });
    const metrics = await readMetrics();
    for (const name of ['blog.example.com', 'shop.example.com']) expect(metrics).toContain(`site="${name}"`);
    // Sites by path do not reveal the hosts of others.
    for (const path of ['/', '/x'])
      expect((await read(`http://any.example.net${path}`))[0]).not.toContain('example.com');
  });
});
