const { data: products } = await client.GET('/shop/v3/products', { query: { per_page: 2 }, throw: true });
assert.equal(products.length, 2);
// @ts-expect-error: the shop has v2 and v3 only, the site answers 404 rest_no_route
await client.GET('/shop/v4/products');
