import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import type { StoreCoupon } from './store-coupons.ts';

/** Decimal places of the prices of a mock. */
const MINOR_UNIT = 2;

export function toMinorUnits(price: Json | undefined): number {
  return Math.round(Number(price ?? 0) * 10 ** MINOR_UNIT);
}

/** The price of a product of `wc/v3`, in the smallest units. */
export function priceOf({ price, regular_price: regular, sale_price: sale }: JsonObject): number {
  return toMinorUnits(price || sale || regular);
}

/** The collection of products of the shop's own interface. */
export const PRODUCTS_ROUTE: RegExp = /^\/wc\/v\d+\/products$/;

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

/** The collection of products that visitors see. */
export function isStoreProducts(route: string): boolean {
  return /^\/wc\/store(?:\/v\d+)?\/products$/.test(route);
}

/** What makes a product one that a visitor can put into the cart at once. */
const BUYABLE: JsonObject = {
  type: 'simple',
  parent: 0,
  variation: '',
  variations: [],
  grouped_products: [],
  attributes: [],
  has_options: false,
  is_purchasable: true,
  is_in_stock: true,
  is_on_backorder: false,
  sold_individually: false,
  low_stock_remaining: null,
};

/** Makes the example of a product consistent: it is simple, in stock, and its prices fit each other. */
export function toBuyable(product: JsonObject): JsonObject {
  const { prices } = product;
  if (!isJsonObject(prices)) return withKnown(product, BUYABLE);
  const price = Number(prices['price'] ?? 0);
  const regular = Math.max(price, Number(prices['regular_price'] ?? 0));
  const stated = { regular_price: String(regular), sale_price: String(price) };
  return withKnown(product, {
    ...BUYABLE,
    on_sale: price < regular,
    prices: { ...withKnown(prices, { price_range: null }), ...stated },
  });
}

/** Replaces the members that an example has. */
export function withKnown(example: JsonObject, members: JsonObject): JsonObject {
  const known = Object.entries(members).filter(([name]) => Object.hasOwn(example, name));
  return { ...example, ...Object.fromEntries(known) };
}

/** Shows a product of the shop's own interface (`wc/v3`) as visitors see it. */
export function toStoreProduct(product: Json | undefined): JsonObject | null {
  if (!isJsonObject(product) || (product['status'] ?? 'publish') !== 'publish') return null;
  const { manage_stock: isManaged, price, regular_price: regular, stock_quantity: stock } = product;
  const usual = toMinorUnits(regular || price);
  const current = priceOf(product);
  const hasStock = isManaged === true && typeof stock === 'number';
  return {
    ...product,
    prices: { price: String(current), regular_price: String(usual), sale_price: String(current) },
    is_purchasable: true,
    is_in_stock: product['stock_status'] !== 'outofstock' && !(hasStock && stock <= 0),
    ...(hasStock
      ? { add_to_cart: { minimum: 1, maximum: stock, multiple_of: 1 } }
      : { stock_quantity: null }),
  };
}

/**
 * Finds a coupon.
 *
 * @param coupons the list of the shop's coupons; `undefined` if the document has none, so that any code is one that takes nothing off
 */
export function readCoupon(code: string, coupons: Json | undefined): StoreCoupon | null {
  if (coupons === undefined) return { code, type: 'fixed_cart', amount: 0 };
  const coupon = jsonItems(coupons).find(
    (each) => isJsonObject(each) && String(each['code']).toLowerCase() === code,
  );
  if (!isJsonObject(coupon)) return null;
  const { amount, discount_type: stated } = coupon;
  const type = String(stated ?? 'fixed_cart');
  return { code, type, amount: type === 'percent' ? Number(amount ?? 0) : toMinorUnits(amount) };
}
