import { createServer } from 'node:https';
import { describe, expect, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { createGateway, type GatewayOptions, type SiteOptions } from '../../src/gateway/index.ts';
import { nodeTransport } from '../../src/node/index.ts';
import { createCertificate, type TestCertificate } from '../support/certificates.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway, TRANSPORTS } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { readSmallIndex } from '../support/stub-site.ts';

const DAY = 86_400_000;
interface TlsSite {
  readonly url: string;
  /** The server names that clients have indicated (SNI). */
  readonly serverNames: (string | false | null | undefined)[];
}

/** Starts a site with a root index over https. Every other path responds with `{}`. */
async function startTlsSite(certificate: TestCertificate): Promise<TlsSite> {
  const serverNames: TlsSite['serverNames'] = [];
  const index = readSmallIndex();
  const server = createServer(certificate, (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(/^\/wp-json\/?(?:\?|$)/.test(request.url ?? '') ? index : {}));
  });
  server.on('secureConnection', (socket) => serverNames.push(socket.servername));
  const { close, port } = await startServer(server);
  closeAfterTest(close);
  return { url: `https://127.0.0.1:${port}/`, serverNames };
}

const authority = {
  name: 'Test authority',
  ...createCertificate({ name: 'Test authority', isAuthority: true }),
};
const selfSigned = createCertificate({ name: '127.0.0.1' });
const issued = createCertificate({ name: '127.0.0.1', issuer: authority });
const expired = createCertificate({
  name: '127.0.0.1',
  notBefore: new Date(Date.now() - 3 * DAY),
  notAfter: new Date(Date.now() - 2 * DAY),
});
const otherName = createCertificate({ name: 'www.example.com', issuer: authority });

const NODE_TRANSPORTS = ['the portable app on dispatch', 'the Node server'] as const;

describe.each(NODE_TRANSPORTS)('a site with a certificate of its own, with %s', (name) => {
  const run = async (site: SiteOptions): Promise<RunningGateway> => {
    const options: GatewayOptions = { sites: [site], transport: nodeTransport };
    const running = await (TRANSPORTS[name] ?? startNodeGateway)(options);
    closeAfterTest(running.stop);
    return running;
  };

  test.each([
    ['self-signed, given as upstream.ca', selfSigned, { ca: selfSigned.cert }],
    ['of a private authority, given as upstream.ca', issued, { ca: authority.cert }],
    ['self-signed, with upstream.insecure', selfSigned, { insecure: true }],
    ['expired, with upstream.insecure', expired, { insecure: true }],
    ['for another name, with upstream.insecure', otherName, { insecure: true }],
  ])('%s, is discovered and served', async (_, certificate, upstream) => {
    const site = await startTlsSite(certificate);
    const running = await run({ url: site.url, upstream });
    expect(running.gateway.isReady()).toBe(true);
    expect((await running.request('/wp/v2/types')).status).toBe(200);
  });

  test('for the public name, is discovered and served by upstream.host', async () => {
    const site = await startTlsSite(otherName);
    const running = await run({ url: site.url, upstream: { host: 'www.example.com', ca: authority.cert } });
    expect(running.gateway.isReady()).toBe(true);
    expect((await running.request('/wp/v2/types')).status).toBe(200);
    expect(new Set(site.serverNames)).toEqual(new Set(['www.example.com']));
  });

  test('that is not the one of upstream.ca, is refused', async () => {
    const site = await startTlsSite(selfSigned);
    const url = { url: site.url, discovery: 'off', passthrough: true } as const;
    const running = await run({ ...url, upstream: { ca: authority.cert } });
    const response = await running.request('/a');
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      code: 'gateway_tls',
      message: 'The certificate of the site is not trusted: self-signed certificate.',
    });
  });
});

test('a connection without verification is not used by another site of the same origin', async () => {
  const site = await startTlsSite(selfSigned);
  const common = { url: site.url, discovery: 'off', passthrough: true } as const;
  const gateway = createGateway({
    sites: [
      { ...common, name: 'insecure', upstream: { insecure: true } },
      { ...common, name: 'verified' },
    ],
    transport: nodeTransport,
  });
  closeAfterTest(gateway.stop);
  expect((await gateway.request('/insecure/a')).status).toBe(200);
  expect((await gateway.request('/verified/a')).status).toBe(502);
});

describe('the failure of a discovery names the remedy for a certificate', () => {
  test.each([
    ['self-signed', selfSigned, 'certificate-self-signed', /self-signed certificate .*`upstream\.ca`/],
    ['of an unknown issuer', issued, 'certificate-unknown-issuer', /issuer is unknown .*authority/],
    ['expired', expired, 'certificate-(?:expired|self-signed)', /not trusted/],
  ])('%s', async (_, certificate, reason, message) => {
    const site = await startTlsSite(certificate);
    await expect(discover(site.url)).rejects.toMatchObject({
      reason: expect.stringMatching(new RegExp(`^${reason}$`)),
      message: expect.stringMatching(message),
    });
  });

  test.each([
    [
      'expired',
      {
        notBefore: new Date(Date.now() - 3 * DAY),
        notAfter: new Date(Date.now() - 2 * DAY),
        name: '127.0.0.1',
      },
      'The certificate of the site is not trusted: it has expired, or is not valid yet.',
      /clock/,
    ],
    [
      'for another name',
      { name: 'www.example.com' },
      'The certificate of the site is not trusted: it is for another host name.',
      /`upstream\.host`/,
    ],
  ])('%s, of a trusted authority', async (_, certificate, summary, remedy) => {
    const site = await startTlsSite(createCertificate({ issuer: authority, ...certificate }));
    const lines: string[] = [];
    const note = (members: object, text: string): void => {
      lines.push(text + String((members as { err?: Error }).err?.message ?? ''));
    };
    const gateway = createGateway({
      sites: [{ url: site.url, upstream: { ca: authority.cert } }],
      transport: nodeTransport,
      log: { info: note, warn: note, error: note },
    });
    closeAfterTest(gateway.stop);
    await gateway.rediscover();
    const response = await gateway.request('/wp/v2/types');
    expect(response.status).toBe(503);
    const { message } = (await response.json()) as { message: string };
    expect(message).toContain(summary);
    expect(message).not.toContain('127.0.0.1');
    expect(lines.join('\n')).toMatch(remedy);
  });
});
