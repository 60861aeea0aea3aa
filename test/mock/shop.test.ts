import { beforeAll, describe, expect, test } from 'vitest';
import { readRecordedSite } from '../../src/discovery/index.ts';
import { createSchemaCheck } from '../../src/example-values/schema-check.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { createMock } from '../../src/mock/index.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { readRecorded, readShopIndex } from '../support/recorded-indexes.ts';
import { createRequest } from './mock-client.ts';

const ORIGIN = 'http://app.example';

let document: JsonObject;
let mock: ReturnType<typeof createMock>;
beforeAll(() => {
  const index = readShopIndex((name) => ['wc/v3', 'wc/store/v1'].includes(name));
  document = toOpenApi(readRecordedSite(index, { url: 'https://example.com/' })).document;
  mock = createMock(document);
});

const request = createRequest(() => mock, { origin: ORIGIN });

/** Creates a check of a cart against the document. */
function createCartCheck(): (cart: Json) => boolean {
  const { content } = Object(document['paths'])['/wc/store/v1/cart'].get.responses['200'];
  const isValid = createSchemaCheck(document);
  return (cart) => isValid(content['application/json'].schema, cart);
}

describe('a mock of a shop', () => {
  test('lets pages of other origins send requests, as the site does', async () => {
    const preflight = await request('OPTIONS /wc/v3/products');
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
    expect((await request('OPTIONS /wc/v3/nothing')).body).toEqual([]);
    for (const path of ['/wc/v3/products', '/wc/v3/products?per_page=101', '/wc/v3/products/999']) {
      const { headers } = await request(path);
      expect(headers.get('access-control-allow-origin'), path).toBe(ORIGIN);
      expect(headers.get('access-control-expose-headers'), path).toContain('X-WP-TotalPages');
    }
  });

  test("refuses in WordPress's own form", async () => {
    const { body, headers, status } = await request('GET /wc/v3/products?per_page=101');
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json; charset=UTF-8']);
    expect(Object.keys(body)).toEqual(['code', 'message', 'data']);
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400, params: { per_page: expect.any(String) } },
    });
    expect((await request('GET /wc/v3/products/999')).body).toMatchObject({
      code: 'woocommerce_rest_product_invalid_id',
      data: { status: 404 },
    });
  });

  test('keeps what a batch creates, updates and deletes, with ids of its own', async () => {
    const fields = {
      create: [{ name: 'Chair' }, { name: 'Table' }],
      update: [{ id: 3, name: 'Lamp' }, { id: 999, name: 'None' }, { id: { toString: 1 } }],
      delete: [4],
    };
    const { body, status } = await request('POST /wc/v3/products/batch', fields);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      create: [{ name: 'Chair' }, { name: 'Table' }],
      update: [
        { id: 3, name: 'Lamp' },
        { id: 999, error: { code: 'woocommerce_rest_product_invalid_id' } },
        { error: { code: 'rest_no_route' } },
      ],
      delete: [{ id: 4 }],
    });
    const ids = body.create.map(({ id }: JsonObject) => id);
    expect(new Set(ids).size).toBe(2);
    const { body: list } = await request(`GET /wc/v3/products?include=${ids.join(',')},3,4&_fields=id,name`);
    expect(list).toEqual([
      { id: ids[1], name: 'Table' },
      { id: ids[0], name: 'Chair' },
      { id: 3, name: 'Lamp' },
    ]);
    expect((await request(`GET /wc/v3/products/${ids[0]}`)).body.name).toBe('Chair');
    const many = { delete: Array.from({ length: 101 }, (_, at) => at + 1) };
    expect((await request('POST /wc/v3/products/batch', many)).outcome).toBe(
      '413 woocommerce_rest_request_entity_too_large',
    );
  });

  test('keeps the line items of an order, with the defaults that the shop states', async () => {
    const line_items = [
      { product_id: 3, quantity: 2 },
      { product_id: 4, quantity: 1 },
    ];
    const { body, status } = await request('POST /wc/v3/orders', { line_items });
    expect(status).toBe(201);
    expect(body).toMatchObject({ line_items, customer_id: 0, date_paid: null, status: 'pending' });
    expect(body.line_items.map(({ id }: JsonObject) => id)).toEqual([1, 2]);
    expect((await request(`GET /wc/v3/orders/${body.id}`)).body).toMatchObject({ line_items });
    expect((await request('POST /wc/v3/products', { name: 'Chair' })).body).toMatchObject({
      type: 'simple',
    });
  });

  test('computes the price of a product, as WooCommerce does', async () => {
    const create = async (fields: JsonObject) => (await request('POST /wc/v3/products', fields)).body;
    const cap = await create({ name: 'Cap', regular_price: '16.00' });
    expect(cap).toMatchObject({ price: '16.00', on_sale: false });
    const reduced = await request(`PUT /wc/v3/products/${cap.id}`, { sale_price: '12' });
    expect(reduced.body).toMatchObject({ price: '12', on_sale: true });
  });

  test('keeps what an address has, of a length that addresses have', async () => {
    const headers = { 'Cart-Token': 'long-address' };
    const update = (address: JsonObject) =>
      request('POST /wc/store/v1/cart/update-customer', { billing_address: address }, headers);
    await update({ city: 'Bergen' });
    const { body } = await update({ city: 'x'.repeat(20_000) });
    expect(body.billing_address).toMatchObject({ city: 'Bergen' });
  });

  test('pages and filters lists', async () => {
    const all = await request('GET /wc/v3/products?per_page=100');
    const published = all.body.filter(({ status }: JsonObject) => status === 'draft');
    const filtered = await request('GET /wc/v3/products?per_page=100&status=draft');
    expect(filtered.body).toEqual(published);
    const second = await request('GET /wc/v3/products?per_page=10&page=2');
    expect(second.body).toEqual(all.body.slice(10, 20));
    expect(second.headers.get('x-wp-total')).toBe(String(all.body.length));
    const last = await request('GET /wc/v3/products?per_page=10&page=99');
    expect([last.status, last.body]).toEqual([200, []]);
  });

  test('shows the categories of its list in products, and finds their products by id and slug', async () => {
    for (const root of ['/wc/v3', '/wc/store/v1']) {
      const { body: products } = await request(`GET ${root}/products?per_page=100`);
      const { id, name, slug } = products.at(-1).categories[0];
      const category = await request(`GET ${root}/products/categories/${id}`);
      expect(category.body).toMatchObject({ id, name, slug });
      const found = products.filter((product: JsonObject) =>
        (product['categories'] as JsonObject[]).some((each) => each['id'] === id),
      );
      expect(found.length).toBeLessThan(products.length);
      for (const wanted of [id, slug]) {
        const { body } = await request(`GET ${root}/products?per_page=100&category=${wanted}`);
        expect(body).toEqual(found);
      }
    }
  });

  test('has the ways of payment and shipping that WooCommerce has, and lists customers of all roles', async () => {
    const { body: gateways } = await request('GET /wc/v3/payment_gateways');
    expect(gateways).toMatchObject([{ id: 'cod' }, { id: 'bacs' }]);
    expect((await request('PUT /wc/v3/payment_gateways/bacs', { enabled: true })).body).toMatchObject({
      id: 'bacs',
      enabled: true,
    });
    expect((await request('GET /wc/v3/shipping_methods/flat_rate')).status).toBe(200);
    const email = 'joan@example.com';
    await request('POST /wc/v3/customers', { email });
    const { body: found } = await request(`GET /wc/v3/customers?role=all&email=${email}`);
    expect(found).toMatchObject([{ email }]);
  });

  test('keeps a cart for each token, with sums', async () => {
    const product = (await request('GET /wc/store/v1/products/5')).body;
    const price = Number(product.prices.price);
    const added = await request(
      'POST /wc/store/v1/cart/add-item',
      { id: 5, quantity: 2 },
      { 'cart-token': 'one' },
    );
    expect([added.status, added.headers.get('cart-token')]).toEqual([201, 'one']);
    expect(added.headers.get('access-control-expose-headers')).toContain('Cart-Token');
    await request('POST /wc/store/v1/cart/add-item', { id: 5 }, { 'cart-token': 'one' });
    const { body: cart } = await request('GET /wc/store/v1/cart', undefined, { 'cart-token': 'one' });
    expect(cart).toMatchObject({
      items_count: 3,
      items: [{ id: 5, name: product.name, quantity: 3, totals: { line_total: String(3 * price) } }],
      totals: { total_items: String(3 * price), total_price: String(3 * price) },
    });
    expect(createCartCheck()(cart)).toBe(true);
    expect((await request('GET /wc/store/v1/cart')).body).toMatchObject({ items: [], items_count: 0 });

    const [{ key }] = cart.items;
    const one = { 'cart-token': 'one' };
    const updated = await request('POST /wc/store/v1/cart/update-item', { key, quantity: 1 }, one);
    expect(updated.body).toMatchObject({ items_count: 1 });
    expect((await request('POST /wc/store/v1/cart/remove-item', { key }, one)).body.items).toEqual([]);
    expect((await request('POST /wc/store/v1/cart/remove-item', { key }, one)).outcome).toBe(
      '409 woocommerce_rest_cart_invalid_key',
    );
  });

  test('responds to the calls of a cart as WooCommerce was recorded to do', async () => {
    const { calls, members } = Object(readRecorded('store-cart-calls.json'));
    const shop = createMock(document);
    const send = createRequest(() => shop, { 'cart-token': 'one' });
    const create = async (path: string, fields: JsonObject): Promise<Json> =>
      (await send(`POST ${path}`, fields)).body.id;
    const price = { regular_price: '16.00' };
    const stock = { manage_stock: true, stock_quantity: 12 };
    const ids: JsonObject = {
      CAP: await create('/wc/v3/products', { name: 'Cap', ...price, ...stock }),
      SOLD: await create('/wc/v3/products', { name: 'Sold out', ...price, stock_status: 'outofstock' }),
      HOODIE: await create('/wc/v3/products', { name: 'Hoodie', ...price, type: 'variable' }),
    };
    await create('/wc/v3/coupons', { code: 'ten', discount_type: 'percent', amount: '10' });
    await create('/wc/v3/coupons', { code: 'five', discount_type: 'fixed_cart', amount: '5.00' });
    const key = String(ids['CAP']).padStart(32, '0');
    const isValid = createCartCheck();
    for (const call of calls) {
      const { body, code, coupons, data, length, message, method, path, quantities, status, totals } = call;
      const fields = body && {
        ...body,
        ...(body.id in ids ? { id: ids[body.id] } : {}),
        ...(body.key === 'KEY' ? { key } : {}),
      };
      const name = `${method} ${path} ${JSON.stringify(body)}`;
      const { body: seen, ...response } = await send(
        `${method} /wc/store/v1/cart${path.replace('KEY', key)}`,
        fields,
      );
      expect(response.status, name).toBe(status);
      if (code !== undefined) {
        expect(seen, name).toMatchObject({ code, message });
        expect(Object.keys(seen.data).sort(), name).toEqual(data);
      }
      const listed = length === undefined ? seen : seen[0];
      if (length !== undefined) expect(seen, name).toHaveLength(length);
      if (call.members !== undefined) expect(Object.keys(listed).sort(), name).toEqual(members[call.members]);
      if (totals === undefined) continue;
      expect(seen.items.map((item: JsonObject) => item['quantity'])).toEqual(quantities);
      const discounts = [seen.coupons].flat().map((coupon) => [coupon.code, coupon.totals.total_discount]);
      expect(Object.fromEntries(discounts), name).toEqual(coupons);
      expect(seen.totals, name).toMatchObject(totals);
      const lines = [seen.items].flat().map(({ totals: own }) => Number(own.line_total));
      const sum = lines.reduce((total, line) => total + line, 0);
      expect(Number(seen.totals.total_price)).toBe(sum);
      expect(sum).toBe(Number(totals.total_items) - Number(totals.total_discount));
      expect(isValid(seen), name).toBe(true);
    }
  });

  test('knows a visitor without a token by the cookie, and a write needs a nonce', async () => {
    const path = '/wc/store/v1/cart';
    const add = (headers: Record<string, string>) => request(`POST ${path}/add-item`, { id: 5 }, headers);
    const first = await request(path);
    const nonce = first.headers.get('nonce') ?? '';
    expect(first.headers.get('cart-token')).not.toBe((await request(path)).headers.get('cart-token'));
    expect((await add({})).outcome).toBe('401 woocommerce_rest_missing_nonce');
    expect((await add({ nonce: 'x' })).outcome).toBe('403 woocommerce_rest_invalid_nonce');
    const added = await add({ nonce });
    expect(added).toMatchObject({ status: 201, body: { items_count: 1 } });
    const [cookie = ''] = (added.headers.get('set-cookie') ?? '').split(';');
    expect((await request(path, undefined, { cookie })).body.items_count).toBe(1);
    expect((await add({ nonce, cookie })).body.items_count).toBe(2);
    expect((await add({ nonce })).body.items_count).toBe(1);
    expect((await request(path)).body.items_count).toBe(0);
    // A request in a batch has fields of its own.
    const add5 = { path: `${path}/add-item`, body: { id: 5 } };
    const batch = (requests: Json) =>
      request('POST /wc/store/v1/batch', { requests }, { 'cart-token': 'two' });
    expect((await batch([add5])).body).toMatchObject({ responses: [{ status: 401 }] });
    const own = { 'Cart-Token': 'two' };
    expect(
      (
        await batch([
          { ...add5, headers: own },
          { ...add5, headers: own },
        ])
      ).body,
    ).toMatchObject({
      responses: [{ status: 201 }, { status: 201, body: { items_count: 2 } }],
    });
    // Writes at the same time meet one cart.
    await Promise.all(
      [5, 6].map((id) => request(`POST ${path}/add-item`, { id }, { 'cart-token': 'three' })),
    );
    expect((await request(path, undefined, { 'cart-token': 'three' })).body.items_count).toBe(2);
    // The token of the same session.
    const token = added.headers.get('cart-token') ?? '';
    expect((await request(path, undefined, { 'cart-token': token })).body.items_count).toBe(2);
  });

  test('orders what is in the cart, with a nonce, and empties the cart', async () => {
    const token = { 'cart-token': 'buyer' };
    const nonce = (await request('/wc/store/v1/cart')).headers.get('nonce') ?? '';
    const address = {
      first_name: 'Ada',
      address_1: 'A 1',
      city: 'Bonn',
      country: 'DE',
      email: 'ada@example.com',
    };
    const fields = { billing_address: address, payment_method: 'bacs' };
    const order = (headers: Record<string, string>) => request('POST /wc/store/v1/checkout', fields, headers);
    expect((await order({ nonce, ...token })).outcome).toBe('400 woocommerce_rest_cart_empty');
    await request('POST /wc/store/v1/cart/add-item', { id: 5 }, token);
    expect((await request('/wc/store/v1/checkout', undefined, token)).outcome).toBe(
      '401 woocommerce_rest_missing_nonce',
    );
    const refused = await order(token);
    expect([refused.outcome, refused.headers.get('nonce')]).toEqual([
      '401 woocommerce_rest_missing_nonce',
      nonce,
    ]);
    expect(await order({ nonce, ...token })).toMatchObject({
      status: 200,
      body: { order_id: expect.any(Number) },
    });
    expect((await request('/wc/store/v1/cart', undefined, token)).body.items_count).toBe(0);
  });

  /** What WooCommerce 10.5.2 on WordPress 6.9.1 was seen to respond. */
  test.each<[string, string, string, Record<string, string>, string | null, boolean]>([
    ['a read of the Store API', 'GET', '/wc/store/v1/products', { origin: ORIGIN }, null, true],
    ['one with a token', 'GET', '/wc/store/v1/cart', { origin: ORIGIN, 'cart-token': 'one' }, ORIGIN, true],
    [
      'one of the shop',
      'GET',
      '/wc/store/v1/cart',
      { origin: 'https://example.com' },
      'https://example.com',
      true,
    ],
    ['one without an origin', 'GET', '/wc/store/v1/cart', {}, null, true],
    ['a route that does not exist', 'GET', '/wc/store/v1/nothing', { origin: ORIGIN }, null, true],
    [
      'a preflight',
      'OPTIONS',
      '/wc/store/v1/cart/add-item',
      {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'cart-token',
      },
      ORIGIN,
      true,
    ],
    [
      'a preflight without fields',
      'OPTIONS',
      '/wc/store/v1/products',
      { origin: ORIGIN, 'access-control-request-method': 'GET' },
      null,
      true,
    ],
    ['another interface', 'GET', '/wc/v3/products', { origin: ORIGIN }, ORIGIN, true],
    ['another interface without an origin', 'GET', '/wc/v3/products', {}, null, false],
  ])('sends the CORS fields of WooCommerce for %s', async (_, method, path, headers, origin, hasMethods) => {
    const response = await mock.request(`/wp-json${path}`, { method, headers });
    const isOfStore = path.startsWith('/wc/store/');
    const common = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type';
    const field = (name: string) => response.headers.get(name);
    expect(field('access-control-allow-origin')).toBe(origin);
    expect(field('access-control-allow-methods')).toBe(
      hasMethods ? 'OPTIONS, GET, POST, PUT, PATCH, DELETE' : null,
    );
    expect(field('access-control-allow-credentials')).toBe(hasMethods ? 'true' : null);
    expect(field('vary')?.split(/, */)).toContain('Origin');
    expect(field('access-control-allow-headers')).toBe(isOfStore ? `${common}, Cart-Token, Nonce` : common);
    expect(field('access-control-expose-headers')).toBe(
      `X-WP-Total, X-WP-TotalPages, Link${isOfStore ? ', Cart-Token' : ''}`,
    );
    const isPreflight = 'access-control-request-headers' in headers;
    expect((await response.text()) === '').toBe(isPreflight);
  });

  test.each(['https://app.example.com/', 'app.example.com', '*', 'null'])(
    'refuses the origin %s, which no browser sends or nobody has',
    (origin) => {
      expect(() => createMock(document, { allowOrigin: [origin] })).toThrow(
        `allowOrigin[0] "${origin}" must be an origin without a path, such as https://app.example.com`,
      );
    },
  );

  test('lets other origins read the Store API if it is told so', async () => {
    const shop = createMock(document, { allowOrigin: [ORIGIN] });
    const response = await shop.request('/wp-json/wc/store/v1/products', { headers: { origin: ORIGIN } });
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });
});
