const { data: order } = await client.POST('/shop/v3/orders', {
  body: {
    line_items: [{ product_id: 4, quantity: 2 }],
    // @ts-expect-error: the total is read-only, the site ignores it and adds up the lines
    total: '1.00',
  },
  throw: true,
});
assert.equal(order.total, '1.00');
