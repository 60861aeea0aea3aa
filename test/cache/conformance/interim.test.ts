import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway } from '../../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../../src/node/index.ts';

/** RFC 9110 §15.2: "A proxy MUST forward 1xx responses", and the cache does not store them (RFC 9111 §3). */
let site: Server;
let server: RunningServer;

beforeAll(async () => {
  site = createServer((_incoming, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</styles.css>; rel=preload; as=style', 'x-mine': 'test' }, () => {
      response.setHeader('Cache-Control', 'max-age=60');
      response.end('final');
    });
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const gateway = createGateway({ sites: [{ url, discovery: 'off', passthrough: true }], cache: 'memory' });
  server = await serve(gateway, { port: 0, shutdownGrace: 200 });
});

afterAll(async () => {
  await server.stop();
  site.closeAllConnections();
  site.close();
});

interface ReceivedResponses {
  readonly interim: readonly (readonly [number, unknown, unknown])[];
  readonly status: string | undefined;
  readonly body: string;
}

function requestOnce(): Promise<ReceivedResponses> {
  return new Promise((resolve, reject) => {
    const interim: [number, unknown, unknown][] = [];
    const outgoing = request(server.url, { agent: false }, (incoming) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      incoming.on('end', () => resolve({ interim, status: String(incoming.headers['cache-status']), body }));
    });
    outgoing.on('information', ({ headers, statusCode }) =>
      interim.push([statusCode, headers['link'], headers['x-mine']]),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('interim responses reach the client, and only the final one is stored', async () => {
  const first = await requestOnce();
  expect(first).toMatchObject({
    interim: [
      [102, undefined, undefined],
      [103, '</styles.css>; rel=preload; as=style', 'test'],
    ],
    body: 'final',
  });
  expect(first.status).toContain('stored');

  const second = await requestOnce();
  expect(second).toMatchObject({ interim: [], body: 'final' });
  expect(second.status).toContain('hit');
});
