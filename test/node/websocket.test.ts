import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { nodeTransport } from '../../src/node/index.ts';
import { writeCertificate } from '../support/certificates.ts';
import { startServer, type TestServer, unreachableOrigin } from '../support/server.ts';
import { readSmallIndex } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';
import { useProxies } from './serve-proxy.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const ACCEPT = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
const index = JSON.stringify(readSmallIndex());

let site: TestServer;
const handshakes: IncomingMessage[] = [];
const siteSockets = new Set<Socket>();

beforeAll(async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/wp-json/'))
      response.setHeader('Content-Type', 'application/json').end(index);
    else if (request.url === '/late') setTimeout(() => response.end('ordinary'), 100);
    else void text(request).then((content) => response.end(`ordinary ${content}`));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    handshakes.push(request);
    siteSockets.add(socket);
    socket.on('error', () => {}).on('close', () => siteSockets.delete(socket));
    if (request.url === '/declined') socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\nsecret');
    else if (request.url === '/ignored') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    else if (request.url === '/silent') socket.on('end', () => socket.end()).resume();
    else {
      const fields = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${ACCEPT}\r\nSet-Cookie: a=1`;
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n\r\n`);
      if (request.url === '/bye') socket.end('bye'.repeat(100_000));
      else {
        socket.write(head);
        socket.pipe(socket);
      }
    }
  });
  site = await startServer(server);
});
afterAll(() => site.close());

const proxies = useProxies(() => site.origin);
const { closing } = proxies;
const start: typeof proxies.start = (options, more) =>
  proxies.start({ shutdownGrace: 100, ...options }, more);
afterEach(() => void handshakes.splice(0));

const FIELDS = {
  Host: 'www.example.com',
  Connection: 'keep-alive, Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': KEY,
};

interface Client {
  readonly socket: Socket;
  /** Everything so far. */
  readonly received: () => string;
  readonly isClosed: () => boolean;
}

