import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { type HttpBindings, serve as serveWithHono } from '@hono/node-server';
import type { Handler, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Gateway } from '../../../src/gateway/index.ts';
import { serve } from '../../../src/gateway/node/index.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type EchoSite, useEchoSite } from '../../support/echo-site.ts';
import { expectSumsOfLog } from '../../support/sums.ts';
import { giveTurns, waitUntil } from '../../support/wait.ts';
import { sendBytes, useProxy } from './serve-proxy.ts';

const site: Omit<EchoSite, 'close'> = useEchoSite(({ url }, response) => {
  const path = url.replace(/\?.*/, '');
  if (path.endsWith('/moved')) response.writeHead(302, { location: `${site.origin}/there` }).end();
  else if (path.endsWith('/reset')) response.writeHead(205, { 'Content-Length': '5' }).end('reset');
  else if (path.endsWith('/odd')) response.writeHead(999).end('odd');
  else if (path.endsWith('/phrase'))
    response.socket?.end('HTTP/1.1 404 N\u00e3o encontrado\r\nContent-Length: 4\r\n\r\nnone', 'latin1');
  else if (path.endsWith('/half')) {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    void giveTurns(10).then(() => response.destroy());
  } else if (path.endsWith('/endless')) {
    const writing = setInterval(() => response.write('x'.repeat(1_000)), 1);
    response.once('close', () => clearInterval(writing));
  } else if (path.endsWith('/late')) setTimeout(() => response.end('late'), 5_000).unref();
  else return false;
  return true;
});

const startProxy = useProxy(() => site.origin);
const start = (addTo?: (app: Hono) => void) => startProxy({ cache: 'memory' }, addTo && { addTo });

const showFields: Handler<{ Bindings: HttpBindings }> = (call) => call.json(call.env.incoming.headers);

/** Serves a gateway behind a middleware that adds what it sees to the list. */
async function startSeeing(seen: string[] = []) {
  const note: MiddlewareHandler = (call, next) => {
    seen.push(`${call.req.method} ${call.req.path}`);
    return next();
  };
  return start((app) => void app.use(note));
}

