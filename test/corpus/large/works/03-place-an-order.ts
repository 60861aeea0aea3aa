const { data: order } = await client.POST('/shop/v3/orders', {
  body: {
    payment_method: 'invoice',
    set_paid: false,
    billing: { first_name: 'Ada', last_name: 'Lindqvist', email: 'ada@example.com', country: 'SE' },
    line_items: [
      { product_id: 4, quantity: 2 },
      { product_id: 7, variation_id: 0, quantity: 1 },
    ],
    shipping_lines: [{ method_id: 'flat_rate', method_title: 'Boat', total: '4.90' }],
  },
  throw: true,
});
assert.equal(order.status, 'pending');
assert.equal(order.total, '34.90');
assert.equal(order.billing.first_name, 'Ada');

let pieces = 0;
for (const line of order.line_items) pieces += line.quantity;
assert.equal(pieces, 3);
const freight: string | undefined = order.shipping_lines.find(
  (line) => line.method_id === 'flat_rate',
)?.total;
assert.equal(freight, '4.90');

const { data: completed } = await client.PATCH('/shop/v3/orders/{id}', {
  path: { id: order.id },
  body: { status: 'completed', customer_note: 'Leave it at the quay.' },
  throw: true,
});
assert.equal(completed.customer_note, 'Leave it at the quay.');

const gone = await client.DELETE('/shop/v3/orders/{id}', { path: { id: order.id }, query: { force: true } });
assert.equal(gone.data?.deleted, true);
