import { connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CertificateFolder, writeCertificate } from '../support/certificates.ts';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { createHttp2Client, type Http2Client } from '../support/http2-client.ts';
import {
  connectFrames,
  END_HEADERS,
  END_STREAM,
  encodeFields,
  encodeFrame,
  FRAME,
  type Frame,
  type FrameClient,
  LARGEST_WINDOWS,
} from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait.ts';
import { type ServedProxy, useProxies } from './serve-proxy.ts';

let site: EchoSite;
let files: CertificateFolder;
const BIG = 300_000;
/** Responses without an end that the site is sending, and their bytes. */
let endless = 0;
let written = 0;

beforeAll(async () => {
  files = await writeCertificate('127.0.0.1');
  site = await startEchoSite(({ url }, response) => {
    if (url === '/fields') {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('X-Content-Type-Options', ['nosniff', 'nosniff']);
      response.setHeader('X-Bytes', 'caf\u00e9');
      response.writeHead(200, {
        Connection: 'close, X-Hop',
        'X-Hop': '1',
        'Keep-Alive': 'timeout=5',
        Upgrade: 'h2c',
      });
      response.end('fields');
    } else if (url === '/odd') {
      response.setHeader('constructor', 'a');
      response.setHeader('__proto__', 'b');
      response.writeHead(799).end('odd');
    } else if (url === '/hints') {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.end('hinted');
    } else if (url === '/big') response.end('x'.repeat(BIG));
    else if (url === '/none') response.writeHead(204).end();
    else if (url === '/half') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    } else if (url === '/endless') {
      endless += 1;
      response.on('close', () => {
        endless -= 1;
      });
      const send = (): void => {
        written += BIG;
        response.write(Buffer.alloc(BIG));
        response.once('drain', send);
      };
      send();
    } else if (url === '/late') setTimeout(() => response.end('late'), 300);
    else return false;
    return true;
  });
});
afterAll(async () => {
  await site.close();
  await files.remove();
});

const { closing, start: startAt } = useProxies(() => site.origin);
const start = (options: Parameters<typeof startAt>[0] = {}): Promise<ServedProxy> =>
  startAt({ tls: { certificates: [files] }, ...options });

async function startClient(
  options?: Parameters<typeof start>[0],
): Promise<Http2Client & Pick<ServedProxy, 'lines' | 'url'>> {
  const { lines, url } = await start(options);
  const client = createHttp2Client(url);
  closing.push(client.close);
  return { ...client, url, lines };
}

/** Sends fields as they are, and returns the status and the echoed request. */
function sendFields(
  { session }: Http2Client,
  fields: OutgoingHttpHeaders,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request(fields);
    let status = 0;
    let body = '';
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.setEncoding('latin1').on('data', (chunk: string) => {
      body += chunk;
    });
    stream.on('error', reject).on('end', () => resolve({ status, body }));
  });
}

