import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { httpSite, rawSite, type TestSite } from './support/test-site.ts';
import { type TestTransport, TRANSPORTS } from './support/test-transports.ts';

/** Short enough for a test; undici's own timers beat once in half a second. */
const HASTY = { connect: 500, headers: 1000, body: 1000 };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

let site: TestSite | undefined;
let transport: TestTransport | undefined;
afterEach(async () => {
  await transport?.close();
  await site?.close();
});

describe.each(Object.entries(TRANSPORTS))('%s', (name, make) => {
  async function inFrontOf(started: Promise<TestSite>, timeouts?: typeof HASTY): Promise<TestTransport> {
    site = await started;
    transport = make(site.origin, timeouts);
    return transport;
  }

  it('brings status, fields with their repetitions, and every byte of the body', async () => {
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 256));
    const { ask } = await inFrontOf(
      httpSite((_request, response) => {
        response.writeHead(418, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Wp-Total', '7']).end(body);
      }),
    );
    const answered = await ask({});
    expect(answered.failure).toBeUndefined();
    expect(answered.head?.status).toBe(418);
    const fields = answered.head?.headers.map((text) => text.toLowerCase()) ?? [];
    const cookies = fields.filter((_, at) => fields[at - 1] === 'set-cookie');
    expect(cookies).toEqual(['a=1', 'b=2']);
    expect(fields).toContain('x-wp-total');
    expect(answered.body.equals(body)).toBe(true);
  });

  it.each([
    '/a%2Fb/%2e%2e/c?x[]=1&x[]=%20+',
    '/wp-json/core/v2/posts/%C3%A9',
    '/?rest_route=%2Fa%2Fb',
    '//x//',
  ])('asks for %s as it is written', async (target) => {
    const { ask } = await inFrontOf(httpSite((request, response) => response.end(request.url)));
    const answered = await ask({ target });
    // `%2e%2e` is one of the spellings that fetch would resolve: then nothing at all may be asked.
    if (name === 'fetch' && target.includes('%2e')) expect(answered.failure).toBe('invalid-request');
    else expect(answered.body.toString()).toBe(target);
  });

  it.each(['/a b', '/a\nb', 'x'])('refuses to send %j', async (target) => {
    let asked = 0;
    const { ask } = await inFrontOf(
      httpSite((_request, response) => {
        asked++;
        response.end();
      }),
    );
    expect(await ask({ target })).toMatchObject({ failure: 'invalid-request', head: undefined });
    expect(asked).toBe(0);
  });

  it('does not follow redirects', async () => {
    const { ask } = await inFrontOf(
      httpSite((_request, response) => response.writeHead(301, { Location: '/elsewhere' }).end()),
    );
    const answered = await ask({});
    expect(answered.head?.status).toBe(301);
    expect(answered.head?.headers).toContain('/elsewhere');
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('ends at the head where a %s is answered %d', async (method, status) => {
    const { ask } = await inFrontOf(
      httpSite((_request, response) => {
        response.writeHead(status, status === 204 ? {} : { 'Content-Length': '5', Etag: '"x"' });
        response.end(method === 'HEAD' ? undefined : '');
      }),
    );
    const answered = await ask({ method });
    expect(answered).toMatchObject({ failure: undefined, head: { status } });
    expect(answered.body).toHaveLength(0);
  });

  it('sends a body that is at hand, and one that streams, with its length or in chunks', async () => {
    const { ask } = await inFrontOf(
      httpSite(async (request, response) => {
        let size = 0;
        for await (const chunk of request) size += chunk.length;
        const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
        response.end(JSON.stringify({ size, length, coding }));
      }),
    );
    async function* parts() {
      for (let i = 0; i < 20; i++) yield Buffer.alloc(10_000, 65);
    }
    const told = async (asked: Parameters<typeof ask>[0]) =>
      JSON.parse((await ask({ method: 'POST', ...asked })).body.toString());
    expect(await told({ body: Buffer.from('abc') })).toEqual({ size: 3, length: '3' });
    expect(await told({ body: parts() })).toEqual({ size: 200_000, coding: 'chunked' });
    const counted = await told({ body: parts(), headers: ['Content-Length', '200000'] });
    expect(counted).toEqual({ size: 200_000, length: '200000' });
  });

  it('brings bytes that a site compressed without being asked, as they are or as they were', async () => {
    const { gzipSync } = await import('node:zlib');
    const zipped = gzipSync('hello');
    const { ask } = await inFrontOf(
      httpSite((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(zipped)),
    );
    const { head, body } = await ask({});
    // Whichever it is, the fields say it.
    const coded = head?.headers.map((text) => text.toLowerCase()).includes('content-encoding') === true;
    expect(body.toString('hex')).toBe((coded ? zipped : Buffer.from('hello')).toString('hex'));
    expect(coded).toBe(name !== 'fetch');
  });

  it('tells a refusal', async () => {
    const { ask } = await inFrontOf(httpSite(() => undefined));
    await site?.close();
    expect(await ask({})).toMatchObject({ failure: 'refused', head: undefined });
  });

  it('tells a name that does not resolve', async () => {
    transport = make('http://nowhere.invalid');
    expect(await transport.ask({})).toMatchObject({ failure: 'dns', head: undefined });
  });

  it('tells a site that does not speak TLS', async () => {
    site = await httpSite((_request, response) => response.end());
    transport = make(site.origin.replace('http:', 'https:'));
    expect(await transport.ask({})).toMatchObject({ failure: 'tls', head: undefined });
  });

  it('tells a site that never answers', async () => {
    const { ask } = await inFrontOf(
      httpSite(() => undefined),
      HASTY,
    );
    expect(await ask({})).toMatchObject({ failure: 'timeout', head: undefined });
  });

  it('tells a site that stops in the middle', async () => {
    const { ask } = await inFrontOf(
      rawSite((socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\nhalf`)),
      HASTY,
    );
    const answered = await ask({});
    expect(answered.failure).toBe(name === 'dispatch' ? 'timeout' : 'other');
    expect(answered.body.toString()).toBe('half');
  });

  it.each([
    ['hangs up before it answers', ''],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['sends a length twice', `${HEAD}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
    ['sends a length and chunks', `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['sends endless headers', `${HEAD}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('tells a site that %s', async (_, answer) => {
    const { ask } = await inFrontOf(rawSite((socket) => socket.end(answer, 'latin1')));
    expect(await ask({ retryable: false })).toMatchObject({ failure: 'connection-broken', head: undefined });
  });

  it.each([
    ['with a length', `${HEAD}Content-Length: 100\r\n\r\nhalf`],
    [
      'with a length, on a connection that closes',
      `${HEAD}Connection: close\r\nContent-Length: 100\r\n\r\nhalf`,
    ],
    ['in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
    [
      'in chunks, on a connection that closes',
      `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`,
    ],
  ])('never takes half an answer %s for a whole one', async (_, answer) => {
    const { ask } = await inFrontOf(rawSite((socket) => socket.end(answer)));
    const answered = await ask({});
    expect(answered.failure).toBe(name === 'dispatch' ? 'connection-broken' : 'other');
    expect(answered.body.toString()).toBe('half');
  });

  it('takes the end of the connection for the end of a body without a length', async () => {
    const { ask } = await inFrontOf(rawSite((socket) => socket.end(`${HEAD}Connection: close\r\n\r\nwhole`)));
    expect(await ask({})).toMatchObject({ failure: undefined, body: Buffer.from('whole') });
  });

  it('closes the connection to the site when the caller leaves', async () => {
    let closed: Promise<unknown> | undefined;
    const { ask } = await inFrontOf(
      httpSite((_request, response) => {
        closed = once(response, 'close');
        response.write('x');
      }),
    );
    const leaving = new AbortController();
    const { failure } = await ask({ signal: leaving.signal, onChunk: () => leaving.abort() });
    expect(failure).toBe(name === 'dispatch' ? 'client-gone' : 'other');
    await closed;
  });

  it('knows a caller who leaves before the answer', async () => {
    const { ask } = await inFrontOf(httpSite(() => undefined));
    const leaving = new AbortController();
    const asked = ask({ signal: leaving.signal });
    await sleep(50);
    leaving.abort();
    expect(await asked).toMatchObject({ failure: 'client-gone', head: undefined });
  });

  it('breaks off at the site when the upload breaks off', async () => {
    let broken: Promise<unknown> | undefined;
    const { ask } = await inFrontOf(
      httpSite((request) => {
        broken = once(request, 'error');
        request.resume();
      }),
    );
    async function* half() {
      yield Buffer.alloc(100_000);
      await sleep(50);
      throw new Error('the client is gone');
    }
    const answered = await ask({ method: 'POST', body: half() });
    expect(answered.head).toBeUndefined();
    expect(['client-gone', 'connection-broken']).toContain(answered.failure);
    await broken;
  });

  it('brings an answer that comes before the upload is done', async () => {
    const { ask } = await inFrontOf(
      httpSite((request, response) => {
        // As nginx does: who hangs up on a request that it has not read resets the connection, answer and all.
        request.resume();
        response.writeHead(413).end('too large');
      }),
    );
    async function* endless() {
      for (let i = 0; i < 5; i++) {
        yield Buffer.alloc(10_000);
        await sleep(20);
      }
    }
    const answered = await ask({ method: 'POST', body: endless() });
    expect(answered.head?.status).toBe(413);
    expect(answered.body.toString()).toBe('too large');
  });
});
