import { type OutgoingHttpHeaders, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { nodeTransport } from '../../src/node/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startNodeGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';

/** Sends a request with arbitrary headers; `fetch` restricts them. */
function requestList(
  url: string,
  headers: OutgoingHttpHeaders = {},
): Promise<{ readonly body: Buffer; readonly hit: boolean }> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const status = String(response.headers['cache-status']);
        resolve({ body: Buffer.concat(chunks), hit: /^waygate; hit/.test(status) });
      });
    });
    clientRequest.on('error', reject).end();
  });
}

interface SiteResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Starts a gateway in front of a site whose response depends on the request headers. */
async function startGatewayBefore(
  respond: (sent: Readonly<Record<string, string | string[] | undefined>>) => SiteResponse,
  cache?: SiteOptions['cache'],
): Promise<string> {
  const site = await startServer((incoming, outgoing) => {
    const { body, headers } = respond(incoming.headers);
    outgoing.writeHead(200, { 'Cache-Control': 'max-age=60', ...headers }).end(body);
  });
  const passthrough = { url: site.origin, discovery: 'off', passthrough: true } as const;
  const gateway = await startNodeGateway({
    sites: [{ ...passthrough, ...(cache === undefined ? {} : { cache }) }],
    cache: 'memory',
    transport: nodeTransport,
  });
  closeAfterTest(site.close, gateway.stop);
  return gateway.origin;
}

describe('the variant key of a stored response', () => {
  const greeting =
    (vary: Readonly<Record<string, string>>) => (sent: { readonly [name: string]: unknown }) => ({
      headers: vary,
      body: `hello ${sent['x-lang'] ?? 'nobody'}`,
    });

  test.each([
    ['a field that Vary names', { Vary: 'X-Lang' }, undefined],
    ['a field that a rule names', {}, { rules: [{ match: '/*', key: { headers: ['X-Lang'] } }] }],
  ])(
    'depends on %s only if the field reaches the site, and not if Connection names it',
    async (_, vary, cache) => {
      const url = await startGatewayBefore(greeting(vary), cache);
      const first = await requestList(url, { 'X-Lang': 'de', Connection: 'X-Lang' });
      expect(String(first.body)).toBe('hello nobody');
      for (const [headers, body, hit] of [
        [{ 'X-Lang': 'de' }, 'hello de', false],
        [{ 'X-Lang': 'de' }, 'hello de', true],
        [{}, 'hello nobody', true],
        [{ 'X-Lang': 'de', Connection: 'X-Lang' }, 'hello nobody', true],
      ] as const) {
        const response = await requestList(url, headers);
        expect([String(response.body), response.hit]).toEqual([body, hit]);
      }
    },
  );

  test('is the same for all values of Accept-Encoding, also if the site compresses', async () => {
    const text = 'text '.repeat(1000);
    const sent: unknown[] = [];
    const url = await startGatewayBefore(({ 'accept-encoding': codings = '' }) => {
      sent.push(codings);
      const headers = { Vary: 'Accept-Encoding', 'Content-Type': 'text/plain' };
      return /\bgzip\b/.test(String(codings))
        ? { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzipSync(text) }
        : { headers, body: text };
    });
    const first = await requestList(url, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect([first.hit, first.body]).toEqual([false, gzipSync(text)]);
    // The store has the text, and this gateway has no encoders.
    for (const spelling of ['br, gzip', 'GZIP;q=1.0,br;q=0.5', 'identity', 'deflate', 'gzip;q=0']) {
      const { body, hit } = await requestList(url, { 'Accept-Encoding': spelling });
      expect([hit, String(body)]).toEqual([true, text]);
    }
    expect(sent).toEqual(['gzip']);
  });
});

test.each([
  ['once', 1],
  ['three times', 3],
])('languages that a client invents and asks for %s evict none that visitors use', async (_, times) => {
  const url = await startGatewayBefore((sent) => ({
    headers: { Vary: 'Accept-Language', 'Content-Type': 'text/html' },
    body: `<p>${sent['accept-language']}</p>`,
  }));
  const ask = (language: string) => requestList(`${url}/about/`, { 'Accept-Language': language });
  const used = ['de', 'en-US,en;q=0.9', 'fr'];
  for (const language of used) for (let count = 0; count < 10; count += 1) await ask(language);
  for (let index = 0; index < 150; index += 1) {
    for (let count = 0; count < times; count += 1) await ask(`aa-${index}, q=0.${index}`);
  }
  for (const language of used) {
    expect(await ask(language)).toEqual({ body: Buffer.from(`<p>${language}</p>`), hit: true });
  }
  // A language that comes later is kept as well, once it is used.
  for (let count = 0; count < 4; count += 1) await ask('it');
  for (let index = 0; index < 70; index += 1) await ask(`bb-${index}`);
  expect(await ask('it')).toMatchObject({ hit: true });
});
