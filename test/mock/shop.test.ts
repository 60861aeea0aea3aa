import { beforeAll, describe, expect, test } from 'vitest';
import { readRecordedSite } from '../../src/discovery/index.ts';
import { createSchemaCheck } from '../../src/example-values/schema-check.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../src/json.ts';
import { createMock } from '../../src/mock/index.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { readShopIndex } from '../support/recorded-indexes.ts';

const ORIGIN = 'http://app.example';

let document: JsonObject;
let mock: ReturnType<typeof createMock>;
beforeAll(() => {
  const index = readShopIndex((name) => ['wc/v3', 'wc/store/v1'].includes(name));
  document = toOpenApi(readRecordedSite(index, { url: 'https://example.com/' })).document;
  mock = createMock(document);
});

async function request(
  method: string,
  path: string,
  fields?: JsonObject,
  headers: Record<string, string> = {},
) {
  const response = await mock.request(`/wp-json${path}`, {
    method,
    headers: {
      origin: ORIGIN,
      ...(fields === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(fields === undefined ? {} : { body: JSON.stringify(fields) }),
  });
  const body = (await response.json()) as Json;
  return {
    status: response.status,
    headers: response.headers,
    body: isJsonObject(body) ? body : {},
    list: body,
  };
}

describe('a mock of a shop', () => {
  test('lets pages of other origins send requests, as the site does', async () => {
    const preflight = await request('OPTIONS', '/wc/v3/products');
    expect(preflight.status).toBe(200);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
      allow: 'GET, POST',
    });
    expect(preflight.body).toMatchObject({ namespace: 'wc/v3', methods: ['GET', 'POST'] });
    expect((await request('OPTIONS', '/wc/v3/nothing')).list).toEqual([]);
    for (const path of ['/wc/v3/products', '/wc/v3/products?per_page=101', '/wc/v3/products/999']) {
      const { headers } = await request('GET', path);
      expect(headers.get('access-control-allow-origin'), path).toBe(ORIGIN);
      expect(headers.get('access-control-expose-headers'), path).toContain('X-WP-TotalPages');
    }
  });

  test("refuses in WordPress's own form", async () => {
    const { body, headers, status } = await request('GET', '/wc/v3/products?per_page=101');
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json; charset=UTF-8']);
    expect(Object.keys(body)).toEqual(['code', 'message', 'data']);
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400, params: { per_page: expect.any(String) } },
    });
    expect((await request('GET', '/wc/v3/products/999')).body).toMatchObject({
      code: 'woocommerce_rest_product_invalid_id',
      data: { status: 404 },
    });
  });

  test('keeps what a batch creates, updates and deletes, with ids of its own', async () => {
    const fields = {
      create: [{ name: 'Chair' }, { name: 'Table' }],
      update: [
        { id: 3, name: 'Lamp' },
        { id: 999, name: 'None' },
      ],
      delete: [4],
    };
    const { body, status } = await request('POST', '/wc/v3/products/batch', fields);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      create: [{ name: 'Chair' }, { name: 'Table' }],
      update: [
        { id: 3, name: 'Lamp' },
        { id: 999, error: { code: 'woocommerce_rest_product_invalid_id' } },
      ],
      delete: [{ id: 4 }],
    });
    const ids = jsonItems(body['create']).map((item) => Object(item).id);
    expect(new Set(ids).size).toBe(2);
    const { list } = await request('GET', `/wc/v3/products?include=${ids.join(',')},3,4&_fields=id,name`);
    expect(list).toEqual([
      { id: ids[1], name: 'Table' },
      { id: ids[0], name: 'Chair' },
      { id: 3, name: 'Lamp' },
    ]);
    expect((await request('GET', `/wc/v3/products/${ids[0]}`)).body['name']).toBe('Chair');
    const many = { delete: Array.from({ length: 101 }, (_, at) => at + 1) };
    expect((await request('POST', '/wc/v3/products/batch', many)).status).toBe(413);
  });

  test('keeps the line items of an order, with the defaults that the shop states', async () => {
    const line_items = [
      { product_id: 3, quantity: 2 },
      { product_id: 4, quantity: 1 },
    ];
    const { body, status } = await request('POST', '/wc/v3/orders', { line_items });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      line_items,
      customer_id: 0,
      total: '0.00',
      date_paid: null,
      status: 'pending',
    });
    expect(jsonItems(body['line_items']).map((item) => isJsonObject(item) && item['id'])).toEqual([1, 2]);
    expect((await request('GET', `/wc/v3/orders/${body['id']}`)).body).toMatchObject({ line_items });
    expect((await request('POST', '/wc/v3/products', { name: 'Chair' })).body).toMatchObject({
      type: 'simple',
    });
  });

  test('pages and filters lists', async () => {
    const all = await request('GET', '/wc/v3/products?per_page=100');
    const published = jsonItems(all.list).filter((item) => Object(item).status === 'draft');
    const filtered = await request('GET', '/wc/v3/products?per_page=100&status=draft');
    expect(filtered.list).toEqual(published);
    const second = await request('GET', '/wc/v3/products?per_page=10&page=2');
    expect(second.list).toEqual(jsonItems(all.list).slice(10, 20));
    expect(second.headers.get('x-wp-total')).toBe(String(jsonItems(all.list).length));
  });

  test('keeps a cart for each token, with sums', async () => {
    const product = (await request('GET', '/wc/store/v1/products/5')).body;
    const price = Number(Object(product['prices']).price);
    const added = await request(
      'POST',
      '/wc/store/v1/cart/add-item',
      { id: 5, quantity: 2 },
      { 'cart-token': 'one' },
    );
    expect([added.status, added.headers.get('cart-token')]).toEqual([201, 'one']);
    expect(added.headers.get('access-control-expose-headers')).toContain('Cart-Token');
    await request('POST', '/wc/store/v1/cart/add-item', { id: 5 }, { 'cart-token': 'one' });
    const { body: cart } = await request('GET', '/wc/store/v1/cart', undefined, { 'cart-token': 'one' });
    expect(cart).toMatchObject({
      items_count: 3,
      items: [{ id: 5, name: product['name'], quantity: 3, totals: { line_total: String(3 * price) } }],
      totals: { total_items: String(3 * price), total_price: String(3 * price) },
    });
    const { schema } = Object(document['paths'])['/wc/store/v1/cart'].get.responses['200'].content[
      'application/json'
    ];
    expect(createSchemaCheck(document)(schema, cart)).toBe(true);
    expect((await request('GET', '/wc/store/v1/cart')).body).toMatchObject({ items: [], items_count: 0 });

    const [{ key }] = cart['items'] as readonly [{ key: string }];
    const one = { 'cart-token': 'one' };
    const updated = await request('POST', '/wc/store/v1/cart/update-item', { key, quantity: 1 }, one);
    expect(updated.body).toMatchObject({ items_count: 1 });
    expect(
      (await request('POST', '/wc/store/v1/cart/apply-coupon', { code: 'ten' }, one)).body,
    ).toMatchObject({
      coupons: [{ code: 'ten' }],
    });
    expect((await request('POST', '/wc/store/v1/cart/remove-item', { key }, one)).body['items']).toEqual([]);
    const gone = await request('POST', '/wc/store/v1/cart/remove-item', { key }, one);
    expect([gone.status, gone.body['code']]).toEqual([409, 'woocommerce_rest_cart_invalid_key']);
    const unknown = await request('POST', '/wc/store/v1/cart/add-item', { id: 999 }, one);
    expect([unknown.status, unknown.body['code']]).toEqual([400, 'woocommerce_rest_cart_invalid_product']);
  });
});
