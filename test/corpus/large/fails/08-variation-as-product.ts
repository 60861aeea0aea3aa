const { data: products } = await client.GET('/shop/v3/products', {
  query: { type: 'variable' },
  throw: true,
});
for (const product of products) {
  assert.ok(product.name);
  // @ts-expect-error: variations are listed by their numbers, a number has no sku
  const skus: string[] = product.variations.map((variation) => variation.sku.trim());
  assert.ok(skus.length > 0);
}
