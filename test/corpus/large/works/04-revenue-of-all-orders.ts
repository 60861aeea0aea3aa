import { paginate } from '../../client.ts';

const revenue = new Map<string, number>();
let unpaid = 0;
let seen = 0;
const orders = paginate(client, '/shop/v3/orders', {
  query: { per_page: 5, after: '2026-01-01T00:00:00', order: 'asc' },
  lookAhead: 2,
});
for await (const order of orders) {
  seen += 1;
  if (order.date_paid === null) unpaid += 1;
  else assert.equal(order.date_paid.slice(0, 4), '2026');
  const before = revenue.get(order.currency) ?? 0;
  revenue.set(order.currency, before + Number(order.total));
}
const { total } = await client.GET('/shop/v3/orders', { query: { per_page: 1 }, throw: true });
assert.equal(seen, total);
assert.ok(unpaid > 0 && unpaid < seen);
assert.ok([...revenue.values()].every((sum) => sum > 0));
