import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { startOnce } from '../support/close-after-test.ts';
import { perMinute, startGateway } from '../support/gateway.ts';
import { unreachableOrigin } from '../support/server.ts';

/** What a browser sends for a navigation (Chromium 130). */
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
};
const HTML = 'text/html; charset=UTF-8';

describe('through a gateway', () => {
  const run = startOnce(async (site: Partial<SiteOptions> = {}, isUp = false) =>
    startGateway({ ...(isUp ? {} : { url: await unreachableOrigin() }), ...site, gateway: { cache: 'off' } }),
  );
  const typeOf = ({ headers }: Response): string | null => headers.get('content-type');

  test.each(['GET', 'HEAD'])('a person sees a page when the site is down: %s', async (method) => {
    const { request } = await run();
    const response = await request('/about/?a=<b>', { method, headers: BROWSER });
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      502,
      expect.objectContaining({
        'content-type': HTML,
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        vary: expect.stringContaining('Accept'),
      }),
    ]);
    const text = await response.text();
    if (method === 'HEAD') return expect(text).toBe('');
    expect(text).toContain('<h1>Bad Gateway</h1>');
    expect(text).toContain('The site refused the connection.');
    expect(text).toContain('Try again');
    expect(text).toContain(response.headers.get('x-request-id') ?? 'a request id');
    // Nothing of the request is in it, and nothing is loaded.
    expect(text).not.toMatch(/<b>|about|\bsrc=|https?:/);
  });

  test.each<[accept: string | undefined, report: string, path?: string]>([
    ['*/*', 'a program'],
    ['application/json, text/html;q=0.5', 'a program that prefers JSON'],
    ['*/*, Text/HTML; Q=0.000', 'SigNoz/signoz.io#4099'],
    [undefined, 'fetch() without Accept: apex/up#697'],
    [BROWSER.accept, 'a route: samply/blaze#710', '/wp-json/wp/v2/posts'],
    [BROWSER.accept, 'a route in the query', '/?rest_route=/wp/v2/posts'],
    [BROWSER.accept, 'a file of JSON', '/wp-content/a.json?b'],
  ])('a client that accepts %s gets a problem document (%s)', async (accept, _report, path = '/about/') => {
    const { request } = await run();
    const headers = accept === undefined ? { 'sec-fetch-mode': 'cors' } : { ...BROWSER, accept };
    const response = await request(path, { headers });
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(typeOf(response)).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: expect.stringMatching(/^gateway_/) });
  });

  test.each([
    ['text/*, */*;q=0.1', 'a client of text'],
    [
      'text/html,application/xhtml+xml,application/xml,application/x-javascript,*/*;q=0,5',
      'a Blackberry: webmachine/webmachine#77',
    ],
  ])('a client that accepts %s gets a page (%s)', async (accept) => {
    const { request } = await run();
    const response = await request('/about/', { headers: { accept } });
    expect([response.status, typeOf(response)]).toEqual([502, HTML]);
  });

  test.each<[what: string, path: string, status: number, site: Partial<SiteOptions>]>([
    ['a target that servers read differently', '/index.php/wp%2Djson/a', 400, { passthrough: false }],
    ['a page that the gateway does not serve', '/index.php', 404, { passthrough: false }],
    ['a form that names a route', 'POST /about/', 400, {}],
    ['a limit', '/', 429, { limits: { client: perMinute(1) } }],
  ])('a person sees a page: %s', async (_what, line, status, site) => {
    const { request } = await run(site, true);
    const [path = '', method = 'GET'] = line.split(' ').reverse();
    const body = method === 'POST' ? { body: new URLSearchParams({ rest_route: '/a' }) } : {};
    const send = () => request(path, { method, ...body, headers: BROWSER });
    const first = await send();
    const response = status === 429 ? await send() : first;
    expect([response.status, typeOf(response)]).toEqual([status, HTML]);
    if (status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
