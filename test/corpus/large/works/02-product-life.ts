const { data: product } = await client.POST('/shop/v3/products', {
  body: {
    name: 'Storm lamp',
    type: 'simple',
    regular_price: '34.90',
    categories: [{ id: 2 }],
    images: [{ src: 'https://example.com/lamp.jpg', alt: 'A lamp' }],
    dimensions: { height: '32' },
    meta_data: [{ key: 'supplier', value: 'Nord' }],
  },
  throw: true,
});
const path = { id: product.id };
assert.equal(product.slug, 'storm-lamp');
assert.equal(product.images[0]?.alt, 'A lamp');

const { data: reduced } = await client.PUT('/shop/v3/products/{id}', {
  path,
  body: { sale_price: '29.90', manage_stock: true, stock_quantity: 12 },
  throw: true,
});
assert.equal(reduced.price, '29.90');
assert.ok(reduced.on_sale);

const { data: row } = await client.GET('/shop/v3/products/{id}', {
  path,
  query: { _fields: ['id', 'name', 'sku'] },
  throw: true,
});
assert.deepEqual(Object.keys(row).sort(), ['id', 'name', 'sku']);
assert.equal(row.name.toUpperCase(), 'STORM LAMP');

const { data: removed } = await client.DELETE('/shop/v3/products/{id}', {
  path,
  query: { force: true },
  throw: true,
});
assert.equal(removed.previous.id, product.id);
