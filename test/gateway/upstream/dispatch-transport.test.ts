import { once } from 'node:events';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { UpstreamFailure, UpstreamRequest } from '../../../src/base/http/exchange.ts';
import type { UpstreamTimeouts } from '../../../src/gateway/upstream/dispatch-transport.ts';
import { DispatchTransport } from '../../../src/gateway/upstream/dispatch-transport.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { startGateway } from '../../support/gateway.ts';
import { PLAIN } from '../../support/run.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { giveTurns, waitUntil, waitUntilStable } from '../../support/wait.ts';
import { TestClient } from '../cache/engine/support/test-client.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const CLOSE = `${HEAD}Connection: close\r\n`;
const OK = `${HEAD}Content-Length: 2\r\n\r\nok`;
const GET: UpstreamRequest = { method: 'GET', target: '/', headers: [], body: null, retryable: true };

const startHttpSite = (handler: http.RequestListener): Promise<TestServer> =>
  startServer(http.createServer({ keepAliveTimeout: 60_000 }, handler));

/** Starts a TCP server. `onRequest` is called when the header section of a request is complete. */
const startRawSite = (onRequest: (socket: Socket) => unknown): Promise<TestServer> =>
  startServer(
    net.createServer((socket) => {
      let text = '';
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (!text.includes('\r\n\r\n')) return;
        text = '';
        onRequest(socket);
      });
    }),
  );

async function connectTo(started: Promise<TestServer>, timeouts?: UpstreamTimeouts) {
  const site = await started;
  const transport = new DispatchTransport({ origin: site.origin, timeouts });
  closeAfterTest(site.close, () => transport.destroy());
  const request = async (changed: Partial<UpstreamRequest> = {}): Promise<TestClient> => {
    const sink = new TestClient();
    await new Promise<void>((resolve) => {
      sink.onSettled = resolve;
      transport.send({ ...GET, ...changed }, sink);
    });
    // A connection is reusable after the next turn of the event loop.
    await giveTurns(5);
    return sink;
  };
  return { site, transport, request };
}

const POST = { method: 'POST', retryable: false } as const;

test('nothing of a request is kept in memory while its connection is idle', async () => {
  const { request } = await connectTo(startRawSite((socket) => socket.write(OK)));
  const sinks: WeakRef<TestClient>[] = [];
  for (let count = 0; count < 3; count += 1) sinks.push(new WeakRef(await request()));
  await waitUntil(() => {
    collectGarbage();
    return sinks.every((sink) => sink.deref() === undefined);
  });
});

