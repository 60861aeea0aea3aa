import http, { type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { startGateway } from '../support/gateway.ts';
import { PLAIN } from '../support/run.ts';
import { unreachableOrigin } from '../support/server.ts';
import { generateFor } from '../support/site.ts';

const site = useEchoSite();
const start = startOnce(async () => {
  const down = { ...PLAIN, name: 'down', url: await unreachableOrigin() };
  return startGateway({ gateway: { cache: 'off', sites: [{ name: 'echo', url: site.origin }, down] } });
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s forwards its body byte for byte', async (method) => {
  const body = '{"title": "é\\u0000", "a":1 }';
  const headers = { 'content-type': 'application/json' };
  const response = await (await start()).request('/echo/core/v2/posts', { method, body, headers });
  expect([response.status, await response.json()]).toMatchObject([200, { method, body, headers }]);
});

describe('the document', () => {
  test('has the gateway as its server, and an entity tag', async () => {
    const { request } = await start();
    const response = await request('/echo/openapi.json');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const document = (await response.json()) as { servers: unknown; paths: object };
    expect(document.servers).toEqual([{ url: '/echo', description: 'This gateway' }]);
    expect(Object.keys(document.paths)).toContain('/core/v2/posts/{id}');
    const etag = response.headers.get('etag') ?? '';
    const again = await request('/echo/openapi.json', { headers: { 'if-none-match': `"x", W/${etag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('and its page contain the path of the public URL', async () => {
    const sites = [{ url: site.origin, name: 'echo' }];
    const { request } = await startGateway({ gateway: { sites, publicUrl: 'https://example.com/api/' } });
    const document = await (await request('/echo/openapi.json')).json();
    expect(document).toMatchObject({ servers: [{ url: '/api/echo' }] });
    const page = await (await request('/echo/docs')).text();
    // Links of the page are relative, so that they need no setting below another proxy.
    expect(page).toMatch(/src="\.\/docs\/assets\/[^"]+\.js"/);
    expect(page).toContain('https://example.com/api/echo');
  });

  test('is compressed if the client accepts it, with another tag', async () => {
    const { request } = await start();
    const read = (codings: string) =>
      request('/echo/openapi.json', { headers: { 'accept-encoding': codings } });
    const [plain, coded] = [await read('identity'), await read('br;q=1, gzip;q=0.5')];
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    expect(coded.headers.get('vary')).toBe('Accept-Encoding');
  });

  test('goes out as the bytes that it is: clients who do not read it share them', async () => {
    const document = { ...generateFor({ '/a/v1/x': 'GET' }).document, 'x-long': 'a'.repeat(8_000_000) };
    const { origin } = await startGateway({ document, passthrough: false });
    const ask = () =>
      new Promise<IncomingMessage>((resolve) => void http.get(`${origin}/openapi.json`, resolve));
    const first = await ask();
    const before = process.memoryUsage().arrayBuffers;
    const responses = await Promise.all(Array.from({ length: 10 }, ask));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
    for (const response of [first, ...responses]) response.destroy();
  });
});

test('a path outside of all mounts gets a list of the mounts', async () => {
  const response = await (await start()).request('/nowhere');
  expect(response.status).toBe(404);
  expect(((await response.json()) as { message: string }).message).toContain('/echo, /down');
});
