import { describe, expect, test } from 'vitest';
import type { ResponseHead, UpstreamFailure } from '../../src/http/exchange.ts';
import { outcomeOfFailure, outcomeOfHead, SiteCircuits } from '../../src/upstream/site-circuits.ts';

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
  request(method: 'GET' | 'POST', reaction: Reaction = 200): string {
    const admission = this.circuits.admit(method === 'POST', this.now);
    if (admission.kind === 'refused') return `circuit-open ${Math.ceil(admission.retryIn / 1000)}`;
    if (typeof reaction === 'object' && 'kind' in reaction) {
      admission.report(outcomeOfFailure(reaction), this.now);
      return reaction.kind;
    }
    const head = typeof reaction === 'object' ? reaction : { status: reaction, headers: [] };
    admission.report(outcomeOfHead({ ...head, reason: '' }, true), this.now);
    return String(head.status);
  }

  repeat(times: number, method: 'GET' | 'POST', reaction: Reaction): void {
    for (let time = 0; time < times; time += 1) this.request(method, reaction);
  }
}

const BROKEN: UpstreamFailure = { kind: 'connection-broken' };
const REFUSED: UpstreamFailure = { kind: 'refused' };
const connectTimeout: UpstreamFailure = {
  kind: 'timeout',
  cause: Object.assign(new Error('connect'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
};

/** A site whose reads have failed for ten seconds. */
function openSite(): Site {
  const site = new Site();
  site.request('GET', 502);
  site.now = 10_000;
  site.request('GET', 502);
  expect(site.circuits.report().reason).toBe('all requests fail');
  return site;
}

describe('reads that all get', () => {
  const away: readonly (readonly [name: string, reaction: Reaction])[] = [
    ['502', 502],
    ['503', 503],
    ['504', 504],
    ['a response timeout', { kind: 'timeout' }],
    ['a broken connection', BROKEN],
  ];
  const present: readonly (readonly [name: string, reaction: Reaction])[] = [
    ['404', 404],
    ['500', 500],
    ['429', { status: 429, headers: [] }],
    ['503 with Retry-After', { status: 503, headers: ['Retry-After', '60'] }],
    ['an unusable transfer coding', { kind: 'transfer-coding' }],
    ['a client that left', { kind: 'client-gone' }],
    ['an invalid request', { kind: 'invalid-request' }],
    ['a wrong upload', { kind: 'body-length-mismatch' }],
    ['a gateway that stops', { kind: 'shutdown' }],
  ];
  const decide = (reaction: Reaction): string | null => {
    const site = new Site();
    for (; site.now <= 20_000; site.now += 1_000) site.request('GET', reaction);
    return site.circuits.report().reason;
  };

  test.each(away)('%s stop the site', (_name, reaction) => {
    expect(decide(reaction)).toBe('all requests fail');
  });

  test.each(present)('%s do not', (_name, reaction) => expect(decide(reaction)).toBeNull());
});

describe('writes', () => {
  test('are never stopped by bad responses', () => {
    const site = openSite();
    expect(site.request('GET')).toBe('circuit-open 1');
    expect(site.request('POST', 502)).toBe('502');
    expect(site.request('GET')).toBe('circuit-open 1');
  });

  test('that fail do not stop reads', () => {
    const site = new Site();
    for (; site.now < 60_000; site.now += 1_000) site.request('POST', 502);
    expect(site.request('GET')).toBe('200');
  });

  test('are stopped by a site without connection, and open it again when one of them succeeds', () => {
    const site = new Site();
    site.repeat(25, 'GET', REFUSED);
    expect(site.request('POST')).toBe('circuit-open 1');
    site.now = 200;
    expect(site.request('POST')).toBe('200');
    expect(site.request('GET')).toBe('200');
  });
});

describe('the whole site is stopped', () => {
  test.each<[name: string, failure: UpstreamFailure]>([
    ['refuses connections', REFUSED],
    ['has no address', { kind: 'dns' }],
    ['fails in TLS', { kind: 'tls' }],
    ['times out while connecting', connectTimeout],
  ])('if it %s', (_name, failure) => {
    const site = new Site();
    site.repeat(25, 'GET', failure);
    expect(site.request('GET')).toBe('circuit-open 1');
    expect(site.circuits.report()).toMatchObject({ reason: 'connections fail', unreachableSince: 0 });
  });

  test('if every read fails for ten seconds, until one succeeds', () => {
    const site = openSite();
    site.now += 200;
    expect(site.request('GET', 502)).toBe('502');
    site.now += 200;
    expect(site.request('GET')).toBe('200');
    expect(site.request('GET', 502)).toBe('502');
    expect(site.request('GET')).toBe('200');
  });

  test('not by failures of some addresses, which a client can make up', () => {
    const site = new Site();
    for (; site.now < 60_000; site.now += 1_000) {
      site.repeat(200, 'GET', BROKEN);
      expect(site.request('GET')).toBe('200');
    }
  });

  test('until a probe succeeds', () => {
    const site = new Site();
    site.repeat(25, 'GET', REFUSED);
    for (site.now = 1_000; site.now < 60_000; site.now += 1_000) {
      expect(site.request('GET', REFUSED)).toBe('refused');
      // Connections are tried again each second, however long the site was away.
      expect(site.request('GET')).toBe('circuit-open 1');
    }
    expect(site.request('GET')).toBe('200');
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

  test('when a site with few requests cannot be reached for ten seconds', () => {
    const site = new Site();
    site.request('POST', REFUSED);
    site.request('POST', REFUSED);
    site.now = 30_000;
    site.request('GET', { kind: 'client-gone' });
    expect(site.lines).toEqual([]);
    site.request('GET', REFUSED);
    site.now = 90_000;
    site.request('GET');
    expect(site.lines).toEqual([away(30_000), back(90_000, 30_000)]);
  });

  test.each<[string, Reaction]>([
    ['responds with 502', 502],
    ['does not respond', { kind: 'timeout' }],
    ['closes each connection', BROKEN],
  ])('when a site with one request a minute %s, and when it is back', (_, reaction) => {
    const site = new Site();
    for (; site.now < 600_000; site.now += 60_000) site.request('GET', reaction);
    expect(site.lines).toEqual([away(60_000, 'all requests fail')]);
    site.request('GET', { status: 503, headers: ['retry-after', '60'] });
    expect(site.lines).toHaveLength(1);
    site.now += 200;
    site.request('GET');
    expect(site.lines).toEqual([away(60_000, 'all requests fail'), back(600_200, 60_000)]);
  });

  test('not if single connections or responses fail', () => {
    const site = new Site();
    for (; site.now < 60_000; site.now += 700) {
      site.request('GET', REFUSED);
      site.repeat(3, 'GET', 200);
      site.repeat(3, 'GET', 502);
    }
    expect(site.lines).toEqual([]);
  });

  test('at most every ten seconds if the site comes and goes, and the last state has one', () => {
    const site = new Site();
    for (; site.now < 30_000; site.now += 500) {
      site.request('GET');
      site.repeat(200, 'GET', REFUSED);
    }
    expect(site.lines).toEqual([
      away(0),
      back(500, 0),
      away(10_000),
      back(10_500, 10_000),
      away(20_000),
      back(20_500, 20_000),
    ]);
    site.repeat(25, 'GET', REFUSED);
    site.now += 500;
    site.request('GET', REFUSED);
    expect(site.lines.slice(6)).toEqual([away(30_000)]);
  });
});

test('a client that leaves during a probe leaves it to the next request', () => {
  const site = new Site();
  site.repeat(25, 'GET', REFUSED);
  site.now = 5_000;
  const probe = site.circuits.admit(false, site.now);
  if (probe.kind === 'admitted') probe.report('none', site.now);
  expect(probe.kind).toBe('admitted');
  expect(site.request('GET')).toBe('200');
});
