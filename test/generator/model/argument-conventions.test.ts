import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { narrowToNamespaces, readServedApi } from '../../../src/generator/openapi/index.ts';
import { listArguments } from '../../../src/generator/validation/request/validator.ts';
import { createSchemaValidator } from '../../../src/generator/validation/wordpress/validate.ts';
import { wholeShopDocument } from '../../support/recorded-indexes.ts';

const document: JsonObject = wholeShopDocument();
const schemas = Object(document['components']).schemas as Readonly<Record<string, JsonObject>>;

/** The member of a schema at names, through the items of lists. */
function memberOf(schema: Json | undefined, ...names: readonly string[]): JsonObject {
  const object = isJsonObject(schema) ? schema : {};
  const { items, properties } = object;
  const [name, ...rest] = names;
  if (name === undefined) return object;
  return isJsonObject(properties) ? memberOf(properties[name], ...rest) : memberOf(items, ...names);
}

describe('arguments that the code of an endpoint needs', () => {
  test.each([
    ['AddStoreCartItemBody', ['id']],
    ['ApplyStoreCartCouponBody', ['code']],
    ['StoreCartUpdateItemBody', ['key']],
    ['CreateWidgetBody', ['id_base']],
  ])('%s requires %j', (name, required) => {
    expect(schemas[name]?.['required']).toEqual(required);
  });

  test('are required by the document, and left to the site by the gateway: its error is another one', () => {
    const api = runSteps(readServedApi(document));
    const route = api.routes.find(({ pattern }) => pattern === '/wc/store/v1/cart/add-item');
    const operation = route?.operations.get('POST');
    if (operation === undefined) throw new Error('no operation');
    const resolve = (reference: string) => schemas[reference.replace(/.*\//, '')];
    expect(listArguments(operation, resolve).get('id')?.isRequired).toBe(false);
  });
});

test('times of a shop are a Date in the client too, and the site reads more forms than a format allows', async () => {
  const members = [
    ['CreateProductBody', 'date_on_sale_from'],
    ['CreateCouponBody', 'date_expires'],
  ] as const;
  for (const [name, member] of members) {
    const schema = memberOf(schemas[name], member);
    expect(schema).toMatchObject({ type: ['null', 'string'], format: 'date-time-local' });
    for (const value of ['2026-12-24', '2026-12-24T00:00:00', '2026-12-24T00:00:00Z', null]) {
      expect(createSchemaValidator(schema, () => undefined).validate(value, 'date')).toBeNull();
    }
  }
  expect(memberOf(schemas['Coupon'], 'date_expires')).not.toHaveProperty('format');
  expect(await toClient(narrowToNamespaces(document, ['wc/v3']))).toMatch(/date_expires\?: .*\bDate\b/);
}, 60_000);

test.each([
  ['/wc/v3/products', 'tag', { type: 'integer' }],
  ['/wc/store/v1/products', 'category', { type: ['string', 'integer'] }],
])('%s: a plugin separates %s at commas, so that a list is such a text', (path, name, items) => {
  const { parameters } = Object(document['paths'])[path].get;
  expect(Array.from(parameters).find((parameter) => Object(parameter).name === name)).toMatchObject({
    style: 'form',
    explode: false,
    schema: { type: ['string', 'array'], items, 'x-waygate-type': 'string' },
  });
});

describe('arguments that the code of an endpoint reads, and the index does not state', () => {
  test.each([
    ['CreateStoreCartItemBody', 'id', 'integer'],
    ['UpdateStoreCartItemBody', 'quantity', 'number'],
    ['CreateOrderRefundBody', 'line_items', 'array'],
  ])('%s has %s, which the site does not validate', (name, member, type) => {
    expect(memberOf(schemas[name], member)).toMatchObject({ type, 'x-waygate-type': null });
  });

  test('replace those that it does not read', () => {
    expect(memberOf(schemas['CreateBpXprofileFieldBody'], 'required')['type']).toBe('boolean');
    expect(Object(schemas['CreateBpXprofileFieldBody']).properties.is_required).toBeUndefined();
  });
});

describe('a line of an order that needs one of some members', () => {
  const lines = (name: string, of: string) => Object(memberOf(schemas[name], of)['items']) as JsonObject;

  test('says so, with its id where the order has lines', () => {
    expect(lines('CreateOrderBody', 'line_items')).toMatchObject({
      anyOf: [{ required: ['product_id'] }, { required: ['variation_id'] }, { required: ['sku'] }],
      'x-waygate-needed': ['product_id', 'variation_id', 'sku'],
    });
    expect(lines('CreateOrderBody', 'fee_lines')['required']).toEqual(['name']);
    expect(lines('UpdateOrderBody', 'fee_lines')['anyOf']).toEqual([
      { required: ['id'] },
      { required: ['name'] },
    ]);
  });

  test('is left to the site by the gateway: its error is another one', () => {
    const { validate } = createSchemaValidator(lines('CreateOrderBody', 'line_items'), () => undefined);
    expect(validate({ quantity: 1 }, 'line')).toBeNull();
    expect(validate({ quantity: 'many' }, 'line')).not.toBeNull();
  });
});
