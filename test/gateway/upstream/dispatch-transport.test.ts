import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ResponseHead, ResponseSink, UpstreamFailure } from '../../../src/base/http/message.ts';
import { DispatchTransport } from '../../../src/gateway/upstream/dispatch-transport.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { startNodeGateway } from '../../support/gateway.ts';
import { PLAIN } from '../../support/run.ts';
import type { TestServer } from '../../support/server.ts';
import { giveTurns, waitUntil, waitUntilStable } from '../../support/wait.ts';
import { startHttpSite, startRawSite } from './support/test-site.ts';
import { CollectingSink, type TestResponse } from './support/test-transports.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const GET = { method: 'GET', target: '/', headers: [], body: null, retryable: true };
const OK = `${HEAD}Content-Length: 2\r\n\r\nok`;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function connectTo(
  started: Promise<TestServer>,
  options: { timeouts?: { connect: number; headers: number; body: number } } = {},
) {
  const site = await started;
  const transport = new DispatchTransport({ origin: site.origin, ...options });
  closing.push(site.close, () => transport.destroy());
  return { site, transport };
}

async function request(transport: DispatchTransport, method = 'GET'): Promise<TestResponse> {
  const response = await new Promise<TestResponse>((resolve) => {
    const sink = new CollectingSink(() => undefined, resolve);
    transport.send({ method, target: '/', headers: [], body: null, retryable: method === 'GET' }, sink);
  });
  // A connection is reusable after the next turn of the event loop.
  await giveTurns(5);
  return response;
}

it('keeps nothing of a request in memory while its connection is idle', async () => {
  const { transport } = await connectTo(startRawSite((socket) => socket.write(OK)));
  const sinks: WeakRef<CollectingSink>[] = [];
  for (let count = 0; count < 3; count += 1) {
    await new Promise((resolve) => {
      const sink = new CollectingSink(() => undefined, resolve);
      sinks.push(new WeakRef(sink));
      transport.send({ method: 'GET', target: '/', headers: [], body: null, retryable: true }, sink);
    });
  }
  await waitUntil(() => {
    collectGarbage();
    return sinks.every((sink) => sink.deref() === undefined);
  });
});

/** Accepts one chunk at a time, until it is resumed. */
class SlowSink implements ResponseSink {
  received = 0;
  over: 'end' | UpstreamFailure | undefined;
  headed: ResponseHead | undefined;
  head(head: ResponseHead): void {
    this.headed = head;
  }
  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.write(body);
    this.end();
  }
  write(chunk: Uint8Array): boolean {
    this.received += chunk.length;
    return false;
  }
  end(): void {
    this.over = 'end';
  }
  fail(failure: UpstreamFailure): void {
    this.over = failure;
  }
}

describe('a kept-alive connection that the site has closed', () => {
  /** Responds to the first request of each connection, and closes it on the second. */
  let requests = 0;
  const fickle = () => {
    const sockets = new WeakSet();
    requests = 0;
    return startRawSite((socket) => {
      requests++;
      if (sockets.has(socket)) socket.destroy();
      else socket.write(OK);
      sockets.add(socket);
    });
  };

  it('is replaced for a request that can be repeated', async () => {
    const { site, transport } = await connectTo(fickle());
    expect((await request(transport)).body.toString()).toBe('ok');
    expect((await request(transport)).body.toString()).toBe('ok');
    expect([requests, site.connections()]).toEqual([3, 2]);
  });

  it('fails a request that cannot be repeated', async () => {
    const { site, transport } = await connectTo(fickle());
    expect((await request(transport)).body.toString()).toBe('ok');
    expect(await request(transport, 'POST')).toMatchObject({ failure: 'connection-broken', head: undefined });
    expect([requests, site.connections()]).toEqual([2, 1]);
  });

  it('is replaced for any request that it has not taken', async () => {
    const sockets: Socket[] = [];
    const { transport } = await connectTo(
      startRawSite((socket) => {
        sockets.push(socket);
        socket.write(OK);
      }),
    );
    await request(transport);
    // The client's end is reset before its event loop can see that.
    sockets[0]?.resetAndDestroy();
    expect((await request(transport, 'DELETE')).body.toString()).toBe('ok');
    expect(sockets).toHaveLength(2);
  });

  it('is replaced once only', async () => {
    let requests = 0;
    const { transport } = await connectTo(
      startRawSite((socket) => {
        requests++;
        socket.resetAndDestroy();
      }),
    );
    expect(await request(transport)).toMatchObject({ failure: 'connection-broken', head: undefined });
    expect(requests).toBe(2);
  });

  it('is not replaced after the response has started', async () => {
    let requests = 0;
    const { transport } = await connectTo(
      startRawSite((socket) => {
        requests++;
        socket.end(`${HEAD}Content-Length: 9\r\n\r\nhalf`);
      }),
    );
    expect(await request(transport)).toMatchObject({ failure: 'connection-broken', head: { status: 200 } });
    expect(requests).toBe(1);
  });
});

