import dns from 'node:dns';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { discover } from '../../../src/generator/discovery/index.ts';
import { startGateway } from '../../support/gateway.ts';
import { runServer } from '../../support/run.ts';
import { readSmallIndex } from '../../support/stub-site.ts';

/** Addresses of names; those of a name with several change from one lookup to the next. */
const ADDRESSES = new Map<string, string[]>();
const resolve = dns.lookup;
type Found = (error: Error | null, addresses: object[]) => void;
beforeEach(() => {
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: dns.LookupAllOptions, done: Found) => {
    const addresses = ADDRESSES.get(name);
    if (addresses === undefined) return resolve(name, options, done);
    const address = addresses.length > 1 ? addresses.shift() : addresses[0];
    done(null, [{ address, family: address?.includes(':') ? 6 : 4 }]);
  }) as typeof dns.lookup);
});
afterEach(() => void vi.restoreAllMocks());

/** Starts a server that only this machine reaches, and a public site that leads to a name of it. */
async function start(name: string, status = 302, path = '/') {
  let requests = 0;
  const { origin } = await runServer((_, response) => {
    requests += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(readSmallIndex()));
  });
  const to = `http://${name}:${new URL(origin).port}${path}`;
  const headers = status === 302 ? { location: to } : { link: `<${to}>; rel="https://api.w.org/"` };
  const fetch: typeof globalThis.fetch = async (input, init) =>
    new URL(String(input)).host === 'shop.example.com'
      ? new Response(null, { status, headers })
      : globalThis.fetch(input, init);
  return { fetch, to, count: () => requests };
}

describe('a public site that leads to a name of a private address', () => {
  test.each([
    ['this machine', '127.0.0.1'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['this machine by a mapped address', '::ffff:127.0.0.1'],
    ['this machine by NAT64', '64:ff9b::7f00:1'],
  ])('%s: is not requested there', async (_, address) => {
    for (const status of [302, 200]) {
      ADDRESSES.set('shop.example.com', ['203.0.113.5']).set('inner.example.com', [address]);
      const { count, fetch } = await start('inner.example.com', status, '/wp-json/');
      await expect(discover('http://shop.example.com/', { fetch })).rejects.toMatchObject({
        reason: 'private-address',
      });
      expect(count()).toBe(0);
    }
  });

  test('which it gets only after a first look: is not requested either', async () => {
    ADDRESSES.set('shop.example.com', ['203.0.113.5']).set('inner.example.com', ['203.0.113.9', '127.0.0.1']);
    const { count, fetch } = await start('inner.example.com', 200, '/wp-json/');
    // The first address does not answer, and the name is looked up for each connection.
    dns.lookup('inner.example.com', { all: true }, () => {});
    await expect(discover('http://shop.example.com/', { fetch })).rejects.toThrow();
    expect(count()).toBe(0);
  });

  test('is read there if the site itself has a private address', async () => {
    ADDRESSES.set('shop.example.com', ['10.0.0.5']).set('inner.example.com', ['127.0.0.1']);
    const { count, fetch } = await start('inner.example.com', 302, '/wp-json/');
    await discover('http://shop.example.com/', { fetch });
    expect(count()).toBeGreaterThan(0);
  });

  test('gets no request of a visitor, if the name has become one since', async () => {
    ADDRESSES.set('shop.example.com', ['203.0.113.5']).set('inner.example.com', ['127.0.0.1']);
    const { count, fetch, to } = await start('inner.example.com', 200, '/wp-json/');
    const served: typeof fetch = async (input, init) =>
      String(input).startsWith(to) ? Response.json(readSmallIndex()) : fetch(input, init);
    const { gateway, request } = await startGateway({
      ...{ url: 'http://shop.example.com/', document: undefined, passthrough: false },
      gateway: { fetch: served },
    });
    expect(gateway.isReady()).toBe(true);
    expect((await request('/wp/v2/types')).status).toBe(502);
    expect(count()).toBe(0);
  });
});
