const { data: products } = await client.GET('/shop/v3/products', {
  query: {
    per_page: 5,
    // @ts-expect-error: products are not sorted by cost, the site answers 400 rest_invalid_param
    orderby: 'cost',
  },
});
assert.equal(products?.length, 5);
