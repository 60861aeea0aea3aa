import { describe, expect, test } from 'vitest';
import type { Gateway, GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { DispatchTransport } from '../../src/gateway/upstream/dispatch-transport.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import type { ReceivedRequest } from '../support/echo-site.ts';
import { createSettledGateway } from '../support/gateway.ts';
import { PLAIN, runEchoSite, runGateway, runStubSite } from '../support/run.ts';

/** `Basic user:secret-of-staging` */
const BASIC = `Basic ${Buffer.from('user:secret-of-staging').toString('base64')}`;
const AUTH = { user: 'user', password: 'secret-of-staging' };

/** Creates a gateway in front of a site, by the transport of Node. */
function create(site: SiteOptions, options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createSettledGateway({ sites: [site], ...options });
  closeAfterTest(() => gateway.stop());
  return gateway;
}

describe('the setting upstream', () => {
  const run = async (
    upstream: NonNullable<SiteOptions['upstream']>,
    options: Partial<GatewayOptions> = {},
  ) => {
    const { origin: url } = await runEchoSite();
    const { request } = await runGateway({ url, upstream, passthrough: true }, options);
    return async (path: string, headers: Record<string, string> = {}) =>
      ((await (await request(path, { headers })).json()) as ReceivedRequest).headers;
  };

  test('host is the Host that the site sees, and requests go to the address of url', async () => {
    const options = { publicUrl: 'https://www.example.com' };
    const send = await run({ host: 'www.example.com' }, options);
    for (const path of ['/core/v2/posts', '/a-page'])
      expect(await send(path)).toMatchObject({ host: 'www.example.com', 'x-forwarded-proto': 'https' });
  });

  test('headers replace fields of the client, and auth is sent if it has no Authorization', async () => {
    const send = await run({ headers: { 'X-Origin-Key': 'constant', 'X-Absent': 'b' }, auth: AUTH });
    expect(await send('/wp-json/core/v2/posts', { 'x-origin-key': 'mine' })).toMatchObject({
      ...{ 'x-origin-key': 'constant', 'x-absent': 'b', authorization: BASIC },
    });
    const authorization = 'Basic bWluZTptaW5l';
    expect(await send('/wp-json/core/v2/posts', { authorization })).toMatchObject({ authorization });
  });
});

describe('a site with upstream.host', () => {
  const upstream = { host: 'www.example.com' };

  test('is discovered as the public site, through the address of url', async () => {
    const seen: (string | undefined)[] = [];
    const site = await runStubSite({
      linkHeader: '<https://www.example.com/wp-json/>; rel="https://api.w.org/"',
      intercept: ({ headers }) => {
        seen.push(`${headers['x-forwarded-proto']}://${headers.host}`);
        return false;
      },
    });
    const admin = { token: 'the-token-of-the-tests' };
    const gateway = create({ url: site.url, upstream }, { publicUrl: 'https://www.example.com', admin });
    await gateway.rediscover();
    expect(gateway.isReady()).toBe(true);
    expect(new Set(seen)).toEqual(new Set(['https://www.example.com']));
    const document = await (await gateway.app.request('/openapi.json')).text();
    expect(document).toContain('/wp/v2/posts');
    expect(document.includes(new URL(site.url).host)).toBe(false);
    await site.close();
    await gateway.rediscover();
    const headers = { authorization: `Bearer ${admin.token}` };
    const { sites } = await (await gateway.app.request('/-/sites', { headers })).json();
    expect(sites[0].discovery.fault).toContain(`${site.url} refused the connection`);
  });

  test('that redirects from http to https, and knows no other address, redirects no client to itself', async () => {
    const site = await runEchoSite(({ url = '' }, response) => {
      const location =
        url === '/other' ? 'https://www.example.com/elsewhere' : `https://www.example.com${url}`;
      response.writeHead(301, { location }).end();
      return true;
    });
    const warnings: string[] = [];
    const warn = (_: object, message: string): void => void warnings.push(message);
    const gateway = create(
      { url: site.origin, upstream, ...PLAIN },
      { log: { info() {}, warn, error: warn } },
    );
    const locationOf = async (path: string) =>
      (await gateway.app.request(`http://gateway.example.com${path}`)).headers.get('location');
    expect(await locationOf('/page?a=1')).toBe('https://www.example.com/page?a=1');
    expect(await locationOf('/')).toBe('https://www.example.com/');
    expect(await locationOf('/other')).toBe('http://gateway.example.com/elsewhere');
    expect(warnings).toEqual([expect.stringContaining('Set `url` to that address')]);
  });

  test.each(['https://www.example.com', 'http://www.example.com'])(
    'has links to the public name without rewriting of bodies: %s',
    async (home) => {
      const site = await runEchoSite((request, response) => {
        response.setHeader('Location', `${home}/moved`);
        response.setHeader('Set-Cookie', 'a=b; Domain=www.example.com; Path=/');
        response.end(`${home} ${request.headers['host']}`);
        return true;
      });
      const gateway = create(
        { url: site.origin, upstream, ...PLAIN },
        { publicUrl: 'https://www.example.com' },
      );
      const response = await gateway.app.request('/page');
      expect(response.headers.get('location')).toBe('https://www.example.com/moved');
      expect(response.headers.get('set-cookie')).toBe('a=b; Domain=www.example.com; Path=/');
      expect(await response.text()).toBe(`${home} www.example.com`);
    },
  );
});

describe('a site behind HTTP Basic', () => {
  /** Requires the credentials for every request, as a web server in front of a staging site does. */
  const startStagingSite = () =>
    runStubSite({
      intercept: ({ headers }, response) => {
        if (headers.authorization === BASIC) return false;
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="staging"' });
        response.end(`no: ${headers.authorization}`);
        return true;
      },
      respond: () => ({ body: [] }),
    });

  test('is discovered and served to visitors without credentials, from the store too', async () => {
    const site = await startStagingSite();
    const gateway = create({ url: site.url, upstream: { auth: AUTH } }, { cache: 'memory' });
    await gateway.rediscover();
    const first = await gateway.app.request('/wp-json/wp/v2/posts');
    expect(first.status).toBe(200);
    await first.text();
    const second = await gateway.app.request('/wp-json/wp/v2/posts');
    expect(second.headers.get('cache-status')).toContain('hit');
    expect(await (await gateway.app.request('/openapi.json')).text()).not.toContain('secret-of-staging');
  });

  test('gets the credentials at its own origin only', async () => {
    const elsewhere = await runStubSite();
    const site = await runStubSite({
      intercept: ({ url }, response) => {
        response.writeHead(302, { Location: elsewhere.origin + url }).end();
        return true;
      },
    });
    const warnings: unknown[] = [];
    const log = { info: () => {}, error: () => {}, warn: (_: object, text: string) => warnings.push(text) };
    const gateway = create(
      { url: site.url, upstream: { auth: AUTH, headers: { 'x-key': 'secret' } } },
      { log },
    );
    await gateway.rediscover();
    await gateway.app.request('/wp-json/wp/v2/posts');
    expect(elsewhere.requests.length).toBeGreaterThan(1);
    for (const { headers } of elsewhere.requests) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('x-key');
    }
    expect(warnings).toContainEqual(expect.stringContaining('set `url` to that'));
  });

  test('does not get them into the log through its messages', async () => {
    const site = await runStubSite({
      intercept: ({ headers }, response) => {
        const message = `refused: ${headers.authorization} ${headers['x-key']} secret-of-staging`;
        response.writeHead(403, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ code: 'no', message, data: { status: 403 } }));
        return true;
      },
    });
    const lines: string[] = [];
    const log = {
      info: () => {},
      error: () => {},
      warn: (members: object, text: string) => {
        const { err } = members as { err?: Error };
        lines.push(text, JSON.stringify(members), String(err?.message), JSON.stringify(err));
      },
    };
    const gateway = create(
      { url: site.url, upstream: { auth: AUTH, headers: { 'x-key': 'value-of-key' } } },
      { log },
    );
    await gateway.rediscover();
    expect(lines.join('\n')).toContain('refused');
    expect(lines.join('\n')).not.toMatch(/secret-of-staging|value-of-key|dXNlcjpzZWNyZXQ/);
  });
});

