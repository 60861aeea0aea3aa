import { afterEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';
import { startHttpSite, startRawSite } from './support/test-site.ts';
import { createTestTransport, type TestTransport } from './support/test-transports.ts';

/** Short timeouts. undici's timers have a resolution of half a second. */
const SHORT_TIMEOUTS = { connect: 500, headers: 1000, body: 1000 };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
const CLOSE = `${HEAD}Connection: close\r\n`;

let site: TestServer | undefined;
let transport: TestTransport | undefined;
afterEach(async () => {
  await transport?.close();
  await site?.close();
});

describe('a transport', () => {
  async function connectTo(started: Promise<TestServer>): Promise<TestTransport> {
    site = await started;
    transport = createTestTransport(site.origin);
    return transport;
  }

  /** The same with short timeouts, for tests that run at the same time, because they wait. */
  async function connectFor(
    onTestFinished: (close: () => Promise<void>) => void,
    started: Promise<TestServer>,
  ): Promise<TestTransport> {
    const { close, origin } = await started;
    const connected = createTestTransport(origin, SHORT_TIMEOUTS);
    onTestFinished(async () => {
      await connected.close();
      await close();
    });
    return connected;
  }

  it.each(['/a b', '/a\nb', 'x'])('refuses to send %j', async (target) => {
    let received = 0;
    const { request } = await connectTo(
      startHttpSite((_request, response) => {
        received++;
        response.end();
      }),
    );
    expect(await request({ target })).toMatchObject({ failure: 'invalid-request', head: undefined });
    expect(received).toBe(0);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('ends a response to %s with status %d after the head', async (method, status) => {
    const { request } = await connectTo(
      startHttpSite((_request, response) => {
        response.writeHead(status, status === 204 ? {} : { 'Content-Length': '5', Etag: '"x"' });
        response.end(method === 'HEAD' ? undefined : '');
      }),
    );
    const response = await request({ method });
    expect(response).toMatchObject({ failure: undefined, head: { status } });
    expect(response.body).toHaveLength(0);
  });

  it.each([
    ['gzip, chunked', 502],
    ['chunked, chunked', 502],
    ['gzip', 502],
    ['chunked', 200],
    ['Chunked ', 200],
  ])('accepts no transfer coding but chunked: %s', async (coding, status) => {
    const raw = `${CLOSE}Transfer-Encoding: ${coding}\r\n\r\n4\r\nbody\r\n0\r\n\r\n`;
    const { request } = await connectTo(startRawSite((socket) => socket.end(raw)));
    const { body, failure, head } = await request({});
    if (status === 200) expect([head?.status, failure, body.toString()]).toEqual([200, undefined, 'body']);
    // A parser may refuse what it cannot read before the transport does.
    else expect([head, failure]).toEqual([undefined, 'connection-broken']);
  });

  it.concurrent('reports a site that never responds', async ({ onTestFinished }) => {
    const { request } = await connectFor(
      onTestFinished,
      startHttpSite(() => undefined),
    );
    expect(await request({})).toMatchObject({ failure: 'timeout', head: undefined });
  });

  it.concurrent('reports a site that sends interim responses for ever', async ({ onTestFinished }) => {
    let timer: NodeJS.Timeout | undefined;
    const { request } = await connectFor(
      onTestFinished,
      startRawSite((socket) => {
        timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 20);
      }),
    );
    const response = request({}).finally(() => clearInterval(timer));
    expect(await response).toMatchObject({ failure: 'timeout', head: undefined });
  });

  it.concurrent('reports a site that stalls within the body', async ({ onTestFinished }) => {
    const { request } = await connectFor(
      onTestFinished,
      startRawSite((socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\nhalf`)),
    );
    const response = await request({});
    expect(response.failure).toBe('timeout');
    expect(response.body.toString()).toBe('half');
  });

  it.each([
    ['closes the connection without a response', ''],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['sends two lengths', `${HEAD}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
    ['sends a length and chunks', `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['sends an overlong header', `${HEAD}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 'head-too-large'],
  ])('reports a site that %s', async (_, response, failure = 'connection-broken') => {
    const { request } = await connectTo(startRawSite((socket) => socket.end(response, 'latin1')));
    expect(await request({ retryable: false })).toMatchObject({ failure, head: undefined });
  });

  it.each([
    ['with a length', `${HEAD}Content-Length: 100\r\n\r\nhalf`],
    ['with a length, and closes', `${CLOSE}Content-Length: 100\r\n\r\nhalf`],
    ['in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
    ['in chunks, and closes', `${CLOSE}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
  ])('reports an incomplete response %s', async (_, raw) => {
    const { request } = await connectTo(startRawSite((socket) => socket.end(raw)));
    const response = await request({});
    expect(response.failure).toBe('connection-broken');
    expect(response.body.toString()).toBe('half');
  });

  it('treats the end of the connection as the end of a body without a length', async () => {
    const { request } = await connectTo(startRawSite((socket) => socket.end(`${CLOSE}\r\nwhole`)));
    expect(await request({})).toMatchObject({ failure: undefined, body: Buffer.from('whole') });
  });

  it('returns a response that arrives before the upload is complete', async () => {
    let isAnswered = false;
    const { request } = await connectTo(
      startHttpSite((request, response) => {
        response.on('finish', () => {
          isAnswered = true;
        });
        // As nginx does. A server that closes without reading the request resets the connection, and the response is lost.
        request.resume();
        response.writeHead(413).end('too large');
      }),
    );
    async function* endless() {
      for (let i = 0; i < 5; i++) {
        yield Buffer.alloc(10_000);
        await waitUntil(() => isAnswered);
      }
    }
    const response = await request({ method: 'POST', body: endless() });
    expect(response.head?.status).toBe(413);
    expect(response.body.toString()).toBe('too large');
  });
});