describe('a kept-alive connection that the site has closed', () => {
  test.each([
    ['is replaced for a request that can be repeated', {}, { over: 'end', body: 'ok' }, [3, 2]],
    [
      'fails a request that cannot be repeated',
      POST,
      { over: 'connection-broken', received: undefined },
      [2, 1],
    ],
  ])('%s', async (_, changed, result, counts) => {
    const sockets = new WeakSet();
    let requests = 0;
    // Responds to the first request of each connection, and closes it on the second.
    const started = startRawSite((socket) => {
      requests += 1;
      if (sockets.has(socket)) socket.destroy();
      else socket.write(OK);
      sockets.add(socket);
    });
    const { request, site } = await connectTo(started);
    await request();
    expect(await request(changed)).toMatchObject(result);
    expect([requests, site.connections()]).toEqual(counts);
  });

  test('is replaced for any request that it has not taken', async () => {
    const sockets: Socket[] = [];
    const { request } = await connectTo(
      startRawSite((socket) => {
        sockets.push(socket);
        socket.write(OK);
      }),
    );
    await request();
    // The client's end is reset before its event loop can see that.
    sockets[0]?.resetAndDestroy();
    expect((await request({ ...POST, method: 'DELETE' })).body).toBe('ok');
    expect(sockets).toHaveLength(2);
  });

  test.each<[what: string, end: (socket: Socket) => unknown, head: object | undefined, requests: number]>([
    ['once only', (socket) => socket.resetAndDestroy(), undefined, 2],
    [
      'not after the response has started',
      (socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\nhalf`),
      { status: 200 },
      1,
    ],
  ])('is replaced %s', async (_, end, head, expected) => {
    let requests = 0;
    const { request } = await connectTo(
      startRawSite((socket) => {
        requests += 1;
        end(socket);
      }),
    );
    const { received, over } = await request();
    expect(over).toBe('connection-broken');
    if (head === undefined) expect(received).toBeUndefined();
    else expect(received).toMatchObject(head);
    expect(requests).toBe(expected);
  });
});

describe('a request', () => {
  test.each(['/a b', '/a\nb', 'x'])('is not sent to %j', async (target) => {
    let count = 0;
    const { request } = await connectTo(
      startHttpSite((_request, response) => {
        count += 1;
        response.end();
      }),
    );
    expect(await request({ target })).toMatchObject({ over: 'invalid-request', received: undefined });
    expect(count).toBe(0);
  });

  test('can be answered before its body is complete', async () => {
    let isAnswered = false;
    const { request } = await connectTo(
      startHttpSite((incoming, response) => {
        response.on('finish', () => {
          isAnswered = true;
        });
        // As nginx does. A server that closes without reading the request resets the connection, and the response is lost.
        incoming.resume();
        response.writeHead(413).end('too large');
      }),
    );
    async function* send() {
      for (let i = 0; i < 5; i += 1) {
        yield Buffer.alloc(10_000);
        await waitUntil(() => isAnswered);
      }
    }
    const body = Readable.from(send(), { objectMode: false });
    expect(await request({ ...POST, body })).toMatchObject({ received: { status: 413 }, body: 'too large' });
  });

  // While it is sent, a write can fail before the response is read: as often as nginx's do.
  test('can be answered, and its connection reset, while its body waits', async () => {
    let sent = 0;
    const { request } = await connectTo(
      startRawSite(async (socket) => {
        socket.pause();
        await waitUntilStable(() => sent);
        const answer = 'HTTP/1.1 413 Too Large\r\nContent-Length: 9\r\nConnection: close\r\n\r\ntoo large';
        socket.write(answer, () => socket.resetAndDestroy());
      }),
    );
    function* send() {
      for (; sent < 20_000_000; sent += 65_536) yield Buffer.alloc(65_536);
    }
    const body = Readable.from(send(), { objectMode: false });
    expect(await request({ ...POST, body })).toMatchObject({ received: { status: 413 }, body: 'too large' });
  });
});

describe('a response', () => {
  test.each<[what: string, raw: string]>([
    [
      'an interim response before it, and trailers after it',
      `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nServer-Timing: db;dur=5\r\n\r\n`,
    ],
    ['a 100 Continue that nobody asked for before it', `${CONTINUE}${CLOSE}\r\nbody`],
    ['no length', `${CLOSE}\r\nbody`],
    ['its coding in capitals', `${CLOSE}Transfer-Encoding: Chunked \r\n\r\n4\r\nbody\r\n0\r\n\r\n`],
  ])('with %s is its head and its body', async (_, raw) => {
    const { request } = await connectTo(startRawSite((socket) => socket.end(raw)));
    expect(await request()).toMatchObject({ received: { status: 200 }, body: 'body', over: 'end' });
  });

  const CODED = '\r\n\r\n4\r\nbody\r\n0\r\n\r\n';
  test.each<[what: string, raw: string, failure?: UpstreamFailure['kind']]>([
    ['that is none', ''],
    ['in another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['with two lengths', `${HEAD}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
    ['with a length and chunks', `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['with an overlong header', `${HEAD}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 'head-too-large'],
    ['in gzip and chunks', `${CLOSE}Transfer-Encoding: gzip, chunked${CODED}`],
    ['in chunks twice', `${CLOSE}Transfer-Encoding: chunked, chunked${CODED}`],
    ['in gzip', `${CLOSE}Transfer-Encoding: gzip${CODED}`],
  ])('%s is a failure', async (_, raw, over = 'connection-broken') => {
    const { request } = await connectTo(startRawSite((socket) => socket.end(raw, 'latin1')));
    expect(await request({ retryable: false })).toMatchObject({ over, received: undefined });
  });

  test('that does not come, or stalls, is a timeout', async () => {
    const timers: NodeJS.Timeout[] = [];
    const sites = [
      startHttpSite(() => undefined),
      startRawSite((socket) => {
        timers.push(setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 20));
      }),
      startRawSite((socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\nhalf`)),
    ];
    // undici's timers have a resolution of half a second.
    const timeouts = { connect: 500, headers: 1000, body: 1000 };
    const connected = await Promise.all(sites.map((site) => connectTo(site, timeouts)));
    const responses = await Promise.all(connected.map(({ request }) => request()));
    for (const timer of timers) clearInterval(timer);
    expect(responses.map(({ over }) => over)).toEqual(['timeout', 'timeout', 'timeout']);
    expect(responses.map(({ received }) => received?.status)).toEqual([undefined, undefined, 200]);
  });
});

describe('a slow reader', () => {
  test('applies backpressure to the site, and receives everything', async () => {
    const total = 32 * 1024 * 1024;
    let written = 0;
    const { transport } = await connectTo(
      startHttpSite(async (_request, response) => {
        response.on('error', () => undefined);
        const part = Buffer.alloc(64 * 1024);
        while (written < total) {
          written += part.length;
          if (!response.write(part)) await once(response, 'drain');
        }
        response.end();
      }),
    );
    const sink = Object.assign(new TestClient(), { full: true });
    const exchange = transport.send(GET, sink);
    await waitUntilStable(() => written);
    expect(sink.body.length).toBeLessThan(256 * 1024);
    // The rest is in the buffers of two sockets.
    expect(written).toBeLessThan(16 * 1024 * 1024);
    while (sink.over === undefined) {
      exchange.resume();
      await new Promise(setImmediate);
    }
    expect([sink.over, sink.body.length]).toEqual(['end', total]);
  });

  const CUT = `${CLOSE}Content-Length: 20000\r\n\r\n`;
  // Each of these ended the process in undici 7.30 (nodejs/undici#5360), or reported a reset as a regular end.
  test.each([
    ['in full', `${CLOSE}Content-Length: 10000\r\n\r\n`, 'end', 'end'],
    ['without a length', `${CLOSE}\r\n`, 'end', 'end'],
    ['cut short', CUT, 'end', 'connection-broken'],
    [
      'in chunks, cut short',
      `${CLOSE}Transfer-Encoding: chunked\r\n\r\n4e20\r\n`,
      'end',
      'connection-broken',
    ],
    ['and reset', CUT, 'reset', 'connection-broken'],
    ['without a length, and reset', `${CLOSE}\r\n`, 'reset', 'connection-broken'],
    ['with keep-alive, and reset', `${HEAD}Content-Length: 20000\r\n\r\n`, 'reset', 'connection-broken'],
  ] as const)('survives a site that closes after its response, %s', async (_, head, how, want) => {
    let close = (): unknown => undefined;
    const { transport } = await connectTo(
      startRawSite((socket) => {
        socket.write(head);
        socket.write(Buffer.alloc(10_000, 'x'));
        close = () => (how === 'end' ? socket.end() : socket.resetAndDestroy());
      }),
    );
    const sink = Object.assign(new TestClient(), { full: true });
    const exchange = transport.send(GET, sink);
    await waitUntil(() => sink.body !== '');
    close();
    await giveTurns(50);
    exchange.resume();
    await expect.poll(() => sink.over).toBe(want);
    expect(sink.body).toHaveLength(10_000);
  });
});

test('an upload through a gateway waits for a slow site', async () => {
  let isHandled = false;
  const { origin } = await startGateway(PLAIN, (_, _count, response) => {
    setTimeout(() => {
      isHandled = true;
      response.req.resume().on('end', () => response.end('thanks'));
    }, 400);
    return undefined;
  });
  const part = Buffer.alloc(256 * 1024);
  const request = http.request(origin, { method: 'POST' });
  const responded = once(request, 'response');
  for (let sent = 0; sent < 40 * 1024 * 1024; sent += part.length) {
    if (request.write(part)) continue;
    if (!isHandled) expect(sent).toBeLessThan(24 * 1024 * 1024);
    await once(request, 'drain');
  }
  request.end();
  const [response] = await responded;
  expect(response.statusCode).toBe(200);
  response.resume();
});
