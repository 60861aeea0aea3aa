import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { serve as serveWithHono } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GatewayOptions } from '../../../src/gateway/index.ts';
import { type ServedApp, serve } from '../../../src/gateway/node/index.ts';
import { ServedGateway } from '../../../src/gateway/node/served-gateway.ts';
import { type EchoSite, useEchoSite } from '../../support/echo-site.ts';
import { createGateway } from '../../support/gateway.ts';
import { giveTurns, waitUntil } from '../../support/wait.ts';
import { type Line, sendBytes, useProxies } from './serve-proxy.ts';

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

/** Fields of the connection and of the framing, and the time. */
const OF_MESSAGE = /^(?:connection|keep-alive|transfer-encoding|content-length|date):/;

/** A response as HTTP defines it: the lines of a field joined in their order, and the content without its framing. */
function read(response: string): unknown {
  const end = response.indexOf('\r\n\r\n');
  const [status, ...lines] = response.slice(0, end).split('\r\n');
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s);
    const lower = name.toLowerCase();
    if (OF_MESSAGE.test(`${lower}:`)) continue;
    const before = fields.get(lower);
    fields.set(lower, before === undefined || lower === 'set-cookie' ? value : `${before}, ${value}`);
    if (lower === 'set-cookie' && before !== undefined) fields.set(lower, `${before} | ${value}`);
  }
  const isChunked = lines.some((line) => /^transfer-encoding: chunked$/i.test(line));
  const content = response.slice(end + 4);
  const text = isChunked ? content.replaceAll(/(?:^|\r\n)[\da-f]+\r\n/gi, '').replace(/\r\n$/, '') : content;
  return { status, fields: Object.fromEntries([...fields].sort()), text: text.replace(/\r\n$/, '') };
}

