import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { Gateway } from '../../src/gateway/index.ts';
import { type CertificateFolder, createCertificate, writeCertificate } from '../support/certificates.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { sendRaw } from '../support/run.ts';
import { waitUntil } from '../support/wait.ts';
import { useProxies } from './serve-proxy.ts';

const LARGE = randomBytes(7 * 1024 * 1024);

const site = useEchoSite(({ url }, response) => {
  if (url === '/large') response.setHeader('Cache-Control', 'max-age=60').end(LARGE);
  else return false;
  return true;
});

const { closing, start } = useProxies(() => site.origin);

async function writeFiles(name: string): Promise<CertificateFolder> {
  const files = await writeCertificate(name);
  closing.push(files.remove);
  return files;
}

/** The names of the certificate that a client gets. */
function readNames(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subjectaltname ?? '');
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('the port serves https with HTTP/1.1', async () => {
  const server = await start({ tls: await writeFiles('127.0.0.1') });
  expect(server.url).toMatch(/^https:/);
  const { body } = await sendRaw(server.url, '/x');
  expect(JSON.parse(body)).toMatchObject({ headers: { 'x-forwarded-proto': 'https', via: '1.1 waygate' } });
  // Pages that the gateway renders itself.
  expect((await sendRaw(server.url, '/-/health')).body).toMatch(/alive/);
});

describe('the certificate', () => {
  const DAY = 86_400_000;
  const from = (days: number): Date => new Date(Date.now() + days * DAY);
  const EXPIRED = { notBefore: from(-3), notAfter: from(-2) };
  const FUTURE = { notBefore: from(1), notAfter: from(2) };

  const createNext = (tls: CertificateFolder): Gateway => {
    const sites = [{ url: site.origin, discovery: 'off', passthrough: true }] as const;
    const gateway = new Gateway({ sites, tls });
    closing.push(() => gateway.stop());
    return gateway;
  };

  test.each<[what: string, replace: (files: CertificateFolder) => Promise<void>, reason: RegExp]>([
    [
      'an expired pair',
      ({ write }) => write(createCertificate({ name: 'new.example.com', ...EXPIRED })),
      /cert\.pem expired on /,
    ],
    [
      'a pair of tomorrow',
      ({ write }) => write(createCertificate({ name: 'new.example.com', ...FUTURE })),
      /cert\.pem is not valid before /,
    ],
    // jmrplens/libgen-mcp#176: between the two writes of a renewal, certificate and key do not match.
    [
      'a certificate before its key',
      ({ cert }) => writeFile(cert, createCertificate({ name: 'new.example.com' }).cert),
      /is not that of the certificate/,
    ],
    // gnacho/netpulse#783: a file that is written half.
    [
      'half of a certificate',
      ({ cert }) => writeFile(cert, createCertificate({ name: 'new.example.com' }).cert.slice(0, 200)),
      /holds no certificate in PEM/,
    ],
  ])('stays if a reload finds %s, and is replaced by the next valid pair', async (_, replace, reason) => {
    const tls = await writeFiles('old.example.com');
    const { port, prepare } = await start({ tls });
    await replace(tls);
    await expect(prepare(createNext(tls))).rejects.toThrow(reason);
    expect(await readNames(port)).toBe('DNS:old.example.com');
    await tls.write(createCertificate({ name: 'right.example.com' }));
    (await prepare(createNext(tls)))();
    expect(await readNames(port)).toBe('DNS:right.example.com');
  });

  // apache/trafficserver#9533: an expired certificate kept the server from taking TLS at all.
  test.each([
    ['expired', EXPIRED, /expired on/],
    ['of tomorrow', FUTURE, /is not valid before/],
  ])(
    '%s at the start is served with an error in the log, and refuses no reload',
    async (_, dates, reason) => {
      const tls = await writeFiles('old.example.com');
      await tls.write(createCertificate({ name: 'old.example.com', ...dates }));
      const { lines, port, prepare } = await start({ tls });
      expect(lines.some(({ msg }) => reason.test(String(msg)))).toBe(true);
      (await prepare(createNext(tls)))();
      expect(await readNames(port)).toBe('DNS:old.example.com');
    },
  );
});

test('what is no TLS gets no response, and the server goes on', async () => {
  const server = await start({ tls: await writeFiles('127.0.0.1') });
  await expect(sendRaw(server.url.replace('https:', 'http:'), '/')).rejects.toThrow();
  expect((await sendRaw(server.url, '/x')).status).toBe(200);
});

test('a large stored response arrives whole at a client that reads late', async () => {
  const { port, url } = await start({ tls: await writeFiles('127.0.0.1'), cache: 'memory' });
  await sendRaw(url, '/large');
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
});
