import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { serve as serveWithHono } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GatewayOptions } from '../../../src/gateway/index.ts';
import { serve } from '../../../src/gateway/node/index.ts';
import { type EchoSite, useEchoSite } from '../../support/echo-site.ts';
import { createGateway } from '../../support/gateway.ts';
import { giveTurns, waitUntil } from '../../support/wait.ts';
import { sendBytes, useProxies } from './serve-proxy.ts';

const site: Omit<EchoSite, 'close'> = useEchoSite(({ url }, response) => {
  const path = url.replace(/\?.*/, '');
  if (path.endsWith('/moved')) {
    response.writeHead(302, { location: `${site.origin}/there` }).end();
  } else if (path.endsWith('/fields')) {
    response.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2; Path=/']);
    response.setHeader('X-Twice', ['a', 'b']);
    response.writeHead(200, { 'X-Bytes': 'caf\u00e9', 'Content-Type': 'text/plain' }).end('fields');
  } else if (path.endsWith('/none')) {
    // The name of the field by which @hono/node-server knows that nothing is left to write.
    response.writeHead(204, { 'X-Hono-Already-Sent': 'true' }).end();
  } else if (path.endsWith('/reset')) response.writeHead(205, { 'Content-Length': '5' }).end('reset');
  else if (path.endsWith('/phrase')) {
    response.socket?.end('HTTP/1.1 404 N\u00e3o encontrado\r\nContent-Length: 4\r\n\r\nnone', 'latin1');
  } else if (path.endsWith('/odd')) response.writeHead(418, 'Any reason').end('odd');
  else if (path.endsWith('/chunks')) {
    response.write('one');
    void giveTurns(10).then(() => response.end('two'));
  } else if (path.endsWith('/half')) {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    void giveTurns(10).then(() => response.destroy());
  } else if (path.endsWith('/gone')) response.destroy();
  else if (path.endsWith('/endless')) {
    const writing = setInterval(() => response.write('x'.repeat(1_000)), 1);
    response.once('close', () => clearInterval(writing));
  } else if (path.endsWith('/late')) setTimeout(() => response.end('late'), 5_000).unref();
  else return false;
  return true;
});

const { closing, serveApp: start } = useProxies(() => site.origin);

function create(addTo?: (app: Hono) => void, options: Partial<GatewayOptions> = {}): Hono {
  const sites = [{ url: site.origin, discovery: 'off', passthrough: true }] as const;
  const all = { sites, cache: 'memory', random: () => 0.5, admin: { token: 't' }, ...options } as const;
  return createGateway(all, addTo).app;
}

