import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { maskUrls, withoutCredentials } from '../../../src/generator/discovery/address.ts';
import { discover } from '../../../src/generator/discovery/index.ts';
import { runServer } from '../../support/run.ts';

/** @returns what an error of the discovery says */
async function discoverFailure(listener: RequestListener, path: string, options = {}): Promise<string> {
  const { origin } = await runServer(listener);
  const failure: unknown = await discover(origin + path, options).catch((error: unknown) => error);
  const { attempts, message } = Object(failure);
  return JSON.stringify([message, attempts]);
}

const AUTH = { user: 'bob', password: 'abcd EFGH ijkl' };
const HEADERS = { 'X-Key': 'tok/en+777' };
const SECRETS = /abcd.?EFGH|abcd%20|Ym9iO|tok.?(?:2F)?en/;

test.each<[string, RequestListener]>([
  [
    'an error',
    ({ headers }, response) => {
      const sent = `${headers.authorization} ${headers['x-key']} bob:${AUTH.password} abcdEFGHijkl`;
      response.statusCode = 401;
      response.end(JSON.stringify({ code: `no ${sent}`, message: sent, data: { status: 401 } }));
    },
  ],
  [
    'a redirect target',
    ({ headers, url }, response) => {
      const sent = new URLSearchParams({ a: `${headers.authorization}`, k: `${headers['x-key']}` });
      response.statusCode = url?.includes('a=') === true ? 404 : 302;
      response.setHeader('Location', `/x?${sent}&p=${encodeURIComponent(AUTH.password)}`);
      response.end();
    },
  ],
])('credentials that a site repeats in %s are redacted', async (_, listener) => {
  const shown = await discoverFailure(listener, '/', { auth: AUTH, headers: HEADERS });
  expect(shown).toContain('***');
  expect(shown).not.toMatch(SECRETS);
});

test('credentials that a site repeats in its index are redacted in diagnostics', async () => {
  const { origin } = await runServer(({ headers }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(`Notice: ${headers.authorization} ${headers['x-key']}\n{"name":"x","routes":[]}`);
  });
  const { diagnostics } = await discover(origin, { auth: AUTH, headers: HEADERS });
  expect(JSON.stringify(diagnostics)).not.toMatch(SECRETS);
});

test.each([
  [
    'https://bob:pw@example.com/a?rest_route=/wp/v2&consumer_secret=cs_1',
    'https://example.com/a?rest_route=/wp/v2&consumer_secret=***',
  ],
  ['https://example.com/a.json?token#access_token=1', 'https://example.com/a.json?***'],
  ['http://example.com/?rest_route=/?key=1', 'http://example.com/?rest_route=/?key=***'],
  ['ftp://bob:p/a@b@example.com/?key=1', '***@example.com/?key=***'],
  ['bob:pw@example.com', '***@example.com'],
  ['example.com/shop?key=1', 'example.com/shop?key=***'],
  ['https://example.com/@bob', 'https://example.com/@bob'],
])('%s is shown as %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
  expect(withoutCredentials(shown)).toBe(shown);
});

test('the URLs of a message are masked, and its other words are not', () => {
  const url = 'https://bob:pw@example.com/?a=cs_1&b=2';
  const shown = 'https://example.com/?a=***&b=***';
  const message = (each: string) =>
    `${each} redirects to "${each}", then <${each}>: (try ${each}). What of ?context=help? 12:30://x`;
  expect(maskUrls(message(url))).toBe(message(shown));
});

test('a long hostile message is masked in linear time', () => {
  for (const part of ['a.', 'http://', 'a?', 'http://a?=', '@:/']) maskUrls(part.repeat(200_000));
});

test('errors and diagnostics show no value of the query of the given URL, and none of a redirect', async () => {
  const redirect: RequestListener = ({ url }, response) => {
    const isFirst = url?.startsWith('/?consumer') === true;
    response.writeHead(isFirst ? 302 : 404, { Location: '/x?token=sent-by-site' }).end();
  };
  const shown = await discoverFailure(redirect, '/?consumer_key=given#token=given');
  expect(shown).toContain('consumer_key=***');
  expect(shown).not.toMatch(/given|sent-by-site/);
});
