import { describe, expect, test } from 'vitest';
import type { ResponseHead, UpstreamFailure } from '../../src/http/exchange.ts';
import {
  NO_EVIDENCE,
  outcomeOfFailure,
  outcomeOfHead,
  SiteCircuits,
} from '../../src/upstream/site-circuits.ts';

/** What the site does with a request: a status, a head, or a failure. */
type Reaction = number | Pick<ResponseHead, 'status' | 'headers'> | UpstreamFailure;

class Site {
  now = 0;
  /** Lines of the log, with the time of each. */
  readonly lines: object[] = [];
  readonly circuits = new SiteCircuits(
    {
      info: (fields, message) => this.lines.push({ at: this.now, level: 'info', ...fields, message }),
      warn: (fields, message) => this.lines.push({ at: this.now, level: 'warn', ...fields, message }),
      error() {},
    },
    { now: () => this.now, after: () => () => {} },
  );

  /** Sends one request and returns what the client gets: a status or the kind of a failure. */
  request(method: 'GET' | 'POST', route: string, reaction: Reaction = 200): string {
    const admission = this.circuits.admit({ route, isWrite: method === 'POST' }, this.now);
    if (admission.kind === 'refused') return `circuit-open ${Math.ceil(admission.retryIn / 1000)}`;
    if (typeof reaction === 'object' && 'kind' in reaction) {
      admission.report(outcomeOfFailure(reaction), this.now);
      return reaction.kind;
    }
    const head = typeof reaction === 'object' ? reaction : { status: reaction, headers: [] };
    admission.report(outcomeOfHead({ ...head, reason: '' }, true), this.now);
    return String(head.status);
  }

  repeat(times: number, method: 'GET' | 'POST', route: string, reaction: Reaction): void {
    for (let time = 0; time < times; time += 1) this.request(method, route, reaction);
  }
}

