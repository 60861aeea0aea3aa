import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RawClient } from '../../../../src/generator/client/runtime/options-and-results.ts';
import { cacheTags } from '../../../../src/generator/client/runtime/typed-calls.ts';
import { wooStore } from '../../../../src/generator/client/runtime/woo-store.ts';
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

/** The method of each request, and its fields that identify the cart: `POST cart-1 nonce-1`. */
const sent = () =>
  api.requests.map(({ headers, method }) => `${method} ${headers['cart-token']} ${headers['nonce']}`);
const NEW = 'GET undefined undefined';
const add = (client: RawClient, id: number) => client.POST('/wc/store/v1/cart/add-item', { body: { id } });

test('the cart and the nonce are kept between calls, and the token is reported', async () => {
  serveCarts();
  const tokens: string[] = [];
  const client = api.client({ middleware: [wooStore({ onCartToken: (token) => tokens.push(token) })] });
  await client.GET('/wc/store/v1/cart');
  await add(client, 5);
  await client.GET('/wp/v2/posts');
  await client.GET('/wc/store/v1/products');
  await client.DELETE('/wc/store/v1/cart/items');
  expect(sent()).toEqual([NEW, 'POST cart-1 nonce-1', NEW, NEW, 'DELETE cart-1 nonce-2']);
  expect(tokens).toEqual(['cart-1']);
});

test.each([
  ['in pretty permalinks', '/wp-json', '/wp-json/wc/store/v1/cart'],
  ['as a parameter', '/?rest_route=/', '/?rest_route=/wc/store/v1/cart'],
])('writes without a cart first read it, once for all of them, %s', async (_, root, first) => {
  serveCarts();
  const client = api.client({ baseUrl: `${api.origin}${root}`, middleware: [wooStore()] });
  await Promise.all([add(client, 1), add(client, 2)]);
  expect(decodeURIComponent(api.requests[0]?.url ?? '')).toBe(first);
  expect(sent()).toEqual([NEW, 'POST cart-1 nonce-1', 'POST cart-1 nonce-2']);
});

test('each request of a batch has the cart and the nonce too', async () => {
  serveCarts();
  const client = api.client({ middleware: [wooStore()] });
  const request = { method: 'POST', path: '/wc/store/v1/cart/add-item' };
  const [one, two] = [1, 2].map((id) => ({ ...request, body: { id } }));
  const own = { Nonce: 'own', 'X-A': 'b' };
  const body = { requests: [one, { ...two, headers: own }], validation: 'normal' };
  await client.POST('/wc/store/v1/batch', { body });
  expect(sent()).toEqual([NEW, 'POST cart-1 nonce-1']);
  const fields = { 'Cart-Token': 'cart-1', Nonce: 'nonce-1' };
  const requests = [
    { ...one, headers: fields },
    { ...two, headers: { ...fields, ...own } },
  ];
  expect(JSON.parse(String(api.requests[1]?.body))).toEqual({ requests, validation: 'normal' });
});

test('calls that know the cart run one after the other, whatever fails; those for products do not wait', async () => {
  const running: string[] = [];
  let most = 0;
  const fail = (message: string) => {
    throw new Error(message);
  };
  const client = api.client({
    middleware: [
      wooStore({ cartToken: 'kept' }),
      { onRequest: ({ method }) => (method === 'PUT' ? fail('refused by a hook') : undefined) },
    ],
    async fetch(request) {
      if (request.url.includes('/cart')) most = Math.max(most, running.push(request.url));
      else expect(running).toHaveLength(1);
      const response = await fetch(request);
      if (request.url.includes('/cart')) running.pop();
      return response;
    },
  });
  const failed = client.PUT('/wc/store/v1/cart/items').catch((error: Error) => error.message);
  const products = client.GET('/wc/store/v1/products');
  await Promise.all([add(client, 1), failed, add(client, 2), products, add(client, 3)]);
  expect(await failed).toBe('refused by a hook');
  expect(most).toBe(1);
  const bodies = api.requests.map(({ body }) => body).filter((body) => body !== '');
  expect(bodies).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
});

