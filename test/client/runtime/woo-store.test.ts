import { expect, test } from 'vitest';
import { listCacheTags } from '../../../src/client/runtime/cache-tags.ts';
import { wooStore } from '../../../src/client/runtime/woo-store.ts';
import { type StubReply, useStubApi } from './stub.ts';

const api = useStubApi();

/** Responds as the Store API: a cart for each request without a token, a nonce with each response. */
function serveCarts(): void {
  let carts = 0;
  api.respond(({ headers, url }): StubReply => {
    if (!decodeURIComponent(url).includes('/wc/store/')) return { body: [] };
    const token = headers['cart-token'] ?? `cart-${++carts}`;
    return { headers: { 'Cart-Token': String(token), Nonce: `nonce-${api.requests.length}` }, body: {} };
  });
}

/** The fields of each request that identify the cart. */
const sent = () =>
  api.requests.map(({ headers, method }) => [
    method,
    headers['cart-token'] ?? null,
    headers['nonce'] ?? null,
  ]);

test('the cart and the nonce are kept between calls, and the token is reported', async () => {
  serveCarts();
  const tokens: string[] = [];
  const client = api.client({ middleware: [wooStore({ onCartToken: (token) => tokens.push(token) })] });
  await client.GET('/wc/store/v1/cart');
  await client.POST('/wc/store/v1/cart/add-item', { body: { id: 5 } });
  await client.GET('/wp/v2/posts');
  await client.GET('/wc/store/v1/products');
  await client.DELETE('/wc/store/v1/cart/items');
  expect(sent()).toEqual([
    ['GET', null, null],
    ['POST', 'cart-1', 'nonce-1'],
    ['GET', null, null],
    ['GET', null, null],
    ['DELETE', 'cart-1', 'nonce-2'],
  ]);
  expect(tokens).toEqual(['cart-1']);
});

test.each([
  ['in pretty permalinks', '/wp-json', '/wp-json/wc/store/v1/cart'],
  ['as a parameter', '/?rest_route=/', '/?rest_route=/wc/store/v1/cart'],
])('writes without a cart first read it, once for all of them, %s', async (_, root, first) => {
  serveCarts();
  const client = api.client({ baseUrl: `${api.origin}${root}`, middleware: [wooStore()] });
  const add = (id: number) => client.POST('/wc/store/v1/cart/add-item', { body: { id } });
  await Promise.all([add(1), add(2)]);
  expect(decodeURIComponent(api.requests[0]?.url ?? '')).toBe(first);
  expect(sent().map(([method, token]) => [method, token])).toEqual([
    ['GET', null],
    ['POST', 'cart-1'],
    ['POST', 'cart-1'],
  ]);
});

test('each request of a batch has the cart and the nonce too', async () => {
  serveCarts();
  const client = api.client({ middleware: [wooStore()] });
  const add = (id: number, more: object = {}) => ({
    method: 'POST',
    path: '/wc/store/v1/cart/add-item',
    body: { id },
    ...more,
  });
  const body = {
    requests: [add(1), add(2, { headers: { Nonce: 'own', 'X-A': 'b' } })],
    validation: 'normal',
  };
  await client.POST('/wc/store/v1/batch', { body });
  expect(sent()).toEqual([
    ['GET', null, null],
    ['POST', 'cart-1', 'nonce-1'],
  ]);
  const fields = { 'Cart-Token': 'cart-1', Nonce: 'nonce-1' };
  expect(JSON.parse(String(api.requests[1]?.body))).toEqual({
    requests: [add(1, { headers: fields }), add(2, { headers: { ...fields, Nonce: 'own', 'X-A': 'b' } })],
    validation: 'normal',
  });
});

test('a cart that was used before goes on', async () => {
  serveCarts();
  const client = api.client({ middleware: [wooStore({ cartToken: 'kept' })] });
  await client.POST('/wc/store/v1/checkout', { body: {} });
  expect(sent()).toEqual([['POST', 'kept', null]]);
});

test('a late response to a call without a cart does not replace the cart of a later call', async () => {
  serveCarts();
  let release = (): void => undefined;
  const delayed = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = api.client({
    middleware: [wooStore()],
    async fetch(request) {
      const response = await fetch(request);
      if (new URL(request.url).search === '?slow=1') await delayed;
      return response;
    },
  });
  const early = client.GET('/wc/store/v1/cart', { query: { slow: 1 } });
  await client.POST('/wc/store/v1/cart/add-item', { body: { id: 5 } });
  const cart = api.requests.at(-1)?.headers['cart-token'];
  release();
  await early;
  await client.GET('/wc/store/v1/cart');
  expect(api.requests.at(-1)?.headers['cart-token']).toBe(cart);
});

test('a cart that cannot be read leaves the failure to the write', async () => {
  api.respond(() => 'break');
  const { error } = await api.client({ middleware: [wooStore()] }).POST('/wc/store/v1/cart/add-item', {});
  expect(error?.source).toBe('network');
});

test('init of the call reaches fetch beside the request, and its members replace those of the client', async () => {
  const seen: unknown[] = [];
  const client = api.client({
    init: { cache: 'no-store', next: { revalidate: 60 } },
    fetch(request, init) {
      seen.push([request.cache, init]);
      return fetch(request, init);
    },
  });
  await client.GET('/a', { init: { next: { tags: ['a'] } } });
  await client.GET('/a', { init: { cache: 'reload', next: { revalidate: 0 } } });
  await client.GET('/a');
  expect(seen).toEqual([
    ['no-store', { cache: 'no-store', next: { revalidate: 60, tags: ['a'] } }],
    ['reload', { cache: 'reload', next: { revalidate: 0 } }],
    ['no-store', { cache: 'no-store', next: { revalidate: 60 } }],
  ]);
  // A body is sent although `fetch` has a second parameter.
  await client.POST('/a', { body: { a: 1 } });
  expect(api.requests.at(-1)?.body.toString()).toBe('{"a":1}');
});

test.each<[string, object, readonly string[]]>([
  ['/wp/v2/posts', {}, ['/wp/v2/posts']],
  ['/wp/v2/posts/{id}', { id: 5 }, ['/wp/v2/posts', '/wp/v2/posts/5']],
  ['/wp/v2/posts/{parent}/revisions', { parent: 5 }, ['/wp/v2/posts', '/wp/v2/posts/5/revisions']],
  ['/wp/v2/posts/{slug}', { slug: 'x'.repeat(300) }, ['/wp/v2/posts']],
])('the cache tags of %s with %j', (path, values, tags) => {
  expect(listCacheTags(path, values as Readonly<Record<string, unknown>>)).toEqual(tags);
});
