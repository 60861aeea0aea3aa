import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { createCertificate, type TestCertificate } from '../support/certificates.ts';
import { startGateway } from '../support/gateway.ts';
import { PLAIN, runServer } from '../support/run.ts';
import { readSmallIndex } from '../support/stub-site.ts';

/** Starts a site with a root index over https. Every other path responds with `{}`. */
async function startTlsSite(certificate: TestCertificate) {
  /** The server names that clients have indicated (SNI). */
  const serverNames: unknown[] = [];
  const index = readSmallIndex();
  const server = createServer(certificate, (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(/^\/wp-json\/?(?:\?|$)/.test(request.url ?? '') ? index : {}));
  });
  server.on('secureConnection', (socket) => serverNames.push(socket.servername));
  const { port } = await runServer(server);
  return { url: `https://127.0.0.1:${port}/`, serverNames };
}

const UNKNOWN = { document: undefined, passthrough: false };
const authority = createCertificate({ name: 'Test authority', isAuthority: true });
const selfSigned = createCertificate({ name: '127.0.0.1' });
const issued = createCertificate({ name: '127.0.0.1', issuer: authority });
const expired = createCertificate({ name: '127.0.0.1', issuer: authority, days: -1 });
const otherName = createCertificate({ name: 'www.example.com', issuer: authority });

const folder = mkdtempSync(join(tmpdir(), 'waygate-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeFile(name: string, { cert }: TestCertificate): string {
  const path = join(folder, name);
  writeFileSync(path, cert);
  return path;
}

const trusted = writeFile('authority.pem', authority);

describe('a site with a certificate of its own', () => {
  test.each<[string, TestCertificate, NonNullable<SiteOptions['upstream']>]>([
    ['self-signed, given as upstream.ca', selfSigned, { ca: writeFile('own.pem', selfSigned) }],
    ['of a private authority, given as upstream.ca', issued, { ca: trusted }],
    ['self-signed, with upstream.insecure', selfSigned, { insecure: true }],
    ['for another name, with upstream.insecure', otherName, { insecure: true }],
    ['for the public name, by upstream.host', otherName, { host: 'www.example.com', ca: trusted }],
    [
      'for another name than the host, by upstream.serverName',
      otherName,
      { host: 'shop.example.com', serverName: 'www.example.com', ca: trusted },
    ],
    [
      'for another name than the URL, by upstream.serverName',
      otherName,
      { serverName: 'www.example.com', ca: trusted },
    ],
  ])('%s, is discovered and served', async (_, certificate, upstream) => {
    const site = await startTlsSite(certificate);
    const { gateway, request } = await startGateway({ ...UNKNOWN, url: site.url, upstream });
    expect(gateway.isReady()).toBe(true);
    expect((await request('/wp/v2/types')).status).toBe(200);
    const name = upstream.serverName ?? upstream.host;
    if (name !== undefined) expect(new Set(site.serverNames)).toEqual(new Set([name]));
  });
});

test('a connection without verification is not used by another site of the same origin', async () => {
  const { url } = await startTlsSite(selfSigned);
  const insecure = { url, ...PLAIN, name: 'insecure', upstream: { insecure: true } };
  const sites = [insecure, { url, ...PLAIN, name: 'verified', upstream: { ca: trusted } }];
  const { request } = await startGateway({ gateway: { sites } });
  expect((await request('/insecure/a')).status).toBe(200);
  const refused = await request('/verified/a');
  expect([refused.status, await refused.json()]).toMatchObject([502, { code: 'gateway_tls' }]);
});

test('a renewed file of upstream.ca is used for the next connection', async () => {
  const { url } = await startTlsSite(selfSigned);
  const ca = writeFile('renewed.pem', authority);
  const { request } = await startGateway({ ...PLAIN, url, upstream: { ca } });
  expect((await request('/a')).status).toBe(502);
  writeFile('renewed.pem', selfSigned);
  expect((await request('/a')).status).toBe(200);
});

test('a site without verification is warned of', async () => {
  const site = { url: 'https://site.example.com', ...PLAIN, upstream: { insecure: true } };
  const { warnings } = await startGateway({ ...site, inMemory: true });
  expect(warnings).toEqual([expect.stringContaining('upstream.insecure')]);
});

test.each([
  ['self-signed', selfSigned, false, 'self-signed certificate', /`upstream\.ca`/],
  ['of an unknown issuer', issued, false, 'issuer is unknown', /authority/],
  ['expired', expired, true, 'it has expired, or is not valid yet.', /clock/],
  ['for another name', otherName, true, 'it is for another host name.', /`upstream\.serverName`/],
])('a certificate that is %s gets 503 with the cause, and a line with the remedy', async (...row) => {
  const [, certificate, isTrusted, summary, remedy] = row;
  const { url } = await startTlsSite(certificate);
  const site = { ...UNKNOWN, url, ...(isTrusted && { upstream: { ca: trusted } }) };
  const { lines, request } = await startGateway(site);
  const response = await request('/wp/v2/types');
  expect(response.status).toBe(503);
  const { message } = (await response.json()) as { message: string };
  expect(message).toContain(`The certificate of the site is not trusted: `);
  expect(message).toContain(summary);
  expect(message).not.toContain('127.0.0.1');
  expect(lines.map(({ err, msg }) => `${msg} ${err}`).join('\n')).toMatch(remedy);
});