describe('a response', () => {
  it('has no interim response before it, and no trailers after it', async () => {
    const { transport } = await connectTo(
      startRawSite((socket) =>
        socket.write(
          'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n' +
            `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nServer-Timing: db;dur=5\r\n\r\n`,
        ),
      ),
    );
    const { body, head } = await request(transport);
    expect(head?.status).toBe(200);
    expect(body.toString()).toBe('ok');
  });
});

describe('a slow reader', () => {
  it('applies backpressure to the site, and receives everything', async () => {
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
    const sink = new SlowSink();
    const exchange = transport.send(GET, sink);
    await waitUntilStable(() => written);
    expect(sink.received).toBeLessThan(256 * 1024);
    // The rest is in the buffers of two sockets.
    expect(written).toBeLessThan(16 * 1024 * 1024);
    while (sink.over === undefined) {
      exchange.resume();
      await new Promise(setImmediate);
    }
    expect(sink).toMatchObject({ over: 'end', received: total });
  });

  const PART = Buffer.alloc(10_000, 'x');
  const CLOSE = `${HEAD}Connection: close\r\n`;
  const CUT = `${CLOSE}Content-Length: 20000\r\n\r\n`;
  it.each([
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
    // Each of these ended the process in undici 7.30 (nodejs/undici#5360), or reported a reset as a regular end.
    let close = (): unknown => undefined;
    const { transport } = await connectTo(
      startRawSite((socket) => {
        socket.write(head);
        socket.write(PART);
        close = () => (how === 'end' ? socket.end() : socket.resetAndDestroy());
      }),
    );
    const sink = new SlowSink();
    const exchange = transport.send(GET, sink);
    await waitUntil(() => sink.received > 0);
    close();
    await giveTurns(50);
    exchange.resume();
    await expect.poll(() => (typeof sink.over === 'object' ? sink.over.kind : sink.over)).toBe(want);
    expect(sink.received).toBe(10_000);
  });
});

describe('an upload through a gateway', () => {
  it('waits for a slow site', async () => {
    let isHandled = false;
    const site = await startHttpSite((request, response) => {
      setTimeout(() => {
        isHandled = true;
        request.resume().on('end', () => response.end('thanks'));
      }, 400);
    });
    const gateway = await startNodeGateway({ sites: [{ url: site.origin, ...PLAIN }] });
    closing.push(site.close, gateway.stop);
    let sent = 0;
    const part = Buffer.alloc(256 * 1024);
    const request = http.request(gateway.origin, { method: 'POST' });
    const responded = once(request, 'response');
    for (; sent < 40 * 1024 * 1024; sent += part.length) {
      if (request.write(part)) continue;
      if (!isHandled) expect(sent).toBeLessThan(24 * 1024 * 1024);
      await once(request, 'drain');
    }
    request.end();
    const [response] = await responded;
    expect(response.statusCode).toBe(200);
    response.resume();
  });
});
