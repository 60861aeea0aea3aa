import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import type { RestResponse } from '../rest-server/responses.ts';
import { errorOf, respondWith } from './lists.ts';

/** A request to a route below `/wc/store/v1/cart`. */
export interface CartRequest {
  readonly method: string;
  /** What follows `cart/`: `add-item`, `items/0123`; empty for the cart itself. */
  readonly action: string;
  /** The value of the request field `Cart-Token`; empty for the cart of whoever sends none. */
  readonly token: string;
  readonly fields: JsonObject;
}

/** What a cart is made of: examples of the document, and the products of the mock. */
export interface CartSources {
  /** An example of the cart, whose items, coupons and totals are replaced. */
  readonly cart: JsonObject;
  /** An example of an item of the cart, for a product. */
  readonly createItem: (productId: string) => JsonObject;
  /** The product of an id, as `GET /wc/store/v1/products/{id}` shows it; `null` if there is none. */
  readonly findProduct: (id: string) => Promise<JsonObject | null>;
}

interface Cart {
  /** Quantities by the id of the product. */
  readonly quantities: Map<string, number>;
  readonly coupons: Set<string>;
}

/** Maximum number of carts, and of products in each. */
const MAX_CARTS = 1_000;
const MAX_LINES = 100;

/** The response field that names a cart, which a client sends again (WooCommerce, `StoreApi/Utilities/CartTokenUtils`). */
export const CART_TOKEN = 'Cart-Token';

const INVALID_PRODUCT = errorOf(
  400,
  'woocommerce_rest_cart_invalid_product',
  'This product cannot be added to the cart.',
);
const INVALID_KEY = errorOf(
  409,
  'woocommerce_rest_cart_invalid_key',
  'Cart item no longer exists or is invalid.',
);

/** The carts of WooCommerce's Store API, until the process ends. Taxes, discounts and shipping cost nothing. */
export class StoreCarts {
  private readonly carts = new Map<string, Cart>();

  async respond(request: CartRequest, sources: CartSources): Promise<RestResponse> {
    const cart = this.cartOf(request.token);
    if (cart === undefined) return errorOf(507, 'waygate_mock_full', 'The mock keeps no more carts.');
    const refused = await change(cart, request, sources);
    if (refused !== undefined) return refused;
    const value = await describeCart(cart, sources);
    const [, key] = /^items\/(.+)$/.exec(request.action) ?? [];
    const items = jsonItems(value['items']);
    const item = items.find((each) => isJsonObject(each) && each['key'] === (key ?? toKey(idOf(request))));
    const shown = key === undefined ? items : item;
    const isOfItems = request.action.startsWith('items');
    const isNew = request.method === 'POST' && /^(?:add-item|items)$/.test(request.action);
    const body = isOfItems ? (isNew ? item : shown) : value;
    return respondWith(isNew ? 201 : 200, body ?? null, [[CART_TOKEN, request.token || DEFAULT_TOKEN]]);
  }

  private cartOf(token: string): Cart | undefined {
    const name = token || DEFAULT_TOKEN;
    const known = this.carts.get(name);
    if (known !== undefined || this.carts.size >= MAX_CARTS) return known;
    const created: Cart = { quantities: new Map(), coupons: new Set() };
    this.carts.set(name, created);
    return created;
  }
}

const DEFAULT_TOKEN = 'mock-cart';

function idOf({ fields }: CartRequest): string {
  return String(fields['id'] ?? '');
}

/** The key of a line. WooCommerce's have 32 hexadecimal digits. */
function toKey(id: string): string {
  return id.padStart(32, '0');
}

/** Does what a request asks of a cart. @returns the error that refuses it */
async function change(
  { coupons, quantities }: Cart,
  request: CartRequest,
  { findProduct }: CartSources,
): Promise<RestResponse | undefined> {
  const { action, fields, method } = request;
  const stated = Number(fields['quantity'] ?? 1);
  const quantity = Number.isFinite(stated) ? stated : 1;
  const [, ownKey] = /^items\/(.+)$/.exec(action) ?? [];
  const key = ownKey ?? String(fields['key'] ?? '');
  const id = [...quantities.keys()].find((each) => toKey(each) === key);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead) return ownKey !== undefined && id === undefined ? INVALID_KEY : undefined;
  if (action === 'add-item' || (action === 'items' && method === 'POST')) {
    const product = idOf(request);
    const isFull = quantities.size >= MAX_LINES && !quantities.has(product);
    if (isFull || (await findProduct(product)) === null) return INVALID_PRODUCT;
    quantities.set(product, (quantities.get(product) ?? 0) + quantity);
  } else if (action === 'items' && method === 'DELETE') quantities.clear();
  else if (/^(?:update-item|remove-item)$/.test(action) || ownKey !== undefined) {
    if (id === undefined) return INVALID_KEY;
    if (action === 'remove-item' || method === 'DELETE' || quantity <= 0) quantities.delete(id);
    else quantities.set(id, quantity);
  } else if (action === 'apply-coupon' && coupons.size < MAX_LINES) coupons.add(String(fields['code'] ?? ''));
  else if (action === 'remove-coupon') coupons.delete(String(fields['code'] ?? ''));
  return undefined;
}

async function describeCart({ coupons, quantities }: Cart, sources: CartSources): Promise<JsonObject> {
  const { cart, createItem, findProduct } = sources;
  const items: JsonObject[] = [];
  let [total, count] = [0, 0];
  let currency: JsonObject = {};
  for (const [id, quantity] of quantities) {
    const product = (await findProduct(id)) ?? {};
    const item = createItem(id);
    const prices = { ...objectOf(item['prices']), ...objectOf(product['prices']) };
    const price = Math.round(Number(prices['price'] ?? 0) * quantity);
    const money = Object.fromEntries(Object.entries(prices).filter(([name]) => name.startsWith('currency_')));
    currency = money;
    const sum = { line_subtotal: String(price), line_total: String(price) };
    items.push({
      ...item,
      ...sharedMembers(item, product),
      id: Number(id),
      key: toKey(id),
      quantity,
      prices,
      totals: { ...withoutCosts(item['totals']), ...money, ...sum },
    });
    total += price;
    count += quantity;
  }
  const [coupon] = jsonItems(cart['coupons']);
  return {
    ...cart,
    ...Object.fromEntries(EMPTY_LISTS.filter((name) => name in cart).map((name) => [name, []])),
    items,
    items_count: count,
    coupons: [...coupons].map((code) => ({
      ...objectOf(coupon),
      code,
      totals: { ...withoutCosts(objectOf(coupon)['totals']), ...currency },
    })),
    needs_payment: total > 0,
    needs_shipping: false,
    totals: {
      ...withoutCosts(cart['totals']),
      ...currency,
      total_items: String(total),
      total_price: String(total),
    },
  };
}

/** Lists that would contradict the items of a cart. */
const EMPTY_LISTS = ['cross_sells', 'errors', 'fees', 'shipping_rates', 'tax_lines'];

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Totals with sums of 0, and the same currency. */
function withoutCosts(totals: Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(totals)).map(([name, value]) => {
      if (name.startsWith('currency_')) return [name, value];
      return [name, Array.isArray(value) ? [] : '0'];
    }),
  );
}

/** The members of a product that the item of a cart has too. */
function sharedMembers(item: JsonObject, product: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(product).filter(
      ([name, value]) => name in item && typeof item[name] === typeof value && !SPECIFIC.has(name),
    ),
  );
}

/** Members with another meaning in a product and in a cart. */
const SPECIFIC: ReadonlySet<string> = new Set(['_links', 'extensions', 'prices', 'type', 'variation']);
