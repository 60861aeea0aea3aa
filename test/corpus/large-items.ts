import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toJsonObject,
} from '../../src/json.ts';
import { describeItem } from './large-schemas.ts';

const DATE = '2026-03-02T09:30:00';
const NAMES = ['Anchor', 'Buoy', 'Compass', 'Dinghy', 'Flag', 'Lantern', 'Rope', 'Sail'] as const;
const PRODUCT_SCHEMA: JsonObject = { type: 'object', properties: describeItem('product') };
const ORDER_SCHEMA: JsonObject = { type: 'object', properties: describeItem('order') };
const CUSTOMER_SCHEMA: JsonObject = { type: 'object', properties: describeItem('customer') };

/** A product of the large site: all properties of the schema, with those that a request wrote. */
export function createProduct(id: number, input: JsonObject): JsonObject {
  const name = `${NAMES[id % NAMES.length]} No. ${id}`;
  const price = String(input['sale_price'] ?? input['regular_price'] ?? `${id}.50`);
  const product = fill(PRODUCT_SCHEMA, {
    name,
    sku: `HS-${id}`,
    regular_price: price,
    stock_quantity: id % 3 === 0 ? null : id,
    stock_status: id % 5 === 0 ? 'outofstock' : 'instock',
    status: 'publish',
    type: id % 4 === 0 ? 'variable' : 'simple',
    variations: id % 4 === 0 ? [id * 10 + 1, id * 10 + 2] : [],
    categories: [{ id: 1 + (id % 3), name: 'Deck', slug: 'deck' }],
    ...input,
    id,
    price,
  });
  return { ...product, on_sale: input['sale_price'] !== undefined, slug: slugOf(String(product['name'])) };
}

/** An order of the large site; its totals follow from its lines, with products at 10.00. */
export function createOrder(id: number, input: JsonObject): JsonObject {
  const lines = Array.isArray(input['line_items']) ? input['line_items'] : [{ product_id: id }];
  const line_items = lines.filter(isJsonObject).map((line, at) => {
    const quantity = Number(line['quantity'] ?? 1);
    const total = (quantity * 10).toFixed(2);
    const sums = { name: `Line ${at + 1}`, subtotal: total, total };
    return { ...sums, ...line, quantity, id: id * 100 + at, price: 10 };
  });
  const shipping = jsonItems(input['shipping_lines']).filter(isJsonObject);
  const shippingTotal = shipping.reduce((sum, line) => sum + Number(line['total'] ?? 0), 0);
  const total = line_items.reduce((sum, line) => sum + Number(line.total), shippingTotal);
  return fill(ORDER_SCHEMA, {
    number: String(id),
    status: 'pending',
    currency: 'EUR',
    date_paid: id % 2 === 0 ? DATE : null,
    ...Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'set_paid')),
    line_items,
    shipping_total: shippingTotal.toFixed(2),
    total: total.toFixed(2),
    id,
  });
}

/** A customer of the large site. */
export function createCustomer(id: number, input: JsonObject): JsonObject {
  return fill(CUSTOMER_SCHEMA, { email: `customer${id}@example.com`, role: 'customer', ...input, id });
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** An object with every property of its schema that the context edit alone does not show. */
function fill(schema: JsonObject, value: JsonObject): JsonObject {
  return Object.fromEntries(
    jsonMembers(schema['properties'])
      .filter(([, property]) => isJsonObject(property) && JSON.stringify(property['context']) !== '["edit"]')
      .map(([name, property]) => [name, fillValue(toJsonObject(property), value[name])]),
  );
}

function fillValue(schema: JsonObject, value: Json | undefined): Json {
  const { type, items } = schema;
  if (Array.isArray(value)) {
    if (!isJsonObject(items) || items['type'] !== 'object') return value;
    return value.filter(isJsonObject).map((item) => fill(items, item));
  }
  if (type === 'object') return fill(schema, toJsonObject(value));
  return value === undefined ? emptyValue(schema) : value;
}

const EMPTY: JsonObject = { integer: 0, number: 0, boolean: false, array: [] };

function emptyValue({ type, enum: values }: JsonObject): Json {
  if (Array.isArray(values)) return values[0] ?? null;
  return Array.isArray(type) ? DATE : (EMPTY[String(type)] ?? '');
}
