import { describe, expect, test } from 'vitest';
import type { ResponseHead, UpstreamFailure } from '../../../src/base/http/exchange.ts';
import {
  type KnownAddress,
  outcomeOfFailure,
  outcomeOfHead,
  SiteCircuits,
} from '../../../src/gateway/upstream/site-circuits.ts';

/** What the site does with a request: a status, a head, or a failure. */
type Reaction = number | Pick<ResponseHead, 'status' | 'headers'> | UpstreamFailure;

class Site {
  now = 0;
  readonly #addresses = new Map<string, KnownAddress>();
  /** Lines of the log, with the time of each. */
  readonly lines: object[] = [];
  readonly circuits = new SiteCircuits({
    info: (fields, message) => this.lines.push({ at: this.now, level: 'info', ...fields, message }),
    warn: (fields, message) => this.lines.push({ at: this.now, level: 'warn', ...fields, message }),
    error() {},
  });

  /** Sends one request and returns what the client gets: a status or the kind of a failure. */
  request(method: 'GET' | 'POST', reaction: Reaction = 200, path = '/'): string {
    const known = this.#addresses.get(`${method} ${path}`);
    const address = known ?? { mayChangeSite: method === 'POST', wasGood: false };
    this.#addresses.set(`${method} ${path}`, address);
    const retryIn = this.circuits.admit(address, this.now);
    if (retryIn > 0) return `circuit-open ${Math.ceil(retryIn / 1000)}`;
    if (typeof reaction === 'object' && 'kind' in reaction) {
      this.circuits.record(address, outcomeOfFailure(reaction), this.now);
      return reaction.kind;
    }
    const head = typeof reaction === 'object' ? reaction : { status: reaction, headers: [] };
    this.circuits.record(address, outcomeOfHead({ ...head, reason: '' }, true), this.now);
    return String(head.status);
  }

  repeat(times: number, method: 'GET' | 'POST', reaction: Reaction): void {
    for (let time = 0; time < times; time += 1) this.request(method, reaction);
  }

  readAll(paths: readonly string[], reaction: Reaction): void {
    for (const path of paths) this.request('GET', reaction, path);
  }
}

const PAGES = ['/', '/about/', '/contact/'];
const BROKEN: UpstreamFailure = { kind: 'connection-broken' };
const REFUSED: UpstreamFailure = { kind: 'refused' };
const connectTimeout: UpstreamFailure = {
  kind: 'timeout',
  cause: Object.assign(new Error('connect'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
};

/** A site whose reads have failed for ten seconds. */
function openSite(): Site {
  const site = new Site();
  site.readAll(PAGES, 200);
  site.readAll(PAGES, 502);
  site.now = 10_000;
  site.readAll(PAGES, 502);
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
    ['a client that left', { kind: 'client-gone' }],
    ['an invalid request', { kind: 'invalid-request' }],
    ['a head that is too large', { kind: 'head-too-large' }],
    ['a wrong upload', { kind: 'body-length-mismatch' }],
    ['a gateway that stops', { kind: 'shutdown' }],
  ];
  const decide = (reaction: Reaction): string | null => {
    const site = new Site();
    site.readAll(PAGES, 200);
    for (; site.now <= 20_000; site.now += 1_000) site.readAll(PAGES, reaction);
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
    for (const path of PAGES) site.request('POST', 200, path);
    for (; site.now < 60_000; site.now += 1_000) for (const path of PAGES) site.request('POST', 502, path);
    expect(site.circuits.report().reason).toBeNull();
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

  test('not by one or two addresses that fail at a site where nothing else is requested', () => {
    const site = new Site();
    site.readAll(PAGES, 200);
    for (; site.now < 60_000; site.now += 500) site.readAll(PAGES.slice(1), 502);
    expect(site.circuits.report()).toMatchObject({ reason: null });
    expect(site.lines).toEqual([]);
  });

  test('not by any number of addresses that were never good, which a client can find', () => {
    const site = new Site();
    site.readAll(PAGES, 200);
    for (; site.now < 60_000; site.now += 500)
      for (let at = 0; at < 20; at += 1) site.request('GET', 502, `/?crash=${site.now}-${at}`);
    expect(site.request('GET')).toBe('200');
    // Nor do they keep it open when the site is back.
    site.readAll(PAGES, 502);
    site.now += 10_000;
    site.readAll(PAGES, 502);
    expect(site.circuits.report().reason).toBe('all requests fail');
    site.now += 200;
    expect(site.request('GET', 502, '/?crash')).toBe('circuit-open 1');
    site.now += 800;
    expect(site.request('GET', 502, '/?crash')).toBe('502');
    site.now += 200;
    expect(site.request('GET')).toBe('200');
  });

  test('not by failures of some addresses, which a client can make up', () => {
    const site = new Site();
    for (; site.now < 60_000; site.now += 1_000) {
      site.repeat(200, 'GET', BROKEN);
      expect(site.request('GET')).toBe('200');
    }
  });

  test('and asked again at once if the clock was set back', () => {
    const site = openSite();
    site.now = 0;
    expect(site.request('GET')).toBe('200');
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

test('a client that leaves during a probe leaves it to the next request', () => {
  const site = new Site();
  site.repeat(25, 'GET', REFUSED);
  site.now = 5_000;
  const address = { mayChangeSite: false, wasGood: true };
  expect(site.circuits.admit(address, site.now)).toBe(0);
  site.circuits.record(address, 'none', site.now);
  expect(site.request('GET')).toBe('200');
});