describe('a request', () => {
  test('reaches the site as over HTTP/1.1, with the crumbs of its cookie joined (RFC 9113 §8.2.3)', async () => {
    const client = await startClient();
    const { body } = await sendFields(client, {
      ':path': '/x?a=1',
      ':authority': 'www.example.com',
      cookie: ['a=1', 'b=2', 'c=3'],
      'x-bytes': 'caf\u00e9',
      te: 'trailers',
    });
    const { headers, url } = JSON.parse(Buffer.from(body, 'latin1').toString()) as EchoSite['received'][0];
    expect(url).toBe('/x?a=1');
    expect(headers).toMatchObject({
      cookie: 'a=1; b=2; c=3',
      'x-bytes': 'caf\u00e9',
      'x-forwarded-host': 'www.example.com',
      'x-forwarded-proto': 'https',
      via: '2.0 waygate',
    });
    expect(Object.keys(headers).filter((name) => name === 'te' || name.startsWith(':'))).toEqual([]);
  });

  test('with a Host that differs from :authority is refused (RFC 9113 §8.3.1)', async () => {
    const client = await startClient();
    const same = { ':path': '/x', ':authority': 'a.example.com', host: 'a.example.com' };
    expect((await sendFields(client, same)).status).toBe(200);
    const other = await sendFields(client, { ...same, host: 'b.example.com' });
    expect(other.status).toBe(400);
    expect(JSON.parse(other.body)).toMatchObject({ code: 'gateway_bad_host' });
  });

  test.each([
    ['an unknown method', { ':method': 'get' }, 400, 'gateway_bad_request'],
    [
      'a header section of more than 16 KiB',
      { 'x-long': 'x'.repeat(17_000) },
      431,
      'gateway_headers_too_large',
    ],
    ['a tunnel', { ':method': 'CONNECT', ':authority': 'a.example.com:443' }, 501, 'gateway_no_tunnel'],
  ])('for %s gets a problem', async (_, fields, status, code) => {
    const client = await startClient();
    const isTunnel = fields[':method' as keyof typeof fields] === 'CONNECT';
    const response = await sendFields(client, isTunnel ? fields : { ':path': '/x', ...fields });
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject({ code });
    // The connection is used further.
    expect((await client.request('/x')).status).toBe(200);
  });

  test('without a length has its content forwarded, and is logged as complete', async () => {
    const client = await startClient();
    const stream = client.session.request({ ':method': 'POST', ':path': '/x' });
    stream.write('a'.repeat(BIG));
    stream.end('end');
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    const { body, headers } = JSON.parse(text) as EchoSite['received'][0];
    expect(body).toBe(`${'a'.repeat(BIG)}end`);
    expect(headers['transfer-encoding']).toBe('chunked');
    await waitUntil(() => client.lines.length === 1);
    expect(client.lines).toMatchObject([{ path: '/x', status: 200, end: 'complete' }]);
  });

  test('whose content arrives too slowly gets a 408, whatever other streams send', async () => {
    const client = await startClient({ bodyRate: { bytesPerSecond: 1_000_000, period: 100 } });
    const busy = client.session.request({ ':method': 'POST', ':path': '/x' });
    const timer = setInterval(() => busy.write('x'.repeat(200_000)), 20);
    busy.on('error', () => {});
    const slow = client.session.request({ ':method': 'POST', ':path': '/x' });
    slow.write('a');
    slow.on('error', () => {});
    const status = await new Promise((resolve) =>
      slow.on('response', (headers) => resolve(headers[':status'])),
    );
    clearInterval(timer);
    expect(status).toBe(408);
  });

  const reset = (code: number) => (client: FrameClient) =>
    client.send(encodeFrame(FRAME.reset, 0, 1, Buffer.from([0, 0, 0, code])));
  const endings = [
    { how: 'reset with CANCEL', end: reset(8) },
    { how: 'reset with NO_ERROR', end: reset(0) },
    { how: 'ended with its connection', end: (client: FrameClient) => client.end() },
  ];
  test.each(endings)('without a length that is $how is not taken for a whole one', async ({ end }) => {
    const { lines, url } = await start({ cache: 'memory' });
    for (const type of ['application/octet-stream', 'application/json']) {
      const client = connectFrames(url);
      closing.push(client.close);
      const path = `/part/${type}`;
      const fields = [
        [':method', 'POST'],
        [':scheme', 'https'],
        [':path', path],
        [':authority', 'a'],
        ['content-type', type],
      ] as const;
      const head = encodeFrame(FRAME.headers, END_HEADERS, 1, encodeFields(fields));
      client.send(head, encodeFrame(FRAME.data, 0, 1, Buffer.from('{"a": 1}')));
      await sleep(50);
      end(client);
      await waitUntil(() => lines.some((line) => line['path'] === path));
      await sleep(50);
      expect(site.received.filter((received) => received.url === path)).toEqual([]);
    }
    expect(lines).toMatchObject([{ status: 499 }, { status: 499 }]);
  });

  test('that the client cancels is logged with 499', async () => {
    const client = await startClient();
    const stream = client.session.request({ ':path': '/late' });
    const count = site.received.length;
    await waitUntil(() => site.received.length > count);
    stream.close(constants.NGHTTP2_CANCEL);
    await waitUntil(() => client.lines.length === 1);
    expect(client.lines).toMatchObject([{ path: '/late', status: 499 }]);
  });
});

