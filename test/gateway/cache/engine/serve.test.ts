import { describe, expect, test } from 'vitest';
import { CacheHarness, createRequest } from './support/cache-harness.ts';

const FRESH = ['Cache-Control', 'max-age=60'];
const TAGGED = [...FRESH, 'ETag', '"1"'];

describe('a stale response', () => {
  const stale = (headers: readonly string[] = TAGGED): CacheHarness => {
    const harness = new CacheHarness();
    harness.fill({ headers, body: 'old' });
    harness.clock.pass(61_000);
    return harness;
  };

  test.each([
    ['another validator', ['ETag', '"9"']],
    ['a cookie', ['Set-Cookie', 'a=b']],
    ['no-store', ['Cache-Control', 'no-store']],
  ])('is removed, and fetched without conditions, after a 304 with %s', (_, headers) => {
    const harness = stale();
    const client = harness.request();
    harness.site.last.respond({ status: 304, headers, body: '' });
    expect(client.received).toBeUndefined();
    expect(harness.site.last.options.revalidationConditions).toBeNull();
    harness.site.last.respond({ headers: TAGGED, body: 'new' });
    expect(client.body).toBe('new');
  });

  describe('when the origin fails', () => {
    const sie = ['Cache-Control', 'max-age=60, stale-if-error=600', 'ETag', '"1"'];

    test.each([
      [502, [], 'old'],
      [503, ['Retry-After', '600'], 'oops'],
    ])(
      'without stale-if-error, a %i %j gives later clients what an open circuit gives: %s',
      (status, headers, body) => {
        const harness = stale();
        const client = harness.request();
        harness.site.last.respond({ status, headers, body: 'oops' });
        expect(client).toMatchObject({ body, ended: true });
        if (body === 'oops') return;
        const next = harness.request();
        harness.site.last.fail('circuit-open');
        expect(next).toMatchObject({
          body: 'old',
          cacheStatus: 'hit; ttl=-1; detail="unreachable circuit-open"',
        });
      },
    );

    describe('by silence', () => {
      const isSilent = (harness: CacheHarness) => {
        const client = harness.request();
        harness.clock.pass(3_000);
        return client;
      };

      test('replaces its response after three seconds, which is stored when it comes', () => {
        const harness = stale(sie);
        const [client, second] = [harness.request(), harness.request()];
        harness.clock.pass(2_999);
        expect([client.ended, second.ended]).toEqual([false, false]);
        harness.clock.pass(1);
        expect(client).toMatchObject({ body: 'old', ended: true });
        expect(client.cacheStatus).toBe('fwd=stale; ttl=-4; detail="unreachable timeout"');
        expect(second.cacheStatus).toBe('fwd=stale; ttl=-4; collapsed; detail="unreachable timeout"');
        expect(harness.site.last.aborted).toBe(false);
        harness.site.last.respond({ headers: sie, body: 'new' });
        expect(harness.request()).toMatchObject({ body: 'new', cacheStatus: 'hit; ttl=57' });
      });

      test('is known for all responses of the site until it responds to something', () => {
        const harness = new CacheHarness();
        for (const key of ['/a', '/b', '/c']) harness.fill({ headers: sie, body: 'old' }, { key });
        harness.clock.pass(61_000);
        isSilent(harness);
        const [slow] = [harness.site.last];
        const other = harness.request({ key: '/b' });
        expect(other).toMatchObject({ body: 'old', ended: true });
        expect(other.cacheStatus).toMatch(/^hit; ttl=-\d; detail="unreachable timeout"$/);
        expect(harness.site.last.options.isBackground).toBe(true);
        harness.site.last.respond({ status: 503, headers: [], body: '' });
        expect(harness.request({ key: '/c' }).ended).toBe(true);
        slow?.respond({ headers: sie, body: 'new' });
        harness.clock.pass(1_000);
        expect(harness.request({ key: '/b' }).ended).toBe(false);
      });

      test('is forgotten after ten seconds, and the request without response with it', () => {
        const harness = stale(sie);
        isSilent(harness);
        const { length } = harness.site.requests;
        harness.clock.pass(9_999);
        expect(harness.request()).toMatchObject({ body: 'old', ended: true });
        expect(harness.site.requests).toHaveLength(length);
        harness.clock.pass(1);
        const client = harness.request();
        expect(client.ended).toBe(false);
        expect(harness.site.requests).toHaveLength(length + 1);
        harness.site.last.respond({ headers: sie, body: 'new' });
        expect(client.body).toBe('new');
      });

      test('is no reason to send what may not be stale, nor to end a request without a stored response', () => {
        const harness = stale(['Cache-Control', 'max-age=60, must-revalidate']);
        expect([isSilent(harness).ended, harness.request({ key: '/b' }).ended]).toEqual([false, false]);
        harness.clock.pass(9_000);
        expect(harness.request().ended).toBe(false);
      });

      test('is explained as it is served', async () => {
        const harness = stale(sie);
        const explain = async (headers: readonly string[] = []) => {
          const request = createRequest({ headers });
          const { forwardReason } = harness.cache.explain(request, await harness.store.get(request.key));
          return forwardReason;
        };
        expect(await explain()).toBe('stale');
        isSilent(harness);
        expect(harness.request().ended).toBe(true);
        expect(await explain()).toBeUndefined();
        const reload = ['Cache-Control', 'no-cache'];
        expect(harness.request({ headers: reload }).ended).toBe(false);
        expect(await explain(reload)).toBe('stale');
        harness.clock.pass(10_000);
        expect(await explain()).toBe('stale');
      });

      test('of a site is not that of others', () => {
        const harness = stale(sie);
        const elsewhere = { key: '/b', policy: { ...createRequest().policy, storeScope: 'other' } };
        harness.fill({ headers: sie, body: 'old' }, elsewhere);
        isSilent(harness);
        harness.clock.pass(5_000);
        expect(harness.request({ ...elsewhere, headers: ['Cache-Control', 'max-age=0'] }).ended).toBe(false);
      });
    });
  });
});

test.each([
  [304, []],
  [200, ['ETag', '"2"']],
])(
  'a HEAD that was sent before a stored response was requested does not change it: %i %s',
  (status, fields) => {
    const harness = new CacheHarness();
    const fresh = ['Cache-Control', 'max-age=60'];
    harness.fill({ headers: [...fresh, 'ETag', '"1"'], body: 'old' });
    harness.clock.pass(61_000);
    harness.request({ method: 'HEAD' });
    const head = harness.site.last;
    harness.clock.pass(1);
    harness.fill({ headers: [...fresh, 'ETag', '"2"'], body: 'new' });
    head.respond({ status, headers: [...fresh, ...fields], body: '' });
    expect(harness.request()).toMatchObject({ body: 'new', cacheStatus: 'hit; ttl=59' });
  },
);

test('a refresh whose response varies by a field that was not sent is stored for nobody', () => {
  const harness = new CacheHarness();
  const request = { headers: ['Accept-Language', 'de'], forwardedHeaders: [], withholds: () => true };
  const headers = ['Cache-Control', 'max-age=1, stale-while-revalidate=600'];
  harness.fill({ headers, body: 'old' }, request);
  harness.clock.pass(2_000);
  expect(harness.request(request).body).toBe('old');
  harness.site.last.respond({ headers: [...headers, 'Vary', 'Accept-Language'], body: 'default' });
  harness.request(request);
  expect(harness.site.last.options.vary).toEqual(['accept-language']);
});
