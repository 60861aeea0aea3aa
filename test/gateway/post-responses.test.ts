import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { systemClock } from '../../src/ports.ts';
import { ADAPTERS, type RunningGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { startStubSite } from '../support/stub-site.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const FRESH = { 'Cache-Control': 'max-age=3600' };
const PATH = '/reports/7?full=1';
const OF_TARGET = { ...FRESH, 'Content-Location': PATH };

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a plain site; returns its address. */
async function startSite(respond: Respond): Promise<string> {
  const { close, origin } = await startServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => respond(incoming, response, Buffer.concat(chunks).toString()));
  });
  closers.push(close);
  return origin;
}

/** A site that responds to `POST` with these fields and the body `posted`, to others with `read`. */
const postingSite = (headers: Readonly<Record<string, string>>): Promise<string> =>
  startSite(({ method }, response) => {
    response.writeHead(200, method === 'POST' ? headers : FRESH);
    response.end(method === 'POST' ? 'posted' : 'read');
  });

async function startGateway(
  start: (options: GatewayOptions) => Promise<RunningGateway>,
  url: string,
  site: Partial<SiteOptions> = {},
  options: Partial<GatewayOptions> = {},
): Promise<RunningGateway> {
  const gateway = await start({
    sites: [{ url, discovery: 'off', passthrough: true, ...site }],
    cache: 'memory',
    ...options,
  });
  closers.push(gateway.stop);
  return gateway;
}

