import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { getGatewayInternals } from '../../src/gateway/gateway.ts';
import { handleHead } from '../../src/gateway/handle.ts';
import { createGateway, type Log, type SiteOptions } from '../../src/gateway/index.ts';
import { type RunningServer, type ServeOptions, serve } from '../../src/node/index.ts';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { startServer, unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

type Line = Readonly<Record<string, unknown>>;

let site: EchoSite;
const running = new Set<RunningServer>();

beforeAll(async () => {
  site = await startEchoSite(({ url, headers }, response) => {
    if (url === '/moved') response.writeHead(302, { location: `http://${headers['host']}/there` }).end();
    else if (url === '/late') setTimeout(() => response.end('late'), 700);
    else if (url === '/stored' || url === '/stored-in-chunks') {
      const length = url === '/stored' ? { 'content-length': '2000' } : {};
      const fields = { 'cache-control': 'max-age=600', 'x-odd': 'd\xe9j\xe0 vu', vary: 'X-A', ...length };
      response.writeHead(200, fields).end(Buffer.alloc(2_000, 's'));
    } else if (url === '/half') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    } else if (url === '/oversized-chunk') {
      // A size that no parser can hold, after a complete head.
      response.socket?.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\nx`);
    } else return false;
    return true;
  });
});
afterEach(async () => {
  await Promise.all(Array.from(running, (server) => server.stop()));
  running.clear();
});
afterAll(() => site.close());

const TOKEN = 'the-token-of-the-tests';

/** Starts a reverse proxy for the site on a free port. */
async function startProxy(
  options: ServeOptions = {},
  more: readonly SiteOptions[] = [],
  cache: 'off' | 'memory' = 'off',
): Promise<{ url: string; port: number; lines: Line[] }> {
  const lines: Line[] = [];
  const note = (facts: object, msg: string): void => void lines.push({ ...facts, msg });
  const log: Log = { info: note, warn: note, error: note };
  const plain: SiteOptions = { url: site.origin, discovery: 'off', passthrough: true };
  const gateway = createGateway({ sites: [plain, ...more], cache, admin: { token: TOKEN } });
  const server = await serve(gateway, {
    port: 0,
    log,
    ...options,
  });
  running.add(server);
  return { url: server.url, port: Number(new URL(server.url).port), lines };
}

/** Sends raw bytes, and returns everything until the connection is closed. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', reject).on('close', () => resolve(received));
  });
}

describe('invalid input', () => {
  test.each([
    ['not HTTP at all', 'GARBAGE\r\n\r\n', 400, 'gateway_bad_request'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'gateway_bad_request',
    ],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 400, 'gateway_bad_request'],
    [
      'too many bytes of headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'gateway_headers_too_large',
    ],
    ['an incomplete head', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'gateway_request_timeout'],
  ])(
    'with %s gets a problem response, is logged, and closes the connection',
    async (_, bytes, status, code) => {
      const { port, lines } = await startProxy({ idleTimeout: 300 });
      const [head = '', body = ''] = (await sendRaw(port, bytes)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toContain('content-type: application/problem+json');
      expect(JSON.parse(body)).toMatchObject({ status, code });
      expect(lines).toMatchObject([{ client: '127.0.0.1', status, msg: 'invalid request' }]);
    },
  );

  test('does not change a response that has started', async () => {
    const { port } = await startProxy();
    const response = await sendRaw(port, 'GET /half HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n');
    expect(response.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThan(2);
  });
});

describe('the lines of a header section', () => {
  const request = (count: number): string =>
    `GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'a:\r\n'.repeat(count)}Last: z\r\n\r\n`;

  test('all reach the site', async () => {
    const listener = createServer(({ rawHeaders }, response) =>
      response.end(`has the last: ${rawHeaders.includes('Last')}`),
    );
    // Node drops lines after the thousandth by default.
    listener.maxHeadersCount = 0;
    const { close, origin } = await startServer(listener);
    const { port } = await startProxy({}, [{ name: 'it', url: origin, discovery: 'off', passthrough: true }]);
    const response = await sendRaw(port, request(1900).replace('/x', '/it/x'));
    expect(response).toContain('has the last: true');
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    await close();
  });

  test('are refused if there are too many of them', async () => {
    const { port, lines } = await startProxy();
    const [head = '', body = ''] = (await sendRaw(port, request(2000))).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(body)).toMatchObject({ code: 'gateway_headers_too_large' });
    expect(lines).toMatchObject([{ client: '127.0.0.1', status: 431, msg: 'invalid request' }]);
  });
});

test('a response that breaks off before its first byte of content gets a 502', async () => {
  const { url, lines } = await startProxy();
  const response = await fetch(`${url}/oversized-chunk`);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ status: 502 });
  await waitUntil(() => lines.length === 1);
  expect(lines).toMatchObject([{ status: 502, failure: 'connection-broken' }]);
});

describe('a body that arrives too slowly', () => {
  test.each([
    ['that stops', 'Content-Length: 10\r\n\r\nabc'],
    ['of which no byte arrives', 'Content-Length: 10\r\n\r\n'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('%s gets a 408', async (_, rest) => {
    const { port, lines } = await startProxy({ bodyRate: { period: 100 } });
    const [head = '', body = ''] = (await sendRaw(port, `POST /x HTTP/1.1\r\nHost: a\r\n${rest}`)).split(
      '\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(body)).toMatchObject({ code: 'gateway_request_timeout' });
    await waitUntil(() => lines.length === 1);
    expect(lines).toMatchObject([{ status: 408, path: '/x' }]);
  });

  test('because the site does not read it is not refused', async () => {
    const { port } = await startProxy({ bodyRate: { period: 100 } });
    const length = 16 * 1024 * 1024;
    const bytes = `POST /unread HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    expect(await sendRaw(port, bytes + 'x'.repeat(length))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the idle timeout', () => {
  test('does not apply while the gateway waits for the site', async () => {
    const { url } = await startProxy({ idleTimeout: 200 });
    expect(await (await fetch(`${url}/late`)).text()).toBe('late');
  });

  test('closes the connection of a client that stops within a body', async () => {
    const { port } = await startProxy({ idleTimeout: 200 });
    // Ends when the connection is closed.
    await sendRaw(port, 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
  });
});

describe('a client', () => {
  test('that sends no Host, as in HTTP/1.0, gets URLs of the gateway', async () => {
    const { port } = await startProxy();
    expect(await sendRaw(port, 'GET /moved HTTP/1.0\r\n\r\n')).toContain(
      `\r\nlocation: http://127.0.0.1:${port}/there\r\n`,
    );
  });

  test('that sends no Host reaches the operations of the gateway: load balancers probe so', async () => {
    const { port } = await startProxy();
    expect(await sendRaw(port, 'GET /-/ready HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('with an unknown expectation gets a response', async () => {
    const { port } = await startProxy();
    const response = await sendRaw(
      port,
      'GET /x HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
    );
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).not.toContain('"expect"');
  });
});

describe('a stored response', () => {
  /** The lines of a head, without those that differ between two hits or that the connection decides. */
  const listFields = (head: string): string[] =>
    head
      .split('\r\n')
      .filter((line) => !/^(?:age|cache-status|connection|keep-alive|x-request-id):/i.test(line));

  test('is the same on a connection that stays open, of pipelined requests, and on one that closes', async () => {
    const { port, url, lines } = await startProxy({}, [], 'memory');
    await (await fetch(`${url}/stored`)).text();
    const get = 'GET /stored HTTP/1.1\r\nHost: a\r\n';
    const kept = `${get}\r\n`;
    const received = await sendRaw(
      port,
      `${kept}${kept}${get}Connection: close\r\n\r\n`.replaceAll('Host: a', `Host: ${new URL(url).host}`),
    );
    const responses = received.split(/(?=HTTP\/1\.1 )/).map((text) => text.split('\r\n\r\n'));
    expect(responses.map(([, body]) => body)).toEqual(Array(3).fill('s'.repeat(2_000)));
    const [first = '', second = '', last = ''] = responses.map(([head]) => head);
    expect(listFields(first)).toEqual(listFields(last));
    expect(listFields(second)).toEqual(listFields(last));
    expect(first).toContain('x-odd: d\xe9j\xe0 vu');
    expect(first.match(/^(?:Connection|Keep-Alive): .*/gm)).toEqual(
      second.match(/^(?:Connection|Keep-Alive): .*/gm),
    );
    expect(last).toMatch(/\r\nConnection: close/);
    for (const head of [first, second, last]) expect(head).toMatch(/\r\nAge: \d+\r\n/);
    await waitUntil(() => lines.length === 4);
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('has a length, even if the site has sent it in chunks', async () => {
    const { url } = await startProxy({}, [], 'memory');
    await (await fetch(`${url}/stored-in-chunks`)).text();
    const hit = await fetch(`${url}/stored-in-chunks`);
    expect(await hit.text()).toBe('s'.repeat(2_000));
    expect(hit.headers.get('content-length')).toBe('2000');
  });
});

describe('the access log reports', () => {
  test('that the site broke off its response', async () => {
    const { url, lines } = await startProxy();
    await expect((await fetch(`${url}/half`)).text()).rejects.toThrow();
    await waitUntil(() => lines.length === 1);
    expect(lines).toMatchObject([{ path: '/half', status: 200, failure: 'connection-broken' }]);
  });

  test('that the site was unreachable, with the cause', async () => {
    const url = await unreachableOrigin();
    const gateway = await startProxy({}, [{ name: 'down', url, discovery: 'off', passthrough: true }]);
    expect((await fetch(`${gateway.url}/down/x`)).status).toBe(502);
    await waitUntil(() => gateway.lines.length === 1);
    expect(gateway.lines).toMatchObject([
      { status: 502, failure: 'refused', cause: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  test('that the client disconnected', async () => {
    const { url, lines } = await startProxy();
    await expect(fetch(`${url}/late`, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    await waitUntil(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ path: '/late', status: 499 });
    expect(lines[0]).not.toHaveProperty('failure');
    const metrics = await fetch(`${url}/-/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await metrics.text()).toContain('waygate_requests_total{mount="/",status="4xx",cache="none"} 1\n');
  });
});

test('a client that leaves within a body is logged once', async () => {
  const { port, lines } = await startProxy();
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    setTimeout(() => socket.end(), 100);
  });
  await waitUntil(() => lines.length > 0 && socket.destroyed);
  await sleep(100);
  expect(lines).toMatchObject([{ msg: 'request', status: 499 }]);
});

test('an unused connection does not delay a stop', async () => {
  // Longer than the timeout of the test.
  const { port } = await startProxy({ shutdownGrace: 600_000 });
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve).resume());
  await Promise.all(Array.from(running, (server) => server.stop()));
  await closed;
});

test('an exception while a head is handled gives a 500, and does not affect other requests', async () => {
  const gateway = createGateway({ sites: [{ url: site.origin, discovery: 'off', passthrough: true }] });
  const { context } = getGatewayInternals(gateway);
  expect(handleHead(context, { ...HEAD, target: '/x' }).kind).toBe('site');
  const broken = {
    ...HEAD,
    get target(): string {
      throw new Error('no target');
    },
  };
  const failed = handleHead(context, broken);
  if (failed.kind !== 'local') throw new Error('the request was forwarded');
  expect((await failed.respond(new Request('http://a/'))).status).toBe(500);
});

const HEAD = {
  method: 'GET',
  target: '/',
  headers: ['Host', 'a'],
  peerAddress: '127.0.0.1',
  protocol: 'http',
  httpVersion: '1.1',
} as const;
