import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/json.ts';
import { readSeenCode } from '../../src/reconcile/seen-errors.ts';

const respond = (status: number, body: Json, mediaType = 'application/json', sent = '') =>
  readSeenCode(
    { status, mediaType, hasAllow: false, body },
    { sent, stated: '/a/v1/products/(?P<id>[\\d]+) coupon' },
  );
const errorOf = (code: Json, status = 404): Json => ({ code, message: 'x', data: { status } });

describe('the code of an error', () => {
  test('is read, also without a status in its data, as WordPress sends it with 500', () => {
    const code = 'woocommerce_rest_product_invalid_id';
    expect(respond(404, errorOf(code))).toBe(code);
    expect(respond(500, { code: 'db_update_error', message: '', data: null })).toBe('db_update_error');
    expect(respond(409, { code: 'x_y', message: '', data: { status: 409, cart: {} } })).toBe('x_y');
  });

  test.each<[string, number, Json, string?]>([
    ['a success', 200, errorOf('a_b', 200)],
    ['a status that the data does not state', 403, errorOf('a_b')],
    ['a page of a proxy', 404, errorOf('a_b'), 'text/html'],
    ['a problem without a message', 404, { code: 'a_b', data: { status: 404 } }],
    ['a number', 404, errorOf(12)],
    ['text', 404, errorOf('There is no post!')],
    ['a long code', 404, errorOf('a_'.repeat(40))],
    ['a code with a hash', 404, errorOf('order_9f86d081884c7d65')],
    ['a code with an id', 404, errorOf('no_order_1234567')],
    ['an e-mail address', 404, errorOf('jane@example.com')],
    ['a refusal before any operation', 403, errorOf('rest_cookie_invalid_nonce', 403)],
    ['a route that does not exist', 404, errorOf('rest_no_route')],
  ])('is not read from %s', (_, status, body, mediaType) => {
    expect(respond(status, body, mediaType)).toBeNull();
  });

  test.each<[string, string]>([
    ['a_janedoe', '?name=Jane+Doe'],
    ['a_jane_doe', '{"name":"Jane Doe"}'],
    ['a_name_jose', 'José'],
    ['a_nojanefound', 'x jane x'],
    ['a_jan', 'jane'],
    ['a_jane', 'x=%4aane'],
    ['a_oe', 'ø'],
    ['product_expired', 'expired'],
  ])('is not read if its words %s may be made from what was sent: %s', (code, sent) => {
    expect(respond(404, errorOf(code), 'application/json', sent)).toBeNull();
  });

  test.each([
    ['a_invalid_product', 'id=12 product'],
    ['a_coupon_closed', '{"coupon":"jane"}'],
    ['a_not_here', 'the text of a client'],
  ])('is read if its words %s are of the site, or not those that were sent: %s', (code, sent) => {
    expect(respond(404, errorOf(code), 'application/json', sent)).toBe(code);
  });
});
