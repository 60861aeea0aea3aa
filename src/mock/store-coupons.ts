import type { JsonObject } from '../json.ts';

export interface StoreCoupon {
  readonly code: string;
  /** `percent`, `fixed_cart`, `fixed_product`; another takes nothing off. */
  readonly type: string;
  /** Percent, or the smallest units of the currency. */
  readonly amount: number;
}

/** Sums of a line in the smallest units of the currency. */
export interface LineTotals {
  readonly subtotal: number;
  /** What is left after the discounts. */
  readonly total: number;
}

/**
 * Applies coupons to the lines of a cart, as `WC_Discounts` does: each to the undiscounted price, and no line becomes negative.
 *
 * @param lines prices in the smallest units of the currency
 */
export function discountLines(
  lines: readonly { readonly price: number; readonly quantity: number }[],
  coupons: readonly StoreCoupon[],
): {
  readonly lines: readonly LineTotals[];
  readonly coupons: readonly (StoreCoupon & { readonly discount: number })[];
} {
  const subtotals = lines.map(({ price, quantity }) => Math.round(price * quantity));
  const left = [...subtotals];
  const applied = coupons.map((coupon) => {
    const wanted = subtotals.map((subtotal, at) => {
      if (coupon.type === 'percent') return Math.round((subtotal * coupon.amount) / 100);
      return coupon.type === 'fixed_product' ? coupon.amount * (lines[at]?.quantity ?? 0) : 0;
    });
    const amounts = coupon.type === 'fixed_cart' ? spread(coupon.amount, left) : wanted;
    const taken = left.map((rest, at) => Math.max(0, Math.min(rest, amounts[at] ?? 0)));
    for (const [at, amount] of taken.entries()) left[at] = (left[at] ?? 0) - amount;
    return { ...coupon, discount: taken.reduce((sum, amount) => sum + amount, 0) };
  });
  return {
    lines: subtotals.map((subtotal, at) => ({ subtotal, total: left[at] ?? 0 })),
    coupons: applied,
  };
}

/** Divides an amount by the size of the parts. What rounding leaves is taken from the first parts that have it. */
function spread(amount: number, parts: readonly number[]): readonly number[] {
  const sum = parts.reduce((total, part) => total + part, 0);
  const whole = Math.min(amount, sum);
  const shares = parts.map((part) => (sum === 0 ? 0 : Math.floor((whole * part) / sum)));
  let rest = whole - shares.reduce((total, share) => total + share, 0);
  return shares.map((share, at) => {
    const more = Math.min(rest, (parts[at] ?? 0) - share);
    rest -= more;
    return share + more;
  });
}

/** The members that say how money is written: `currency_code` and the like. */
export function currencyOf(money: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(money).filter(([name]) => name.startsWith('currency_')));
}

/** Decimal places of the prices that a cart computes with (`wc_get_rounding_precision()`). */
const PRECISION = 6;

/** The prices of an item before they are rounded. */
export function toRawPrices(prices: JsonObject): JsonObject {
  const { currency_minor_unit: unit = 2 } = prices;
  const scale = 10 ** (PRECISION - Number(unit));
  const raw = ['price', 'regular_price', 'sale_price'].map((name) => [
    name,
    String(Math.round(Number(prices[name] ?? 0) * scale)),
  ]);
  return { precision: PRECISION, ...Object.fromEntries(raw) };
}
