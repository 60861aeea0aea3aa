import { createServer, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchBodyRate } from '../../../src/base/http/body.ts';
import { type AccessLogEntry, serve } from '../../../src/gateway/node/index.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { useEchoSite } from '../../support/echo-site.ts';
import { BEARER, TOKEN } from '../../support/gateway.ts';
import { startServer } from '../../support/server.ts';
import { giveTurns, waitUntil } from '../../support/wait.ts';
import { sendBytes, useProxy } from './serve-proxy.ts';

const site = useEchoSite(({ url, headers }, response) => {
  if (url === '/moved') response.writeHead(302, { location: `http://${headers['host']}/there` }).end();
  else if (url === '/late') setTimeout(() => response.end('late'), 1_200);
  else if (url === '/stored') {
    const fields = { 'cache-control': 'max-age=600', 'x-odd': 'd\xe9j\xe0 vu', vary: 'X-A' };
    response.writeHead(200, { ...fields, 'content-length': '2000' }).end(Buffer.alloc(2_000, 's'));
  } else if (url === '/half') {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    void giveTurns(10).then(() => response.destroy());
  } else if (url === '/begun') {
    response.writeHead(200, { 'content-length': '100' }).write('begun');
  } else if (url === '/oversized-chunk') {
    // A size that no parser can hold, after a complete head.
    response.socket?.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\nx`);
  } else return false;
  return true;
});

const start = useProxy(() => site.origin);

describe('invalid input', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: a\r\n';
  const BOTH = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n';
  test.each([
    ['not HTTP at all', '\x16\x03\x01\r\n\r\n', 400, 'gateway_bad_request'],
    ['a length and chunks', BOTH, 400, 'gateway_bad_request'],
    ['too many lines', `${GET}${'a:\r\n'.repeat(2000)}\r\n`, 431, 'gateway_headers_too_large'],
    ['a version that is none', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'gateway_bad_request'],
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 501, 'gateway_not_supported'],
  ])('with %s gets a problem, is logged, and closes the connection', async (_, bytes, status, code) => {
    const { port, lines } = await start();
    const [head = '', body = ''] = (await sendBytes(port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('connection: close');
    expect(head).toContain('content-type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code });
    const logged = { client: '127.0.0.1', site: null, status, sent: status, refusal: code, msg: 'request' };
    expect(lines).toMatchObject([{ ...logged, bytes: body.length, cause: expect.any(String) }]);
  });

  test('does not change a response that has started', async () => {
    const { port } = await start();
    const response = await sendBytes(port, 'GET /half HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n');
    expect(response.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThan(2);
  });
});

test('invalid input in many chunks waits once for the response before it', async () => {
  const { port } = await start();
  const once = vi.spyOn(ServerResponse.prototype, 'once');
  onTestFinished(() => once.mockRestore());
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n'));
  const received = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
  });
  for (let count = 0; count < 20; count++) {
    await giveTurns(5);
    socket.write('\x01\x01');
  }
  expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(once.mock.calls.filter(([event]) => event === 'finish').length).toBeLessThanOrEqual(1);
});

// Node takes its listeners for `drain` and `timeout` from the connection of a tunnel.
test('a tunnel behind a response that has not ended closes the connection', async () => {
  const { lines, port } = await start();
  await sendBytes(port, 'GET /begun HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(lines).toMatchObject([{ path: '/begun', end: 'client' }]);
});

const X = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n';
const STORED = 'GET /stored HTTP/1.1\r\nHost: a\r\n';
const LATE = 'GET /late HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST = 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const UNREAD = `POST /-/purge HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n${`186a0\r\n${'x'.repeat(100_000)}\r\n`.repeat(30)}0\r\n\r\n`;
const UPLOAD = `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n${'x'.repeat(500_000)}`;

test.each([
  ['invalid input is refused after the responses before it', `${X}${X}\x01\x01`, '200 200 400'],
  ['invalid input behind a stored response is refused by itself', `${STORED}\r\n\x01\x01`, '200 400'],
  ['a body that an operation has not read does not block the next request', UNREAD + LAST, '400 200'],
  [
    'a stored response follows the 100 of its request',
    `${X}${STORED}Expect: 100-continue\r\n\r\n${LAST}`,
    '200 100 200 200',
  ],
  [
    'the idle timeout waits for the site, and for an upload whose turn comes',
    LATE + UPLOAD + LAST,
    '200 200 200',
  ],
])('pipelined: %s', async (_, bytes, statuses) => {
  const idleTimeout = bytes.startsWith(LATE) ? 600 : 60_000;
  const { port } = await start({ cache: 'memory' }, { server: { idleTimeout } });
  await sendBytes(port, `${STORED}Connection: close\r\n\r\n`);
  const received = await sendBytes(port, bytes);
  expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)?.join(' ')).toBe(statuses);
  const ids = received.match(/^x-request-id: .*/gim);
  expect(new Set(ids).size).toBe(statuses.replace('100 ', '').split(' ').length);
});

// nodejs/node#50850
test('a pipelined read does not overtake the write before it', async () => {
  const { port } = await start();
  const count = site.received.length;
  await sendBytes(port, `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc${LAST}`);
  expect(site.received.slice(count).map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('more than 128 pipelined requests that wait close their connection', async () => {
  const { lines, port } = await start();
  const count = site.received.length;
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  await sendBytes(port, get('/begun') + get('/x').repeat(1_000)).catch(() => '');
  await waitUntil(() => lines.length >= 129);
  expect(site.received.length - count).toBeLessThanOrEqual(130);
  expect(lines.length).toBeLessThanOrEqual(130);
  const last = get('/x').replace('Host', 'Connection: close\r\nHost');
  const received = await sendBytes(port, get('/x').repeat(128) + last);
  expect(received.match(/HTTP\/1\.1 200 /g)?.length).toBe(129);
});

test('up to 2000 lines of a header section reach the site', async () => {
  const listener = createServer(({ rawHeaders }, response) =>
    response.end(`has the last: ${rawHeaders.includes('Last')}`),
  );
  // Node drops lines after the thousandth by default.
  listener.maxHeadersCount = 0;
  const { close, origin } = await startServer(listener);
  const { port } = await start({}, { url: origin });
  const lines = `Connection: close\r\n${'a:\r\n'.repeat(1900)}Last: z\r\n`;
  const response = await sendBytes(port, `GET /x HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 200 .*has the last: true/s);
  await close();
});

