import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { unlink, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { Certificates } from '../../src/node/certificates.ts';
import type { TlsOptions } from '../../src/node/index.ts';
import { writeInSlices } from '../../src/node/tls-writes.ts';
import { silentLog } from '../../src/ports.ts';
import { type CertificateFolder, createCertificate, writeCertificate } from '../support/certificates.ts';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { createHttp2Client } from '../support/http2-client.ts';
import { waitUntil } from '../support/wait.ts';
import { type Line, type ServedProxy, useProxies } from './serve-proxy.ts';

const LARGE = randomBytes(7 * 1024 * 1024);

let site: EchoSite;
beforeAll(async () => {
  site = await startEchoSite(({ url }, response) => {
    if (url === '/own') response.setHeader('Strict-Transport-Security', 'max-age=1').end();
    else if (url === '/large') response.setHeader('Cache-Control', 'max-age=60').end(LARGE);
    else if (url === '/stored') response.setHeader('Cache-Control', 'max-age=60').end('stored');
    else return false;
    return true;
  });
});
afterAll(() => site.close());

const { closing, start: startAt } = useProxies(() => site.origin);

async function writeFiles(...names: readonly string[]): Promise<readonly CertificateFolder[]> {
  const folders = await Promise.all(names.map(writeCertificate));
  closing.push(() => Promise.all(folders.map((folder) => folder.remove())));
  return folders;
}

const start = (
  certificates: readonly CertificateFolder[],
  tls: Partial<TlsOptions> = {},
  options: Pick<GatewayOptions, 'hosts' | 'publicUrl'> & { readonly cache?: 'memory' } = {},
): Promise<ServedProxy> => startAt({ ...options, tls: { certificates, ...tls } });

/** The names of the certificate that a client with this server name gets. */
function readNames(port: number, servername?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect(
      {
        port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ...(servername === undefined ? {} : { servername }),
      },
      () => {
        resolve(socket.getPeerCertificate().subjectaltname ?? '');
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function send(url: string, options: object = {}): Promise<Received> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  const agent = url.startsWith('https:') ? new Agent({ rejectUnauthorized: false }) : undefined;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...(agent === undefined ? {} : { agent }), ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('the port serves both versions of HTTP, by the choice of the client', async () => {
  const server = await start(await writeFiles('127.0.0.1'));
  expect(server.url).toMatch(/^https:/);
  const old = await send(`${server.url}/old`);
  const client = createHttp2Client(server.url);
  closing.push(client.close);
  const recent = await (await client.request('/recent')).text();
  const readHeaders = (text: string): object => (JSON.parse(text) as { headers: object }).headers;
  expect(readHeaders(old.body)).toMatchObject({ 'x-forwarded-proto': 'https', via: '1.1 waygate' });
  expect(readHeaders(recent)).toMatchObject({ 'x-forwarded-proto': 'https', via: '2.0 waygate' });
  // Pages that the gateway renders itself.
  expect(await (await client.request('/-/health')).json()).toEqual({ status: 'alive' });
});

describe('the certificate', () => {
  test('is chosen by the name that the client indicates, exact before wildcard, and the first otherwise', async () => {
    const files = await writeFiles('first.example.com', '*.example.com', 'blog.example.com');
    const { port } = await start(files);
    expect(await readNames(port, 'blog.example.com')).toBe('DNS:blog.example.com');
    expect(await readNames(port, 'shop.example.com')).toBe('DNS:*.example.com');
    expect(await readNames(port, 'a.b.example.net')).toBe('DNS:first.example.com');
    expect(await readNames(port)).toBe('DNS:first.example.com');
  });

  test('is replaced when its files change; a bad file is logged once, and the old one stays', async () => {
    const [first, second] = await writeFiles('old.example.com', 'other.example.com');
    if (first === undefined || second === undefined) throw new Error('no files');
    const { lines, port } = await start([first, second]);
    const errors = (): readonly Line[] => lines.filter(({ msg }) => String(msg).includes('unusable'));
    const errorOf = (at: number): string => String(errors()[at]?.['err']);
    await writeFile(first.cert, createCertificate({ name: 'new.example.com' }).cert);
    await waitUntil(() => errors().length === 1);
    expect(errorOf(0)).toMatch(/: tls\[0\]\.key: .* is not that of the certificate/);
    expect(await readNames(port)).toBe('DNS:old.example.com');
    await unlink(second.cert);
    await waitUntil(() => errors().length === 2);
    expect(errorOf(1)).toMatch(/: tls\[1\]\.cert: cannot read .*: there is no such file/);
    await second.write(createCertificate({ name: 'second.example.com' }));
    await first.write(createCertificate({ name: 'new.example.com' }));
    await waitUntil(async () => (await readNames(port)) === 'DNS:new.example.com');
    expect(await readNames(port, 'second.example.com')).toBe('DNS:second.example.com');
    expect(lines.filter(({ msg }) => msg === 'the certificates were read again').length).toBeGreaterThan(0);
  });

  test('is that of the last files, also if those before are being read', async () => {
    const [before, after] = await writeFiles('old.example.com', 'new.example.com');
    if (before === undefined || after === undefined) throw new Error('no files');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const certificates = await Certificates.read([before], silentLog);
    const next = await Certificates.read([after], silentLog);
    certificates.watch(() => {});
    vi.advanceTimersByTime(2_000);
    certificates.replace(next);
    await vi.waitUntil(() => vi.getTimerCount() === 1);
    expect(certificates.first).toEqual(next.first);
    certificates.close();
  });

  const DAY = 86_400_000;
  const from = (days: number): Date => new Date(Date.now() + days * DAY);
  const EXPIRED = { notBefore: from(-3), notAfter: from(-2) };

  async function readState(url: string): Promise<readonly [status: number, states: readonly string[]]> {
    const { body, status } = await send(`${url}/-/ready`);
    const { details = [] }: { details?: { state: string }[] } = JSON.parse(body);
    return [status, details.map(({ state }) => state)];
  }

  test.each<[what: string, replace: (files: CertificateFolder) => Promise<void>, reason: RegExp]>([
    [
      'an expired pair',
      ({ write }) => write(createCertificate({ name: 'new.example.com', ...EXPIRED })),
      /cert\.pem expired on /,
    ],
    [
      'a pair of tomorrow',
      ({ write }) =>
        write(createCertificate({ name: 'new.example.com', notBefore: from(1), notAfter: from(2) })),
      /cert\.pem is not valid before /,
    ],
    // srvrco/getssl#842: a renewal that takes two steps shows the stale certificate of the first.
    [
      'the stale copy of a renewal',
      ({ write }) => write(createCertificate({ name: 'old.example.com', ...EXPIRED })),
      /cert\.pem expired on /,
    ],
    // jmrplens/libgen-mcp#176: between the two writes of a renewal, certificate and key do not match.
    [
      'a certificate before its key',
      ({ cert }) => writeFile(cert, createCertificate({ name: 'new.example.com' }).cert),
      /is not that of the certificate/,
    ],
    [
      'a key before its certificate',
      ({ key }) => writeFile(key, createCertificate({ name: 'new.example.com' }).key),
      /is not that of the certificate/,
    ],
    // gnacho/netpulse#783: a file that is written half.
    [
      'half of a certificate',
      ({ cert }) => writeFile(cert, createCertificate({ name: 'new.example.com' }).cert.slice(0, 200)),
      /holds no certificate in PEM/,
    ],
    // virtkick/http-master#75: an empty file, into which somebody is to paste the certificate.
    ['an empty certificate', ({ cert }) => writeFile(cert, ''), /holds no certificate in PEM/],
  ])(
    'stays when its files are replaced by %s, with a warning and a detail of /-/ready',
    async (_, replace, reason) => {
      const [files] = await writeFiles('old.example.com');
      if (files === undefined) throw new Error('no files');
      const { lines, port, url } = await start([files]);
      const warnings = (): readonly Line[] =>
        lines.filter(({ msg }) => String(msg).includes('the old ones stay'));
      expect(await readState(url)).toEqual([200, []]);
      await replace(files);
      await waitUntil(() => warnings().length === 1);
      expect(String(warnings()[0]?.['err'])).toMatch(reason);
      expect(await readNames(port)).toBe('DNS:old.example.com');
      expect(await readState(url)).toEqual([200, ['certificate']]);
      // processone/ejabberd#4007 asks for the opposite: that a wrong certificate replaces the right one.
      await files.write(createCertificate({ name: 'right.example.com' }));
      await waitUntil(async () => (await readNames(port)) === 'DNS:right.example.com');
      expect(await readState(url)).toEqual([200, []]);
      expect(warnings()).toHaveLength(1);
    },
  );

  // apache/trafficserver#9533: an expired certificate kept the server from taking TLS at all.
  test.each([
    ['expired', EXPIRED, /expired on/],
    ['of tomorrow', { notBefore: from(1), notAfter: from(2) }, /is not valid before/],
  ])(
    '%s at the start is served, with an error in the log, and replaced by a valid one',
    async (_, dates, reason) => {
      const [files, other] = await writeFiles('old.example.com', 'other.example.com');
      if (files === undefined || other === undefined) throw new Error('no files');
      await files.write(createCertificate({ name: 'old.example.com', ...dates }));
      const { lines, port, url } = await start([files, other]);
      expect(lines.some(({ problem }) => reason.test(String(problem)))).toBe(true);
      expect(await readNames(port)).toBe('DNS:old.example.com');
      expect(await readState(url)).toEqual([200, ['certificate']]);
      // A renewal of another certificate does not wait for this one.
      await other.write(createCertificate({ name: '*.example.net' }));
      await waitUntil(async () => (await readNames(port, 'a.example.net')) === 'DNS:*.example.net');
      await files.write(createCertificate({ name: 'new.example.com' }));
      await waitUntil(async () => (await readNames(port)) === 'DNS:new.example.com');
      expect(await readState(url)).toEqual([200, []]);
    },
  );

  test('of a reloaded configuration is refused if it is expired, but an expired one that is in use is no reason', async () => {
    const [files, other] = await writeFiles('old.example.com', 'other.example.com');
    if (files === undefined || other === undefined) throw new Error('no files');
    for (const each of [files, other])
      await each.write(createCertificate({ name: 'a.example.com', ...EXPIRED }));
    const { port, prepare } = await start([files]);
    const next = (): Gateway => {
      const gateway = createGateway({ sites: [{ url: site.origin, discovery: 'off', passthrough: true }] });
      closing.push(gateway.stop);
      return gateway;
    };
    const reload = (certificates: readonly CertificateFolder[]) => prepare(next(), { tls: { certificates } });
    await expect(reload([files, other])).rejects.toThrow(/^tls\[1\]\.cert: .* expired on /);
    expect(await readNames(port)).toBe('DNS:a.example.com');
    (await reload([files]))();
    await other.write(createCertificate({ name: 'valid.example.com' }));
    (await reload([other]))();
    expect(await readNames(port)).toBe('DNS:valid.example.com');
  });

  test.each<[string, (files: CertificateFolder) => Promise<void>, RegExp]>([
    [
      'that is missing',
      ({ cert }) => unlink(cert),
      /^tls\.cert: cannot read .*cert\.pem: there is no such file$/,
    ],
    [
      'that is no PEM',
      ({ cert }) => writeFile(cert, 'x'),
      /^tls\.cert: .*cert\.pem holds no certificate in PEM: /,
    ],
    ['without a key', ({ key }) => writeFile(key, 'x'), /^tls\.key: .*key\.pem holds no private key in PEM/],
    [
      'with the key of another',
      ({ key }) => writeFile(key, createCertificate({ name: 'a' }).key),
      /^tls\.key: the key in .* is not that of the certificate/,
    ],
  ])('%s is refused at the start', async (_, spoil, message) => {
    const files = await writeFiles('127.0.0.1');
    for (const each of files) await spoil(each);
    await expect(start(files)).rejects.toThrow(message);
  });
});

describe('Strict-Transport-Security', () => {
  test('is added if it is asked for, over both versions, unless the site has its own', async () => {
    const hsts = 'max-age=31536000; includeSubDomains';
    const server = await start(await writeFiles('127.0.0.1'), { hsts });
    const client = createHttp2Client(server.url);
    closing.push(client.close);
    for (const [path, value] of [
      ['/x', hsts],
      ['/-/health', hsts],
      ['/own', 'max-age=1'],
    ] as const) {
      expect((await send(server.url + path)).headers['strict-transport-security'], path).toBe(value);
      expect((await client.request(path)).headers.get('strict-transport-security'), path).toBe(value);
    }
  });

  test('is added to a hit on a connection that stays open', async () => {
    const server = await start(await writeFiles('127.0.0.1'), { hsts: 'max-age=5' }, { cache: 'memory' });
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    closing.push(() => agent.destroy());
    await send(`${server.url}/stored`, { agent });
    const { headers } = await send(`${server.url}/stored`, { agent });
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=5',
      'cache-status': expect.stringContaining('hit'),
      connection: 'keep-alive',
    });
  });

  test('is not added by default', async () => {
    const server = await start(await writeFiles('127.0.0.1'));
    expect((await send(`${server.url}/x`)).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('the listener without TLS', () => {
  const redirect = async (
    options: Pick<GatewayOptions, 'hosts' | 'publicUrl'> & { readonly cache?: 'memory' } = {},
  ): Promise<{ url: string; port: number }> => {
    const server = await start(await writeFiles('127.0.0.1'), { redirectFrom: 0 }, options);
    return { url: server.redirectUrl ?? '', port: server.port };
  };

  test('redirects with host, path and query, and keeps the method', async () => {
    const { port, url } = await redirect();
    const response = await send(`${url}/a%2Fb?c=d`, {
      method: 'POST',
      headers: { host: 'www.example.com:80' },
    });
    expect([response.status, response.headers['location']]).toEqual([
      308,
      `https://www.example.com:${port}/a%2Fb?c=d`,
    ]);
    expect(response.headers['strict-transport-security']).toBeUndefined();
  });

  test('redirects to the port of the public URL', async () => {
    const { url } = await redirect({ publicUrl: 'https://www.example.com' });
    const response = await send(`${url}//evil.example.net/`, { headers: { host: 'www.example.com' } });
    expect(response.headers['location']).toBe('https://www.example.com//evil.example.net/');
  });

  test('redirects to no host that the gateway does not serve, and to none that is invalid', async () => {
    const { url } = await redirect({ hosts: ['www.example.com'] });
    const read = async (host: string): Promise<number> =>
      (await send(`${url}/x`, { headers: { host } })).status;
    expect(await read('www.example.com')).toBe(308);
    expect(await read('evil.example.net')).toBe(421);
    expect(await read('www.example.com@evil.example.net')).toBe(400);
  });
});

test('what is no TLS gets no response, and the server goes on', async () => {
  const server = await start(await writeFiles('127.0.0.1'));
  await expect(send(server.url.replace('https:', 'http:'))).rejects.toThrow();
  expect((await send(`${server.url}/x`)).status).toBe(200);
});

test('a large stored response arrives whole at a client that reads late', async () => {
  const { port, url } = await start(await writeFiles('127.0.0.1'), {}, { cache: 'memory' });
  await send(`${url}/large`);
  const [one, several] = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')];
  onTestFinished(() => void vi.restoreAllMocks());
  const client = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  closing.push(() => client.destroy());
  client.write(`GET /large HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(client, 'readable');
  const chunks: Buffer[] = [];
  let length = 0;
  client.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
  });
  await waitUntil(() => length > LARGE.length);
  const received = Buffer.concat(chunks);
  const bodyAt = received.indexOf('\r\n\r\n') + 4;
  expect(received.toString('latin1', 0, bodyAt)).toMatch(/Cache-Status: waygate; hit/i);
  expect(received.subarray(bodyAt).equals(LARGE)).toBe(true);
  const written = [
    ...one.mock.calls.map(([chunk]) => chunk),
    ...several.mock.calls.flatMap(([chunks]) => chunks.map(({ chunk }) => chunk)),
  ];
  expect(Math.max(...written.map(({ length: size }: Buffer) => size))).toBe(64 * 1024);
});

describe('what is written to a connection of TLS', () => {
  /** Records what is encrypted at once. Every other write is done at once, the others in a later turn. */
  class Recorder extends Writable {
    readonly writes: Buffer[][] = [];
    failAt = Number.POSITIVE_INFINITY;

    override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error) => void): void {
      this._writev([{ chunk, encoding }], done);
    }

    override _writev(
      chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
      done: (error?: Error) => void,
    ): void {
      this.writes.push(
        chunks.map(({ chunk, encoding }) =>
          typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
        ),
      );
      const error = this.writes.length >= this.failAt ? new Error('closed') : undefined;
      if (this.writes.length % 2 === 0) done(error);
      else setImmediate(() => done(error));
    }
  }
  const record = (): Recorder => {
    const socket = new Recorder({ decodeStrings: false });
    writeInSlices(socket);
    return socket;
  };

  test('goes there in slices, in its order', async () => {
    const socket = record();
    socket.cork();
    socket.write('head', 'latin1');
    socket.write(LARGE);
    socket.uncork();
    socket.write('ü'.repeat(100_000));
    socket.end('end');
    await finished(socket);
    expect(
      Buffer.concat(socket.writes.flat()).equals(
        Buffer.concat([Buffer.from('head'), LARGE, Buffer.from(`${'ü'.repeat(100_000)}end`)]),
      ),
    ).toBe(true);
    expect(Math.max(...socket.writes.map((chunks) => Buffer.concat(chunks).length))).toBe(64 * 1024);
  });

  test('is one write if it is small: the head and the body of a response', async () => {
    const socket = record();
    socket.cork();
    socket.write('head');
    socket.write(Buffer.from('body'));
    socket.end();
    await finished(socket);
    expect(socket.writes.map((chunks) => chunks.join(' '))).toEqual(['head body']);
  });

  test('is sliced once if the connection is reported again', async () => {
    const socket = record();
    const { _write } = socket;
    writeInSlices(socket);
    expect(socket._write).toBe(_write);
  });

  test('ends with the first write that fails', async () => {
    const socket = record();
    socket.failAt = 3;
    socket.write(LARGE);
    await expect(finished(socket)).rejects.toThrow('closed');
    expect(socket.writes).toHaveLength(3);
  });
});
