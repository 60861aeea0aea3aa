import { expect, test } from 'vitest';
import { createLineFormat } from '../../../src/cli/serve/log-format.ts';
import { type AccessLogEntry, serve } from '../../../src/gateway/node/index.ts';
import { useEchoSite } from '../../support/echo-site.ts';
import { createSettledGateway } from '../../support/gateway.ts';
import { waitUntil } from '../../support/wait.ts';

const POSTS = '/wp-json/core/v2/posts';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const site = useEchoSite();

/** Sends requests one after the other. @returns the entries of the access log */
async function logOf(
  trust: readonly string[],
  requests: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[],
): Promise<readonly AccessLogEntry[]> {
  const entries: AccessLogEntry[] = [];
  const gateway = createSettledGateway({
    sites: [{ url: site.origin, passthrough: true, validation: { mode: 'strict' } }],
    cache: 'memory',
    trust,
  });
  await gateway.rediscover();
  const server = await serve({ gateway, port: 0, access: (entry) => entries.push(entry) });
  for (const [at, [path, headers = {}]] of requests.entries()) {
    const response = await fetch(server.url + path, { headers });
    await response.text().catch(() => '');
    await waitUntil(() => entries.length > at);
  }
  await server.stop();
  return entries;
}

test('an entry says what the cache and the site did, who sent it, and what was sent', async () => {
  const fields = { 'user-agent': 'tests/1', traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const [miss, hit, refused] = await logOf([], [[POSTS, fields], [POSTS, fields], [`${POSTS}?page=x`]]);
  expect(miss).toMatchObject({
    ...{ status: 200, sent: 200, end: 'complete', cache: 'miss', validation: 'valid', userAgent: 'tests/1' },
    ...{ host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), httpVersion: '1.1', traceId: TRACE },
    ...{ siteDuration: expect.any(Number), cacheStatus: expect.stringContaining('fwd=') },
  });
  expect(miss?.bytes).toBeGreaterThan(10);
  expect(hit).toMatchObject({ cache: 'hit', siteDuration: undefined, bytes: miss?.bytes });
  const refusal = { status: 400, refusal: 'rest_invalid_param', siteDuration: undefined, cache: 'none' };
  expect(refused).toMatchObject(refusal);
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

test.each<[what: string, fields: Readonly<Record<string, string>>, line: string]>([
  [
    'both fields',
    { referer: 'https://shop.example.com/a', 'user-agent': 'x/1' },
    '"https://shop.example.com/a" "x/1"',
  ],
  // traefik/traefik#2649: an absent referrer stood there without quotation marks.
  ['no referrer', { 'user-agent': 'x/1' }, '"-" "x/1"'],
  // testinfected/molecule#37: what an empty field is. nginx and Apache write an empty text.
  ['empty fields', { referer: '', 'user-agent': '' }, '"" ""'],
  // traefik/traefik#11722: a quotation mark ended the field.
  ['quotation marks', { referer: '/"a', 'user-agent': 'foo " bar' }, '"/\\"a" "foo \\" bar"'],
  ['backslashes', { referer: 'a\\', 'user-agent': 'b\\"' }, '"a\\\\" "b\\\\\\""'],
  // caddyserver/transform-encoder#13: fields were written as lists.
  ['a list', { referer: '/a, /b', 'user-agent': 'x, y' }, '"/a, /b" "x, y"'],
  // A client that wants to control the terminal that shows the log.
  ['control characters', { referer: '/\t', 'user-agent': 'a\u009b2J' }, '"/" "a\\u009b2J"'],
  [
    'a password in a query',
    { referer: 'https://a.example.com/?pwd=x#y', 'user-agent': 'x' },
    '"https://a.example.com/" "x"',
  ],
])('the combined format has referrer and user agent: %s', async (_what, fields, line) => {
  const [entry] = await logOf([], [['/combined', fields]]);
  const text = entry === undefined ? '' : createLineFormat('combined').formatEntry(entry);
  expect(text.slice(text.indexOf('HTTP/1.1"'))).toMatch(/^HTTP\/1\.1" \d{3} (?:\d+|-) /);
  expect(text.endsWith(` ${line}\n`), text).toBe(true);
});
