const { data, error, total, totalPages } = await client.GET('/shop/v3/products', {
  query: { stock_status: 'instock', status: 'publish', per_page: 8, orderby: 'name', order: 'asc' },
});
if (error) throw new Error(`${error.code}: ${error.message}`);
assert.equal(data.length, 8);
assert.equal(totalPages, Math.ceil(total / 8));

const shelf = data.map(({ id, name, price, categories, dimensions }) => ({
  id,
  label: `${name} (${categories.map((category) => category.name).join(', ')})`,
  price: Number.parseFloat(price),
  size: [dimensions.length, dimensions.width, dimensions.height].join(' x '),
}));
const dearest: number = Math.max(...shelf.map(({ price }) => price));
assert.ok(dearest > 0);
assert.ok(data.every(({ stock_status }) => stock_status === 'instock'));