describe('a response', () => {
  test('has no fields of the connection, and all lines of the others', async () => {
    const client = await startClient();
    const response = await client.request('/fields');
    expect(await response.text()).toBe('fields');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff, nosniff');
    expect(response.headers.get('x-bytes')).toBe('caf\u00e9');
    for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'x-hop']) {
      expect(response.headers.has(name), name).toBe(false);
    }
  });

  test('with an invalid status and odd names is relayed as far as HTTP/2 allows', async () => {
    const client = await startClient();
    const response = await client.request('/odd');
    expect([response.status, await response.text()]).toEqual([500, 'odd']);
    expect([response.headers.get('constructor'), response.headers.get('__proto__')]).toEqual(['a', 'b']);
    expect((await client.request('/x')).status).toBe(200);
  });

  test('may have early hints', async () => {
    const client = await startClient();
    const stream = client.session.request({ ':path': '/hints' });
    const hints = await new Promise((resolve) => stream.on('headers', resolve));
    expect(hints).toMatchObject({ ':status': 103, link: '</a.css>; rel=preload' });
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    expect(text).toBe('hinted');
  });

  test('that is larger than the window of the client arrives whole', async () => {
    const client = await startClient();
    expect((await (await client.request('/big')).text()).length).toBe(BIG);
  });

  test.each(['HEAD', 'GET'])('without content is complete for %s', async (method) => {
    const client = await startClient();
    const response = await client.request(method === 'HEAD' ? '/big' : '/none', { method });
    expect(response.status).toBe(method === 'HEAD' ? 200 : 204);
    await waitUntil(() => client.lines.length === 1);
    expect(client.lines).toMatchObject([{ status: response.status }]);
  });

  test('that the site breaks off is reset, and not ended', async () => {
    const token = 'the-token-of-the-tests';
    const client = await startClient({ admin: { token } });
    const response = await client.request('/half');
    await expect(response.text()).rejects.toThrow();
    await waitUntil(() => client.lines.length === 1);
    expect(client.lines).toMatchObject([{ status: 502, failure: 'connection-broken' }]);
    const headers = { authorization: `Bearer ${token}` };
    expect(await (await client.request('/-/metrics', { headers })).text()).toContain(
      'waygate_responses_broken_total{site="default",side="site"} 1\n',
    );
  });
});

describe('50 clients that do not read a response without an end', () => {
  const COUNT = 50;
  // Node reports no end of a connection on which a write waits: its errors are dropped, and nothing is read.
  test.each<[string, (client: FrameClient) => void, { idleTimeout?: number }]>([
    ['are killed', (client) => client.close(), {}],
    ['end the connection', (client) => client.end(), {}],
    ['fall silent', () => {}, { idleTimeout: 1000 }],
  ])('and %s end their requests to the site', async (_, leave, options) => {
    const { lines, url } = await start(options);
    const clients = Array.from({ length: COUNT }, () => connectFrames(url));
    closing.push(() => clients.map((client) => client.close()));
    const path = toPath('/endless');
    for (const client of clients) {
      client.send(...LARGEST_WINDOWS, getRequest(1, path));
      client.pause();
    }
    let before = -1;
    await waitUntil(async () => {
      const isStalled = endless + lines.length === COUNT && written === before;
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return isStalled;
    });
    clients.forEach(leave);
    await waitUntil(() => endless === 0 && lines.length === COUNT);
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([499]));
  });
});

describe('a stop', () => {
  test('announces the last request, serves it, and closes the connection', async () => {
    const { stop, url } = await start();
    const session = connect(url, { rejectUnauthorized: false });
    closing.push(() => session.destroy());
    const goaways: [code: number, last: number][] = [];
    session.on('goaway', (code, last) => goaways.push([code, last]));
    session.on('error', () => {});
    const read = async (path: string): Promise<string> => {
      let text = '';
      for await (const chunk of session.request({ ':path': path }).setEncoding('utf8')) text += chunk;
      return text;
    };
    const late = read('/late');
    const count = site.received.length;
    await waitUntil(() => site.received.length > count);
    const stopped = stop();
    expect(await late).toBe('late');
    await stopped;
    await waitUntil(() => session.destroyed);
    expect(goaways[0]).toEqual([constants.NGHTTP2_NO_ERROR, 1]);
  });

  test('does not process a request that it does not announce: the client may send it again', async () => {
    const { stop, url } = await start();
    const client = connectFrames(url);
    closing.push(client.close);
    await waitUntil(() => client.received.some(({ type }) => type === FRAME.settings));
    const late = toPath('/late');
    const count = site.received.length;
    client.send(getRequest(1, late));
    await waitUntil(() => site.received.length > count);
    const stopped = stop();
    await waitUntil(() => client.received.some(({ type }) => type === FRAME.goaway));
    client.send(getRequest(3));
    await stopped;
    const goaway = client.received.find(({ type }) => type === FRAME.goaway);
    expect(goaway?.payload.readUInt32BE(0)).toBe(1);
    expect(client.received.filter(({ type }) => type === FRAME.data).map(({ stream }) => stream)).toContain(
      1,
    );
    expect(site.received.slice(count).map((request) => request.url)).toEqual(['/late']);
  });
});

const PSEUDO = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/x'],
  [':authority', 'a.example.com'],
] as const;

