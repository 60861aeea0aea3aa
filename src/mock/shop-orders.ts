import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import type { RestResponse } from '../rest-server/declarations.ts';
import { discountLines, type StoreCoupon } from './store-coupons.ts';
import { storeError } from './store-errors.ts';
import { priceOf, toMinorUnits, toPrice } from './store-products.ts';

/** Routes of the shop's own interface whose items have members that WooCommerce computes. */
export const SHOP_ROUTE: RegExp = /^\/wc\/v\d+\/(orders|products)$/;

/** Orders of a shop, and the refunds of one of them. */
export const ORDERS_ROUTE: RegExp = /^\/wc\/v\d+\/orders$/;
export const REFUNDS_ROUTE: RegExp = /^(\/wc\/v\d+\/orders)\/(\d+)\/refunds$/;

/** The products, coupons and tax rates of the mock. */
interface OrderSources {
  /** The rates that requests have created (`/wc/v3/taxes`), with their ids: the newest first. */
  readonly taxRates: readonly JsonObject[];
  readonly findProduct: (id: string) => Promise<Json | undefined>;
  readonly findCoupon: (code: string) => Promise<StoreCoupon | null>;
}

/**
 * Adds what WooCommerce computes to the fields of a product: its price.
 *
 * @param current the product before; empty for a new one
 */
export function computeProduct(fields: JsonObject, current: JsonObject): JsonObject {
  if (fields['regular_price'] === undefined && fields['sale_price'] === undefined) return fields;
  const { regular_price: regular = '', sale_price: sale = '' } = { ...current, ...fields };
  const isReduced = sale !== '' && Number(sale) < Number(regular);
  return { ...fields, price: isReduced ? sale : regular, on_sale: isReduced };
}

/**
 * Adds what WooCommerce computes to the fields of an order: its lines by their products, its sums, taxes and what coupons take off.
 *
 * @param current the order before; empty for a new one
 * @returns the fields, or the error that refuses them
 */
export async function computeOrder(
  { set_paid: isPaid, ...fields }: JsonObject,
  current: JsonObject,
  { findCoupon, findProduct, taxRates }: OrderSources,
): Promise<{ readonly fields: JsonObject } | { readonly refused: RestResponse }> {
  const paid = isPaid === true || isPaid === 'true' ? { status: 'processing', ...fields } : fields;
  if (!SUMMED.some((name) => name in fields)) return { fields: paid };
  const sent = jsonItems(fields['line_items']).filter(isJsonObject).slice(0, MAX_LINES);
  if (sent.some((line) => REFERENCES.every((name) => line[name] === undefined)))
    return { refused: storeError('missingReference') };
  const kept = jsonItems(current['line_items']).filter(isJsonObject);
  const lines: OrderLine[] = [];
  const products = new Map<string, Json | undefined>();
  for (const line of mergeLines(kept, sent).slice(0, MAX_LINES)) {
    const id = String(line['product_id']);
    // Lines of one product are common, and an example of it takes milliseconds.
    if (!products.has(id)) products.set(id, await findProduct(id));
    lines.push(describeLine(line, products.get(id)));
  }
  const codes = jsonItems(fields['coupon_lines'] ?? current['coupon_lines']).map((line) =>
    String(isJsonObject(line) ? line['code'] : line).toLowerCase(),
  );
  const coupons: StoreCoupon[] = [];
  for (const code of codes.slice(0, MAX_LINES)) {
    const coupon = await findCoupon(code);
    if (coupon === null) return { refused: storeError('unknownOrderCoupon', code) };
    coupons.push(coupon);
  }
  const discounted = discountLines(
    lines.map(({ quantity, subtotal }) => ({ price: subtotal / quantity, quantity })),
    coupons,
  );
  const described = lines.map(({ line, quantity, subtotal, total: stated }, at) => {
    const total = stated ?? discounted.lines[at]?.total ?? subtotal;
    return {
      ...line,
      quantity,
      subtotal: toPrice(subtotal),
      total: toPrice(total),
      price: total / quantity / 100,
    };
  });
  return {
    fields: {
      ...paid,
      ...(coupons.length === 0
        ? {}
        : {
            coupon_lines: discounted.coupons.map(({ code, discount, type }, at) => ({
              id: at + 1,
              code,
              discount: toPrice(discount),
              discount_type: type,
            })),
          }),
      ...sumOrder({ ...current, ...fields, line_items: described }, taxRates),
    },
  };
}

