import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { useEchoSite } from '../../support/echo-site.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { giveTurns, waitUntil, waitUntilClosed } from '../../support/wait.ts';
import { useProxy } from './serve-proxy.ts';

const site = useEchoSite();
let server: TestGateway | undefined;

/**
 * A client in a thread of its own, so that its bytes arrive while the event loop of the server is blocked. It writes each
 * part to each of its connections, and says so in `written`.
 */
const CLIENT = `
  const { workerData: { port, count, parts, written, proceed }, parentPort } = require('node:worker_threads');
  const { connect } = require('node:net');
  const signal = (array) => { Atomics.add(array, 0, 1); Atomics.notify(array, 0); };
  const received = [];
  const write = (part, done) => {
    let left = sockets.length;
    // The callback of a write is called when the kernel has the bytes.
    for (const socket of sockets) socket.write(part, () => { if (--left === 0) done(); });
  };
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect(port, '127.0.0.1');
    received[at] = '';
    socket.on('data', (chunk) => { received[at] += chunk; });
    socket.on('error', (error) => { received[at] += error.code; });
    socket.on('close', () => { if (sockets.every((each) => each.destroyed)) parentPort.postMessage(received); });
    return socket;
  });
  const next = (at) => {
    if (at === parts.length) return;
    Atomics.wait(proceed, 0, at);
    write(parts[at], () => { signal(written); next(at + 1); });
  };
  let connected = 0;
  for (const socket of sockets) socket.once('connect', () => { if (++connected === count) next(0); });
`;

interface Client {
  /** Writes the next part while this thread is blocked. */
  writeBlocking(): void;
  write(): void;
  /** What each connection received until it was closed. */
  readonly received: Promise<readonly string[]>;
}

/** The parts must differ in number from what the worker waits for: `proceed` counts the parts that it may write. */
function startClient(port: number, parts: readonly string[], count = 1): Client {
  const written = new Int32Array(new SharedArrayBuffer(4));
  const proceed = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(CLIENT, { eval: true, workerData: { port, count, parts, written, proceed } });
  const received = new Promise<readonly string[]>((resolve, reject) => {
    worker.on('message', resolve).on('error', reject);
  });
  const write = (): number => {
    const before = Atomics.load(written, 0);
    Atomics.add(proceed, 0, 1);
    Atomics.notify(proceed, 0);
    return before;
  };
  return {
    received,
    write: () => void write(),
    writeBlocking() {
      if (Atomics.wait(written, 0, write(), 60_000) === 'timed-out')
        throw new Error('the client has not written in time');
      // On a busy machine the kernel delivers later what it has taken.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    },
  };
}

const startProxy = useProxy(() => site.origin);
async function start(options: { readonly idleGrace?: number } = {}): Promise<number> {
  server = await startProxy(options);
  return server.port;
}

const REQUEST = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a stop finishes', () => {
  test('requests on connections that are not accepted yet', async () => {
    const client = startClient(await start(), [REQUEST], 40);
    client.writeBlocking();
    await server?.stop();
    const received = await client.received;

    expect(received.filter((each) => each.startsWith('HTTP/1.1 200 ')).length).toBe(40);
  });

  test.each([
    ['an idle connection', 1],
    ['a connection that waits for another response', 0],
  ])('a request that has arrived on %s', async (_, answered) => {
    const client = startClient(await start(), [REQUEST, REQUEST]);
    client.writeBlocking();
    await giveTurns(1);
    await waitUntil(() => (server?.lines.length ?? 0) >= answered);
    client.writeBlocking();
    await server?.stop();
    const [received = ''] = await client.received;
    expect(received.match(/HTTP\/1\.1 200 /g)?.length).toBe(2);
  });

  test('a request that arrives on an idle connection within its grace', async () => {
    const client = startClient(await start({ idleGrace: 10_000 }), [REQUEST, REQUEST]);
    client.writeBlocking();
    await waitUntil(() => server?.lines.length === 1);
    const stopped = server?.stop();
    // The port is closed, and the connection is not.
    await waitUntilClosed(server?.port ?? 0);
    client.write();
    await stopped;
    const [received = ''] = await client.received;
    const [, second = ''] = received.split(/(?<=HTTP\/1\.1 200 .*)(?=HTTP\/1\.1 200 )/s);
    expect(second.toLowerCase()).toContain('connection: close');
  });

  test('a request that arrives within the grace, but is read after it on a busy machine', async () => {
    const client = startClient(await start({ idleGrace: 1_000 }), ['', REQUEST], 5);
    client.writeBlocking();
    const stopped = server?.stop();
    await waitUntilClosed(server?.port ?? 0);
    // The timers come next.
    await giveTurns(1);
    client.writeBlocking();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    await stopped;
    const received = await client.received;
    expect(received.filter((each) => each.startsWith('HTTP/1.1 200 '))).toHaveLength(5);
  });

  test.each([
    ['head', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Le', 'ngth: 3\r\n\r\nabc'],
    ['body', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na', 'bc'],
  ])('a request of which a part of the %s has arrived', async (_, first, second) => {
    const port = await start();
    const client = startClient(port, [first, second]);
    client.writeBlocking();
    const stopped = server?.stop();
    // On a busy machine that takes a while. A request that ends before leaves its connection open.
    await waitUntil(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => false,
        () => true,
      ),
    );
    client.write();
    await stopped;
    const [received = ''] = await client.received;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received.toLowerCase()).toContain('connection: close');
  });
});
