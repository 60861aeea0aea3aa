import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { useEchoSite } from '../support/echo-site.ts';
import { waitUntil } from '../support/wait.ts';
import { sendBytes, useProxies } from './serve-proxy.ts';

const TOKEN = 'the-token-of-the-tests';
const site = useEchoSite();

const { closing, start } = useProxies(() => site.origin);

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/-/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return response.text();
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('connections past the limit get 503 with Retry-After, and are counted and logged', async () => {
  const { lines, port, url } = await start({ admin: { token: TOKEN }, maxConnections: 2 });
  const sockets = [await open(port), await open(port)];
  const refused = await sendBytes(port, 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(refused).toContain('gateway_too_many_connections');
  expect(lines).toMatchObject([{ reason: 'limit', limit: 2, refused: 1 }]);
  for (const socket of sockets) socket.destroy();
  await waitUntil(async () =>
    /^waygate_connections_refused_total\{reason="limit"\} \d+$/m.test(await readMetrics(url)),
  );
  expect((await fetch(`${url}/x`)).status).toBe(200);
});
