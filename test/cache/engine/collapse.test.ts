import { describe, expect, test } from 'vitest';
import { Bench } from './support/bench.ts';

const FRESH = ['Cache-Control', 'max-age=60'];
const many = (bench: Bench, count: number, asked: Parameters<Bench['ask']>[0] = {}) =>
  Array.from({ length: count }, () => bench.ask(asked));

describe('callers for one key that is not stored', () => {
  test('make one request to the site, and all have its answer', () => {
    const bench = new Bench();
    const [leader, ...others] = many(bench, 1000);
    bench.site.last.answer({ body: 'one' });
    expect(bench.site.requests).toHaveLength(1);
    expect(leader).toMatchObject({ body: 'one', ended: true, cacheStatus: 'fwd=uri-miss; stored' });
    for (const other of others) {
      expect(other).toMatchObject({ status: 200, body: 'one', ended: true });
      expect(other.cacheStatus).toBe('fwd=uri-miss; stored; collapsed');
    }
    expect(bench.clock.pending).toBe(0);
  });

  test('the first has the answer as it comes, the others when it is whole', () => {
    const bench = new Bench();
    const [leader, other] = many(bench, 2);
    bench.site.last.head(200, FRESH).write('a');
    expect(leader?.body).toBe('a');
    expect(other?.received).toBeUndefined();
    bench.site.last.write('b');
    bench.site.last.end();
    expect([leader?.body, other?.body]).toEqual(['ab', 'ab']);
  });

  test('do not wait for the first where that one is slow', () => {
    const bench = new Bench();
    const leader = bench.ask({ full: true });
    const other = bench.ask();
    bench.site.last.head(200, FRESH);
    for (const part of ['a', 'b', 'c']) expect(bench.site.last.write(part)).toBe(true);
    bench.site.last.end();
    expect(other).toMatchObject({ body: 'abc', ended: true });
    expect(leader).toMatchObject({ body: 'a', ended: false });
    leader.drain();
    expect(leader).toMatchObject({ body: 'abc', ended: true });
  });

  test('any of them may leave', () => {
    const bench = new Bench();
    const [leader, second, third] = many(bench, 3);
    leader?.leave();
    second?.leave();
    expect(bench.site.last.aborted).toBe(false);
    bench.site.last.answer({ body: 'one' });
    expect(third).toMatchObject({ body: 'one', ended: true });
    expect(bench.ask().cacheStatus).toBe('hit; ttl=60');
  });

  test('where all have left, the site is told', () => {
    const bench = new Bench();
    for (const caller of many(bench, 3)) caller.leave();
    expect(bench.site.last.aborted).toBe(true);
    bench.ask();
    expect(bench.site.requests).toHaveLength(2);
  });

  test('…but an answer that is coming in is fetched to its end', () => {
    const bench = new Bench();
    const caller = bench.ask();
    bench.site.last.head(200, FRESH).write('a');
    caller.leave();
    bench.site.last.write('b');
    bench.site.last.end();
    expect(bench.ask()).toMatchObject({ body: 'ab', cacheStatus: 'hit; ttl=60' });
  });

  test('all fail where the site does', () => {
    const bench = new Bench();
    const callers = many(bench, 3);
    bench.site.last.fail('refused');
    expect(callers.map(({ failure }) => failure?.kind)).toEqual(['refused', 'refused', 'refused']);
    expect(bench.site.requests).toHaveLength(1);
  });

  test('all fail where the site breaks off, and nothing is stored', () => {
    const bench = new Bench();
    const [leader, other] = many(bench, 2);
    bench.site.last.head(200, [...FRESH, 'Content-Length', '4']).write('ab');
    bench.site.last.fail('connection-broken');
    expect(leader).toMatchObject({ status: 200, body: 'ab', ended: false });
    expect(other?.received).toBeUndefined();
    expect([leader?.failure?.kind, other?.failure?.kind]).toEqual(['connection-broken', 'connection-broken']);
    expect(bench.store.stats().entries).toBe(0);
  });

  test('have a clean end that came too early told to the first alone', () => {
    const bench = new Bench();
    const [leader, other] = many(bench, 2);
    bench.site.last.head(200, [...FRESH, 'Content-Length', '4']).write('ab');
    bench.site.last.end();
    expect(leader).toMatchObject({ body: 'ab', ended: true });
    expect(other?.received).toBeUndefined();
    expect(bench.store.stats().entries).toBe(0);
    expect(bench.site.requests).toHaveLength(2);
  });

  test.each([500, 502, 503, 504])('share a %i', (status) => {
    const bench = new Bench();
    const callers = many(bench, 3);
    bench.site.last.answer({ status, headers: [], body: 'oops' });
    for (const caller of callers) expect(caller).toMatchObject({ status, body: 'oops', ended: true });
    expect(bench.site.requests).toHaveLength(1);
    bench.ask();
    expect(bench.site.requests).toHaveLength(2);
  });

  test.each<[what: string, status: number, headers: readonly string[]]>([
    ['a 400', 400, []],
    ['a 401', 401, []],
    ['a 403', 403, []],
    ['a 429', 429, []],
    ['what sets a cookie', 200, [...FRESH, 'Set-Cookie', 'a=1']],
    ['what is private', 200, ['Cache-Control', 'private, max-age=60']],
    ['what is not to be stored', 200, ['Cache-Control', 'no-store']],
    ['what varies by everything', 200, [...FRESH, 'Vary', '*']],
    ['a private error', 500, ['Cache-Control', 'private']],
    ['an error that sets a cookie', 500, ['Set-Cookie', 'a=1']],
  ])('do not share %s: each asks as soon as that is known', (_what, status, headers) => {
    const bench = new Bench();
    const callers = many(bench, 3);
    bench.site.requests[0]?.head(status, headers);
    expect(bench.site.requests).toHaveLength(3);
    for (const [at, request] of bench.site.requests.entries()) {
      if (at > 0) request.head(status, headers);
      request.write(`for ${at}`);
      request.end();
    }
    expect(callers.map(({ body }) => body)).toEqual(['for 0', 'for 1', 'for 2']);
  });

  test('a key whose answers cannot be shared is asked for by each alone, for a while', () => {
    const bench = new Bench();
    bench.fill({ headers: ['Cache-Control', 'private'] });
    many(bench, 3);
    expect(bench.site.requests).toHaveLength(4);
    for (const request of bench.site.requests.slice(1))
      request.answer({ headers: ['Cache-Control', 'private'] });
    bench.clock.advance(5_001);
    many(bench, 3);
    expect(bench.site.requests).toHaveLength(5);
  });

  test('of several variants make one request for each', () => {
    const bench = new Bench();
    const languages = ['en', 'de', 'en', 'de', 'fr', 'en'];
    const callers = languages.map((language) => bench.ask({ headers: ['Accept-Language', language] }));
    const headers = [...FRESH, 'Vary', 'Accept-Language'];
    bench.site.requests[0]?.answer({ headers, body: 'en' });
    expect(bench.site.requests).toHaveLength(3);
    bench.site.requests[1]?.answer({ headers, body: 'de' });
    bench.site.requests[2]?.answer({ headers, body: 'fr' });
    expect(callers.map(({ body }) => body)).toEqual(languages);
  });

  test('who come while the body does share it where it is their variant', () => {
    const bench = new Bench();
    const ask = (language: string) => bench.ask({ headers: ['Accept-Language', language] });
    const first = ask('en');
    bench.site.last.head(200, [...FRESH, 'Vary', 'Accept-Language']).write('en');
    const [same, other, alike, again] = [ask('en'), ask('de'), ask('de'), ask('en')];
    expect(bench.site.requests).toHaveLength(2);
    bench.site.requests[1]?.answer({ headers: [...FRESH, 'Vary', 'Accept-Language'], body: 'de' });
    bench.site.requests[0]?.end();
    expect([first, same, other, alike, again].map(({ body }) => body)).toEqual([
      'en',
      'en',
      'de',
      'de',
      'en',
    ]);
    expect(bench.site.requests).toHaveLength(2);
  });

  test('who come while a confirmation of another’s conditions does ask themselves', () => {
    const bench = new Bench();
    bench.ask({ headers: ['If-None-Match', '"1"'] });
    bench.site.last.head(304, ['ETag', '"1"']);
    const other = bench.ask();
    bench.site.requests[0]?.end();
    expect(bench.site.requests).toHaveLength(2);
    bench.site.last.answer({ body: 'whole' });
    expect(other.body).toBe('whole');
  });

  test('share what confirms their own conditions where these are the same', () => {
    const bench = new Bench();
    const headers = ['If-None-Match', '"1"'];
    const [first, second] = many(bench, 2, { headers });
    const unconditional = bench.ask();
    expect(bench.site.last.asked.conditions).toBeNull();
    bench.site.requests[0]?.answer({ status: 304, headers: ['ETag', '"1"'], body: '' });
    expect([first?.status, second?.status]).toEqual([304, 304]);
    expect(bench.site.requests).toHaveLength(2);
    bench.site.last.answer({ body: 'whole' });
    expect(unconditional).toMatchObject({ status: 200, body: 'whole' });
  });

  test('have each what their own conditions and ranges want of a shared answer', () => {
    const bench = new Bench();
    const whole = bench.ask();
    const known = bench.ask({ headers: ['If-None-Match', '"1"'] });
    bench.site.last.answer({ headers: [...FRESH, 'ETag', '"1"'], body: 'whole' });
    expect([whole.status, known.status]).toEqual([200, 304]);
    expect(bench.site.requests).toHaveLength(1);
  });

  test('a range is asked of the site as it came, and its part is not stored', () => {
    const bench = new Bench();
    const part = bench.ask({ headers: ['Range', 'bytes=0-1'] });
    expect(bench.site.last.asked.conditions).toBeNull();
    bench.site.last.answer({
      status: 206,
      headers: [...FRESH, 'Content-Range', 'bytes 0-1/4', 'Content-Length', '2'],
      body: 'bo',
    });
    expect(part).toMatchObject({ status: 206, body: 'bo', cacheStatus: 'fwd=uri-miss; detail=partial' });
    expect(bench.store.stats().entries).toBe(0);
  });

  test('callers who are authorised do not share unless the answer says they may', () => {
    const bench = new Bench();
    const [one, other] = many(bench, 2, { authorized: true });
    expect(bench.site.requests).toHaveLength(2);
    bench.site.requests[0]?.answer({ body: 'for one' });
    bench.site.requests[1]?.answer({ headers: ['Cache-Control', 'public, max-age=60'], body: 'for all' });
    expect([one?.body, other?.body]).toEqual(['for one', 'for all']);
    expect(bench.ask().body).toBe('for all');
  });
});