test('a response that breaks off before its first byte of content gets a 502', async () => {
  const { lines, request } = await start();
  const response = await request('/oversized-chunk');
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ status: 502 });
  await waitUntil(() => lines.length === 1);
  expect(lines).toMatchObject([{ status: 502, failure: 'connection-broken' }]);
});

describe('a body that arrives too slowly', () => {
  const useFakeIntervals = (): void => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  };

  test.each([
    ['that stops', 'Content-Length: 10\r\n\r\nabc'],
    ['of which no byte arrives', 'Content-Length: 10\r\n\r\n'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('%s gets a 408', async (_, rest) => {
    const { port, lines } = await start();
    useFakeIntervals();
    const response = sendBytes(port, `POST /x HTTP/1.1\r\nHost: a\r\n${rest}`);
    await waitUntil(() => vi.getTimerCount() === 1);
    vi.advanceTimersByTime(60_000);
    const [head = '', body = ''] = (await response).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(body)).toMatchObject({ code: 'gateway_request_timeout' });
    await waitUntil(() => lines.length === 1);
    expect(lines).toMatchObject([{ status: 408, path: '/x' }]);
  });

  test('because the site does not read it is not refused', async () => {
    useFakeIntervals();
    const socket = { bytesRead: 0 };
    const of = {
      complete: false,
      destroyed: false,
      readableHighWaterMark: 65_536,
      socket,
      once: vi.fn().mockReturnThis(),
    };
    const body = { ...of, readableLength: 65_536 };
    let isRefused = false;
    watchBodyRate(body, () => {
      isRefused = true;
    });
    await giveTurns(1);
    vi.advanceTimersByTime(300_000);
    expect(isRefused).toBe(false);
    body.readableLength = 0;
    vi.advanceTimersByTime(60_000);
    expect(isRefused).toBe(true);
  });
});

test('a client that sends no Host, as in HTTP/1.0, gets URLs of the gateway', async () => {
  const { port } = await start();
  expect(await sendBytes(port, 'GET /moved HTTP/1.0\r\n\r\n')).toContain(
    `\r\nlocation: http://127.0.0.1:${port}/there\r\n`,
  );
});

/** The lines of a head, without those that differ between two hits or that the connection decides. */
const listFields = (head: string): string[] =>
  head
    .split('\r\n')
    .filter((line) => !/^(?:age|cache-status|connection|keep-alive|x-request-id):/i.test(line));

test('a stored response is the same on a connection that stays open, of pipelined requests, and on one that closes', async () => {
  const { lines, origin: url, port, read } = await start({ cache: 'memory' });
  await read('/stored');
  const get = 'GET /stored HTTP/1.1\r\nHost: a\r\n';
  const kept = `${get}\r\n`;
  const received = await sendBytes(
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

test('the access log reports that a response broke off, and the metrics count it by side', async () => {
  const { lines, read, readMetrics, request } = await start();
  await expect(read('/half')).rejects.toThrow();
  const leaving = new AbortController();
  await request('/begun', { signal: leaving.signal });
  leaving.abort();
  await waitUntil(() => lines.length === 2);
  expect(lines).toMatchObject([
    { path: '/half', status: 502, failure: 'connection-broken' },
    { path: '/begun', status: 499 },
  ]);
  const broken = (await readMetrics()).match(/^waygate_responses_broken_total.*/gm);
  expect(broken).toEqual([
    'waygate_responses_broken_total{site="default",side="site"} 1',
    'waygate_responses_broken_total{site="default",side="client"} 1',
  ]);
});

test('each pipelined request of a client that leaves is logged, and no longer active', async () => {
  const { lines, port, readMetrics } = await start();
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
    setTimeout(() => socket.destroy(), 100);
  });
  await waitUntil(() => lines.length === 3);
  expect(lines.map(({ status }) => status)).toEqual([499, 499, 499]);
  expect(await readMetrics()).toMatch(/^http_server_active_requests 1$/m);
});

test('a stop that cuts off a response sends no other into it', async () => {
  const { port, stop } = await start({ shutdownGrace: 50 });
  let received = '';
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /begun HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n');
  });
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  await waitUntil(() => received.endsWith('begun'));
  await stop();
  expect(received).toMatch(/^HTTP\/1\.1 200 .*begun$/s);
});

