import { expect, test } from 'vitest';
import type { SiteOptions } from '../../../../src/gateway/index.ts';
import type { CacheKey } from '../../../../src/gateway/site/caching/site-cache-request.ts';
import { startGateway } from '../../../support/gateway.ts';
import { PLAIN } from '../../../support/run.ts';

/** Requests that differ in one member of the cache key share no response. */

interface Sent {
  /** @default a page of `http://example.com` */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a reload has put a site at another address in the place of the first. */
  readonly isReloaded?: boolean;
}

interface Row {
  readonly one: Sent;
  readonly other: Sent;
  readonly site?: Partial<SiteOptions>;
}

const POSTS = 'http://example.com/wp-json/wp/v2/posts';

const ROWS: Readonly<Record<keyof CacheKey, Row>> = {
  site: { one: {}, other: { isReloaded: true } },
  publicBase: { one: {}, other: { url: 'http://other.example/about/' } },
  resource: { one: { url: `${POSTS}?page=1` }, other: { url: `${POSTS}?page=2` } },
  path: { one: { url: POSTS }, other: { url: `${POSTS}/` } },
  fields: {
    one: { headers: { 'x-lang': 'de' } },
    other: { headers: { 'x-lang': 'fr' } },
    site: { cache: { rules: [{ match: '/*', ttl: 60, keyHeaders: ['X-Lang'] }] } },
  },
  origin: { one: {}, other: { headers: { origin: 'https://shop.example' } } },
  requestedWith: { one: {}, other: { headers: { 'x-requested-with': 'com.example.app' } }, site: PLAIN },
  cookies: {
    one: { headers: { cookie: 'woocs_currency=EUR' } },
    other: { headers: { cookie: 'woocs_currency=USD' } },
  },
};

/** @returns whether a request gets a stored response, and the targets that the site got */
async function start(site: Row['site'] = {}) {
  const options = { hosts: ['example.com', 'other.example'], inMemory: true, ...site };
  const respond = () => ({ headers: { 'cache-control': 'max-age=60' }, body: '{}' });
  const { gateway, read, received } = await startGateway({ ...options, name: 'one' }, respond);
  const other = await startGateway({ ...options, name: 'other', before: gateway }, respond);
  const isHit = async ({ headers = {}, isReloaded = false, url = 'http://example.com/about/' }: Sent) =>
    (await (isReloaded ? other.read : read)(url, headers))[1].startsWith('hit');
  return { isHit, received };
}

test.each(Object.entries(ROWS))('two requests that differ in `%s` share no response', async (_, row) => {
  const { isHit } = await start(row.site);
  for (const sent of [row.one, row.other]) {
    expect(await isHit(sent)).toBe(false);
    expect(await isHit(sent)).toBe(true);
  }
});

test('only `_method` in this case overrides the method; `_METHOD` is stored and forwarded as sent', async () => {
  const { isHit, received } = await start({ cache: { pages: 60, queries: ['_METHOD'] } });
  for (const address of [POSTS, 'http://example.com/about/']) {
    const url = `${address}?_METHOD=DELETE`;
    expect([await isHit({ url }), await isHit({ url })]).toEqual([false, true]);
    expect(received.at(-1)?.url).toBe(new URL(url).pathname + new URL(url).search);
    const overriding = { url: `${address}?_method=GET` };
    expect([await isHit(overriding), await isHit(overriding)]).toEqual([false, false]);
  }
});