const HEAD = 'Host: a.example.com\r\nConnection: close\r\n';
const get = (target: string, fields = '', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${HEAD}${fields}\r\n`;

describe('an app', () => {
  test.each<[what: string, message: string, request: string, status: number, forwarded: readonly string[]]>([
    ['a path', get('/x?a=1'), 'GET /x', 200, ['/x?a=1']],
    ['dot segments as the site gets them', get('/a/../x'), 'GET /x', 200, ['/x']],
    ['an encoded operation, which the site gets', get('/%2d/health'), 'GET /-/health', 200, ['/%2d/health']],
    ['two slashes', get('//x'), 'GET //x', 200, ['//x']],
    ['a backslash as the site gets it', get('/a\\b'), 'GET /a/b', 200, ['/a/b']],
    ['an operation', get('/-/health'), 'GET /-/health', 200, []],
    ['a document that is none', get('/-/openapi.json'), 'GET /-/openapi.json', 404, []],
    ['an absolute target', get('http://b.example.com/x'), 'GET /x', 200, ['/x']],
    ['an invalid host', 'GET /x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 'GET /x', 400, []],
    ['two hosts', get('/x', 'Host: b.example.com\r\n'), 'GET /x', 400, []],
    ['no host', 'GET /x HTTP/1.0\r\n\r\n', 'GET /x', 200, ['/x']],
    ['a body', `${get('/x', 'Content-Length: 3\r\n', 'POST')}abc`, 'POST /x', 200, ['/x']],
  ])('sees %s', async (_, message, request, status, forwarded) => {
    const seen: string[] = [];
    const { port } = await startSeeing(seen);
    site.received.length = 0;
    const response = await sendBytes(port, message);
    expect([seen, Number(response.split(' ')[1])]).toEqual([[request], status]);
    expect(site.received.map(({ url }) => url)).toEqual(forwarded);
  });

  test.each([
    ['an asterisk', get('*', '', 'OPTIONS'), 204],
    ['an unknown expectation', `${get('/x', 'Content-Length: 3\r\nExpect: 200-ok\r\n', 'PUT')}abc`, 417],
    ['chunks in HTTP/1.0', `POST /x HTTP/1.0\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['another scheme', get('https://a.example.com/x'), 400],
    ['what is no request', '\x16\x03\r\n\r\n', 400],
    ['TRACE, whose response would contain the credentials', get('/x', 'Cookie: a=b\r\n', 'TRACE'), 405],
  ])('does not see %s, which the gateway answers', async (_, message, status) => {
    const seen: string[] = [];
    const { port } = await startSeeing(seen);
    const response = await sendBytes(port, message);
    expect([seen, Number(response.split(' ')[1])]).toEqual([[], status]);
  });

  test.each([
    ['1.1', 'X-A: 1\r\n', { 'x-a': '1' }, ''],
    ['1.1', 'Expect: 100-continue\r\n', { expect: '100-continue' }, 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['1.0', 'X-A: 1\r\n', { 'x-a': '1' }, ''],
  ])("reads all fields of Node's message: HTTP/%s with %j", async (version, field, fields, before) => {
    const { port } = await start((app) => void app.get('/', showFields));
    const response = await sendBytes(port, `GET / HTTP/${version}\r\n${HEAD}${field}\r\n`);
    expect(response.startsWith(`${before}HTTP/1.1 200 `)).toBe(true);
    const { host, ...others } = JSON.parse(response.split('\r\n\r\n').at(-1) ?? '');
    expect([host, others]).toEqual(['a.example.com', { connection: 'close', ...fields }]);
  });

  test.each(['Content-Length: 3\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'])(
    'has no content of a GET forwarded, which a `Request` cannot have: %j',
    async (content) => {
      const { port } = await startSeeing();
      const response = await sendBytes(port, `GET /get HTTP/1.1\r\n${HEAD}${content}`);
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(site.received.at(-1)).toMatchObject({ url: '/get', body: '' });
    },
  );

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
    const { port } = await start((app) => void app.use('/upload', limit));
    const chunk = `${prefix(100_000)}${'x'.repeat(100_000)}\r\n`;
    const upload = `POST /upload HTTP/1.1\r\nHost: a.example.com\r\n${field}\r\n\r\n${chunk}${chunk}${end}`;
    const responses = await sendBytes(port, upload + get('/x'));
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  // spring-cloud/spring-cloud-netflix#1562
  test('has content of a 205 dropped, and the next response follows', async () => {
    const { port } = await startSeeing();
    const responses = await sendBytes(port, `GET /reset HTTP/1.1\r\nHost: a.example.com\r\n\r\n${get('/x')}`);
    expect(responses).toMatch(/^HTTP\/1\.1 205 .*\r\n\r\n0\r\n\r\nHTTP\/1\.1 200 /s);
  });
});

interface Mounting {
  readonly app: Hono;
  readonly gateway: Gateway;
}

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Runs an app in each way: with `serve`, with `@hono/node-server` alone, and as `fetch`. */
const RUNS: Readonly<Record<string, (mounting: Mounting) => Promise<Send>>> = {
  serve: async ({ app, gateway }) => {
    const { stop, url } = await serve({ gateway, app, port: 0 });
    closeAfterTest(stop);
    return (path, init) => fetch(url + path, { redirect: 'manual', ...init });
  },
  '@hono/node-server': async ({ app }) => {
    const { port } = await new Promise<{ port: number }>((resolve) => {
      const server = serveWithHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, resolve);
      closeAfterTest(() => server.close());
    });
    return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  },
  fetch:
    async ({ app }) =>
    async (path, init) =>
      app.fetch(new Request(`http://a.example.com${path}`, init)),
};

/** An app with middleware, a route, and a gateway at two paths. Its Hono is another copy, as that of the package is. */
async function mountTwice(addTo?: (app: Hono) => void): Promise<Mounting> {
  const copy = createRequire(import.meta.url)('hono') as typeof import('hono');
  const app = new copy.Hono();
  app.use('/one/*', async (call, next) => {
    if (call.req.header('authorization') !== 'Bearer secret') return call.text('no', 401);
    await next();
    call.header('x-seen', String(call.res.status));
    return undefined;
  });
  app.get('/own', (call) => call.text('own'));
  const { gateway } = await startProxy({}, { inMemory: true, ...(addTo && { addTo }) });
  app.route('/one', gateway.app).route('/:any/two', gateway.app);
  return { app, gateway };
}