const toPath = (path: string) =>
  PSEUDO.map(([name, value]) => [name, name === ':path' ? path : value] as const);

function getRequest(stream: number, fields: readonly (readonly [string, string])[] = PSEUDO): Buffer {
  return encodeFrame(FRAME.headers, END_STREAM | END_HEADERS, stream, encodeFields(fields));
}

test('heads that trickle, and connections that say nothing, are closed after the idle time', async () => {
  const { url } = await start({ idleTimeout: 400 });
  const silent = connectFrames(url);
  const trickling = connectFrames(url);
  closing.push(() => [silent, trickling].map((client) => client.close()));
  const head = getRequest(1, toPath('/big'));
  let sent = 0;
  const timer = setInterval(() => {
    // All but the last byte.
    if (sent < head.length - 1) trickling.send(head.subarray(sent, sent + 1));
    sent += 1;
  }, 50);
  closing.push(() => clearInterval(timer));
  await waitUntil(() => silent.isClosed() && trickling.isClosed());
  expect(sent).toBeLessThan(head.length);
});

describe('hostile input', () => {
  let client: FrameClient;
  let url: string;
  const connectHere = async (): Promise<void> => {
    ({ url } = await start());
    client = connectFrames(url);
    closing.push(() => client.close());
    await waitUntil(() => client.received.some(({ type }) => type === FRAME.settings));
  };
  const isReset = (stream: number): boolean =>
    client.received.some((frame) => frame.type === FRAME.reset && frame.stream === stream);
  const isEnded = (): boolean =>
    client.isClosed() || client.received.some(({ type }) => type === FRAME.goaway);

  test.each<[string, readonly (readonly [string, string])[]]>([
    ['Connection', [...PSEUDO, ['connection', 'keep-alive']]],
    ['Transfer-Encoding', [...PSEUDO, ['transfer-encoding', 'chunked']]],
    ['Upgrade', [...PSEUDO, ['upgrade', 'websocket']]],
    ['TE other than trailers', [...PSEUDO, ['te', 'gzip']]],
    ['a name in upper case', [...PSEUDO, ['X-Upper', '1']]],
    ['a pseudo-header field after others', [...PSEUDO.slice(1), ['x-a', '1'], [':method', 'GET']]],
    ['a pseudo-header field twice', [...PSEUDO, [':path', '/y']]],
    ['an unknown pseudo-header field', [...PSEUDO, [':unknown', '1']]],
    ['no :path', PSEUDO.filter(([name]) => name !== ':path')],
    ['a :path that is no path', toPath('x')],
    [
      'an extended CONNECT (RFC 8441)',
      [[':method', 'CONNECT'], [':protocol', 'websocket'], ...PSEUDO.slice(1)],
    ],
    ['a length that the content has not', [...PSEUDO, ['content-length', '5']]],
    ['two lengths', [...PSEUDO, ['content-length', '0'], ['content-length', '1']]],
  ])('a request with %s is reset, and reaches no site', async (_, fields) => {
    await connectHere();
    const count = site.received.length;
    client.send(getRequest(1, fields));
    await waitUntil(() => isReset(1) || isEnded());
    // The connection, or another one, is served.
    const other = createHttp2Client(url);
    closing.push(other.close);
    expect((await other.request('/after')).status).toBe(200);
    expect(site.received.slice(count).map((request) => request.url)).toEqual(['/after']);
  });

  const times = (length: number, create: (at: number) => Buffer): Buffer =>
    Buffer.concat(Array.from({ length }, (_, at) => create(at)));

  test.each<[string, () => Buffer]>([
    [
      'resets (CVE-2023-44487)',
      () => {
        const cancel = (stream: number): Buffer =>
          encodeFrame(FRAME.reset, 0, stream, Buffer.from([0, 0, 0, 8]));
        return times(3_000, (at) => Buffer.concat([getRequest(2 * at + 1), cancel(2 * at + 1)]));
      },
    ],
    ['empty SETTINGS', () => times(30_000, () => encodeFrame(FRAME.settings, 0, 0))],
    ['PING', () => times(30_000, () => encodeFrame(FRAME.ping, 0, 0, Buffer.alloc(8)))],
    [
      'CONTINUATION (CVE-2024-27983)',
      () =>
        Buffer.concat([
          encodeFrame(FRAME.headers, END_STREAM, 1, encodeFields(PSEUDO)),
          times(2_000, () => encodeFrame(FRAME.continuation, 0, 1, encodeFields([['x-a', 'b'.repeat(50)]]))),
        ]),
    ],
  ])('a flood of %s ends the connection, and no other', async (_, createFlood) => {
    await connectHere();
    const flood = createFlood();
    // The client reads nothing that would let the server forget its answers.
    for (let round = 0; round < 20 && !isEnded(); round++) {
      client.send(flood);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil(() => isEnded());
    const other = createHttp2Client(url);
    closing.push(other.close);
    expect((await other.request('/x')).status).toBe(200);
  });

  test.each([0, 8])(
    '128 resets within a second end the connection after its other streams, code %i',
    async (code) => {
      await connectHere();
      // A busy machine may take longer for them.
      const now = vi.spyOn(performance, 'now').mockReturnValue(1);
      closing.push(() => now.mockRestore());
      const cancel = (stream: number): Buffer =>
        encodeFrame(FRAME.reset, 0, stream, Buffer.from([0, 0, 0, code]));
      const pairs = times(400, (at) => Buffer.concat([getRequest(2 * at + 3), cancel(2 * at + 3)]));
      client.send(getRequest(1, toPath('/late')), pairs);
      const find = (type: number): Frame | undefined => client.received.find((frame) => frame.type === type);
      await waitUntil(() => client.isClosed());
      // The last request that was processed, and no error.
      expect(find(FRAME.goaway)?.payload.readUInt32BE(0)).toBeGreaterThan(2 * 128);
      expect(find(FRAME.goaway)?.payload.readUInt32BE(4)).toBe(0);
      expect(find(FRAME.data)).toMatchObject({ stream: 1, payload: Buffer.from('late') });
    },
  );

  test.each([
    ['an incomplete PING', encodeFrame(6, 0, 0, Buffer.alloc(3))],
    ['a lone CONTINUATION', encodeFrame(FRAME.continuation, END_HEADERS, 1, Buffer.alloc(3))],
    ['a frame that is too large', encodeFrame(FRAME.data, 0, 1, Buffer.alloc(20_000))],
  ])('%s ends the requests of its connection', async (_, frame) => {
    const { lines, url } = await start();
    const count = site.received.length;
    const client = connectFrames(url);
    closing.push(client.close);
    client.send(getRequest(1, toPath('/endless')));
    await waitUntil(() => site.received.length > count);
    client.send(frame);
    await sleep(50);
    client.end();
    await waitUntil(() => lines.length > 0 && endless === 0);
    expect(lines).toMatchObject([{ path: '/endless', status: 499 }]);
  });

  test('more streams than the limit are refused', async () => {
    await connectHere();
    client.send(...Array.from({ length: 200 }, (_, at) => getRequest(2 * at + 1, toPath('/late'))));
    await waitUntil(() => client.received.some(({ type }) => type === FRAME.reset) || isEnded());
    const settings = client.received.find(({ flags, type }) => type === FRAME.settings && flags === 0);
    // SETTINGS_MAX_CONCURRENT_STREAMS (3) is stated.
    expect(settings?.payload.toString('hex')).toContain('000300000080');
  });

  test('trailer fields of a request are not forwarded', async () => {
    await connectHere();
    const count = site.received.length;
    const open = encodeFrame(
      FRAME.headers,
      END_HEADERS,
      1,
      encodeFields([[':method', 'POST'], ...PSEUDO.slice(1)]),
    );
    const trailers = encodeFrame(
      FRAME.headers,
      END_STREAM | END_HEADERS,
      1,
      encodeFields([
        ['x-trailer', '1'],
        ['x-wp-nonce', 'a'],
      ]),
    );
    client.send(open, encodeFrame(FRAME.data, 0, 1, Buffer.from('abc')), trailers);
    const find = (): EchoSite['received'][number] | undefined =>
      site.received.slice(count).find(({ method }) => method === 'POST');
    await waitUntil(() => find() !== undefined);
    expect(find()?.body).toBe('abc');
    expect(Object.keys(find()?.headers ?? {})).not.toContain('x-trailer');
  });

  test('a field with a line break is not forwarded', async () => {
    await connectHere();
    const count = site.received.length;
    const path = toPath('/split');
    client.send(getRequest(1, [...path, ['x-split', 'a\r\nx-injected: b']]));
    const find = (): EchoSite['received'][number] | undefined =>
      site.received.slice(count).find(({ url: target }) => target === '/split');
    await waitUntil(() => isReset(1) || isEnded() || find() !== undefined);
    expect(
      Object.keys(find()?.headers ?? {}).filter((name) => name.startsWith('x-s') || name === 'x-injected'),
    ).toEqual([]);
  });
});