describe('a body that is too large to keep', () => {
  const limits = { maxEntryBytes: 4 };

  test('passes, at the pace of its caller, and is not stored', () => {
    const bench = new Bench({ limits });
    const caller = bench.ask();
    bench.site.last.head(200, FRESH);
    expect(bench.site.last.write('abc')).toBe(true);
    caller.full = true;
    expect(bench.site.last.write('def')).toBe(false);
    const before = bench.site.last.resumed;
    caller.drain();
    expect(bench.site.last.resumed).toBe(before + 1);
    bench.site.last.write('g');
    bench.site.last.end();
    expect(caller).toMatchObject({ body: 'abcdefg', ended: true });
    expect(bench.store.stats().entries).toBe(0);
  });

  test('whoever waits asks alone as soon as that is known', () => {
    const bench = new Bench({ limits });
    const [leader, other] = many(bench, 2);
    const [request] = bench.site.requests;
    request?.head(200, FRESH).write('abc');
    expect(bench.site.requests).toHaveLength(1);
    request?.write('def');
    expect(bench.site.requests).toHaveLength(2);
    request?.end();
    bench.site.last.answer({ body: 'abcdef' });
    expect([leader?.body, other?.body]).toEqual(['abcdef', 'abcdef']);
  });

  test('is known by its announced length at once', () => {
    const bench = new Bench({ limits });
    const [leader] = many(bench, 2);
    bench.site.requests[0]?.head(200, [...FRESH, 'Content-Length', '5']);
    expect(bench.site.requests).toHaveLength(2);
    expect(leader?.cacheStatus).toBe('fwd=uri-miss; detail=too-large');
  });

  test('a slow caller has what was collected before the limit, in order', () => {
    const bench = new Bench({ limits });
    const caller = bench.ask({ full: true });
    bench.site.last.head(200, FRESH).write('ab');
    bench.site.last.write('cd');
    expect(bench.site.last.write('ef')).toBe(false);
    expect(caller.body).toBe('ab');
    caller.drain();
    bench.site.last.end();
    expect(caller).toMatchObject({ body: 'abcdef', ended: true });
  });
});

describe('nobody waits for ever', () => {
  test('for an answer that does not come: each asks alone when patience is over', () => {
    const bench = new Bench({ limits: { collapseTimeout: 1_000 } });
    const [, second, third] = many(bench, 3);
    bench.clock.advance(999);
    expect(bench.site.requests).toHaveLength(1);
    bench.clock.advance(1);
    expect(bench.site.requests).toHaveLength(3);
    bench.site.requests[1]?.answer({ body: 'two' });
    bench.site.requests[2]?.answer({ body: 'three' });
    expect([second?.body, third?.body]).toEqual(['two', 'three']);
    bench.ask();
    expect(bench.ask().settled).toBe(true);
  });

  test('for a refresh that does not end: another is begun', () => {
    const bench = new Bench({ limits: { collapseTimeout: 1_000 } });
    bench.fill({ headers: ['Cache-Control', 'max-age=1, stale-while-revalidate=600'] });
    bench.clock.advance(2_000);
    bench.ask();
    bench.ask();
    expect(bench.site.requests).toHaveLength(2);
    bench.clock.advance(1_000);
    bench.ask();
    expect(bench.site.requests).toHaveLength(3);
  });
});
