import type { LookupFunction } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DispatchTransport } from '../../src/upstream/dispatch-transport.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { CollectingSink, type TestResponse } from './support/test-transports.ts';

/** Starts two servers on the same port of two addresses, and a transport to a name that has the first address. */
async function start(maxConnectionAge: number) {
  const one = await startServer((_request, response) => response.end('one'));
  const other = await startServer((_request, response) => response.end('other'), {
    host: '127.0.0.2',
    port: one.port,
  });
  let address = '127.0.0.1';
  let lookups = 0;
  const lookup: LookupFunction = (_name, { all }, done) => {
    lookups += 1;
    if (all === true) done(null, [{ address, family: 4 }]);
    else done(null, address, 4);
  };
  const transport = new DispatchTransport({
    origin: `http://site.example.com:${one.port}`,
    lookup,
    maxConnectionAge,
  });
  onTestFinished(async () => {
    await transport.destroy();
    await Promise.all([one, other].map((server: TestServer) => server.close()));
  });
  return {
    transport,
    lookups: () => lookups,
    moveName(): void {
      address = '127.0.0.2';
    },
  };
}

async function request(transport: DispatchTransport): Promise<string> {
  const { body } = await new Promise<TestResponse>((resolve) => {
    const sink = new CollectingSink(() => undefined, resolve);
    transport.send({ method: 'GET', target: '/', headers: [], body: null, retryable: true }, sink);
  });
  return Buffer.from(body).toString();
}

test('a busy connection ends at its age, so that the name is looked up again', async () => {
  const { lookups, moveName, transport } = await start(20);
  expect(await request(transport)).toBe('one');
  moveName();
  // A second connection may have been opened before the first one ends.
  await waitUntil(async () => {
    const served: string[] = [];
    for (let count = 0; count < 20; count += 1) served.push(await request(transport));
    return served.every((name) => name === 'other');
  });
  expect(lookups()).toBeGreaterThan(1);
});
