import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';
import { useProxy } from './serve-proxy.ts';

let upgrades = 0;
const server = createServer((request, response) => {
  void text(request).then((content) => response.end(`ordinary ${content}`));
});
server.on('upgrade', (_, socket: Socket) => {
  upgrades += 1;
  socket.destroy();
});
const site = await startServer(server);
afterAll(site.close);

const start = useProxy(() => site.origin);

/** Sends a request, with bytes behind it. */
function open(port: number, target: string, fields: object, rest: string, method: string) {
  const socket = connect(port, '127.0.0.1');
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
  closeAfterTest(() => socket.destroy());
  return { socket, received: () => received, isClosed: () => isClosed };
}

const OFFER = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQ' };
const H2C = { Host: 'a', ...OFFER };
const NEXT = 'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

// The client of Java 11 and later offers h2c with its first request, whatever that is.
test.each([
  ['GET', {}, '', ''],
  ['POST', { 'Content-Length': '3' }, 'abc', 'abc'],
  ['POST', { 'Transfer-Encoding': 'chunked' }, '3\r\nabc\r\n0\r\n\r\n', 'abc'],
])(
  'a request for another protocol is an ordinary %s with %j, on a connection that goes on',
  async (method, fields, content, echoed) => {
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
    expect(upgrades).toBe(0);
  },
);
