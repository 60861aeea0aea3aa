import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** RFC 9110 §15.2: "A proxy MUST forward 1xx responses", and the cache does not store them (RFC 9111 §3). */
let site: TestServer;
let gateway: RunningGateway;

beforeAll(async () => {
  site = await startServer((_incoming, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</styles.css>; rel=preload; as=style', 'x-mine': 'test' }, () => {
      response.setHeader('Cache-Control', 'max-age=60');
      response.end('final');
    });
  });
  gateway = await startNodeGateway({
    sites: [{ url: site.origin, discovery: 'off', passthrough: true }],
    cache: 'memory',
  });
});

afterAll(async () => {
  await gateway.stop();
  await site.close();
});

interface ReceivedResponses {
  readonly interim: readonly (readonly [number, unknown, unknown])[];
  readonly status: string | undefined;
  readonly body: string;
}

function requestOnce(): Promise<ReceivedResponses> {
  return new Promise((resolve, reject) => {
    const interim: [number, unknown, unknown][] = [];
    const outgoing = request(gateway.origin, { agent: false }, (incoming) => {
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
