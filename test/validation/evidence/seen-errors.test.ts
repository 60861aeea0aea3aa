import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { Ledger } from '../../../src/validation/evidence/ledger.ts';
import {
  getSeenError,
  listSeenErrors,
  readSeenError,
  type SeenErrors,
} from '../../../src/validation/evidence/seen-errors.ts';

const respond = (status: number, body: Json, mediaType = 'application/json', sent: string | null = '') =>
  readSeenError({ status, mediaType, hasAllow: false, body }, () => ({
    sent,
    stated: '/a/v1/products/(?P<id>[\\d]+) coupon',
  }));
const errorOf = (code: Json, status = 404): Json => ({ code, message: 'x', data: { status } });

describe('the error of a response', () => {
  test('is read with its status, also without one in its data, as WordPress sends it with 500', () => {
    expect(respond(404, errorOf('woocommerce_rest_product_invalid_id'))).toEqual({
      status: 404,
      code: 'woocommerce_rest_product_invalid_id',
    });
    expect(respond(500, { code: 'db_update_error', message: '', data: null })?.status).toBe(500);
    expect(respond(409, { code: 'x_y', message: '', data: { status: 409, cart: {} } })?.code).toBe('x_y');
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

  test.each<[string, string | null]>([
    ['a_janedoe', '?name=Jane+Doe'],
    ['a_jane_doe', '{"name":"Jane Doe"}'],
    ['a_name_jose', 'José'],
    ['a_nojanefound', 'x jane x'],
    ['a_jan', 'jane'],
    ['a_jane', 'x=%4aane'],
    ['a_oe', 'ø'],
    ['product_expired', 'expired'],
    ['a_b', null],
  ])('is not read if its code %s may be made from what the client sent: %s', (code, sent) => {
    expect(respond(404, errorOf(code), 'application/json', sent)).toBeNull();
  });

  test.each([
    ['a_invalid_product', 'id=12 product'],
    ['a_coupon_closed', '{"coupon":"jane"}'],
    ['a_not_here', 'the text of a client'],
  ])('is read if its words %s are of the site, or not those of the client: %s', (code, sent) => {
    expect(respond(404, errorOf(code), 'application/json', sent)?.code).toBe(code);
  });
});

/** Counts errors, each as often as stated. */
function count(errors: SeenErrors, codes: readonly string[], times: number): void {
  for (const code of codes) {
    for (let time = 0; time < times; time += 1) {
      const known = getSeenError(errors, { status: 400, code });
      if (known !== undefined) known.count += 1;
    }
  }
}

const manyCodes = (prefix: string) => Array.from({ length: 1000 }, (_, at) => `${prefix}_${at}`);
const codesOf = (errors: SeenErrors) => listSeenErrors(errors).map(({ code }) => code);

describe('the errors of an operation', () => {
  test('are listed after three responses', () => {
    const errors: SeenErrors = new Map();
    count(errors, ['a'], 2);
    expect(codesOf(errors)).toEqual([]);
    count(errors, ['a'], 1);
    expect(codesOf(errors)).toEqual(['a']);
  });

  test('are not displaced by codes that a client makes up, nor displace others for ever', () => {
    const errors: SeenErrors = new Map();
    count(errors, ['real'], 3);
    count(errors, manyCodes('made_up'), 2);
    count(errors, ['later'], 3);
    expect(codesOf(errors)).toEqual(['later', 'real']);
    expect(errors.size).toBe(32);
  });

  test('are bounded', () => {
    const errors: SeenErrors = new Map();
    count(errors, manyCodes('repeated'), 5);
    expect(errors.size).toBe(32);
  });
});

const GET = 'GET /a/v1/products';

/** Evidence with one error of one operation. */
function createLedger(times: number): Ledger {
  const ledger = new Ledger();
  const stats = ledger.getOperation(GET);
  stats.counts.validated = times;
  count(stats.errors, ['a_b'], times);
  return ledger;
}

const seenIn = (ledger: Ledger) => listSeenErrors(ledger.getOperation(GET).errors);

test('errors are stored and restored, and their counts added', () => {
  const ledger = createLedger(1);
  ledger.restore(JSON.parse(JSON.stringify(createLedger(2).toRecords())));
  expect(seenIn(ledger)).toEqual([{ status: 400, code: 'a_b', count: 3 }]);
});

test('stored errors of an unknown form are left out', () => {
  const ledger = createLedger(3);
  const errors: Json = [
    null,
    { status: 200, code: 'a', count: 9 },
    { status: 404, code: '<script>', count: 9 },
    { status: 404, code: 'b', count: -1 },
    { status: '404', code: 'c', count: 9 },
  ];
  const [stored] = JSON.parse(JSON.stringify(createLedger(1).toRecords())).operations;
  const operations = [
    { ...stored, errors },
    { ...stored, errors: 'x' },
  ];
  ledger.restore({ operations, rules: [] });
  expect(seenIn(ledger)).toEqual([{ status: 400, code: 'a_b', count: 3 }]);
  expect(ledger.getOperation(GET).counts.validated).toBe(5);
});