const BROKEN: UpstreamFailure = { kind: 'connection-broken' };
const REFUSED: UpstreamFailure = { kind: 'refused' };
const connectTimeout: UpstreamFailure = {
  kind: 'timeout',
  cause: Object.assign(new Error('connect'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
};

const ROUTES = ['/a', '/b', '/c', '/d', '/e', '/f'];

/** A site of which most routes have failed. */
function openSite(): Site {
  const site = new Site();
  for (const route of ROUTES) site.request('GET', route);
  for (const route of ROUTES) site.request('GET', route, 502);
  expect(site.circuits.report().reason).toBe('most routes fail');
  return site;
}

test('a route that fails stops nothing', () => {
  const site = new Site();
  site.request('GET', '/a');
  site.repeat(100, 'GET', '/a', BROKEN);
  expect(site.request('GET', '/a')).toBe('200');
});

describe('a read counts as failed', () => {
  test.each<[name: string, reaction: Reaction, isFailure: boolean]>([
    ['404', 404, false],
    ['500', 500, false],
    ['502', 502, true],
    ['503', 503, true],
    ['504', 504, true],
    ['a response timeout', { kind: 'timeout' }, true],
    ['a broken connection', BROKEN, true],
    ['429', { status: 429, headers: [] }, false],
    ['503 with Retry-After', { status: 503, headers: ['Retry-After', '60'] }, false],
    ['an unusable transfer coding', { kind: 'transfer-coding' }, false],
    ['a client that left', { kind: 'client-gone' }, false],
    ['an invalid request', { kind: 'invalid-request' }, false],
    ['a wrong upload', { kind: 'body-length-mismatch' }, false],
    ['a gateway that stops', { kind: 'shutdown' }, false],
  ])('if it gets %s', (_name, reaction, isFailure) => {
    const site = new Site();
    for (const route of ROUTES) site.request('GET', route);
    for (const route of ROUTES) site.repeat(5, 'GET', route, reaction);
    expect(site.circuits.report().reason).toBe(isFailure ? 'most routes fail' : null);
  });
});

describe('writes', () => {
  test('are never stopped by bad responses', () => {
    const site = openSite();
    expect(site.request('GET', '/unseen')).toBe('circuit-open 1');
    for (const route of ['/a', '/f', '/unseen']) expect(site.request('POST', route)).toBe('200');
    expect(site.request('GET', '/a')).toBe('circuit-open 1');
  });

  test('that fail do not stop reads', () => {
    const site = new Site();
    for (const route of ROUTES) site.request('GET', route);
    for (const route of ROUTES) site.repeat(20, 'POST', route, 502);
    expect(site.request('GET', '/a')).toBe('200');
  });

  test('are stopped by a site without connection, once one of them has failed', () => {
    const site = new Site();
    site.repeat(25, 'GET', '/a', REFUSED);
    expect(site.request('GET', '/b')).toBe('circuit-open 1');
    expect(site.request('POST', '/b', REFUSED)).toBe('refused');
    expect(site.request('POST', '/b')).toBe('circuit-open 1');
  });

  test('open the site again when one of them succeeds', () => {
    const site = new Site();
    site.repeat(25, 'GET', '/a', REFUSED);
    expect(site.request('POST', '/b')).toBe('200');
    expect(site.request('GET', '/a')).toBe('200');
  });
});

describe('the whole site is stopped', () => {
  test.each<[name: string, failure: UpstreamFailure]>([
    ['refuses connections', REFUSED],
    ['has no address', { kind: 'dns' }],
    ['fails in TLS', { kind: 'tls' }],
    ['times out while connecting', connectTimeout],
    [
      'times out while connecting, by fetch',
      { kind: 'timeout', cause: new Error('f', { cause: connectTimeout.cause }) },
    ],
  ])('if it %s', (_name, failure) => {
    const site = new Site();
    site.repeat(25, 'GET', '/a', failure);
    expect(site.request('GET', '/b')).toBe('circuit-open 1');
    expect(site.circuits.report()).toEqual({
      reason: 'connections fail',
      unreachableSince: 0,
      reachedAt: 0,
    });
  });

  test('if most routes fail, until one of them responds', () => {
    const site = openSite();
    site.now = 200;
    expect(site.request('GET', '/a', 502)).toBe('502');
    site.now = 400;
    expect(site.request('GET', '/a')).toBe('200');
    // Five of them have to fail again.
    for (const route of ROUTES.slice(0, 4)) expect(site.request('GET', route, 502)).toBe('502');
    expect(site.request('GET', '/e')).toBe('200');
  });

  test('if no connection can be opened after most routes have failed', () => {
    const site = openSite();
    for (let time = 0; time < 20; time += 1) {
      site.now += 200;
      site.request('GET', '/a', REFUSED);
    }
    expect(site.circuits.report().reason).toBe('connections fail');
  });

  test('not by failures of ten seconds ago', () => {
    const site = new Site();
    for (const route of ROUTES) site.request('GET', route);
    for (const route of ROUTES.slice(0, 3)) site.request('GET', route, 502);
    site.now = 10_001;
    for (const route of ROUTES.slice(3)) site.request('GET', route, 502);
    expect(site.circuits.report().reason).toBeNull();
  });

  test('not by addresses that never succeeded, which a client can make up', () => {
    const site = new Site();
    for (const route of ['/a', '/b', '/c', '/d', '/e', '/f']) site.request('GET', route);
    for (let address = 0; address < 2_000; address += 1) {
      site.request('GET', `/made-up/${address}`, BROKEN);
      if (address % 100 === 0) expect(site.request('GET', '/a')).toBe('200');
    }
    expect(site.circuits.report()).toMatchObject({ reason: null });
  });

  test('not if four routes fail, nor if half of many do', () => {
    const four = new Site();
    for (const route of ['/a', '/b', '/c', '/d']) four.request('GET', route);
    for (const route of ['/a', '/b', '/c', '/d']) four.repeat(30, 'GET', route, 502);
    expect(four.request('GET', '/e')).toBe('200');
    const half = new Site();
    for (let route = 0; route < 10; route += 1) {
      half.request('GET', `/healthy/${route}`);
      half.request('GET', `/failing/${route}`);
      half.repeat(15, 'GET', `/failing/${route}`, 502);
    }
    expect(half.circuits.report()).toMatchObject({ reason: null });
  });

  test('until a probe succeeds', () => {
    const site = new Site();
    site.repeat(25, 'GET', '/a', REFUSED);
    for (site.now = 1_000; site.now < 60_000; site.now += 1_000) {
      expect(site.request('GET', '/b', REFUSED)).toBe('refused');
      // Connections are tried again each second, however long the site was away.
      expect(site.request('GET', '/b')).toBe('circuit-open 1');
    }
    expect(site.request('GET', '/b')).toBe('200');
    expect(site.circuits.report().reason).toBeNull();
  });
});

describe('the log has a line', () => {
  const away = (at: number, reason = 'connections fail'): object => {
    return { at, level: 'warn', reason, message: 'the site is away' };
  };
  const back = (at: number, since: number): object => {
    return { at, level: 'info', away: at - since, message: 'the site is back' };
  };

  test('when the site goes away and when it is back, however many requests and probes fail', () => {
    const site = new Site();
    for (; site.now < 60_000; site.now += 500) site.repeat(25, 'GET', '/a', REFUSED);
    expect(site.lines).toEqual([away(0)]);
    site.repeat(25, 'GET', '/a', 200);
    expect(site.lines).toEqual([away(0), back(60_000, 0)]);
  });

  test('when most routes fail', () => {
    const site = new Site();
    for (const route of ROUTES) site.request('GET', route);
    for (const route of ROUTES) site.request('GET', route, 502);
    site.now = 1_000;
    for (const route of ROUTES) site.request('GET', route);
    expect(site.lines).toEqual([away(0, 'most routes fail'), back(1_000, 0)]);
  });

  test('when a site with few requests cannot be reached for ten seconds', () => {
    const site = new Site();
    site.request('POST', '/a', REFUSED);
    site.request('POST', '/a', REFUSED);
    site.now = 30_000;
    site.request('GET', '/a', { kind: 'client-gone' });
    expect(site.lines).toEqual([]);
    site.request('GET', '/a', REFUSED);
    site.now = 90_000;
    site.request('GET', '/a');
    expect(site.lines).toEqual([away(30_000), back(90_000, 30_000)]);
  });

  test.each<[string, Reaction]>([
    ['responds with 502', 502],
    ['does not respond', { kind: 'timeout' }],
    ['closes each connection', BROKEN],
  ])('when a site with one request a minute %s, and when it is back', (_, reaction) => {
    const site = new Site();
    for (; site.now < 600_000; site.now += 60_000) site.request('GET', '/a', reaction);
    expect(site.lines).toEqual([away(60_000, 'all requests fail')]);
    site.request('GET', '/a', { status: 503, headers: ['retry-after', '60'] });
    expect(site.lines).toHaveLength(1);
    site.request('GET', '/a');
    expect(site.lines).toEqual([away(60_000, 'all requests fail'), back(600_000, 60_000)]);
  });

  test('not if single connections fail, nor if one route does', () => {
    const site = new Site();
    for (; site.now < 60_000; site.now += 700) {
      site.request('GET', '/a', REFUSED);
      site.repeat(3, 'GET', '/a', 200);
      site.repeat(3, 'GET', '/b', 502);
    }
    expect(site.lines).toEqual([]);
  });

  test('at most every ten seconds if the site comes and goes, and the last state has one', () => {
    const site = new Site();
    for (; site.now < 30_000; site.now += 500) {
      site.request('GET', '/a');
      site.repeat(200, 'GET', '/a', REFUSED);
    }
    expect(site.lines).toEqual([
      away(0),
      back(500, 0),
      away(10_000),
      back(10_500, 10_000),
      away(20_000),
      back(20_500, 20_000),
    ]);
    site.repeat(25, 'GET', '/a', REFUSED);
    site.now += 500;
    site.request('GET', '/a', REFUSED);
    expect(site.lines.slice(6)).toEqual([away(30_000)]);
  });
});

test('a client that leaves during a probe leaves it to the next request', () => {
  const site = new Site();
  site.repeat(25, 'GET', '/a', REFUSED);
  site.now = 5_000;
  const probe = site.circuits.admit({ route: '/a', isWrite: false }, site.now);
  if (probe.kind === 'admitted') probe.report(NO_EVIDENCE, site.now);
  expect(probe.kind).toBe('admitted');
  expect(site.request('GET', '/a')).toBe('200');
});

test('a probe without an outcome holds the next one back for 200 ms', () => {
  const site = new Site();
  site.repeat(25, 'GET', '/a', REFUSED);
  site.now = 500;
  const admit = (): string => site.circuits.admit({ route: '/b', isWrite: false }, site.now).kind;
  expect([admit(), admit()]).toEqual(['admitted', 'refused']);
  site.now = 699;
  expect(admit()).toBe('refused');
  site.now = 700;
  expect(admit()).toBe('admitted');
});
