const { data: product } = await client.POST('/shop/v3/products', {
  body: {
    name: 'Oar',
    // @ts-expect-error: prices are strings, the site answers 400 rest_invalid_param for a number
    regular_price: 12.5,
  },
});
assert.ok(product);