test('a plain proxy shows no credentials of the URL of its origin', async () => {
  const site = await runEchoSite();
  const url = site.origin.replace('http://', 'http://user:secret-of-url@');
  const gateway = create({ url, discovery: 'off', passthrough: true }, { admin: { token: 'admin' } });
  const sites = await gateway.app.request('/-/sites', { headers: { authorization: 'Bearer admin' } });
  expect(await sites.text()).not.toContain('secret-of-url');
  expect((await gateway.app.request('/a')).status).toBe(200);
});

test('only a read is sent again after a stale connection: a page that writes is no read', async () => {
  const site = await runEchoSite();
  const sent: [target: string, retryable: boolean][] = [];
  const gateway = createSettledGateway({
    sites: [{ url: site.origin, passthrough: true }],
    transport: (target) => {
      const transport = new DispatchTransport({ origin: target.origin });
      return {
        send(request, sink) {
          sent.push([request.target, request.retryable]);
          return transport.send(request, sink);
        },
        close: () => transport.close(),
        destroy: () => transport.destroy(),
      };
    },
  });
  await gateway.rediscover();
  sent.length = 0;
  const writes = ['/wp-cron.php?doing_wp_cron=1', '/wp-mail.php', '/wp-json/core/v2/posts?_method=DELETE'];
  for (const path of ['/a-page', ...writes]) await gateway.app.request(path);
  await gateway.app.request('/wp-json/core/v2/posts', { method: 'POST' });
  expect(sent.map(([, retryable]) => retryable)).toEqual([true, false, false, false, false]);
  await gateway.stop();
});