test('an unused connection does not delay a stop', async () => {
  // Longer than the timeout of the test.
  const { port, stop } = await start({ shutdownGrace: 600_000 });
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve).resume());
  await stop();
  await closed;
});

test('a stopped server reports nothing', async () => {
  const { gateway, stop } = await start();
  const readSeries = async () => {
    const metrics = await gateway.app.request('/-/metrics', { headers: BEARER });
    const text = await metrics.text();
    expect(text).toContain('# TYPE');
    return text.match(/^(?:http_server_active_requests|process_open_fds|waygate_connections_open) /gm) ?? [];
  };
  expect(await readSeries()).toContain('http_server_active_requests ');
  await stop();
  expect(await readSeries()).toEqual([]);
});

test.each([
  ['an operation with a wrong token', 'GET /-/sites HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 401],
  ['no operation', 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
  ['no method', 'G@T / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a field that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(90_000)}\r\n\r\n`, 431],
  ['a trace', 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
  ['an asterisk', 'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
])('the port of the operations answers as the public one: %s', async (_, bytes, status) => {
  const { gateway } = await start({ admin: { port: 0, token: TOKEN } });
  const entries: AccessLogEntry[] = [];
  const server = await serve({ gateway, port: 0, access: (entry) => void entries.push(entry) });
  closeAfterTest(() => server.stop());
  const received = await sendBytes(Number(new URL(server.adminUrl ?? '').port), bytes);
  const [head = '', body = ''] = received.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^date: /im);
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(JSON.parse(body)).toMatchObject({ data: { status } });
  const [, requestId] = /^x-request-id: (.+)\r$/im.exec(`${head}\r`) ?? [];
  expect(entries).toMatchObject([{ requestId, status, site: null }]);
});
