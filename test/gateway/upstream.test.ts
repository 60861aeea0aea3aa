import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { DispatchTransport } from '../../src/gateway/upstream/dispatch-transport.ts';
import { startGateway, type TestOptions } from '../support/gateway.ts';
import { PLAIN, runEchoSite, runStubSite } from '../support/run.ts';

/** `Basic user:secret-of-staging` */
const BASIC = `Basic ${Buffer.from('user:secret-of-staging').toString('base64')}`;
const AUTH = { user: 'user', password: 'secret-of-staging' };

/** A gateway that has discovered its site, without a server. */
const startAt = (url: string, options: TestOptions) =>
  startGateway({ document: undefined, passthrough: false, inMemory: true, ...options, url });

describe('the setting upstream', () => {
  test('headers replace fields of the client, and auth is sent if it has no Authorization', async () => {
    const upstream = { headers: { 'X-Origin-Key': 'constant', 'X-Absent': 'b' }, auth: AUTH };
    const { read, received } = await startGateway({ upstream });
    await read('/wp-json/wp/v2/posts', { 'x-origin-key': 'mine' });
    await read('/wp-json/wp/v2/posts', { authorization: 'Basic bWluZTptaW5l' });
    expect(received.map(({ headers }) => headers)).toMatchObject([
      { 'x-origin-key': 'constant', 'x-absent': 'b', authorization: BASIC },
      { authorization: 'Basic bWluZTptaW5l' },
    ]);
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
    const { administer, gateway, request } = await startAt(site.url, {
      ...{ upstream, gateway: { publicUrl: 'https://www.example.com' } },
    });
    expect(gateway.isReady()).toBe(true);
    expect(new Set(seen)).toEqual(new Set(['https://www.example.com']));
    const document = await (await request('/openapi.json')).text();
    expect(document).toContain('/wp/v2/posts');
    expect(document).not.toContain(new URL(site.url).host);
    await site.close();
    await gateway.rediscover();
    const { sites } = await (await administer('/-/sites')).json();
    expect(sites[0].discovery.fault).toContain(`${site.url} refused the connection`);
  });

  test('that redirects from http to https, and knows no other address, redirects no client to itself', async () => {
    const site = await runEchoSite(({ url = '' }, response) => {
      const location =
        url === '/other' ? 'https://www.example.com/elsewhere' : `https://www.example.com${url}`;
      response.writeHead(301, { location }).end();
      return true;
    });
    const { request, warnings } = await startAt(site.origin, { upstream, ...PLAIN });
    const locationOf = async (path: string) =>
      (await request(`http://gateway.example.com${path}`)).headers.get('location');
    expect(await locationOf('/page?a=1')).toBe('https://www.example.com/page?a=1');
    expect(await locationOf('/')).toBe('https://www.example.com/');
    expect(await locationOf('/other')).toBe('http://gateway.example.com/elsewhere');
    expect(warnings).toEqual([expect.stringContaining('Set `url` to that address')]);
  });
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
    const { read, request } = await startAt(site.url, { upstream: { auth: AUTH } });
    expect((await request('/wp-json/wp/v2/posts')).status).toBe(200);
    expect(await read('/wp-json/wp/v2/posts')).toEqual(['[]', expect.stringMatching(/^hit/)]);
    expect((await read('/openapi.json'))[0]).not.toContain('secret-of-staging');
  });

  test('gets the credentials at its own origin only', async () => {
    const elsewhere = await runStubSite();
    const site = await runStubSite({
      intercept: ({ url }, response) => {
        response.writeHead(302, { Location: elsewhere.origin + url }).end();
        return true;
      },
    });
    const upstream = { auth: AUTH, headers: { 'x-key': 'secret' } };
    const { read, warnings } = await startAt(site.url, { upstream });
    await read('/wp-json/wp/v2/posts');
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
    const upstream = { auth: AUTH, headers: { 'x-key': 'value-of-key' } };
    const { lines } = await startAt(site.url, { upstream });
    const logged = lines.map((line) => `${JSON.stringify(line)} ${line['err']}`).join('\n');
    expect(logged).toContain('refused');
    expect(logged).not.toMatch(/secret-of-staging|value-of-key|dXNlcjpzZWNyZXQ/);
  });
});

test('a plain proxy shows no credentials of the URL of its origin', async () => {
  const site = await runEchoSite();
  const url = site.origin.replace('http://', 'http://user:secret-of-url@');
  const { administer, request } = await startAt(url, PLAIN);
  expect(await (await administer('/-/sites')).text()).not.toContain('secret-of-url');
  expect((await request('/a')).status).toBe(200);
});

test('only a read is sent again after a stale connection: a page that writes is no read', async () => {
  const site = await runEchoSite();
  const sent: [target: string, retryable: boolean][] = [];
  const transport: GatewayOptions['transport'] = ({ origin }) => {
    const wrapped = new DispatchTransport({ origin });
    return {
      send(request, sink) {
        sent.push([request.target, request.retryable]);
        return wrapped.send(request, sink);
      },
      close: () => wrapped.close(),
      destroy: () => wrapped.destroy(),
    };
  };
  const { request } = await startAt(site.origin, { passthrough: true, gateway: { cache: 'off', transport } });
  sent.length = 0;
  const writes = ['/wp-cron.php?doing_wp_cron=1', '/wp-mail.php', '/wp-json/core/v2/posts?_method=DELETE'];
  for (const path of ['/a-page', ...writes]) await request(path);
  await request('/wp-json/core/v2/posts', { method: 'POST' });
  expect(sent.map(([, retryable]) => retryable)).toEqual([true, false, false, false, false]);
});
