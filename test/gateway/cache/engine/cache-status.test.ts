import { describe, expect, test } from 'vitest';
import type { CacheStore, PutResult } from '../../../../src/gateway/cache/store.ts';
import { MemoryStore } from '../../../../src/gateway/cache/stores/memory-store.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { CacheHarness, endOfRead, type TestRequest } from './support/cache-harness.ts';

const FRESH = ['Cache-Control', 'max-age=60'];
const control = (value: string): readonly string[] => ['Cache-Control', value];

describe('Cache-Status says why a response was not stored', () => {
  test.each<[detail: string, status: number, headers: readonly string[], request?: TestRequest]>([
    ['no-store', 200, control('no-store')],
    ['private', 200, control('private, max-age=60')],
    ['no-cache', 200, control('no-cache')],
    ['no-freshness', 200, []],
    ['"vary *"', 200, [...FRESH, 'Vary', '*']],
    ['set-cookie', 200, [...FRESH, 'Set-Cookie', 'a=b']],
    ['"header x-own"', 200, FRESH, { findObjection: () => ({ kind: 'header', name: 'x-own' }) }],
    ['"status 500"', 500, []],
    ['"status 304"', 304, FRESH],
    ['partial', 206, [...FRESH, 'Content-Range', 'bytes 0-0/*']],
    ['"too large"', 200, [...FRESH, 'Content-Length', '99999999']],
    ['"method HEAD"', 200, FRESH, { method: 'HEAD' }],
    ['authorization', 200, FRESH, { identifyingFields: ['authorization'] }],
    ['cookie', 200, FRESH, { identifyingFields: ['cookie'] }],
    ['"header x-tenant"', 200, FRESH, { identifyingFields: ['x-tenant'] }],
  ])('%s', (detail, status, headers, request = {}) => {
    const harness = new CacheHarness();
    const client = harness.request(request);
    harness.site.last.head(status, headers);
    expect(client.cacheStatus).toBe(`fwd=uri-miss; detail=${detail}`);
  });

  test('analysis failed, and the client gets its response', () => {
    const harness = new CacheHarness();
    const client = harness.request({
      getTags() {
        throw new TypeError('a defect');
      },
    });
    harness.site.last.respond({ body: 'complete' });
    expect(client.cacheStatus).toBe('fwd=uri-miss; detail="analysis failed"');
    expect(client.body).toBe('complete');
  });

  test('incomplete, by its Content-Length (RFC 9111 §3.3)', () => {
    const harness = new CacheHarness();
    const client = harness.fill({ headers: [...FRESH, 'Content-Length', '9'], body: 'a part' });
    expect(client.cacheStatus).toBe('fwd=uri-miss; detail=incomplete');
  });

  test('purged meanwhile', async () => {
    const harness = new CacheHarness();
    const client = harness.request();
    harness.clock.pass(10);
    await harness.store.purge({ kind: 'tags', tags: ['a'] }, 'hard');
    harness.site.last.respond({});
    expect(client.cacheStatus).toBe('fwd=uri-miss; detail="purged meanwhile"');
  });
});

describe('Cache-Status says that a response was stored', () => {
  test('if all of it arrived with its head, as the first one or for other fields of requests', () => {
    const harness = new CacheHarness();
    const headers = [...FRESH, 'Vary', 'Foo'];
    expect(harness.fill({ headers }).cacheStatus).toBe('fwd=uri-miss; stored');
    expect(harness.fill({ headers }, { headers: ['Foo', '1'] }).cacheStatus).toBe('fwd=vary-miss; stored');
    expect(harness.request().cacheStatus).toBe('hit; ttl=59');
  });

  test.each<[PutResult, status: string]>([
    ['stored', 'fwd=uri-miss; stored; collapsed'],
    ['unstored', 'fwd=uri-miss; collapsed; detail=storable'],
    ['outdated', ''],
  ])('but not before a shared store has responded (%s)', async (result, status) => {
    const memory = new MemoryStore({ clock: new GatewayClock(undefined, 0) });
    const store: CacheStore = {
      get: (key) => memory.get(key),
      put: () => Promise.resolve(result),
      addForm() {},
      purge: (selection, mode) => memory.purge(selection, mode),
      report: () => memory.report(),
    };
    const harness = new CacheHarness({ store });
    const [leader, follower] = [harness.request(), harness.request()];
    harness.site.last.respond({});
    expect(leader.cacheStatus).toBe('fwd=uri-miss; detail=storable');
    await endOfRead();
    expect(follower.cacheStatus).toBe(status);
  });
});

describe('Cache-Status says why a request was forwarded although a fresh response is stored', () => {
  test.each<[detail: string, request: TestRequest, stored?: boolean]>([
    ['"request no-cache"', { headers: control('no-cache') }],
    ['"request max-age"', { headers: control('max-age=0') }],
    ['"request no-store"', { headers: control('no-store') }, false],
    ['"request precondition"', { headers: ['If-Match', '"1"'] }],
    ['cookie', { identifyingFields: ['cookie'] }, false],
    ['"header x-tenant"', { identifyingFields: ['x-tenant'] }, false],
  ])('%s', (detail, request, stored = true) => {
    const harness = new CacheHarness();
    harness.fill({});
    harness.clock.pass(1_000);
    const client = harness.fill({}, request);
    expect(client.cacheStatus).toBe(`fwd=request; ${stored ? 'stored; ' : ''}detail=${detail}`);
  });
});

describe('Cache-Status says why a stale response was served', () => {
  function stale(response: Parameters<CacheHarness['fill']>[0] = {}): CacheHarness {
    const harness = new CacheHarness();
    harness.fill(response);
    harness.clock.pass(61_000);
    return harness;
  }

  test('a range gets the whole of it', () => {
    const harness = stale({ body: 'whole' });
    const client = harness.request({ headers: ['Range', 'bytes=0-0'] });
    harness.site.last.fail('refused');
    expect([client.status, client.body]).toEqual([200, 'whole']);
    expect(client.cacheStatus).toBe('fwd=request; ttl=-1; detail="unreachable refused"');
  });

  test('a failure after the head does not show that the site cannot be reached', async () => {
    const harness = stale({ body: 'old' });
    const [leader, follower] = [harness.request(), harness.request()];
    harness.site.last.head(200, FRESH).write('n');
    await endOfRead();
    harness.site.last.fail('connection-broken');
    expect([leader.body, leader.failure?.kind]).toEqual(['n', 'connection-broken']);
    expect(follower.failure?.kind).toBe('connection-broken');
  });

  test.each(['invalid-request', 'shutdown'] as const)('%s is no reason', (kind) => {
    const harness = stale();
    const client = harness.request();
    harness.site.last.fail(kind);
    expect(client.failure?.kind).toBe(kind);
  });
});

describe('Cache-Status says why there is no response', () => {
  test('after a miss, to the leader and to its followers', () => {
    const harness = new CacheHarness();
    const [leader, follower] = [harness.request(), harness.request()];
    harness.site.last.fail('refused');
    expect(leader.cacheStatus).toBe('fwd=uri-miss; detail="failed refused"');
    expect(follower.cacheStatus).toBe('fwd=uri-miss; collapsed; detail="failed refused"');
  });

  test('without `fwd` if nothing was forwarded', () => {
    const harness = new CacheHarness();
    const open = harness.request();
    harness.site.last.fail('circuit-open');
    expect(open.cacheStatus).toBe('detail="failed circuit-open"');
    const onlyIfCached = harness.request({ headers: control('only-if-cached') });
    expect(onlyIfCached.cacheStatus).toBe('detail="request only-if-cached"');
  });
});
