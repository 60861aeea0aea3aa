import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, type RunningGateway } from '../support/gateway.ts';
import { unreachableOrigin } from '../support/server.ts';
import { startStubSite } from '../support/stub-site.ts';

/** What a browser sends for a navigation (Chromium 130). */
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
};

describe.each(Object.entries(ADAPTERS))('%s', (_, start) => {
  async function run(
    site: Partial<GatewayOptions['sites'][number]> = {},
    isUp = false,
  ): Promise<RunningGateway> {
    const stub = isUp ? await startStubSite() : null;
    if (stub !== null) closeAfterTest(stub.close);
    const url = stub?.url ?? `${await unreachableOrigin()}/`;
    const running = await start({ sites: [{ url, passthrough: true, ...site }] });
    closeAfterTest(running.stop);
    return running;
  }

  test('a person sees a page when the site is down', async () => {
    const running = await run();
    const response = await running.request('/about/?a=<b>', { headers: BROWSER });
    const text = await response.text();
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      502,
      expect.objectContaining({
        'content-type': 'text/html; charset=UTF-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        vary: expect.stringContaining('Accept'),
      }),
    ]);
    expect(text).toContain('<h1>Bad Gateway</h1>');
    expect(text).toContain('The site refused the connection.');
    expect(text).toContain('Try again');
    expect(text).toContain(response.headers.get('x-request-id') ?? 'a request id');
    // Nothing of the request is in it, and nothing is loaded.
    expect(text).not.toMatch(/<b>|about|\bsrc=|https?:/);
  });

  test('HEAD has the same head and no body', async () => {
    const running = await run();
    const response = await running.request('/about/', { method: 'HEAD', headers: BROWSER });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      502,
      'text/html; charset=UTF-8',
      '',
    ]);
  });

  test.each<readonly [who: string, path: string, headers: Record<string, string>]>([
    ['a program that accepts anything', '/about/', { accept: '*/*' }],
    ['a program that prefers JSON', '/about/', { accept: 'application/json, text/html;q=0.5' }],
    ['a program that refuses HTML (SigNoz/signoz.io#4099)', '/about/', { accept: 'text/html;q=0' }],
    ['a program that refuses HTML with a space', '/about/', { accept: '*/*, Text/HTML; Q=0.000' }],
    [
      'a program with JSON behind HTML of less weight (SigNoz/signoz.io#4099)',
      '/about/',
      { accept: 'text/html;q=0.1, application/json;q=0.9' },
    ],
    [
      'a program with JSON behind everything else (nodeSolidServer/node-solid-server#1434)',
      '/about/',
      { accept: '*/*;q=0.1, application/json' },
    ],
    [
      'a script with jQuery (phoenixframework/phoenix#643)',
      '/about/',
      { accept: 'application/json, text/javascript, */*; q=0.01' },
    ],
    [
      'a program with a form of JSON (palantir/conjure-rust#426)',
      '/about/',
      { accept: 'text/html; q=0.1, application/ld+json; q=0.2' },
    ],
    [
      'a program with JSON alone (jetty/jetty.project#124)',
      '/about/',
      { accept: 'application/json;charset=utf-8' },
    ],
    ['fetch() without Accept (apex/up#697)', '/about/', { 'sec-fetch-mode': 'cors' }],
    ['an image', '/a.png', { accept: 'image/avif,image/webp,*/*;q=0.8' }],
    ['a browser at a route (samply/blaze#710)', '/wp-json/wp/v2/posts', BROWSER],
    ['a browser at a route in the query', '/?rest_route=/wp/v2/posts', BROWSER],
    ['a browser at a file of JSON', '/wp-content/a.json?b', BROWSER],
  ])('%s gets a problem document', async (_who, path, headers) => {
    const running = await run();
    const response = await running.request(path, { headers });
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: expect.stringMatching(/^gateway_/) });
  });

  test.each<readonly [who: string, accept: string]>([
    ['a client of text', 'text/*'],
    ['a client of text before anything', 'text/*, */*;q=0.1'],
    [
      'a browser with JSON of less weight (webofthings/wot-book#23)',
      'text/html,application/xhtml+xml,application/xml;q=0.7,image/webp,application/json;q=0.8',
    ],
    [
      'a Blackberry (webmachine/webmachine#77)',
      'text/html,application/xhtml+xml,application/xml,application/x-javascript,*/*;q=0,5',
    ],
  ])('%s gets a page', async (_who, accept) => {
    const running = await run();
    const response = await running.request('/about/', { headers: { accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      502,
      'text/html; charset=UTF-8',
    ]);
  });

  test.each<
    readonly [what: string, path: string, site: Partial<GatewayOptions['sites'][number]>, status: number]
  >([
    ['a target that servers read differently', '/wp%2Djson/a', {}, 400],
    ['a page that the gateway does not serve', '/index.php', { passthrough: false }, 404],
    ['a form that names a route', 'POST /about/', {}, 400],
  ])('a person sees a page: %s', async (_what, line, site, status) => {
    const running = await run(site, true);
    const [path = '', method = 'GET'] = line.split(' ').reverse();
    const init = method === 'POST' ? { method, body: new URLSearchParams({ rest_route: '/a' }) } : {};
    const response = await running.request(path, { ...init, headers: BROWSER });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=UTF-8',
    ]);
  });

  test('a page keeps when to try again', async () => {
    const running = await run({ limits: { client: '1/m' } }, true);
    await running.request('/', { headers: BROWSER });
    const response = await running.request('/', { headers: BROWSER });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      429,
      'text/html; charset=UTF-8',
    ]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
