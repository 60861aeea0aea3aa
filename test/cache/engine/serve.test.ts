import { describe, expect, test } from 'vitest';
import type { ResponseHead } from '../../../src/http/exchange.ts';
import { Bench, requestOf } from './support/bench.ts';

const FRESH = ['Cache-Control', 'max-age=60'];
const TAGGED = [...FRESH, 'ETag', '"1"'];

describe('an answer that is stored', () => {
  test('is given without asking the site, before serve returns', () => {
    const bench = new Bench();
    expect(bench.fill({ body: 'one' }).cacheStatus).toBe('fwd=uri-miss; stored');
    bench.clock.advance(10_000);
    const hit = bench.ask();
    expect(hit).toMatchObject({ status: 200, body: 'one', ended: true, cacheStatus: 'hit; ttl=49' });
    expect(hit.field('age')).toBe('10');
    expect(bench.site.requests).toHaveLength(1);
  });

  test('goes out in one call where the sink can take it so', () => {
    const bench = new Bench();
    bench.fill({ body: 'one' });
    const calls: [ResponseHead, Uint8Array][] = [];
    const unused = () => {
      throw new Error('called in parts');
    };
    const sink = {
      head: unused,
      write: unused,
      end: unused,
      fail: unused,
      complete: (...call: [ResponseHead, Uint8Array]) => calls.push(call),
    };
    bench.cache.serve(requestOf(), bench.site.origin, sink);
    expect(calls.map(([{ status }, body]) => [status, new TextDecoder().decode(body)])).toEqual([
      [200, 'one'],
    ]);
  });

  test('waits for a sink that is full before it ends', () => {
    const bench = new Bench();
    bench.fill({ body: 'one' });
    const hit = bench.ask({ full: true });
    expect(hit).toMatchObject({ body: 'one', ended: false });
    hit.drain();
    expect(hit.ended).toBe(true);
  });

  test.each([
    ['GET', ['If-None-Match', '"1"'], 304, ''],
    ['GET', ['If-None-Match', '"2"'], 200, 'body'],
    ['GET', ['Range', 'bytes=1-2'], 206, 'od'],
    ['GET', ['Range', 'bytes=9-'], 416, ''],
    ['HEAD', [], 200, ''],
    ['HEAD', ['If-None-Match', 'W/"1"'], 304, ''],
  ] as const)('answers a %s with %j by %i', (method, headers, status, body) => {
    const bench = new Bench();
    bench.fill({ headers: TAGGED });
    expect(bench.ask({ method, headers })).toMatchObject({ status, body, ended: true });
    expect(bench.site.requests).toHaveLength(1);
  });

  test('is another for each variant', () => {
    const bench = new Bench();
    const headers = [...FRESH, 'Vary', 'Accept-Language'];
    bench.fill({ headers, body: 'en' }, { headers: ['Accept-Language', 'en'] });
    const other = bench.ask({ headers: ['Accept-Language', 'de'] });
    bench.site.last.answer({ headers, body: 'de' });
    expect(other).toMatchObject({ body: 'de', cacheStatus: 'fwd=vary-miss; stored' });
    expect(bench.ask({ headers: ['Accept-Language', 'en'] }).body).toBe('en');
    expect(bench.ask({ headers: ['Accept-Language', 'de'] }).body).toBe('de');
  });

  test('of which a request without store wants nothing is neither read nor replaced', () => {
    const bench = new Bench();
    bench.fill({ body: 'one' });
    const aside = bench.ask({ headers: ['Cache-Control', 'no-store'] });
    bench.site.last.answer({ body: 'two' });
    expect(aside).toMatchObject({ body: 'two', cacheStatus: 'fwd=request; detail=request-no-store' });
    expect(bench.ask().body).toBe('one');
  });
});

describe('where only a stored answer is wanted', () => {
  test('there is none but what is stored', () => {
    const bench = new Bench();
    const headers = ['Cache-Control', 'only-if-cached'];
    expect(bench.ask({ headers }).failure?.kind).toBe('not-stored');
    bench.fill({});
    expect(bench.ask({ headers }).status).toBe(200);
    expect(bench.site.requests).toHaveLength(1);
  });
});

