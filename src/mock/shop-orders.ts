import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import type { RestResponse } from '../rest-server/responses.ts';
import { discountLines, type StoreCoupon } from './store-coupons.ts';
import { storeError } from './store-errors.ts';
import { priceOf, toMinorUnits, toPrice } from './store-products.ts';

/** Routes of the shop's own interface whose items have members that WooCommerce computes. */
export const SHOP_ROUTE: RegExp = /^\/wc\/v\d+\/(orders|products)$/;

/** The products and coupons of the mock. */
interface OrderSources {
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
 * Adds what WooCommerce computes to the fields of an order: its lines by their products, its sums and what coupons take off. Taxes
 * are not computed.
 *
 * @param current the order before; empty for a new one
 * @returns the fields, or the error that refuses them
 */
export async function computeOrder(
  { set_paid: isPaid, ...fields }: JsonObject,
  current: JsonObject,
  { findCoupon, findProduct }: OrderSources,
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
  const sumOf = (name: string): number =>
    jsonItems(fields[name] ?? current[name]).reduce<number>(
      (sum, line) => sum + (isJsonObject(line) ? toMinorUnits(line['total']) : 0),
      0,
    );
  const items = described.reduce((sum, { total }) => sum + toMinorUnits(total), 0);
  const before = lines.reduce((sum, { subtotal }) => sum + subtotal, 0);
  const shipping = sumOf('shipping_lines');
  return {
    fields: {
      ...paid,
      line_items: described,
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
      discount_total: toPrice(before - items),
      shipping_total: toPrice(shipping),
      total: toPrice(items + shipping + sumOf('fee_lines')),
    },
  };
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