const HEAD = 'Host: a.example.com\r\nConnection: close\r\n';
const get = (target: string, fields = '', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${HEAD}${fields}\r\n`;

/** Of a foreign visitor, by a secret of each gateway. The site repeats it in its response. */
const FOREIGN_ADDRESS = /(?:192\.0\.2|203\.0\.113)\.\d+/g;

async function exchange(port: number, message: string): Promise<string> {
  const count = site.received.length;
  const response = read(await sendBytes(port, message).catch(() => ''));
  const text = JSON.stringify({ response, atSite: site.received.slice(count) });
  return text
    .replaceAll(String(port), 'PORT')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(FOREIGN_ADDRESS, 'FOREIGN');
}

/** Messages that reach a gateway. */
const MESSAGES: Readonly<Record<string, string>> = {
  'a path': get('/x?a=1&a=2'),
  'dot segments': get('/a/../x/./y'),
  'encoded dot segments': get('/a/%2e%2e/x'),
  'a path that leaves its root': get('/../../x'),
  'a way into the operations': get('/x/../-/health'),
  'a way out of the operations': get('/-/../x'),
  'an encoded operation': get('/%2d/health'),
  'two slashes': get('//x//y'),
  'a backslash': get('/a\\b'),
  'an invalid percent-encoding': get('/%zz'),
  'bytes of latin1': get('/caf\u00e9'),
  'a fragment': get('/x#y'),
  'a target in absolute form': get('http://a.example.com/x'),
  'a target in absolute form of another host': get('http://b.example.com/x'),
  'a target in absolute form of another scheme': get('https://a.example.com/x'),
  'a target in absolute form with a password': get('http://user:word@a.example.com/x'),
  'a TRACE': get('/x', 'Cookie: a=1\r\n', 'TRACE'),
  'an asterisk': get('*', '', 'OPTIONS'),
  'an unusual method': get('/x', '', 'PROPFIND'),
  'a HEAD': get('/x', '', 'HEAD'),
  'fields repeated': get('/x', 'X-A: 1\r\nx-a: 2\r\nAccept: text/html\r\nAccept: text/plain\r\n'),
  'cookies in two lines': get('/x', 'Cookie: a=1\r\nCookie: b=2\r\n'),
  'bytes in a field': get('/x', 'X-Bytes: caf\u00e9\r\n'),
  'two hosts': get('/x', 'Host: b.example.com\r\n'),
  'a host that is none': 'GET /x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
  'an empty host': 'GET /x HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n',
  'HTTP/1.0': 'GET /x HTTP/1.0\r\n\r\n',
  'a body': get('/x', 'Content-Type: text/plain\r\nContent-Length: 3\r\n', 'POST').concat('abc'),
  'a body in chunks': get('/x', 'Transfer-Encoding: chunked\r\n', 'POST').concat('3\r\nabc\r\n0\r\n\r\n'),
  'a body of a GET': get('/x', 'Content-Length: 3\r\n').concat('abc'),
  'an expectation': get('/x', 'Content-Length: 3\r\nExpect: x\r\n', 'PUT').concat('abc'),
  'a redirect': get('/moved'),
  'fields of a response': get('/fields'),
  'a response without content': get('/none'),
  'another status': get('/odd'),
  'a response in chunks': get('/chunks'),
  'a response that breaks off': get('/half'),
  'a site that breaks off': get('/gone'),
  health: get('/-/health'),
  'health, with HEAD': get('/-/health', '', 'HEAD'),
  'no such operation': get('/-/no'),
  'an operation without its token': get('/-/sites'),
  'an operation': get('/-/sites', 'Authorization: Bearer t\r\n'),
  'a purge': get('/-/purge', 'Authorization: Bearer t\r\nContent-Length: 12\r\n', 'POST').concat(
    '{"all":true}',
  ),
  'the console': get('/-/console/sign-in'),
  'a document that is none': get('/-/openapi.json'),
};

/** Each way in which an app hands requests to a gateway, but the first, in which none does. */
const WAYS: Readonly<Record<string, () => ServedApp>> = {
  'in an app': () => new Hono().route('/', create()),
  'beside a route': () => create((app) => void app.get('/own', (call) => call.text('own'))),
  'behind a middleware': () => create((app) => void app.use((_, next) => next())),
  'behind a middleware that changes the response': () =>
    create(
      (app) =>
        void app.use(async (call, next) => {
          await next();
          call.res.headers.delete('x-none');
        }),
    ),
  'behind one that replaces the request by a copy': () =>
    create(
      (app) =>
        void app.use((call, next) => {
          call.req.raw.headers.set('x-none', '1');
          call.req.raw.headers.delete('x-none');
          return next();
        }),
    ),
};

const VARYING: readonly string[] = ['bytes', 'duration', 'siteDuration', 'host', 'time', 'cause'];
const toFacts = (line: Line): Line =>
  Object.fromEntries(Object.entries(line).filter(([name]) => !VARYING.includes(name)));

/** The responses to all messages, and the lines of the log. */
async function exchangeAll(app: ServedApp): Promise<object> {
  const { lines, port, stop } = await start(app);
  const responses: Record<string, string> = {};
  for (const [name, message] of Object.entries(MESSAGES)) responses[name] = await exchange(port, message);
  await stop();
  return { responses, lines: lines.map(toFacts) };
}

/** Those of a gateway without app. */
let alone: object | undefined;

test.each(Object.entries(WAYS))(
  'a gateway %s responds as one without app, to any message',
  async (_, createApp) => {
    alone ??= await exchangeAll(create());
    expect(await exchangeAll(createApp())).toEqual(alone);
  },
);

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
function createMounting(addTo?: (app: Hono) => void): {
  readonly app: Hono;
  readonly seen: string[];
} {
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
    const post = async (path: string): Promise<unknown> => {
      const response = await request(path, { method: 'POST', body: 'content' });
      const { body, headers } = (await response.json()) as EchoSite['received'][0];
      return [body, headers['x-new'] ?? null];
    };
    expect(await post('/two/left')).toEqual(['content', null]);
    expect(await post('/two/read')).toEqual(['content', null]);
    expect(await post('/two/cloned')).toEqual(['content', null]);
    expect(await post('/two/replaced')).toEqual(['new', '1']);
  });
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

test('a request reaches the gateway below the path that the app finds by the normalised path', async () => {
  const outer = (app: Hono): Hono => {
    const gateway = create();
    return app.route('/one', gateway).route('/one/two', gateway).route('/three', gateway);
  };
  const short = await start(outer(new Hono()));
  const seen = await start(outer(new Hono().use((_, next) => next())));
  const targets = '/one/../three/x /%74hree/x /three\\x /three /threefold /one/two/x /x /three?a'.split(' ');
  for (const target of targets)
    expect(await exchange(short.port, get(target)), target).toBe(await exchange(seen.port, get(target)));
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

test.each([
  ['/about', true],
  ['/wp-json/core/v2/posts?page=1&q=%20', true],
  ['/wp-admin', false],
  ['/wp-admin/a.php', false],
  ['/own', false],
  // Targets whose path in a URL is another.
  ['/a/../wp-admin/', false],
  ['/%77p-admin/', false],
  ['//wp-admin/', false],
  ['http://localhost/about', false],
] as const)('a request for %s skips an app: %s', (target, skips) => {
  const app = new Hono().use('/wp-admin/*', (_, next) => next()).get('/own', (c) => c.text('own'));
  const served = new ServedGateway(app.route('/', create()));
  for (const method of ['GET', 'HEAD', 'POST']) {
    const isSeen = target !== '/own' || method !== 'POST';
    expect(served.find(method, target) !== null, method).toBe(skips || !isSeen);
  }
  const custom = new Hono({ getPath: () => '/wp-admin' }).route('/', create());
  expect(new ServedGateway(custom).find('GET', target)).toBe(null);
});
