const { data: order } = await client.POST('/shop/v3/orders', {
  body: {
    payment_method: 'invoice',
    // @ts-expect-error: a line names its product by product_id, the site ignores product and adds an empty line
    line_items: [{ product: 4, quantity: 2 }],
  },
  throw: true,
});
assert.equal(order.line_items[0]?.product_id, 4);