const statusOf = (response: Response): string => response.headers.get('cache-status') ?? '';

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  const post = async (gateway: RunningGateway, headers: Record<string, string> = {}): Promise<string> =>
    (await gateway.request(PATH, { method: 'POST', headers, body: 'a=b' })).text();

  test('the response to POST serves later GET and HEAD requests', async () => {
    const gateway = await startGateway(start, await postingSite(OF_TARGET));
    expect(await post(gateway)).toBe('posted');
    const read = await gateway.request(PATH);
    expect(statusOf(read)).toMatch(/; hit/);
    expect(await read.text()).toBe('posted');
    const head = await gateway.request(PATH, { method: 'HEAD' });
    expect(statusOf(head)).toMatch(/; hit/);
    expect(head.headers.get('content-length')).toBe('6');
    // Another query is another URI.
    expect(await (await gateway.request('/reports/7')).text()).toBe('read');
  });

  test('every POST is forwarded, and replaces what was stored', async () => {
    const bodies: string[] = [];
    const url = await startSite((_, response, body) => {
      bodies.push(body);
      response.writeHead(200, OF_TARGET).end(`response ${bodies.length}`);
    });
    // A purge refuses what was requested in the same millisecond.
    let time = Date.now();
    const clock = { ...systemClock, now: () => time };
    const gateway = await startGateway(start, url, {}, { clock });
    await (await gateway.request(PATH)).text();
    for (const body of ['b', 'c']) {
      time += 1000;
      const response = await gateway.request(PATH, { method: 'POST', body });
      expect(statusOf(response)).toContain('fwd=bypass; detail=method');
      await response.text();
    }
    expect(bodies).toEqual(['', 'b', 'c']);
    expect(await (await gateway.request(PATH)).text()).toBe('response 3');
  });

  test.each<[name: string, headers: Readonly<Record<string, string>>, request?: Record<string, string>]>([
    ['without explicit freshness', { 'Content-Location': PATH, 'Last-Modified': new Date(0).toUTCString() }],
    ['without Content-Location', FRESH],
    ['with another Content-Location', { ...FRESH, 'Content-Location': '/reports/7' }],
    ['with private', { 'Cache-Control': 'private, max-age=3600', 'Content-Location': PATH }],
    ['with no-store', { 'Cache-Control': 'no-store, max-age=3600', 'Content-Location': PATH }],
    ['with Set-Cookie', { ...OF_TARGET, 'Set-Cookie': 'a=b' }],
    ['to a request with Authorization', OF_TARGET, { authorization: 'Basic YTpi' }],
    [
      'to a request with Authorization, although it is public',
      { 'Cache-Control': 'public, max-age=3600', 'Content-Location': PATH },
      { authorization: 'Basic YTpi' },
    ],
    [
      'to a request with an API key, although it is public',
      { 'Cache-Control': 'public, max-age=3600', 'Content-Location': PATH },
      { 'x-api-key': 'a' },
    ],
    ['to a request that may have another method', OF_TARGET, { 'x-http-method-override': 'PUT' }],
    ['that varies by a field with another value', { ...OF_TARGET, Vary: 'X-Variant' }, { 'x-variant': 'a' }],
  ])('the response to POST %s is not reused', async (_what, headers, request) => {
    const gateway = await startGateway(start, await postingSite(headers));
    expect(await post(gateway, request)).toBe('posted');
    expect(await (await gateway.request(PATH)).text()).toBe('read');
  });

  test('a response that exceeds the size limit is not stored', async () => {
    for (const length of ['Content-Length', 'chunked']) {
      const url = await startSite(({ method }, response) => {
        response.writeHead(200, OF_TARGET);
        if (length === 'chunked') response.write('long ');
        response.end(method === 'POST' ? 'x'.repeat(2000) : 'read');
      });
      const gateway = await startGateway(start, url, {}, { maxEntryBytes: 1000 });
      await post(gateway);
      expect(await (await gateway.request(PATH)).text()).toMatch(/read$/);
    }
  });

  test('a rule with `store: false` applies', async () => {
    const url = await postingSite(OF_TARGET);
    const rules = [{ match: '/reports/*', store: false }];
    const gateway = await startGateway(start, url, { cache: { rules } });
    await post(gateway);
    expect(await (await gateway.request(PATH)).text()).toBe('read');
  });

  test('links in the stored body are rewritten', async () => {
    let origin = '';
    origin = await startSite((_, response) => {
      response.writeHead(200, {
        ...OF_TARGET,
        'Content-Location': origin + PATH,
        'Content-Type': 'text/html',
      });
      response.end(`<a href="${origin}/a">`);
    });
    const gateway = await startGateway(start, origin, { rewriteBodies: true });
    const posted = await post(gateway);
    expect(posted).toBe(`<a href="${gateway.origin}/a">`);
    const read = await gateway.request(PATH);
    expect(statusOf(read)).toMatch(/; hit/);
    expect(read.headers.get('content-location')).toBe(gateway.origin + PATH);
    expect(await read.text()).toBe(posted);
  });

  test('a write or a purge while the POST runs refuses its response', async () => {
    for (const interrupt of ['PUT', 'purge']) {
      let release = (): void => undefined;
      let arrived = (): void => undefined;
      const hasArrived = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const url = await startSite(({ method }, response) => {
        const respond = (): void => {
          response.writeHead(200, OF_TARGET).end(method === 'POST' ? 'posted' : 'read');
        };
        if (method !== 'POST') return respond();
        release = respond;
        arrived();
      });
      const gateway = await startGateway(start, url, {}, { admin: { token: 'token' } });
      const posted = post(gateway);
      await hasArrived;
      if (interrupt === 'PUT') await (await gateway.request(PATH, { method: 'PUT', body: 'x' })).text();
      else {
        const purge = await gateway.request('/-/purge', {
          method: 'POST',
          headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
          body: JSON.stringify({ all: true }),
        });
        expect(purge.status).toBe(200);
      }
      release();
      expect(await posted).toBe('posted');
      expect(await (await gateway.request(PATH)).text()).toBe('read');
    }
  });

  test('the response to POST at a discovered site is never reused', async () => {
    const endpoint = { methods: ['GET', 'POST'], args: {} };
    const path = '/wp-json/ext/v1/items';
    let count = 0;
    const site = await startStubSite({
      index: {
        name: 'A site',
        url: 'https://site.example.com',
        home: 'https://site.example.com',
        namespaces: ['ext/v1'],
        authentication: [],
        routes: {
          '/': { namespace: '', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
          '/ext/v1/items': { namespace: 'ext/v1', methods: ['GET', 'POST'], endpoints: [endpoint] },
        },
      },
      intercept: ({ url }, response) => {
        if (!url.startsWith(path) && !url.startsWith('/page')) return false;
        count += 1;
        response.writeHead(200, { ...FRESH, 'Content-Location': url, 'Content-Type': 'application/json' });
        response.end(`[${count}]`);
        return true;
      },
    });
    closers.push(site.close);
    const gateway = await startGateway(start, site.url, { discovery: 'auto' });
    for (const target of [path, '/page']) {
      const posted = await gateway.request(target, { method: 'POST', body: '' });
      const before = await posted.text();
      expect(before).toBe(`[${count}]`);
      expect(await (await gateway.request(target)).text()).not.toBe(before);
    }
  });
});