/** Makes the sums of an example those of its lines. */
export function balanceOrder(order: JsonObject): JsonObject {
  const lines = jsonItems(order['line_items']).filter(isJsonObject);
  const line_items = lines.map((line) => {
    const [price, quantity] = [toMinorUnits(line['price']), Math.max(1, Number(line['quantity']) || 1)];
    const total = toPrice(price * quantity);
    return { ...line, quantity, price: price / 100, subtotal: total, total };
  });
  const sums = sumOrder({ ...order, line_items }, []);
  // A line stays, because a new order takes from it what a request leaves out.
  const coupons = jsonItems(order['coupon_lines']).filter(isJsonObject);
  const coupon_lines = coupons.map((line) => ({ ...line, discount: '0.00', discount_tax: '0.00' }));
  const known = Object.entries({ ...sums, coupon_lines, refunds: [] });
  return { ...order, ...Object.fromEntries(known.filter(([name]) => Object.hasOwn(order, name))) };
}

/** The sums and the taxes of an order by its lines (`WC_Abstract_Order::calculate_totals()`). Each tax is rounded. */
function sumOrder(order: JsonObject, taxRates: readonly JsonObject[]): JsonObject {
  const rate = findTaxRate(order, taxRates);
  const percent = Number(rate?.['rate']) || 0;
  const taxLines = (name: string, isTaxed: boolean): readonly JsonObject[] =>
    jsonItems(order[name])
      .filter(isJsonObject)
      .map((line) => taxLine(line, isTaxed ? rate : undefined, percent));
  const lines = {
    line_items: taxLines('line_items', true),
    fee_lines: taxLines('fee_lines', true),
    shipping_lines: taxLines('shipping_lines', rate?.['shipping'] !== false),
  };
  const sumOf = (name: keyof typeof lines, member: string): number =>
    lines[name].reduce((sum, line) => sum + toMinorUnits(line[member]), 0);
  const [items, shipping] = [sumOf('line_items', 'total'), sumOf('shipping_lines', 'total')];
  const cartTax = sumOf('line_items', 'total_tax') + sumOf('fee_lines', 'total_tax');
  const shippingTax = sumOf('shipping_lines', 'total_tax');
  const sums = {
    discount_total: sumOf('line_items', 'subtotal') - items,
    discount_tax: sumOf('line_items', 'subtotal_tax') - sumOf('line_items', 'total_tax'),
    shipping_total: shipping,
    shipping_tax: shippingTax,
    cart_tax: cartTax,
    total: items + shipping + sumOf('fee_lines', 'total') + cartTax + shippingTax,
    total_tax: cartTax + shippingTax,
  };
  const given = Object.entries(lines).filter(([name]) => order[name] !== undefined);
  return {
    ...Object.fromEntries(given),
    ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, toPrice(sum)])),
    tax_lines: rate === undefined ? [] : [describeTax(rate, percent, cartTax, shippingTax)],
  };
}

/** The standard rate for the address of an order. Without an address it is the shop's, so that the first rate applies. */
export function findTaxRate(order: JsonObject, rates: readonly JsonObject[]): JsonObject | undefined {
  const [shipping, billing] = [order['shipping'], order['billing']].map(
    (address) => isJsonObject(address) && address['country'],
  );
  const country = shipping || billing;
  return rates.findLast(
    (rate) =>
      (rate['class'] ?? 'standard') === 'standard' &&
      (!country || !rate['country'] || rate['country'] === country),
  );
}

/** The tax on an amount in the smallest units, rounded. */
export function taxOf(amount: number, percent: number): number {
  return Math.round((amount * percent) / 100);
}

function taxLine(line: JsonObject, rate: JsonObject | undefined, percent: number): JsonObject {
  const priceTax = (amount: Json | undefined): string =>
    rate === undefined ? '0.00' : toPrice(taxOf(toMinorUnits(amount), percent));
  const { subtotal, total } = line;
  const taxes = { total: priceTax(total), subtotal: subtotal === undefined ? '' : priceTax(subtotal) };
  return {
    ...line,
    total_tax: taxes.total,
    ...(subtotal === undefined ? {} : { subtotal_tax: taxes.subtotal }),
    taxes: rate === undefined ? [] : [{ id: Number(rate['id']), ...taxes }],
  };
}

