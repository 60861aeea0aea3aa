import { afterEach, expect, test, vi } from 'vitest';
import type { SampleRequest } from '../../../src/generator/reference/sample-request.ts';
import type { Credentials } from '../../../src/pages/docs/client/login.ts';
import { type Cart, sendFormRequest } from '../../../src/pages/docs/client/send.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const requestTo = (method: string, path: string): SampleRequest => ({
  ...{ method, path, baseUrl: 'https://example.com/wp-json', pathParameters: [], query: [] },
  ...{ body: undefined, file: undefined, credentials: 'cart' },
});

/** Records what is sent: method, path, and the fields of a cart. The shop names a new cart in its response to a request without one. */
function recordFetch(createFields: (sent: Headers, count: number) => Record<string, string>): string[] {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { credentials, headers, method = 'GET' }: RequestInit) => {
    const own = new Headers(headers);
    const named = ['cart-token', 'nonce', 'x-wc-store-api-nonce'].flatMap((name) => own.get(name) ?? []);
    sent.push([method, new URL(url).pathname, credentials, ...named].join(' '));
    return new Response('{}', { headers: createFields(own, sent.length) });
  });
  return sent;
}

const NOBODY: Credentials = { kind: 'none', name: '', secret: '' };

async function callCart(): Promise<void> {
  const cart: Cart = {};
  await sendFormRequest(requestTo('POST', '/wc/store/v1/cart/add-item'), undefined, NOBODY, cart);
  await sendFormRequest(requestTo('GET', '/wc/store/v1/cart'), undefined, NOBODY, cart);
  await sendFormRequest(requestTo('GET', '/wc/store/v1/products'), undefined, NOBODY, cart);
}

test('the requests of a page to carts are about one cart, which the first of them creates', async () => {
  const sent = recordFetch((own, count) => ({
    'cart-token': own.get('cart-token') ?? 'new',
    nonce: `${count}`,
  }));
  await callCart();
  expect(sent).toEqual([
    'GET /wp-json/wc/store/v1/cart same-origin',
    'POST /wp-json/wc/store/v1/cart/add-item same-origin new 1',
    'GET /wp-json/wc/store/v1/cart same-origin new 2',
    'GET /wp-json/wc/store/v1/products omit',
  ]);
});

test('a cart of WooCommerce 5 has a nonce of another name, and a cookie', async () => {
  const sent = recordFetch(() => ({ 'x-wc-store-api-nonce': 'n' }));
  await callCart();
  expect(sent[1]).toBe('POST /wp-json/wc/store/v1/cart/add-item same-origin n');
});
