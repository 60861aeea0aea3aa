import { describe, expect, test } from 'vitest';
import GROUPS from '../../../../src/base/http/request-fields.json' with { type: 'json' };
import type { SiteOptions } from '../../../../src/gateway/index.ts';
import { type Answer, type RunningGateway, startGateway } from '../../../support/gateway.ts';
import { sendRaw } from '../../../support/run.ts';

/** What fields of a client's request do with a stored response, and which of them reach the site. */

type Fields = Readonly<Record<string, string>>;

async function start(
  cache: SiteOptions['cache'],
  respond: (headers: Fields, count: number) => Answer = (_, count) => ({ body: count }),
) {
  /** Fields of the requests that reached the site. */
  const received: Fields[] = [];
  const gateway = await startGateway({ passthrough: false, cache }, (request, count) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push(Object.fromEntries(headers));
    return respond(Object.fromEntries(headers), count);
  });
  return { gateway, received, read: (headers: Fields = {}) => gateway.read('/wp/v2/posts', headers) };
}

const HIT = /^hit; ttl=/;

describe('a reload', () => {
  const RELOADS: readonly Fields[] = [{ 'cache-control': 'no-cache' }, { 'cache-control': 'max-age=0' }];

  test.each(RELOADS)('%j gets a new response, which is stored', async (headers) => {
    const { read } = await start({});
    await read();
    expect((await read(headers))[0]).toBe('2');
    expect((await read())[0]).toBe('2');
  });

  test.each(RELOADS)(
    '%j gets the stored response of a route whose rule says `reload: false`',
    async (headers) => {
      const { read, received } = await start({ rules: [{ match: '/wp/v2/posts*', reload: false }] });
      await read();
      expect(await read(headers)).toEqual(['1', expect.stringMatching(HIT)]);
      expect(received).toHaveLength(1);
    },
  );

  test('that is ignored does not ignore `no-store` and `only-if-cached`', async () => {
    const { read } = await start({ rules: [{ match: '/wp/v2/posts*', reload: false }] });
    expect((await read({ 'cache-control': 'only-if-cached, no-cache' }))[1]).toContain('only-if-cached');
    await read();
    expect((await read({ 'cache-control': 'no-store, no-cache' }))[0]).toBe('2');
    expect((await read())[0]).toBe('1');
  });
});

describe('behind a gateway', () => {
  test.each([
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['b3', '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1'],
    ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678;Sampled=1'],
  ])('%s reaches the site and does not tell requests apart', async (name, value) => {
    const { read, received } = await start({});
    await read({ [name]: value });
    expect(received[0]?.[name]).toBe(value);
    expect((await read({ [name]: 'other' }))[1]).toMatch(HIT);
  });

  test('an id that the site repeats in a field is not stored', async () => {
    const { gateway } = await start({}, (headers) => ({
      headers: { 'x-correlation-id': headers['x-correlation-id'] ?? '' },
      body: 1,
    }));
    const idOf = async (headers: Fields): Promise<string | null> =>
      (await gateway.request('/wp/v2/posts', { headers })).headers.get('x-correlation-id');
    expect(await idOf({ 'x-correlation-id': 'abc' })).toBe('abc');
    expect(await idOf({})).toBeNull();
  });

  test.each([
    ['x-correlation-id', '"><script>alert(1)</script>'],
    ['traceparent', 'a'.repeat(257)],
    ['x-amzn-trace-id', 'Sampled=0'],
    ['baggage', 'userId=alice'],
  ])('%s: %s does not reach the site with a request that may use the store', async (name, value) => {
    const { read, received } = await start({});
    await read({ [name]: value });
    expect(received[0]?.[name]).toBeUndefined();
  });
});

describe('a stored response without validator', () => {
  /** Sends these fields only: `fetch` adds `Cache-Control: no-cache` to a conditional request. */
  const get = async ({ origin }: RunningGateway, headers: Fields = {}, method = 'GET') => {
    const { body, headers: received, status } = await sendRaw(origin, '/wp/v2/posts', { headers, method });
    return { status, etag: received.etag ?? null, body };
  };

  test('gets an entity tag, by which a client revalidates it', async () => {
    const { gateway } = await start({});
    await get(gateway);
    const { etag } = await get(gateway);
    expect(etag).toMatch(/^"waygate-[\w-]+"$/);
    expect(await get(gateway, { 'if-none-match': `"other", W/${etag}` })).toEqual({
      status: 304,
      etag,
      body: '',
    });
    expect(await get(gateway, {}, 'HEAD')).toEqual({ status: 200, etag, body: '' });
    expect((await get(gateway, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is not sent again to a client that reloads it while it is the same', async () => {
    const { gateway, received } = await start({}, (_, count) => ({ body: [count === 3 ? 'new' : 'same'] }));
    await get(gateway);
    const { etag } = await get(gateway);
    const reload = { 'cache-control': 'max-age=0', 'if-none-match': etag ?? '' };
    expect(await get(gateway, reload)).toEqual({ status: 304, etag, body: '' });
    expect(received).toHaveLength(2);
    expect(received[1]).not.toHaveProperty('if-none-match');
    expect((await get(gateway, reload)).status).toBe(200);
  });

  test.each<readonly [string, Answer]>([
    ['is not stored', { headers: { 'cache-control': 'private' }, body: 1 }],
    ['is an error', { status: 404, body: { code: 'rest_no_route' } }],
  ])('gets none if it %s', async (_, response) => {
    const { gateway } = await start({}, () => response);
    await get(gateway);
    expect((await get(gateway)).etag).toBeNull();
  });
});

/** Each field that the gateway knows, with a value that no normalization keeps. */
const KNOWN_FIELDS: readonly string[] = GROUPS.flatMap(
  ({ dropped = [], fromProxies = [], passed = [], ...group }) => [
    ...[...dropped, ...fromProxies, ...passed].flatMap((names) => names.split(/\s+/)),
    ...Object.keys('rewritten' in group ? group.rewritten : {}),
  ],
).map((name) => name.replace('*', 'any'));

test('no known field of a client reaches the site in a request whose response others get', async () => {
  const { read, received } = await startGateway({}, () => ({ body: '<p>a</p>' }));
  // The client can't send each field, e.g. `Upgrade`.
  const visit = (path: string, headers: Fields) => read(path, headers).catch(() => ['', ''] as const);
  const shared: string[] = [];
  for (const name of KNOWN_FIELDS) {
    const path = `/${name}/`;
    await visit(path, { [name]: 'client-one' });
    const [, status] = await visit(path, { [name]: 'client-two' });
    if (!status.startsWith('hit')) continue;
    shared.push(name);
    const got = received
      .filter((each) => each.url.startsWith(path))
      .map(({ headers }) => String(headers[name]));
    expect([name, got.join()]).toEqual([name, expect.not.stringContaining('client-')]);
  }
  expect(shared).toContain('accept-language');
});
