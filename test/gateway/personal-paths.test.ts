import { expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { startOnce } from '../support/close-after-test.ts';
import { startGateway } from '../support/gateway.ts';

/** A host's lifetime does not make a response for everyone that is for one client by its address. */
const start = startOnce((cache: NonNullable<SiteOptions['cache']> = { pages: 60 }) =>
  startGateway({ cache }, (_, count) => ({ headers: { 'cache-control': 'max-age=300' }, body: count })),
);

test.each([
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
])('%s is never shared, by its segment %s (%s)', async (path, segment) => {
  const { read } = await start();
  const bypass = `fwd=bypass; detail="personal path ${segment}"`;
  const [first, second] = [await read(path), await read(path)];
  expect([first[1], second[1]]).toEqual([bypass, bypass]);
  expect(second[0]).not.toBe(first[0]);
});

const RULES = { rules: [{ match: ['/cart*', '/cart/', '/shop/v1/wishlist'], ttl: 60 }] };

test.each<[string, NonNullable<SiteOptions['cache']>?]>([
  ['/me/'],
  ['/product/cart-toy/'],
  ['/accounting/'],
  ['/wp-json/wp/v2/types?slug=cart'],
  ['/hello/?s=/cart/'],
  ['/cart/', RULES],
  ['/wp-json/shop/v1/wishlist', RULES],
])('%s is shared with the settings %j', async (path, cache) => {
  const { read } = await start(cache);
  await read(path);
  expect((await read(path))[1]).toMatch(/^hit/);
});