const HEAD = 'Host: a.example.com\r\nConnection: close\r\n';
const get = (target: string, fields = '', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${HEAD}${fields}\r\n`;

describe('an app', () => {
  /** Serves a gateway behind a middleware. @returns what the middleware has seen of a message, and the status of its response */
  async function serveSeen(): Promise<(message: string) => Promise<unknown>> {
    let seen: string[] = [];
    const { port } = await start(
      create((app) => {
        app.use((call, next) => {
          seen.push(`${call.req.method} ${call.req.path}`);
          return next();
        });
      }),
    );
    return async (message) => {
      seen = [];
      const response = await sendBytes(port, message);
      return [seen, Number(response.split(' ')[1])];
    };
  }

  test.each([
    ['a path', get('/x?a=1'), 'GET /x', 200],
    ['dot segments', get('/a/../x'), 'GET /x', 400],
    ['an encoded operation', get('/%2d/health'), 'GET /-/health', 200],
    ['two slashes', get('//x'), 'GET //x', 200],
    ['a backslash', get('/a\\b'), 'GET /a/b', 400],
    ['an operation', get('/-/health'), 'GET /-/health', 200],
    ['a document that is none', get('/-/openapi.json'), 'GET /-/openapi.json', 404],
    ['an absolute target', get('http://b.example.com/x'), 'GET /x', 200],
    ['an absolute target with dot segments', get('http://b.example.com/a/../x'), 'GET /x', 400],
    ['an invalid host', 'GET /x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 'GET /x', 400],
    ['two hosts', get('/x', 'Host: b.example.com\r\n'), 'GET /x', 400],
    ['no host', 'GET /x HTTP/1.0\r\n\r\n', 'GET /x', 200],
    ['a body', `${get('/x', 'Content-Length: 3\r\n', 'POST')}abc`, 'POST /x', 200],
    ['a body of a GET', `${get('/x', 'Content-Length: 3\r\n')}abc`, 'GET /x', 200],
    ['an unknown expectation', `${get('/x', 'Content-Length: 3\r\nExpect: x\r\n', 'PUT')}abc`, 'PUT /x', 200],
  ])('sees %s', async (_, message, request, status) => {
    const send = await serveSeen();
    expect(await send(message)).toEqual([[request], status]);
  });

  test.each([
    ['an asterisk', get('*', '', 'OPTIONS'), 400],
    ['another scheme', get('https://a.example.com/x'), 400],
    ['what is no request', '\x16\x03\r\n\r\n', 400],
  ])('does not see %s, which is refused', async (_, message, status) => {
    const send = await serveSeen();
    expect(await send(message)).toEqual([[], status]);
  });

  test('has the content of a GET forwarded', async () => {
    const { port } = await start(create((app) => void app.use((_, next) => next())));
    await sendBytes(port, `${get('/x', 'Content-Length: 3\r\n')}abc`);
    expect(site.received.at(-1)).toMatchObject({ method: 'GET', body: 'abc' });
  });

  test('has a body of a GET that stops refused', async () => {
    const { lines, port } = await start(create((app) => void app.use((_, next) => next())));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = sendBytes(port, `${get('/x', 'Content-Length: 10\r\n')}abc`);
    await waitUntil(() => vi.getTimerCount() === 1);
    vi.advanceTimersByTime(60_000);
    expect(await response).toMatch(/^HTTP\/1\.1 408 /);
    await waitUntil(() => lines.length > 0);
    expect(lines).toMatchObject([{ status: 408 }]);
  });

  test.each([
    [
      'has read a part of',
      'Transfer-Encoding: chunked',
      (size: number) => `${size.toString(16)}\r\n`,
      '0\r\n\r\n',
    ],
    ['has not read', 'Content-Length: 200004', () => '', ''],
  ])('that %s an upload responds, and so to the next request', async (_, field, prefix, end) => {
    const limit = bodyLimit({ maxSize: 1_000, onError: (call) => call.text('too large', 413) });
    const { port } = await start(create((app) => void app.use('/upload', limit)));
    const chunk = `${prefix(100_000)}${'x'.repeat(100_000)}\r\n`;
    const upload = `POST /upload HTTP/1.1\r\nHost: a.example.com\r\n${field}\r\n\r\n${chunk}${chunk}${end}`;
    const responses = await sendBytes(port, upload + get('/x'));
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  // spring-cloud/spring-cloud-netflix#1562
  test('has content of a 205 dropped, and the next response follows', async () => {
    const { port } = await start(create((app) => void app.use((_, next) => next())));
    const responses = await sendBytes(
      port,
      `GET /reset HTTP/1.1\r\nHost: a.example.com\r\n\r\n${get('/odd')}`,
    );
    expect(responses).toMatch(/^HTTP\/1\.1 205 .*\r\n\r\n0\r\n\r\nHTTP\/1\.1 418 /s);
  });

  test('has a response that breaks off closed with its connection', async () => {
    const { lines, port } = await start(create((app) => void app.use((_, next) => next())));
    const response = await sendBytes(port, get('/half'));
    expect(response).toMatch(/content-length: 100\r\n[\s\S]*half$/);
    await waitUntil(() => lines.length > 0);
    expect(lines).toMatchObject([{ status: 502, sent: 200, end: 'site' }]);
  });
});

test('TRACE is not forwarded: the response would contain the credentials of the request', async () => {
  const { port } = await start(create());
  const count = site.received.length;
  const response = await sendBytes(port, get('/x', 'Cookie: a=secret\r\n', 'TRACE'));
  expect(response).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST/is);
  expect(response).not.toContain('secret');
  expect(site.received).toHaveLength(count);
});

/** Runs an app in each way: with `serve`, with `@hono/node-server` alone, and as `fetch`. */
const RUNS: Readonly<
  Record<string, (app: Hono) => Promise<(path: string, init?: RequestInit) => Promise<Response>>>
> = {
  serve: async (app) => {
    const { url } = await start(app);
    return (path, init) => fetch(url + path, { redirect: 'manual', ...init });
  },
  '@hono/node-server': async (app) => {
    const { port } = await new Promise<{ port: number }>((resolve) => {
      const server = serveWithHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, resolve);
      closing.push(() => server.close());
    });
    return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  },
  fetch: async (app) => async (path, init) => app.fetch(new Request(`http://a.example.com${path}`, init)),
};

/** An app with middleware, a route, and a gateway at two paths. Its Hono is another copy, as that of the package is. */
function createMounting(addTo?: (app: Hono) => void): { readonly app: Hono; readonly seen: string[] } {
  const seen: string[] = [];
  const copy = createRequire(import.meta.url)('hono') as typeof import('hono');
  const app = new copy.Hono();
  app.use('/one/*', async (call, next) => {
    seen.push(call.req.path);
    if (call.req.header('authorization') !== 'Bearer secret') return call.text('no', 401);
    await next();
    call.header('x-seen', String(call.res.status));
    return undefined;
  });
  app.get('/own', (call) => call.text('own'));
  const gateway = create(addTo);
  app.route('/one', gateway).route('/two', gateway);
  return { app, seen };
}