describe.each([
  ['a route', 200],
  ['a redirect', 302],
  ['a fault', 500],
])('%s of an app of the user', (kind, status) => {
  test.each(['', 'an-id-of-the-app-0'])('has an id, a date and a line of the log: %j', async (own) => {
    const running = await startProxy(
      {},
      {
        addTo: (app) =>
          app.get('/own', (call) => {
            if (kind === 'a fault') throw new Error('of the test');
            if (own !== '') call.header('X-Request-Id', own);
            return kind === 'a route' ? call.text('own') : call.redirect('/there');
          }),
      },
    );
    const { headers } = await running.request('/own');
    await expectSumsOfLog(running);
    const id = headers.get('x-request-id');
    expect(id).toMatch(own !== '' && kind !== 'a fault' ? /^an-id-of-the-app-0$/ : /^\w+-\w+$/);
    expect(headers.get('date')).toMatch(/GMT$/);
    expect(running.lines.filter(({ msg }) => msg === 'request')).toMatchObject([
      { requestId: id, status, site: null, path: '/own' },
    ]);
  });
});

describe.each(Object.entries(RUNS))('an app that mounts a gateway twice, run by %s', (_, run) => {
  test('has its own route and middleware, and the URLs of the gateway below each path', async () => {
    const request = await run(await mountTwice());
    expect(await (await request('/own')).text()).toBe('own');
    expect((await request('/no')).status).toBe(404);
    expect(await (await request('/one/x')).text()).toBe('no');
    const served = await request('/one/x?a=1', { headers: { authorization: 'Bearer secret' } });
    expect([served.status, served.headers.get('x-seen')]).toEqual([200, '200']);
    expect(((await served.json()) as { url: string }).url).toBe('/x?a=1');
    expect((await request('/a/two/-/health')).status).toBe(200);
    const moved = await request('/a/two/moved');
    const { host, pathname } = new URL(moved.headers.get('location') ?? '');
    expect([moved.status, pathname, host]).not.toContain(new URL(site.origin).host);
    expect([moved.status, pathname]).toEqual([302, '/a/two/there']);
    // Its reason phrase is in another language.
    const missing = await request('/a/two/phrase');
    expect([missing.status, await missing.text()]).toEqual([404, 'none']);
    // RFC 9110 §15; a `Response` cannot have the status.
    const odd = await request('/a/two/odd');
    expect([odd.status, await odd.text()]).toEqual([500, 'odd']);
  });

  test('forwards content that a middleware has read, replaced or left', async () => {
    const mounting = await mountTwice((inner) => {
      inner.use(async (call, next) => {
        if (call.req.path.endsWith('/read')) await call.req.text();
        if (call.req.path.endsWith('/cloned')) await call.req.raw.clone().text();
        if (call.req.path.endsWith('/replaced')) {
          call.req.raw = new Request(call.req.raw, { body: 'new', headers: { 'x-new': '1' } });
        }
        await next();
      });
    });
    const request = await run(mounting);
    const post = async (path: string, content: BodyInit = 'content'): Promise<unknown> => {
      const response = await request(path, { method: 'POST', body: content });
      const { body, headers } = (await response.json()) as EchoSite['received'][0];
      return [body, headers['x-new'] ?? null];
    };
    expect(await post('/a/two/left')).toEqual(['content', null]);
    expect(await post('/a/two/read')).toEqual(['content', null]);
    expect(await post('/a/two/read', Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toEqual(['a\ufffd', null]);
    expect(await post('/a/two/cloned')).toEqual(['content', null]);
    expect(await post('/a/two/replaced')).toEqual(['new', '1']);
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

test.each(Object.entries(SEEN))(
  'behind a middleware that %s, a client that leaves ends the request to the site and is logged, and nothing is printed',
  async (_, middleware) => {
    const printed = (['error', 'info', 'log', 'warn'] as const).map((name) => vi.spyOn(console, name));
    const written = vi.spyOn(process.stderr, 'write');
    onTestFinished(() => void vi.restoreAllMocks());
    const { lines, port } = await start((app) => void app.use(middleware));
    const sendAndLeave = async (path: string, hasBegun: () => boolean): Promise<void> => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(get(path)));
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text;
      });
      await waitUntil(() => hasBegun() || received.length > 10_000);
      socket.destroy();
    };
    const count = site.received.length;
    await sendAndLeave('/late', () => site.received.length > count);
    for (let client = 0; client < 5; client++) await sendAndLeave('/endless', () => false);
    await waitUntil(() => lines.length === 6);
    expect(lines.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/late 499',
      ...Array<string>(5).fill('/endless 499'),
    ]);
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(written).not.toHaveBeenCalled();
  },
);
