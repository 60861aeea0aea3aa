import { describe, expect, test } from 'vitest';
import { CacheHarness, endOfRead } from './support/cache-harness.ts';

const FRESH = ['Cache-Control', 'max-age=60', 'ETag', '"1"'];
const FIRST_HALF = ['Range', 'bytes=0-1'];
const REST = { status: 206, headers: [...FRESH, 'Content-Range', 'bytes 2-3/4'], body: 'dy' };

/** A cache with the first two of the four bytes `body`. */
function withPart(options?: ConstructorParameters<typeof CacheHarness>[0]): CacheHarness {
  const harness = new CacheHarness(options);
  harness.fill(
    { status: 206, headers: [...FRESH, 'Content-Range', 'bytes 0-1/4'], body: 'bo' },
    { headers: FIRST_HALF },
  );
  return harness;
}

describe('the completion of a stored part', () => {
  test('is one request for several clients, and starts with the stored bytes', async () => {
    const harness = withPart();
    const [leader, follower] = [harness.request(), harness.request()];
    expect(harness.site.requests).toHaveLength(2);
    expect(harness.site.last.options.revalidationConditions).toEqual([
      'Range',
      'bytes=2-',
      'If-Range',
      '"1"',
    ]);
    harness.site.last.head(206, REST.headers);
    await endOfRead();
    expect(leader).toMatchObject({ status: 200, body: 'bo', cacheStatus: 'fwd=partial; detail=storable' });
    harness.site.last.write('dy');
    harness.site.last.end();
    expect(leader).toMatchObject({ body: 'body', ended: true });
    expect(follower).toMatchObject({
      status: 200,
      body: 'body',
      cacheStatus: 'fwd=partial; stored; collapsed',
    });
    expect(harness.request()).toMatchObject({ body: 'body', cacheStatus: 'hit; ttl=60' });
  });

  test.each([
    ['of another representation', { ...REST, headers: ['ETag', '"2"', 'Content-Range', 'bytes 2-3/4'] }],
    ['of another range', { ...REST, headers: [...FRESH, 'Content-Range', 'bytes 1-3/4'], body: 'ody' }],
    ['of another length', { ...REST, headers: [...FRESH, 'Content-Range', 'bytes 2-3/5'] }],
    ['that is not satisfiable', { status: 416, headers: ['Content-Range', 'bytes */2'], body: '' }],
  ])('is given up after a response %s', (_name, response) => {
    const harness = withPart();
    const [leader, follower] = [harness.request(), harness.request()];
    harness.site.last.respond(response);
    expect([leader.received, follower.received]).toEqual([undefined, undefined]);
    for (const request of harness.site.requests.slice(2)) {
      expect(request.options.revalidationConditions).toBeNull();
      request.respond({ body: 'new' });
    }
    expect(harness.site.requests[1]?.aborted).toBe(true);
    expect([leader.body, follower.body]).toEqual(['new', 'new']);
    expect(harness.request()).toMatchObject({ body: 'new', cacheStatus: 'hit; ttl=60' });
  });

  test('is not stored if the connection breaks', async () => {
    const harness = withPart();
    const client = harness.request();
    harness.site.last.head(206, REST.headers);
    await endOfRead();
    harness.site.last.fail();
    expect(client).toMatchObject({ status: 200, body: 'bo', ended: false });
    expect(client.failure?.kind).toBe('connection-broken');
    expect(harness.request({ headers: FIRST_HALF })).toMatchObject({ status: 206, body: 'bo' });
  });
});

describe('a part', () => {
  test('with fewer bytes than its range is not stored', () => {
    const harness = new CacheHarness();
    const headers = [...FRESH, 'Content-Range', 'bytes 0-9/20'];
    expect(harness.fill({ status: 206, headers, body: 'short' }, { headers: FIRST_HALF })).toMatchObject({
      status: 206,
      body: 'short',
      cacheStatus: 'fwd=uri-miss; detail=incomplete',
    });
    expect(harness.store.stats().responseCount).toBe(0);
  });

  test('does not grow beyond the limit of an entry', () => {
    const harness = withPart({ limits: { maxEntryBytes: 3 } });
    harness.fill(REST, { headers: ['Range', 'bytes=2-3'] });
    expect(harness.request({ headers: ['Range', 'bytes=2-3'] }).cacheStatus).toBe('hit; ttl=59');
    harness.request({ headers: FIRST_HALF });
    expect(harness.site.requests).toHaveLength(3);
  });

  test('does not replace a stored complete response', () => {
    const harness = new CacheHarness();
    harness.fill({ headers: FRESH, body: 'body' });
    harness.clock.advance(61_000);
    harness.request({ headers: FIRST_HALF });
    harness.site.last.respond({ status: 304, headers: ['ETag', '"other"'], body: '' });
    harness.site.last.respond({ ...REST, headers: [...FRESH, 'Content-Range', 'bytes 0-1/4'], body: 'bo' });
    const client = harness.request();
    harness.site.last.respond({ status: 304, headers: FRESH, body: '' });
    expect(client).toMatchObject({ status: 200, body: 'body' });
  });

  test('keeps the tags of all its parts', async () => {
    const harness = withPart();
    const getPurgeLabels = () => ({ tags: ['b'], group: null });
    harness.fill(REST, { headers: ['Range', 'bytes=2-3'], getPurgeLabels });
    expect(harness.request().body).toBe('body');
    await harness.store.purge({ kind: 'tags', tags: ['a'] }, 'hard');
    expect(harness.store.stats().responseCount).toBe(0);
  });
});