describe.each(Object.entries(RUNS))('an app that mounts a gateway twice, run by %s', (_, run) => {
  const authorized = { headers: { authorization: 'Bearer secret' } };

  test('relays a response with a reason phrase in another language', async () => {
    const response = await (await run(createMounting().app))('/two/phrase');
    expect([response.status, await response.text()]).toEqual([404, 'none']);
  });

  test('has its own route and its middleware', async () => {
    const { app, seen } = createMounting();
    const request = await run(app);
    expect(await (await request('/own')).text()).toBe('own');
    const refused = await request('/one/x');
    expect([refused.status, await refused.text()]).toEqual([401, 'no']);
    const served = await request('/one/x?a=1', authorized);
    expect([served.status, served.headers.get('x-seen')]).toEqual([200, '200']);
    expect(((await served.json()) as { url: string }).url).toBe('/x?a=1');
    const unseen = await request('/two/x');
    expect([unseen.status, unseen.headers.get('x-seen')]).toEqual([200, null]);
    expect(seen).toEqual(['/one/x', '/one/x']);
  });

  test('has the operations and the URLs of the gateway below each path', async () => {
    const request = await run(createMounting().app);
    expect((await request('/two/-/health')).status).toBe(200);
    expect((await request('/one/-/health')).status).toBe(401);
    const moved = await request('/two/moved');
    const { host, pathname } = new URL(moved.headers.get('location') ?? '');
    expect([moved.status, pathname]).toEqual([302, '/two/there']);
    expect(host).not.toBe(new URL(site.origin).host);
    expect((await request('/no')).status).toBe(404);
  });

  test('forwards content that a middleware has read, replaced or left', async () => {
    const { app } = createMounting((inner) => {
      inner.use(async (call, next) => {
        if (call.req.path.endsWith('/read')) await call.req.text();
        if (call.req.path.endsWith('/cloned')) await call.req.raw.clone().text();
        if (call.req.path.endsWith('/replaced')) {
          call.req.raw = new Request(call.req.raw, { body: 'new', headers: { 'x-new': '1' } });
        }
        await next();
      });
    });
    const request = await run(app);
    const post = async (path: string, content: BodyInit = 'content'): Promise<unknown> => {
      const response = await request(path, { method: 'POST', body: content });
      const { body, headers } = (await response.json()) as EchoSite['received'][0];
      return [body, headers['x-new'] ?? null];
    };
    expect(await post('/two/left')).toEqual(['content', null]);
    expect(await post('/two/read')).toEqual(['content', null]);
    expect(await post('/two/read', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toEqual(['a\ufffd', null]);
    expect(await post('/two/cloned')).toEqual(['content', null]);
    expect(await post('/two/replaced')).toEqual(['new', '1']);
  });
});

test('content that a middleware reads is refused above 64 MiB', async () => {
  const { url } = await start(
    create((app) => {
      app.use(async (call, next) => {
        await call.req.text();
        await next();
      });
    }),
  );
  const body = new Uint8Array(64 * 1024 * 1024 + 1);
  const long = await fetch(`${url}/two/read`, { method: 'POST', body });
  expect([long.status, (await long.json()).code]).toEqual([413, 'gateway_body_too_large']);
});

describe('the app of a gateway', () => {
  test('shows in its routes what it serves', () => {
    const sites = ['a', 'b'].map((name) => ({ url: site.origin, name }));
    const paths = create((app) => void app.get('/own', (call) => call.text('')), { sites });
    const listed = paths.routes.map(({ method, path }) => `${method} ${path}`);
    expect(listed[0]).toBe('GET /own');
    expect(listed.at(-1)).toBe('ALL /*');
    expect(listed.some((route) => route.endsWith(' /-/*'))).toBe(true);
  });

  test('takes no more routes once it has been served', async () => {
    const app = new Hono();
    app.route('/', create());
    const { url } = await start(app);
    await fetch(`${url}/x`);
    expect(() => app.get('/late', (call) => call.text('late'))).toThrow();
  });

  test('is required by serve, once', async () => {
    await expect(serve({ app: new Hono(), port: 0 })).rejects.toThrow('contains no gateway');
    const app = new Hono().route('/a', create()).route('/b', create());
    await expect(serve({ app, port: 0 })).rejects.toThrow('several gateways');
  });
});

/** Ways in which a middleware handles the response of a gateway. */
const SEEN: Readonly<Record<string, MiddlewareHandler>> = {
  'sees it': (_, next) => next(),
  'copies it': async (call, next) => {
    await next();
    call.res = new Response(call.res.body?.pipeThrough(new TransformStream()), call.res);
  },
};

describe.each(Object.entries(SEEN))('behind a middleware that %s', (_, middleware) => {
  const sendAndLeave = async (port: number, path: string, hasBegun: () => boolean): Promise<void> => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(get(path)));
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    await waitUntil(() => hasBegun() || received.length > 10_000);
    socket.destroy();
  };

  test('a client that leaves ends the request to the site and is logged, and nothing is printed', async () => {
    const printed = (['error', 'info', 'log', 'warn'] as const).map((name) => vi.spyOn(console, name));
    const written = vi.spyOn(process.stderr, 'write');
    onTestFinished(() => void vi.restoreAllMocks());
    const { lines, port } = await start(create((app) => void app.use(middleware)));
    const count = site.received.length;
    await sendAndLeave(port, '/late', () => site.received.length > count);
    for (let client = 0; client < 5; client++) await sendAndLeave(port, '/endless', () => false);
    await waitUntil(() => lines.length === 6);
    expect(lines.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/late 499',
      ...Array<string>(5).fill('/endless 499'),
    ]);
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(written).not.toHaveBeenCalled();
  });
});
