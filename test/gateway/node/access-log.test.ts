import type { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createLineFormat } from '../../../src/cli/serve/log.ts';
import type { AccessLogEntry } from '../../../src/gateway/node/index.ts';
import { useEchoSite } from '../../support/echo-site.ts';
import { networks, startGateway } from '../../support/gateway.ts';
import { waitUntil } from '../../support/wait.ts';

const POSTS = '/wp-json/core/v2/posts';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const site = useEchoSite(({ url }, response) => url === '/broken' && response.destroy().destroyed);

/** Sends requests one after the other. @returns the entries of the access log */
async function logOf(
  trust: readonly string[],
  requests: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[],
  addTo?: (app: Hono) => void,
): Promise<readonly AccessLogEntry[]> {
  const entries: AccessLogEntry[] = [];
  const { read } = await startGateway({
    ...{
      url: site.origin,
      document: undefined,
      cache: {},
      validation: { mode: 'strict' },
      gateway: { trust: networks(...trust) },
    },
    ...{ ...(addTo && { addTo }), server: { access: (entry) => void entries.push(entry) } },
  });
  for (const [at, [path, headers = {}]] of requests.entries()) {
    await read(path, headers);
    await waitUntil(() => entries.length > at);
  }
  return entries;
}

test.each<[string, (app: Hono) => void]>([
  ['', () => {}],
  [' behind a middleware', (app) => void app.use((_, next) => next())],
])('an entry%s says what the cache and the site did, who sent it, and what was sent', async (_, addTo) => {
  const fields = { 'user-agent': 'tests/1', traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const requests = [[POSTS, fields], [POSTS, fields], [`${POSTS}?page=x`], ['/broken']] as const;
  const [miss, hit, refused, failed] = await logOf([], requests, addTo);
  expect(miss).toMatchObject({
    ...{ status: 200, sent: 200, end: 'complete', cache: 'miss', validation: 'valid', userAgent: 'tests/1' },
    ...{ host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), httpVersion: '1.1', traceId: TRACE },
    ...{ siteDuration: expect.any(Number), cacheStatus: expect.stringContaining('fwd=') },
  });
  expect(miss?.bytes).toBeGreaterThan(10);
  expect(hit).toMatchObject({ cache: 'hit', siteDuration: undefined, bytes: miss?.bytes });
  const refusal = { status: 400, refusal: 'rest_invalid_param', siteDuration: undefined, cache: 'none' };
  expect(refused).toMatchObject(refusal);
  const failure = { status: 502, failure: 'connection-broken', cacheStatus: expect.stringContaining('fwd=') };
  expect(failed).toMatchObject(failure);
});

test.each([
  ['a trusted proxy', ['127.0.0.1'], '8c1e2a3b-0000-4000-8000-abcdefabcdef', true],
  ['a client', [], '8c1e2a3b-0000-4000-8000-abcdefabcdef', false],
  ['a trusted proxy, but with a text that is no id,', ['127.0.0.1'], '"><script>alert(1)</script>', false],
])('the request id of %s is used or replaced', async (_, trust, id, isUsed) => {
  const [entry] = await logOf(trust, [['/x', { 'x-request-id': id, authorization: 'Basic eDp5' }]]);
  expect(entry?.requestId === id).toBe(isUsed);
  const forwarded = site.received.findLast(({ url }) => url.endsWith('/x'));
  expect(forwarded?.headers['x-request-id']).toBe(entry?.requestId);
});

test('neither the path nor the referrer has its query, which can contain a password', async () => {
  const fields = { referer: 'https://a.example.com/?pwd=x#y', 'user-agent': 'a\u009b2J' };
  const [entry] = await logOf([], [['/page?pwd=z', fields]]);
  const line = entry === undefined ? '' : createLineFormat('json').formatEntry(entry);
  expect(JSON.parse(line)).toMatchObject({ path: '/page', referer: 'https://a.example.com/' });
  expect(line).toContain('"userAgent":"a\\u009b2J"');
});
