import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { createMock } from '../../../src/create-mock.ts';
import { readRecordedSite } from '../../../src/generator/discovery/index.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { readShopIndex } from '../../support/recorded-indexes.ts';
import { createRequest, type Mock } from './mock-client.ts';

let document: JsonObject;
let mock: Mock;
beforeAll(() => {
  const index = readShopIndex((name) => ['wc/v3', 'wc/store/v1'].includes(name));
  document = toOpenApi(readRecordedSite(index, { url: 'https://example.com/' })).document;
  mock = createMock(document);
});

const request = createRequest(() => mock);

describe('a mock of a shop', () => {
  test("refuses in WordPress's own form", async () => {
    const { body, headers, status } = await request('GET /wc/v3/products?per_page=101');
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json; charset=UTF-8']);
    expect(Object.keys(body)).toEqual(['code', 'message', 'data']);
    const data = { status: 400, params: { per_page: expect.any(String) } };
    expect(body).toMatchObject({ code: 'rest_invalid_param', data });
    const { outcome } = await request('GET /wc/v3/products/999');
    expect(outcome).toBe('404 woocommerce_rest_product_invalid_id');
  });

  test('has a cart with what was added, in minor units of one currency', async () => {
    mock = createMock(document);
    const { body: product } = await request('/wc/store/v1/products/3');
    expect(product.prices).toMatchObject({
      ...{ currency_code: 'EUR', currency_minor_unit: 2, price: expect.stringMatching(/^\d{3,}$/) },
    });
    const price = Number(product.prices.price);
    const { body: cart, status } = await request('POST /wc/store/v1/cart/add-item', { id: 3, quantity: 2 });
    expect([status, cart.items_count, cart.items]).toMatchObject([
      ...[201, 2],
      [{ id: 3, name: product.name, quantity: 2, totals: { line_total: String(2 * price) } }],
    ]);
    const [{ key }] = cart.items;
    await request('POST /wc/store/v1/cart/update-item', { key, quantity: 3 });
    await request('POST /wc/store/v1/cart/items', { id: 4 });
    const { body: changed } = await request('/wc/store/v1/cart');
    expect(changed.items.map(({ quantity }: JsonObject) => quantity)).toEqual([3, 1]);
    expect(changed.totals).toMatchObject({ currency_code: 'EUR', total_price: changed.totals.total_items });
    expect((await request(`DELETE /wc/store/v1/cart/items/${key}`)).status).toBe(204);
    expect((await request('/wc/store/v1/cart/items')).body).toMatchObject([{ id: 4, quantity: 1 }]);
    const again = await request('POST /wc/store/v1/cart/remove-item', { key });
    expect(again.outcome).toBe('409 woocommerce_rest_cart_invalid_key');
    const address = { billing_address: { city: 'Kiel' } };
    const { body: moved } = await request('POST /wc/store/v1/cart/update-customer', address);
    expect(moved).toMatchObject({ items_count: 1, ...address });
    const { body: reduced } = await request('POST /wc/store/v1/cart/apply-coupon', { code: 'ten' });
    expect(reduced.coupons).toMatchObject([{ code: 'ten' }]);
    const order = { billing_address: { first_name: 'Ada' }, payment_method: 'cod' };
    const { body: ordered } = await request('POST /wc/store/v1/checkout', order);
    expect(ordered).toMatchObject({ ...order, status: 'processing' });
    expect((await request('/wc/store/v1/cart')).body).toMatchObject({ items: [], coupons: [] });
    const empty = await request('POST /wc/store/v1/checkout', order);
    expect(empty.outcome).toBe('400 woocommerce_rest_cart_empty');
    const none = await request('POST /wc/store/v1/cart/add-item', { id: 999 });
    expect(none.outcome).toBe('400 woocommerce_rest_cart_invalid_product');
  });

  test('lets a script of another origin keep the cart by its token', async () => {
    const path = '/wp-json/wc/store/v1/cart';
    const { headers } = await mock.app.request(path, { headers: { Origin: 'http://app.example' } });
    expect(headers.get('cart-token')).toMatch(/^[^=]+$/);
    expect(headers.get('access-control-expose-headers')).toContain('Cart-Token');
    const asked = { Origin: 'http://app.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = await mock.app.request(path, { method: 'OPTIONS', headers: asked });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Cart-Token');
  });

  test.each([
    ['/wc/store/v1/products', ({ prices }: JsonObject) => Number((prices as JsonObject)['price'])],
    ['/wc/v3/products', ({ price }: JsonObject) => Number(price)],
  ])('filters %s by their price', async (path, priceOf) => {
    const { body } = await request(`${path}?per_page=100`);
    const price = priceOf(body[0]);
    expect(body.map(priceOf)).toContain(price);
    const found = async (query: string): Promise<number[]> =>
      (await request(`${path}?${query}`)).body.map(priceOf);
    expect(await found(`max_price=${price - 1}&per_page=100`)).not.toContain(price);
    expect(await found(`min_price=${price + 1}&per_page=100`)).not.toContain(price);
    expect(await found(`min_price=${price}&max_price=${price}&per_page=100`)).toContain(price);
    expect(await found('min_price=abc&max_price=&per_page=100')).toEqual(body.map(priceOf));
  });

  test('keeps the line items of an order, with the defaults that the shop states', async () => {
    const line_items = [3, 4].map((product_id) => ({ product_id, quantity: product_id - 1 }));
    const { body, status } = await request('POST /wc/v3/orders', { line_items });
    expect(status).toBe(201);
    expect(body).toMatchObject({ line_items, customer_id: 0, date_paid: null, status: 'pending' });
    expect(body.line_items.map(({ id }: JsonObject) => id)).toEqual([1, 2]);
    expect((await request(`GET /wc/v3/orders/${body.id}`)).body).toMatchObject({ line_items });
    expect((await request('POST /wc/v3/products', { name: 'Chair' })).body).toMatchObject({ type: 'simple' });
  });

  test('knows what is created by the name that it was given (typicode/json-server#61)', async () => {
    const { body } = await request('POST /wc/v3/taxes/classes', { name: 'Zero rate' });
    expect(body).toMatchObject({ slug: 'zero-rate', name: 'Zero rate' });
    expect((await request('DELETE /wc/v3/taxes/classes/zero-rate?force=true')).status).toBe(200);
  });
});