/** Sends a request, with bytes behind it. */
function open(
  port: number,
  target: string,
  fields: object = FIELDS,
  rest = '',
  method = 'GET',
  isTls = false,
): Client {
  const socket = isTls
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${rest}`);
  closing.push(() => socket.destroy());
  return { socket, received: () => received, isClosed: () => isClosed };
}

/** The status of a response that the gateway closes its connection after, and the code of its problem. */
async function refusal(client: Client): Promise<readonly [status: number, code: unknown]> {
  await waitUntil(client.isClosed);
  const [head = '', body = ''] = client.received().split('\r\n\r\n');
  return [Number(head.split(' ')[1]), (JSON.parse(body) as { code: unknown }).code];
}

const isOpen = (client: Client): boolean => /^HTTP\/1\.1 101 .*?\r\n\r\n/s.test(client.received());

describe.each([false, true])('a WebSocket connection of a page (TLS: %s)', (isTls) => {
  test('is relayed in both directions, with the fields of other requests', async () => {
    const files = await writeCertificate('127.0.0.1');
    closing.push(files.remove);
    const { lines, port } = await start(isTls ? { tls: files } : {});
    const fields = {
      ...FIELDS,
      Cookie: 'a=1',
      Origin: 'https://www.example.com',
      'X-Forwarded-For': '192.0.2.1',
      'Sec-WebSocket-Protocol': 'chat',
    };
    const client = open(port, '/chat?a=b', fields, 'early', 'GET', isTls);
    await waitUntil(() => client.received().endsWith('early'));
    const [head = ''] = client.received().split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head.toLowerCase()).toContain('connection: upgrade');
    expect(head.match(/^(?:upgrade|connection):/gim)?.length).toBe(2);
    expect(head).toContain(`Sec-WebSocket-Accept: ${ACCEPT}`);
    expect(head).toContain('Set-Cookie: a=1');
    expect(handshakes[0]).toMatchObject({
      url: '/chat?a=b',
      headers: {
        cookie: 'a=1',
        origin: 'https://www.example.com',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'www.example.com',
        'x-forwarded-proto': isTls ? 'https' : 'http',
        'sec-websocket-protocol': 'chat',
        connection: 'Upgrade',
      },
    });
    const before = client.received().length;
    client.socket.write('x'.repeat(1_000_000));
    await waitUntil(() => client.received().length === before + 1_000_000);
    client.socket.end();
    await waitUntil(() => siteSockets.size === 0 && client.isClosed());
    await waitUntil(() => lines.some(({ path }) => path === '/chat'));
    expect(lines.find(({ path }) => path === '/chat')).toMatchObject({ status: 101 });
  });
});

test('is made to the address of the URL, with the host that the site sees', async () => {
  const { port } = await start({ transport: nodeTransport }, { upstream: { host: 'site.example.com' } });
  const client = open(port, '/chat');
  await waitUntil(() => isOpen(client));
  expect(handshakes[0]?.headers.host).toBe('site.example.com');
});

test('what the site has sent before it closes arrives', async () => {
  const { port } = await start();
  const client = open(port, '/bye');
  await waitUntil(client.isClosed);
  expect(client.received().split('\r\n\r\n')[1]?.length).toBe(300_000);
});

describe('is refused with a problem', () => {
  const OLD_VERSION = { ...FIELDS, 'Sec-WebSocket-Version': '8' };
  const AMBIGUOUS = { ...FIELDS, Connection: 'Upgrade, Host' };
  const IMPATIENT = { webSockets: { handshakeTimeout: 100 } };
  test.each<[string, Partial<SiteOptions>, string, object, number, string]>([
    ['without passthrough', { passthrough: false }, '/chat', FIELDS, 404, 'gateway_not_found'],
    ['with none allowed', { webSockets: { connections: 0 } }, '/chat', FIELDS, 501, 'gateway_no_websocket'],
    ['for a page that writes', { discovery: 'auto' }, '/wp-cron.php', FIELDS, 501, 'gateway_no_websocket'],
    ['for a route', { discovery: 'auto' }, '/wp-json/core/v2/posts', FIELDS, 501, 'gateway_no_websocket'],
    ['of another version', {}, '/chat', OLD_VERSION, 426, 'gateway_websocket_version'],
    ['without a key', {}, '/chat', { ...FIELDS, 'Sec-WebSocket-Key': '' }, 400, 'gateway_bad_handshake'],
    ['with content', {}, '/chat', { ...FIELDS, 'Content-Length': '3' }, 400, 'gateway_bad_request'],
    ['with an ambiguous head', {}, '/chat', AMBIGUOUS, 400, 'gateway_bad_connection'],
    ['for another host', { hosts: ['blog.example.com'] }, '/chat', FIELDS, 421, 'gateway_misdirected'],
    ['that the site declines', {}, '/declined', FIELDS, 403, 'gateway_websocket_declined'],
    ['that the site ignores', {}, '/ignored', FIELDS, 502, 'gateway_websocket_declined'],
    ['that the site does not answer', IMPATIENT, '/silent', FIELDS, 504, 'gateway_timeout'],
  ])('%s', async (_, more, target, fields, status, code) => {
    const { port } = await start({}, more);
    const client = open(port, target, fields);
    expect(await refusal(client)).toEqual([status, code]);
    expect(client.received()).not.toContain('secret');
  });

  test('of a site that cannot be reached', async () => {
    const { lines, port } = await start({}, { url: await unreachableOrigin() });
    expect(await refusal(open(port, '/chat'))).toEqual([502, 'gateway_refused']);
    expect(lines.at(-1)).toMatchObject({ status: 502, failure: 'refused' });
  });
});

describe('the limit', () => {
  test.each([
    ['of a client', { perClient: 2 }, 429, 'gateway_websockets_of_client'],
    ['of the site', { connections: 2 }, 503, 'gateway_websockets_full'],
  ])('%s holds until a connection is closed', async (_, webSockets, status, code) => {
    const { port } = await start({}, { webSockets });
    const clients = [open(port, '/chat'), open(port, '/chat')];
    await waitUntil(() => clients.every(isOpen));
    expect(await refusal(open(port, '/chat'))).toEqual([status, code]);
    clients[0]?.socket.destroy();
    await waitUntil(() => siteSockets.size === 1);
    const next = open(port, '/chat');
    await waitUntil(() => isOpen(next));
  });
});

test('a handshake takes a place of the site until it is answered', async () => {
  const concurrency = { max: 1, queue: 1, wait: 200 };
  const { port } = await start({}, { concurrency, webSockets: { handshakeTimeout: 600_000 } });
  const first = open(port, '/silent');
  await waitUntil(() => handshakes.length === 1);
  const waiting = open(port, '/chat');
  expect(await refusal(open(port, '/chat'))).toEqual([503, 'gateway_overloaded']);
  expect(await refusal(waiting)).toEqual([503, 'gateway_overloaded']);
  first.socket.destroy();
  await waitUntil(() => siteSockets.size === 0);
  // An open connection takes none.
  for (let count = 0; count < 2; count += 1) {
    const client = open(port, '/chat');
    await waitUntil(() => isOpen(client));
  }
  expect(handshakes.map(({ url }) => url)).toEqual(['/silent', '/chat', '/chat']);
});

test('a client that leaves during the handshake leaves no connection to the site', async () => {
  // Longer than the test waits.
  const { port } = await start({}, { webSockets: { handshakeTimeout: 600_000 } });
  const client = open(port, '/silent');
  await waitUntil(() => siteSockets.size === 1);
  client.socket.destroy();
  await waitUntil(() => siteSockets.size === 0);
});

test.each([
  ['a handshake', FIELDS, /ordinaryHTTP\/1\.1 101 /],
  ['a request for h2c', { ...FIELDS, Upgrade: 'h2c' }, /ordinaryHTTP\/1\.1 200 .*ordinary /s],
])('%s that is pipelined waits for the response before it', async (_, fields, expected) => {
  const { port } = await start();
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const client = open(port, '/late', { Host: 'a' }, `GET /chat HTTP/1.1\r\n${lines.join('')}\r\n`);
  await waitUntil(() => expected.test(client.received()));
});

describe('a request for another protocol', () => {
  const OFFER = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQ' };
  const H2C = { Host: 'a', ...OFFER };
  const NEXT = 'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  // The client of Java 11 and later offers h2c with its first request, whatever that is.
  test.each([
    ['GET', {}, '', ''],
    ['POST', { 'Content-Length': '3' }, 'abc', 'abc'],
    ['POST', { 'Transfer-Encoding': 'chunked' }, '3\r\nabc\r\n0\r\n\r\n', 'abc'],
  ])('is an ordinary %s with %j, on a connection that goes on', async (method, fields, content, echoed) => {
    const { lines, port } = await start();
    const client = open(port, '/x', { ...H2C, ...fields }, content, method);
    await waitUntil(() => lines.length === 1);
    client.socket.write(NEXT);
    await waitUntil(client.isClosed);
    const bodies = client.received().matchAll(/ordinary (abc|)/g);
    expect(Array.from(bodies, ([, body]) => body)).toEqual([echoed, '']);
    expect(lines).toMatchObject([
      { method, path: '/x', status: 200 },
      { method: 'GET', path: '/next', status: 200 },
    ]);
    expect(handshakes).toEqual([]);
  });

  // Later versions of Node do not give up their parser for it.
  const isPutBack = Number.parseInt(process.versions.node, 10) < 22;
  test.runIf(isPutBack)('closes the connection when it comes again', async () => {
    const { lines, port } = await start();
    const client = open(port, '/x', H2C);
    await waitUntil(() => lines.length === 1);
    const fields = Object.entries(H2C).map(([name, value]) => `${name}: ${value}\r\n`);
    client.socket.write(`GET /y HTTP/1.1\r\n${fields.join('')}\r\n${NEXT}`);
    await waitUntil(client.isClosed);
    expect(lines.map(({ path }) => path)).toEqual(['/x', '/y']);
  });
});