test('a call that is aborted does not wait for its turn, and the calls after it do', async () => {
  serveCarts();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = api.client({
    middleware: [wooStore({ cartToken: 'kept' })],
    async fetch(request) {
      if (request.url.endsWith('/held')) await held;
      return fetch(request);
    },
  });
  const slow = client.GET('/wc/store/v1/cart/held');
  const abort = new AbortController();
  const { signal } = abort;
  const aborted = client.POST('/wc/store/v1/cart/add-item', { body: {}, signal });
  const late = client.POST('/wc/store/v1/cart/add-item', { body: {}, signal: AbortSignal.timeout(20) });
  const { signal: other } = new AbortController();
  const next = client.GET('/wc/store/v1/cart', { signal: other });
  abort.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  expect((await late).error?.code).toBe('network_timeout');
  await expect(client.GET('/wc/store/v1/cart', { signal })).rejects.toThrow('enough');
  expect(api.requests).toEqual([]);
  release();
  await Promise.all([slow, next]);
  expect(api.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  const listeners = [signal, other].flatMap((each) => getEventListeners(each, 'abort'));
  // A `Request` keeps one of its own until it is collected.
  expect(listeners.filter(({ name }) => name !== 'abort')).toEqual([]);
});

test.each([
  [401, 'woocommerce_rest_missing_nonce'],
  [403, 'woocommerce_rest_invalid_nonce'],
])('a write whose token has expired is sent again with the new one, once: %i %s', async (status, code) => {
  const refused = { status, body: { code, message: '' } };
  api.respond(({ headers }) => ({
    headers: { 'Cart-Token': 'new', Nonce: 'n' },
    ...(headers['cart-token'] === 'new' ? { body: { added: true } } : refused),
  }));
  const client = api.client({ middleware: [wooStore({ cartToken: 'expired' })] });
  expect((await add(client, 5)).data).toEqual({ added: true });
  expect(sent()).toEqual(['POST expired undefined', 'POST new n']);
  expect(api.requests[1]?.body.toString()).toBe('{"id":5}');
  api.respond(() => refused);
  expect((await add(client, 5)).error?.code).toBe(code);
  expect(api.requests).toHaveLength(4);
});

test('on a server, a shop without tokens knows the cart by its cookie, which each visitor has alone', async () => {
  let carts = 0;
  api.respond(({ headers }) => {
    const cookie = headers['cookie'] ?? `wp_woocommerce_session_1=${++carts}`;
    return { headers: { 'Set-Cookie': `${cookie}; path=/`, 'X-WC-Store-API-Nonce': 'old' }, body: {} };
  });
  const [one, other] = [api.client({ middleware: [wooStore()] }), api.client({ middleware: [wooStore()] })];
  for (const client of [one, other, one]) await client.POST('/wc/store/cart/add-item', { body: { id: 5 } });
  const writes = api.requests.filter(({ method }) => method === 'POST');
  expect(writes.map(({ headers }) => [headers['cookie'], headers['x-wc-store-api-nonce']])).toEqual(
    [1, 2, 1].map((cart) => [`wp_woocommerce_session_1=${cart}`, 'old']),
  );
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

test.each<[`/${string}`, Readonly<Record<string, string | number>>, readonly string[]]>([
  ['/wp/v2/posts', {}, ['/wp/v2/posts']],
  ['/wp/v2/posts/{id}', { id: 5 }, ['/wp/v2/posts', '/wp/v2/posts/5']],
  ['/wp/v2/posts/{parent}/revisions', { parent: 5 }, ['/wp/v2/posts', '/wp/v2/posts/5/revisions']],
  ['/wp/v2/posts/{slug}', { slug: 'x'.repeat(300) }, ['/wp/v2/posts']],
])('the cache tags of %s with %j', (path, values, tags) => {
  expect(cacheTags(path, { path: values })).toEqual(tags);
});

test('a cart without tokens on another origin has its cookies, and without them an error', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('location', new URL('https://app.example.com/'));
  const seen: (readonly [path: string, credentials: string])[] = [];
  const send = async ({ credentials, url }: Request) => {
    seen.push([new URL(url).pathname, credentials]);
    return Response.json({}, { headers: { Nonce: 'n' } });
  };
  const baseUrl = 'https://shop.example.com/wp-json';
  const clientOf = (credentials?: 'include') =>
    api.client({ baseUrl, fetch: send, middleware: [wooStore({ credentials, fetch: send })] });
  await expect(clientOf().GET('/wc/store/v1/cart')).rejects.toThrow("wooStore({ credentials: 'include' })");
  seen.length = 0;
  await clientOf('include').GET('/wc/store/v1/products');
  await clientOf('include').POST('/wc/store/v1/cart/add-item', { body: { id: 5 } });
  expect(seen).toEqual([
    ['/wp-json/wc/store/v1/products', 'same-origin'],
    ['/wp-json/wc/store/v1/cart', 'include'],
    ['/wp-json/wc/store/v1/cart/add-item', 'include'],
  ]);
});

test('a call without a response holds up later ones for half a minute only', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { around } = wooStore();
  const call = { method: 'POST', path: '/wc/store/v1/cart/add-item', options: {}, signal: undefined };
  const begun: string[] = [];
  const start = (name: string, ends: boolean) =>
    void around?.(call, () => {
      begun.push(name);
      return ends ? Promise.resolve({ response: undefined }) : new Promise(() => undefined);
    });
  start('first', false);
  start('second', true);
  start('third', true);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(begun).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(begun).toEqual(['first', 'second', 'third']);
});