describe('a stale answer', () => {
  const stale = (headers: readonly string[] = TAGGED): Bench => {
    const bench = new Bench();
    bench.fill({ headers, body: 'old' });
    bench.clock.advance(61_000);
    return bench;
  };

  test('is given once the site has confirmed it, with the fields of the confirmation', () => {
    const bench = stale();
    const caller = bench.ask();
    expect(bench.site.last.asked).toEqual({ conditions: ['If-None-Match', '"1"'], background: false });
    bench.site.last.answer({ status: 304, headers: [...TAGGED, 'X-New', '1'], body: '' });
    expect(caller).toMatchObject({
      status: 200,
      body: 'old',
      cacheStatus: 'fwd=stale; fwd-status=304; stored',
    });
    expect(caller.field('x-new')).toBe('1');
    expect(bench.ask().cacheStatus).toBe('hit; ttl=60');
  });

  test('is replaced where the site has another', () => {
    const bench = stale();
    const caller = bench.ask();
    bench.site.last.answer({ headers: TAGGED, body: 'new' });
    expect(caller).toMatchObject({ body: 'new', cacheStatus: 'fwd=stale; stored' });
    expect(bench.ask()).toMatchObject({ body: 'new', cacheStatus: 'hit; ttl=60' });
  });

  test('is not sent to who has what replaced it', () => {
    const bench = stale();
    const caller = bench.ask({ headers: ['If-None-Match', '"2"'] });
    bench.site.last.answer({ headers: [...FRESH, 'ETag', '"2"'], body: 'new' });
    expect(caller).toMatchObject({ status: 304, body: '', ended: true });
    expect(bench.ask().body).toBe('new');
  });

  test('is cut for who wants a part, once the site has replaced it', () => {
    const bench = stale();
    const caller = bench.ask({ headers: ['Range', 'bytes=0-1'] });
    bench.site.last.answer({ headers: TAGGED, body: 'new' });
    expect(caller).toMatchObject({ status: 206, body: 'ne', ended: true });
  });

  test('goes where the site has replaced it by what may not be stored', () => {
    const bench = stale([...TAGGED, 'X-Old', '1']);
    const caller = bench.ask();
    bench.site.last.answer({ headers: ['Cache-Control', 'no-store'], body: 'secret' });
    expect(caller).toMatchObject({ body: 'secret', cacheStatus: 'fwd=stale; detail=no-store' });
    expect(bench.store.stats().entries).toBe(0);
  });

  test('is asked for anew where a 304 speaks of another', () => {
    const bench = stale();
    const caller = bench.ask();
    bench.site.last.answer({ status: 304, headers: ['ETag', '"9"'], body: '' });
    expect(caller.received).toBeUndefined();
    expect(bench.site.last.asked.conditions).toBeNull();
    bench.site.last.answer({ headers: TAGGED, body: 'new' });
    expect(caller.body).toBe('new');
  });

  test('is confirmed for a HEAD by a HEAD', () => {
    const bench = stale();
    const caller = bench.ask({ method: 'HEAD' });
    bench.site.last.answer({ status: 304, headers: TAGGED, body: '' });
    expect(caller).toMatchObject({ status: 200, body: '', ended: true });
    expect(bench.ask()).toMatchObject({ body: 'old', cacheStatus: 'hit; ttl=60' });
  });

  describe('while it may be revalidated behind the scenes', () => {
    const swr = ['Cache-Control', 'max-age=60, stale-while-revalidate=600', 'ETag', '"1"'];

    test('is given at once, and fetched anew once', () => {
      const bench = stale(swr);
      expect(bench.ask()).toMatchObject({ body: 'old', ended: true, cacheStatus: 'hit; ttl=-1' });
      expect(bench.ask().body).toBe('old');
      expect(bench.site.requests).toHaveLength(2);
      expect(bench.site.last.asked.background).toBe(true);
      bench.site.last.answer({ headers: swr, body: 'new' });
      expect(bench.ask()).toMatchObject({ body: 'new', cacheStatus: 'hit; ttl=60' });
    });

    test('the site is left alone for a moment where it failed', () => {
      const bench = stale(swr);
      bench.ask();
      bench.site.last.fail();
      bench.ask();
      expect(bench.site.requests).toHaveLength(2);
      bench.clock.advance(1_000);
      bench.ask();
      expect(bench.site.requests).toHaveLength(3);
    });

    test('is fetched anew although who asked has left', () => {
      const bench = stale(swr);
      bench.ask().leave();
      expect(bench.site.last.aborted).toBe(false);
    });
  });

  describe('where the site fails', () => {
    const sie = ['Cache-Control', 'max-age=60, stale-if-error=600', 'ETag', '"1"'];

    test.each([500, 502, 503, 504])('stands in for a %i', (status) => {
      const bench = stale(sie);
      const caller = bench.ask();
      bench.site.last.answer({ status, headers: [], body: 'oops' });
      expect(caller).toMatchObject({ status: 200, body: 'old', ended: true });
      expect(caller.cacheStatus).toBe(`fwd=stale; fwd-status=${status}; ttl=-1; detail=stale-if-error`);
    });

    test('stands in for a site that cannot be reached', () => {
      const bench = stale(sie);
      const caller = bench.ask();
      const other = bench.ask();
      bench.site.last.fail('refused');
      expect(caller).toMatchObject({ status: 200, body: 'old' });
      expect(caller.cacheStatus).toBe('fwd=stale; ttl=-1; detail=stale-if-error');
      expect(other).toMatchObject({ status: 200, body: 'old' });
      expect(other.cacheStatus).toBe('fwd=stale; ttl=-1; collapsed; detail=stale-if-error');
    });

    test('stands in for a site that is left alone, which nobody has asked then', () => {
      const bench = stale(sie);
      const caller = bench.ask();
      bench.site.last.fail('circuit-open');
      expect(caller).toMatchObject({ status: 200, body: 'old' });
      expect(caller.cacheStatus).toBe('hit; ttl=-1; detail=stale-if-error');
    });

    test('is not shown beyond its window, nor for other errors', () => {
      const bench = stale(sie);
      const refused = bench.ask();
      bench.site.last.answer({ status: 403, headers: [], body: 'no' });
      expect(refused).toMatchObject({ status: 403, body: 'no' });

      const late = stale(sie);
      late.clock.advance(600_000);
      const failed = late.ask();
      late.site.last.answer({ status: 503, headers: [], body: 'oops' });
      expect(failed).toMatchObject({ status: 503, body: 'oops' });
    });
  });
});

