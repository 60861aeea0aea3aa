import { afterEach, expect, test, vi } from 'vitest';
import { type Credentials, sendFormRequest } from '../../src/docs/client/send.ts';
import type { SampleRequest } from '../../src/docs/sample-request.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const requestTo = (method: string, path: string): SampleRequest => ({
  ...{ method, path, baseUrl: 'https://example.com/wp-json', pathParameters: [], query: [] },
  ...{ body: undefined, file: undefined, credentials: 'cart' },
});

/** Records what is sent. The shop names a new cart in its response to a request without one, and a new nonce in each. */
function recordFetch(): string[] {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers, method = 'GET' }: RequestInit) => {
    const own = new Headers(headers);
    sent.push(
      `${method} ${new URL(url).pathname} ${own.get('cart-token') ?? '-'} ${own.get('nonce') ?? '-'}`,
    );
    const fields = { 'cart-token': own.get('cart-token') ?? 'new', nonce: `${sent.length}` };
    return new Response('{}', { headers: fields });
  });
  return sent;
}

test('the requests of a page to carts are about one cart, which the first of them creates', async () => {
  const sent = recordFetch();
  const credentials: Credentials = { username: '', password: '', nonce: '' };
  await sendFormRequest(requestTo('POST', '/wc/store/v1/cart/add-item'), undefined, credentials);
  await sendFormRequest(requestTo('GET', '/wc/store/v1/cart'), undefined, credentials);
  await sendFormRequest(requestTo('GET', '/wc/store/v1/products'), undefined, credentials);
  expect(sent).toEqual([
    'GET /wp-json/wc/store/v1/cart - -',
    'POST /wp-json/wc/store/v1/cart/add-item new 1',
    'GET /wp-json/wc/store/v1/cart new 2',
    'GET /wp-json/wc/store/v1/products - -',
  ]);
});