/** A tax of an order, with its amounts in the smallest units. */
function describeTax(
  { country, id, name }: JsonObject,
  percent: number,
  cart: number,
  shipping: number,
): JsonObject {
  const label = String(name || 'Tax');
  return {
    id: 1,
    rate_code: [...(country ? [country] : []), label.toUpperCase(), 1].join('-'),
    rate_id: Number(id),
    label,
    compound: false,
    tax_total: toPrice(cart),
    shipping_tax_total: toPrice(shipping),
    rate_percent: percent,
    meta_data: [],
  };
}

/**
 * Determines what a refund changes in its order, as `wc_create_refund()` does: the order that is refunded as a whole gets a status.
 *
 * @param refunded sum of the earlier refunds, in the smallest units
 * @returns the status of the order; `undefined` if it stays, `null` if the amount is refused
 */
export function refundOrder(
  { amount }: JsonObject,
  order: JsonObject,
  refunded: number,
): string | null | undefined {
  const left = toMinorUnits(order['total']) - refunded;
  const wanted = toMinorUnits(amount);
  if (wanted < 0 || wanted > left) return null;
  return wanted > 0 && wanted === left ? 'refunded' : undefined;
}

/** The refunds as their order lists them: `{ id, reason, total }`. */
export function listRefunds(
  refunds: readonly (readonly [id: string, fields: JsonObject])[],
): readonly JsonObject[] {
  return refunds.map(([id, { amount, reason }]) => ({
    id: Number(id),
    reason: String(reason ?? ''),
    total: toPrice(-toMinorUnits(amount)),
  }));
}

/** Maximum number of lines of an order. */
const MAX_LINES = 500;

/** Fields that change the sums of an order. */
const SUMMED = ['line_items', 'coupon_lines', 'shipping_lines', 'fee_lines'];

/** Fields of which a line has at least one. */
const REFERENCES = ['id', 'product_id', 'variation_id', 'sku'];

/** A line with an id changes that line, without a quantity it removes it; other lines are added. */
function mergeLines(kept: readonly JsonObject[], sent: readonly JsonObject[]): readonly JsonObject[] {
  const changed = kept.map((line) => {
    const change = sent.find(({ id }) => id !== undefined && id === line['id']);
    // What is stated no more is computed again.
    return change === undefined ? line : { ...omitSums(line), ...change };
  });
  const last = Math.max(0, ...kept.map(({ id }) => Number(id) || 0));
  const added = sent.filter(({ id }) => !kept.some((line) => line['id'] === id));
  const lines: readonly JsonObject[] = [
    ...changed,
    ...added.map((line, at) => ({ id: last + at + 1, ...line })),
  ];
  return lines.filter(({ quantity }) => quantity !== 0);
}

function omitSums({ subtotal: _, total: __, ...line }: JsonObject): JsonObject {
  return line;
}

/** Sums are in the smallest units. */
interface OrderLine {
  readonly line: JsonObject;
  readonly quantity: number;
  readonly subtotal: number;
  /** `undefined` if the client does not state it. */
  readonly total: number | undefined;
}

function describeLine(line: JsonObject, product: Json | undefined): OrderLine {
  const { quantity: stated = 1, subtotal, total } = line;
  const known = isJsonObject(product) ? product : {};
  const quantity = Math.max(1, Number(stated) || 1);
  const [image] = jsonItems(known['images']);
  const { id, src } = isJsonObject(image) ? image : {};
  const hasImage = id !== undefined && src !== undefined;
  return {
    line: {
      name: known['name'] ?? '',
      sku: known['sku'] ?? '',
      variation_id: 0,
      ...(hasImage ? { image: { id, src } } : {}),
      ...line,
    },
    quantity,
    subtotal: subtotal === undefined ? Math.round(priceOf(known) * quantity) : toMinorUnits(subtotal),
    total: total === undefined ? undefined : toMinorUnits(total),
  };
}
