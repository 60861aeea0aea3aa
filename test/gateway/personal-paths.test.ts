import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startNodeGateway } from '../support/gateway.ts';
import { readSmallIndex, startStubSite } from '../support/stub-site.ts';

/** A host's lifetime does not make a response for everyone that is for one client by its address. */
async function start(cache: SiteOptions['cache'] = { pages: 60 }) {
  let count = 0;
  const site = await startStubSite({
    index: readSmallIndex(),
    intercept({ route, url }, response) {
      if (route === '/' || (route === undefined && url === '/')) return false;
      count += 1;
      const type = route === undefined ? 'text/html' : 'application/json';
      response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=300' }).end(String(count));
      return true;
    },
  });
  const { request, stop } = await startNodeGateway({
    sites: [{ url: site.url, passthrough: true, cache }],
    cache: 'memory',
  });
  closeAfterTest(site.close, stop);
  return async (path: string) => {
    const response = await request(path);
    return [await response.text(), response.headers.get('cache-status') ?? ''] as const;
  };
}

const PERSONAL: readonly (readonly [path: string, segment: string, report: string])[] = [
  ['/wp-json/wc/store/v1/cart', 'cart', 'woocommerce/woocommerce#62399'],
  ['/wp-json/wc/store/v1/cart/items', 'cart', 'woocommerce/woocommerce#62653'],
  ['/?rest_route=/wc/store/v1/checkout', 'checkout', 'woocommerce/woocommerce#62399'],
  ['/wp-json/cocart/v2/cart', 'cart', 'cocart-headless/cocart-community#242'],
  ['/wp-json/wp/v2/users/me', 'me', 'issue 49'],
  ['/wp-json/shop/v1/customers/me', 'me', 'issue 49'],
  ['/wp-json/shop/v1/wishlist', 'wishlist', 'issue 49'],
  ['/wp-json/wc/v3/orders', 'orders', 'issue 49'],
  ['/cart/', 'cart', 'litespeedtech/lscache_wp#503'],
  ['/Cart', 'cart', 'woocommerce/woocommerce#16337'],
  ['/shop/c%61rt/', 'cart', 'woocommerce/woocommerce#58445'],
  ['/en/checkout/order-received/7/', 'checkout', 'woocommerce/woocommerce#17244'],
  ['/my-account/orders/', 'my-account', 'mosamlife/wpmgr#13'],
];

test.each(PERSONAL)('%s is never shared, by its segment %s (%s)', async (path, segment) => {
  const read = await start();
  const bypass = `waygate; fwd=bypass; detail="personal path ${segment}"`;
  expect([await read(path), await read(path)]).toEqual([
    ['1', bypass],
    ['2', bypass],
  ]);
});

test.each([
  '/me/',
  '/product/cart-toy/',
  '/accounting/',
  '/wp-json/wp/v2/types?slug=cart',
  '/hello/?a=/cart/',
])('%s is shared', async (path) => {
  const read = await start();
  await read(path);
  expect((await read(path))[1]).toMatch(/^waygate; hit/);
});

test.each([
  ['/cart/', '/cart*'],
  ['/wp-json/shop/v1/wishlist', '/shop/v1/wishlist'],
])('%s is shared if a rule says so', async (path, match) => {
  const read = await start({ rules: [{ match: [match, '/cart/'], ttl: 60 }] });
  await read(path);
  expect((await read(path))[1]).toMatch(/^waygate; hit/);
});
