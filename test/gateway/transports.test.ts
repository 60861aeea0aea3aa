import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deadOrigin, type EchoSite, type Received, startEchoSite } from '../support/echo-site.ts';
import { type RunningGateway, TRANSPORTS } from '../support/gateway.ts';

/** What the echo site does at some addresses instead of echoing. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, origin: string) => void>> = {
  '/moved': (response, origin) => response.writeHead(301, { location: `${origin}/elsewhere?a=1` }).end(),
  '/linked': (response, origin) =>
    response.writeHead(200, { link: `<${origin}/wp-json/core/v2/posts?page=2>; rel="next"` }).end('[]'),
  '/public': (response) => response.writeHead(302, { location: 'https://public.example.com/x' }).end(),
  '/foreign': (response) => response.writeHead(302, { location: 'https://example.com/x' }).end(),
  '/slow': () => {},
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 50);
  },
  '/hung-up': (response) => void response.destroy(),
  '/hop': (response) =>
    response.writeHead(200, { connection: 'x-secret', 'x-secret': '1', 'x-kept': '2' }).end('{}'),
  '/empty': (response) => response.writeHead(204).end(),
  '/mentions': (response, origin) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ link: `${origin}/a` }).replaceAll('/', '\\/')),
};

function answer(request: Received, response: ServerResponse): boolean {
  const special = ANSWERS[new URL(request.url, 'http://x').pathname.replace('/wp-json', '')];
  special?.(response, `http://${request.headers['host']}`);
  return special !== undefined;
}

describe.each(Object.entries(TRANSPORTS))('behind %s', (_name, start) => {
  let site: EchoSite;
  let running: RunningGateway;
  const echoed = async (path: string, init?: RequestInit): Promise<Received> => {
    const response = await running.ask(path, init);
    expect(response.status).toBe(200);
    return (await response.json()) as Received;
  };

  beforeAll(async () => {
    site = await startEchoSite(answer);
    const dead = await deadOrigin();
    const timeouts = { connect: 2_000, headers: 300, body: 300 };
    running = await start({
      sites: [
        { name: 'echo', url: site.origin, timeouts },
        { name: 'strict', url: site.origin, unknownRoutes: 'refuse' },
        { name: 'whole', url: site.origin, passthrough: true, rewriteBodies: true },
        { name: 'plain', url: site.origin, discovery: 'off', passthrough: true },
        { name: 'down', url: dead, discovery: 'off', passthrough: true },
        { name: 'unread', url: dead },
      ],
    });
  });
  afterAll(async () => {
    await running.stop();
    await site.close();
  });

  describe('the interface', () => {
    test.each([
      ['/echo/core/v2/posts?page=2', '/wp-json/core/v2/posts?page=2'],
      ['/echo/wp-json/core/v2/posts?page=2', '/wp-json/core/v2/posts?page=2'],
      ['/echo/?rest_route=/core/v2/posts&page=2', '/index.php?rest_route=/core/v2/posts&page=2'],
      ['/echo/index.php?rest_route=/core/v2/posts&page=2', '/index.php?rest_route=/core/v2/posts&page=2'],
      [
        '/echo/any/page?page=2&rest%5Froute=%2Fx&a=1&rest_route=%2Fcore%2Fv2%2Fposts',
        '/index.php?page=2&rest_route=/core/v2/posts&a=1',
      ],
    ])('%s reaches the site as %s', async (path, url) => {
      expect((await echoed(path)).url).toBe(url);
    });

    test('a value that a path cannot carry unchanged goes in the query', async () => {
      expect((await echoed('/echo/notes/v1/notes/caf%C3%A9%20noir')).url).toBe(
        '/index.php?rest_route=/notes/v1/notes/caf%C3%A9%20noir',
      );
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s carries its body byte for byte', async (method) => {
      const body = '{"title": "é\\u0000", "a":1 }';
      const headers = { 'content-type': 'application/json' };
      const seen = await echoed('/echo/core/v2/posts', { method, body, headers });
      expect(seen).toMatchObject({ method, body, headers });
    });

    test('a streamed body of unknown length arrives whole', async () => {
      const parts = ['{"a":', '1', '}'];
      const body = new ReadableStream({
        pull(controller) {
          const part = parts.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(part));
        },
      });
      const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } };
      expect((await echoed('/echo/core/v2/posts', init as RequestInit)).body).toBe('{"a":1}');
    });

    test('a form always names its route in the query, so that none in the body counts', async () => {
      const body = new URLSearchParams({ rest_route: '/core/v2/users' });
      const seen = await echoed('/echo/wp-json/core/v2/posts', { method: 'POST', body });
      expect(seen.url).toBe('/index.php?rest_route=/core/v2/posts');
    });

    test('a HEAD has the headers and no body', async () => {
      const response = await running.ask('/echo/core/v2/posts', { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    });

    test('an unknown route is passed on', async () => {
      expect((await echoed('/echo/hidden/v1/things')).url).toBe('/wp-json/hidden/v1/things');
    });

    test.each([
      ['GET', '/strict/hidden/v1/things'],
      ['PUT', '/strict/core/v2/posts'],
      ['GET', '/strict/core/v2/posts?_method=PUT'],
    ])('%s %s is refused where unknown routes are, in both shapes of an error', async (method, path) => {
      const before = site.received.length;
      const response = await running.ask(path, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({
        status: 404,
        title: 'Not Found',
        code: 'rest_no_route',
        message: 'No route was found matching the URL and request method.',
        data: { status: 404 },
      });
      expect(site.received).toHaveLength(before);
    });

    test('and in an envelope where the caller asks for one, as the site does', async () => {
      const response = await running.ask('/strict/hidden/v1/things?_envelope');
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=UTF-8',
      ]);
      expect(await response.json()).toMatchObject({ status: 404, body: { code: 'rest_no_route' } });
      expect((await running.ask('/strict/hidden/v1/things?_envelope', { method: 'HEAD' })).status).toBe(200);
    });

    test('OPTIONS describes no route as the site does, to a script of another origin too', async () => {
      const method = 'OPTIONS';
      const headers = { origin: 'https://app.example.com' };
      const response = await running.ask('/strict/hidden/v1/things', { method, headers });
      expect([response.status, await response.json()]).toEqual([200, []]);
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      const enveloped = await running.ask('/strict/hidden/v1/things?_envelope', { method });
      expect(await enveloped.json()).toEqual({ body: [], status: 200, headers: [] });
    });

    test('OPTIONS on a known route is the site’s to answer, even where unknown routes are refused', async () => {
      expect((await echoed('/strict/core/v2/posts', { method: 'OPTIONS' })).method).toBe('OPTIONS');
    });

    test('an ambiguous request is refused without asking the site', async () => {
      const before = site.received.length;
      const response = await running.ask('/echo/?rest_route[]=/core/v2/posts');
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'rest_ambiguous_route' });
      expect(site.received).toHaveLength(before);
    });
  });

  describe('headers', () => {
    test('tell the site who is calling, and hold its own host', async () => {
      const { headers } = await echoed('/echo/core/v2/posts', { headers: { authorization: 'Basic YTpi' } });
      expect(headers).toMatchObject({
        host: new URL(site.origin).host,
        authorization: 'Basic YTpi',
        'x-forwarded-host': new URL(running.origin).host,
        'x-forwarded-proto': 'http',
        'x-forwarded-prefix': '/echo',
        via: '1.1 waygate',
      });
      expect(headers['forwarded']).toContain(`host="${new URL(running.origin).host}";proto=http`);
    });

    test('of a caller who is not trusted are not believed', async () => {
      const { headers } = await echoed('/echo/core/v2/posts', {
        headers: {
          'x-forwarded-for': '192.0.2.7',
          'x-forwarded-host': 'evil.example.com',
          forwarded: 'for=192.0.2.7',
        },
      });
      expect(JSON.stringify(headers)).not.toMatch(/192\.0\.2\.7|evil/);
    });

    test('with an underscore never reach the site, where CGI would confuse them', async () => {
      const { headers } = await echoed('/echo/core/v2/posts', {
        headers: { x_http_method_override: 'DELETE' },
      });
      expect(headers).not.toHaveProperty('x_http_method_override');
    });

    test('that name the site’s address name the gateway’s instead, and others stay', async () => {
      const location = async (path: string): Promise<string | null> =>
        (await running.ask(path)).headers.get('location');
      expect(await location('/echo/wp-json/moved')).toBe(`${running.origin}/echo/elsewhere?a=1`);
      expect(await location('/echo/wp-json/public')).toBe(`${running.origin}/echo/x`);
      expect(await location('/echo/wp-json/foreign')).toBe('https://example.com/x');
      const linked = await running.ask('/echo/wp-json/linked');
      expect(linked.headers.get('link')).toBe(
        `<${running.origin}/echo/wp-json/core/v2/posts?page=2>; rel="next"`,
      );
    });

    test('for one connection only stay on it', async () => {
      const response = await running.ask('/whole/hop');
      expect(response.headers.get('x-secret')).toBeNull();
      expect(response.headers.get('x-kept')).toBe('2');
    });

    test('say that nothing was cached, and which request it was', async () => {
      const response = await running.ask('/echo/core/v2/posts');
      expect(response.headers.get('cache-status')).toBe('waygate; fwd=bypass');
      const id = response.headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-z]{6}-[0-9a-z]+$/);
      expect(site.received.at(-1)?.headers['x-request-id']).toBe(id);
    });
  });

  describe('the document', () => {
    test('names the gateway as its server and can be asked for again by its tag', async () => {
      const response = await running.ask('/echo/openapi.json');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const document = (await response.json()) as { servers: unknown; paths: object };
      expect(document.servers).toEqual([{ url: '/echo', description: 'This gateway' }]);
      expect(Object.keys(document.paths)).toContain('/core/v2/posts/{id}');
      const etag = response.headers.get('etag') ?? '';
      const again = await running.ask('/echo/openapi.json', {
        headers: { 'if-none-match': `"x", W/${etag}` },
      });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    });

    test('says where the root index stands when the mount itself is the site’s front page', async () => {
      const { paths } = (await (await running.ask('/whole/openapi.json')).json()) as {
        paths: { '/': { servers: { url: string }[] } };
      };
      const [server] = paths['/'].servers;
      expect(server?.url).toBe('/whole/wp-json');
      expect((await echoed(`${server?.url}/`)).url).toBe('/wp-json/');
    });

    test('is the same in YAML', async () => {
      const response = await running.ask('/echo/openapi.yaml');
      expect(response.headers.get('content-type')).toBe('application/yaml');
      expect(await response.text()).toContain('operationId: listPosts');
    });

    test('can be narrowed to a namespace', async () => {
      const response = await running.ask('/echo/openapi.json?namespace=notes/v1');
      const { paths } = (await response.json()) as { paths: object };
      expect(Object.keys(paths)).toEqual(['/notes/v1/notes/{name}']);
    });

    test('is compressed where the caller takes it, under a tag of its own', async () => {
      const plain = await running.ask('/echo/openapi.json', { headers: { 'accept-encoding': 'identity' } });
      const coded = await running.ask('/echo/openapi.json', {
        headers: { 'accept-encoding': 'br;q=1, gzip;q=0.5' },
      });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(coded.headers.get('content-encoding')).toBe('gzip');
      expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      expect(coded.headers.get('vary')).toBe('Accept-Encoding');
    });

    test('is not there in front of an origin that was not discovered', async () => {
      expect((await echoed('/plain/openapi.json')).url).toBe('/openapi.json');
    });

    test('takes GET and HEAD only', async () => {
      const response = await running.ask('/echo/openapi.json', { method: 'POST', body: 'x' });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    });
  });

  describe('the rest of the site', () => {
    test('is passed through where asked for, with its addresses in bodies made the gateway’s', async () => {
      expect((await echoed('/whole/about/us?x=1')).url).toBe('/about/us?x=1');
      const body = await (await running.ask('/whole/mentions')).text();
      expect(body).toBe(JSON.stringify({ link: `${running.origin}/whole/a` }).replaceAll('/', '\\/'));
    });

    test('may be any origin', async () => {
      expect((await echoed('/plain/wp-json/x?rest_route=/y')).url).toBe('/wp-json/x?rest_route=/y');
    });

    test('keeps a path from leaving the site’s base', async () => {
      expect((await running.ask('/whole/%2e%2e%2fadmin')).status).toBe(400);
    });

    test('passes an empty answer', async () => {
      const response = await running.ask('/whole/empty');
      expect(response.status).toBe(204);
    });
  });

  describe('failures are told apart:', () => {
    test.each([
      ['/echo/wp-json/slow', 504, 'gateway_timeout'],
      ['/echo/wp-json/hung-up', 502, 'gateway_broken'],
      ['/down/x', 502, 'gateway_refused'],
      ['/unread/core/v2/posts', 503, 'gateway_not_ready'],
    ])('%s is %i %s', async (path, status, code) => {
      const response = await running.ask(path);
      expect(response.status).toBe(status);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-request-id')).toMatch(/-/);
      const problem = await response.text();
      expect(JSON.parse(problem)).toMatchObject({ code, status, data: { status } });
      expect(problem).not.toContain('127.0.0.1');
    });

    test('an answer that breaks off is broken off for the caller too', async () => {
      const response = await running.ask('/echo/wp-json/broken');
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    });

    test('what is mounted nowhere says what is', async () => {
      const response = await running.ask('/nowhere');
      expect(response.status).toBe(404);
      expect(((await response.json()) as { message: string }).message).toContain('/echo, /strict');
    });
  });

  describe('the gateway’s own addresses', () => {
    test('say that it lives, and that it is not ready while a site has not been read', async () => {
      expect(await (await running.ask('/-/health')).json()).toEqual({ status: 'alive' });
      const ready = await running.ask('/-/ready');
      expect(ready.status).toBe(503);
      expect(ready.headers.get('retry-after')).toBe('1');
    });

    test('are not writable', async () => {
      expect((await running.ask('/-/ready', { method: 'POST' })).status).toBe(405);
      expect((await running.ask('/-/nothing')).status).toBe(404);
    });
  });
});
