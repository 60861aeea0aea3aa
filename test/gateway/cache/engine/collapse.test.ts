import { describe, expect, test } from 'vitest';
import { CacheHarness, endOfRead } from './support/cache-harness.ts';

const FRESH = ['Cache-Control', 'max-age=60'];
const many = (harness: CacheHarness, count: number, request: Parameters<CacheHarness['request']>[0] = {}) =>
  Array.from({ length: count }, () => harness.request(request));

describe('clients that request a key that is not stored', () => {
  test('followers do not wait for a slow leader', async () => {
    const harness = new CacheHarness();
    const leader = harness.request({ full: true });
    const follower = harness.request();
    harness.site.last.head(200, FRESH);
    await endOfRead();
    for (const part of ['a', 'b', 'c']) expect(harness.site.last.write(part)).toBe(true);
    harness.site.last.end();
    expect(follower).toMatchObject({ body: 'abc', ended: true });
    expect(leader).toMatchObject({ body: 'a', ended: false });
    leader.drain();
    expect(leader).toMatchObject({ body: 'abc', ended: true });
  });

  test('a later client joins during the body if it requests the same variant', () => {
    const harness = new CacheHarness();
    const ask = (language: string) => harness.request({ headers: ['Accept-Language', language] });
    const first = ask('en');
    harness.site.last.head(200, [...FRESH, 'Vary', 'Accept-Language']).write('en');
    const [same, follower, alike] = [ask('en'), ask('de'), ask('de')];
    expect(harness.site.requests).toHaveLength(2);
    harness.site.requests[1]?.respond({ headers: [...FRESH, 'Vary', 'Accept-Language'], body: 'de' });
    harness.site.requests[0]?.end();
    expect([first, same, follower, alike].map(({ body }) => body)).toEqual(['en', 'en', 'de', 'de']);
    expect(harness.site.requests).toHaveLength(2);
  });

  test('do not share a 304: the site has evaluated the conditions of one', () => {
    const harness = new CacheHarness();
    const [first, second] = many(harness, 2, { headers: ['If-None-Match', '"1"'] });
    expect(harness.site.last.options.revalidationConditions).toBeNull();
    harness.site.last.respond({ status: 304, headers: ['ETag', '"1"'], body: '' });
    expect([first?.status, second?.received]).toEqual([304, undefined]);
    harness.site.last.respond({ body: 'whole' });
    expect(second).toMatchObject({ status: 200, body: 'whole' });
  });
});

describe('a body larger than maxEntryBytes', () => {
  const limits = { maxEntryBytes: 4 };

  test('followers forward their own requests as soon as the limit is exceeded', () => {
    const harness = new CacheHarness({ limits });
    const [leader, follower] = many(harness, 2);
    const [request] = harness.site.requests;
    request?.head(200, FRESH).write('abc');
    expect(harness.site.requests).toHaveLength(1);
    request?.write('def');
    expect(harness.site.requests).toHaveLength(2);
    request?.end();
    harness.site.last.respond({ body: 'abcdef' });
    expect([leader?.body, follower?.body]).toEqual(['abcdef', 'abcdef']);
  });
});

describe('the collapse timeout', () => {
  test('makes each follower forward its own request, and keeps later clients from waiting', () => {
    const harness = new CacheHarness({ limits: { collapseTimeout: 1_000 } });
    const [, second, third] = many(harness, 3);
    harness.clock.pass(999);
    expect(harness.site.requests).toHaveLength(1);
    harness.clock.pass(1);
    expect(harness.site.requests).toHaveLength(3);
    harness.site.requests[1]?.respond({ body: 'two' });
    harness.site.requests[2]?.respond({ body: 'three' });
    expect([second?.body, third?.body]).toEqual(['two', 'three']);
    harness.request();
    expect(harness.request().settled).toBe(true);
  });

  test('allows another refresh after one that does not end', () => {
    const harness = new CacheHarness({ limits: { collapseTimeout: 1_000 } });
    harness.fill({ headers: ['Cache-Control', 'max-age=1, stale-while-revalidate=600'] });
    harness.clock.pass(2_000);
    harness.request();
    harness.request();
    expect(harness.site.requests).toHaveLength(2);
    harness.clock.pass(1_000);
    harness.request();
    expect(harness.site.requests).toHaveLength(3);
  });
});

describe('a write during a revalidation', () => {
  const STALE = ['Cache-Control', 'max-age=60', 'Last-Modified', 'Sat, 01 Nov 2031 00:00:00 GMT'];
  /** A stored response that is stale, and may be used while the site cannot be reached. */
  const revalidating = (purge: (store: CacheHarness['store']) => unknown) => {
    const harness = new CacheHarness();
    harness.fill({ headers: STALE, body: 'before' });
    harness.clock.pass(61_000);
    const before = harness.request();
    harness.clock.pass(1_000);
    void purge(harness.store);
    harness.clock.pass(1_000);
    return { harness, before, after: harness.request() };
  };
  const tags = ['a'];
  test.each<[string, (store: CacheHarness['store']) => unknown]>([
    ['removes', (store) => store.purge({ kind: 'tags', tags }, 'hard')],
    ['marks', (store) => store.purge({ kind: 'tags', tags }, 'revalidate')],
  ])('that %s the response leaves nothing for the failure of the site', (_, purge) => {
    const { after, harness } = revalidating(purge);
    for (const request of harness.site.requests) request.fail('timeout');
    expect(after.body).toBe('');
    expect(after.failure?.kind).toBe('timeout');
  });

  test('of another response leaves it for the failure of the site', () => {
    const { after, before, harness } = revalidating((store) =>
      store.purge({ kind: 'tags', tags: ['b'] }, 'hard'),
    );
    harness.site.last.fail('timeout');
    expect([before.body, after.body]).toEqual(['before', 'before']);
  });
});
