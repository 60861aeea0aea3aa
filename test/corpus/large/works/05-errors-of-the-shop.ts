import { ApiError } from '../../client.ts';

const { data, error, response } = await client.GET('/shop/v3/products/{id}', { path: { id: 999_999 } });
assert.equal(response?.status, 404);
assert.equal(data, undefined);
assert.equal(error?.code, 'shop_rest_product_invalid_id');

const tooMany = await client.GET('/shop/v3/orders', { query: { per_page: 1000 } });
if (tooMany.error?.code !== 'rest_invalid_param') assert.fail('the site takes at most 100');
assert.match(tooMany.error.data.params['per_page'] ?? '', /100/);

await assert.rejects(
  client.GET('/shop/v3/customers/{id}', { path: { id: 999_999 }, throw: true }),
  (reason: unknown) => reason instanceof ApiError && reason.status === 404 && reason.message.length > 0,
);
