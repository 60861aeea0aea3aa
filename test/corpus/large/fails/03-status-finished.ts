const { data: orders } = await client.GET('/shop/v3/orders', { query: { per_page: 20 }, throw: true });
const done = orders.filter(
  // @ts-expect-error: orders are completed, no order ever has the status finished
  (order) => order.status === 'finished',
);
assert.ok(done.length > 0);