describe('an answer that is often asked for', () => {
  test('is fetched anew shortly before it expires, by lot', () => {
    const bench = new Bench();
    bench.fill({});
    bench.random = 0.99;
    bench.clock.advance(50_000);
    expect(bench.ask().cacheStatus).toBe('hit; ttl=9');
    expect(bench.site.requests).toHaveLength(1);
    bench.clock.advance(9_000);
    bench.random = 0;
    bench.ask();
    expect(bench.site.requests).toHaveLength(1);
    bench.random = 0.99;
    bench.ask();
    bench.ask();
    expect(bench.site.requests).toHaveLength(2);
    bench.site.last.answer({ body: 'new' });
    expect(bench.ask()).toMatchObject({ body: 'new', cacheStatus: 'hit; ttl=60' });
  });
});

describe('a purge', () => {
  test('is not undone by an answer that was asked for before it', async () => {
    const bench = new Bench();
    const leader = bench.ask();
    bench.clock.advance(10);
    await bench.store.purge({ kind: 'tags', tags: ['a'] }, 'hard');
    bench.clock.advance(10);
    const waiting = bench.ask();
    bench.site.last.answer({ body: 'before' });
    expect(leader.body).toBe('before');
    expect(waiting.received).toBeUndefined();
    expect(bench.site.requests).toHaveLength(2);
    bench.site.last.answer({ body: 'after' });
    expect(waiting.body).toBe('after');
    expect(bench.ask().body).toBe('after');
  });

  test('a soft one has the answer fetched anew, and shown meanwhile', async () => {
    const bench = new Bench();
    bench.fill({ headers: ['Cache-Control', 'max-age=60, stale-while-revalidate=60'], body: 'old' });
    await bench.store.purge({ kind: 'all' }, 'soft');
    bench.clock.advance(1);
    expect(bench.ask().body).toBe('old');
    bench.site.last.answer({ body: 'new' });
    expect(bench.ask().body).toBe('new');
  });
});
