import { LRUCache } from 'lru-cache';
import { parseProblems } from '../http/problems.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, toJsonObject, toText } from '../json.ts';
import type { RestResponse } from '../rest-server/declarations.ts';
import { respondWith } from '../rest-server/responses.ts';
import { errorOf } from './lists.ts';
import {
  currencyOf,
  discountLines,
  type LineTotals,
  type StoreCoupon,
  toRawPrices,
} from './store-coupons.ts';
import errors from './store-errors.json' with { type: 'json' };
import { withKnown } from './store-products.ts';

/** A request to a route below `/wc/store/v1/cart`. */
export interface CartRequest {
  readonly method: string;
  /** What follows `cart/`: `add-item`, `items/0123`; empty for the cart itself. */
  readonly action: string;
  readonly session: StoreSession;
  readonly fields: JsonObject;
}

/** What a request says of the cart that it is about; each is empty if it says nothing. */
export interface StoreSession {
  /** The name of the nonce: before WooCommerce 6, whose carts have no tokens, another than today. */
  readonly nonceField: 'Nonce' | 'X-WC-Store-API-Nonce';
  /** The request field `Cart-Token`. */
  readonly token: string;
  /** The request field of the nonce. */
  readonly nonce: string;
  readonly cookie: string;
}

/** What a cart is made of: examples of the document, and the products and coupons of the mock. */
export interface CartSources {
  /** An example of the cart, whose items, coupons and totals are replaced. */
  readonly cart: JsonObject;
  readonly createItem: (productId: string) => JsonObject;
  /** The product of an id, as `GET /wc/store/v1/products/{id}` shows it; `null` if there is none. */
  readonly findProduct: (id: string) => Promise<JsonObject | null>;
  /** The coupon of a code; `null` if there is none. */
  readonly findCoupon: (code: string) => Promise<StoreCoupon | null>;
}

interface Cart {
  readonly quantities: Map<string, number>;
  readonly coupons: Map<string, StoreCoupon>;
  /** The fields of `billing_address` and `shipping_address` that a client has sent. */
  readonly addresses: Map<string, JsonObject>;
}

/** Maximum number of carts, and of products and coupons in each. A new cart replaces the one that was used least recently. */
const MAX_CARTS = 1_000;
const MAX_LINES = 100;

/** The field that names a cart, which a client sends again (WooCommerce, `StoreApi/Utilities/CartTokenUtils`). */
export const CART_TOKEN = 'Cart-Token';
/** The beginning of the cookie that names a session (`WC_Session_Handler`). */
export const SESSION_COOKIE = 'wp_woocommerce_session_';
/** The nonce of every session. WordPress' have ten hexadecimal digits too. */
const NONCE = '5ca1ab1e00';

/** The error that refuses a request; `undefined` if nothing does. */
type Refusal = RestResponse | undefined;

/** The carts of WooCommerce's Store API, until the process ends. */
export class StoreCarts {
  readonly #carts = new LRUCache<string, Cart>({ max: MAX_CARTS });
  #created = 0;

  /** Responds as `AbstractCartRoute::get_response()` does: a write needs a token or a nonce, and every response names the cart. */
  async respond(request: CartRequest, sources: CartSources): Promise<RestResponse> {
    const { method, session } = request;
    const token = session.token || session.cookie || this.#createToken();
    const isWrite = method !== 'GET' && method !== 'HEAD';
    const cart = this.#carts.get(token) ?? {
      quantities: new Map(),
      coupons: new Map(),
      addresses: new Map(),
    };
    const forbidden = isWrite && session.token === '' ? checkNonce(session) : undefined;
    // Before anything is awaited, so that two writes of one visitor meet the same cart.
    if (isWrite && forbidden === undefined) this.#carts.set(token, cart);
    const refused = forbidden ?? (await change(cart, request, sources));
    const isChanged = isWrite && refused === undefined;
    const response = await represent(refused, cart, request, sources);
    // A client without a token is known by its cookie.
    const cookie =
      isChanged && session.token === '' ? `${SESSION_COOKIE}mock=${token}; path=/; HttpOnly` : null;
    const named = nameCart(response, session, token);
    return cookie === null
      ? named
      : { ...named, headers: new Map([...named.headers, ['Set-Cookie', cookie]]) };
  }

  /**
   * Responds to a checkout as `Checkout::get_response()` does: it needs a nonce, also to read and with a token, and a cart, which an
   * order empties.
   */
  async checkOut(
    session: StoreSession,
    isOrder: boolean,
    respond: () => RestResponse | Promise<RestResponse>,
  ): Promise<RestResponse> {
    const token = session.token || session.cookie;
    const cart = this.#carts.get(token);
    const isEmpty = (cart?.quantities.size ?? 0) === 0;
    const refused = checkNonce(session) ?? (isEmpty ? storeError('emptyCart') : undefined);
    const response = refused ?? (await respond());
    if (isOrder && response.status < 300) this.#carts.delete(token);
    return nameCart(response, session, token || this.#createToken());
  }

  #createToken(): string {
    this.#created += 1;
    return `mock-cart-${this.#created}`;
  }
}

function checkNonce({ nonce, nonceField }: StoreSession): Refusal {
  if (nonce === NONCE) return undefined;
  return nonce === '' ? storeError('missingNonce', nonceField) : storeError('invalidNonce');
}

/** Adds the fields that name a cart (`AbstractCartRoute::add_response_headers()`). */
function nameCart(response: RestResponse, { nonceField }: StoreSession, token: string): RestResponse {
  const named =
    nonceField === 'Nonce' ? { 'User-ID': '0', [CART_TOKEN]: token } : { 'X-WC-Store-API-User': '0' };
  const headers = new Map([...response.headers, [nonceField, NONCE], ...Object.entries(named)]);
  return { ...response, headers };
}

/** The key of a line. WooCommerce's have 32 hexadecimal digits. */
function toKey(id: string): string {
  return id.padStart(32, '0');
}

/** The last segment of `items/{key}` and `coupons/{code}`. */
function lastOf(action: string): string {
  const [, last = ''] = /^(?:items|coupons)\/(.+)$/.exec(action) ?? [];
  return last;
}

/** Does what a request asks of a cart. @returns the error that refuses it */
async function change(cart: Cart, request: CartRequest, sources: CartSources): Promise<Refusal> {
  const { action, fields, method } = request;
  const { coupons, quantities } = cart;
  const [collection] = action.split('/');
  const last = lastOf(action);
  const isRead = method === 'GET' || method === 'HEAD';
  if (action === 'add-item' || (action === 'items' && method === 'POST'))
    return addItem(cart, fields, sources);
  if (action === 'items' && method === 'DELETE') quantities.clear();
  if (action === 'update-item' || action === 'remove-item' || (collection === 'items' && last !== '')) {
    const key = last || toText(fields['key'] ?? '');
    const id = [...quantities.keys()].find((each) => toKey(each) === key);
    if (id === undefined) return storeError(action === 'remove-item' ? 'goneItem' : 'unknownItem');
    if (isRead) return undefined;
    if (action !== 'remove-item' && method !== 'DELETE') {
      const quantity = toQuantity(fields);
      const refused = limitQuantity(quantity, (await sources.findProduct(id)) ?? {});
      if (refused !== undefined) return refused;
      quantities.set(id, quantity);
    } else quantities.delete(id);
  }
  const code = (last || toText(fields['code'] ?? '')).toLowerCase();
  if (action === 'apply-coupon' || (action === 'coupons' && method === 'POST')) {
    const coupon = await sources.findCoupon(code);
    if (coupon === null || coupons.size >= MAX_LINES) return storeError('unknownCoupon', code);
    if (coupons.has(code)) return storeError('appliedCoupon', code);
    coupons.set(code, coupon);
  }
  if (action === 'coupons' && method === 'DELETE') coupons.clear();
  if (action === 'remove-coupon' && !coupons.delete(code)) return storeError('otherCoupon');
  if (collection === 'coupons' && last !== '') {
    if (!coupons.has(code)) return storeError('missingCoupon');
    if (method === 'DELETE') coupons.delete(code);
  }
  if (action === 'update-customer') {
    for (const name of ADDRESSES) {
      const sent = fields[name];
      if (!isJsonObject(sent) || JSON.stringify(sent).length > MAX_ADDRESS_LENGTH) continue;
      const known = Object.keys(toJsonObject(sources.cart[name]));
      const fitting = Object.entries(sent).filter(([field]) => known.includes(field));
      cart.addresses.set(name, { ...cart.addresses.get(name), ...Object.fromEntries(fitting) });
    }
  }
  return undefined;
}

const ADDRESSES = ['billing_address', 'shipping_address'];

/** A longer address, as JSON, is not kept. */
const MAX_ADDRESS_LENGTH = 10_000;

function toQuantity(fields: JsonObject): number {
  const stated = Number(fields['quantity'] ?? 1);
  return Number.isFinite(stated) ? stated : 1;
}

/** `CartController::add_to_cart()` */
async function addItem(
  { quantities }: Cart,
  fields: JsonObject,
  { findProduct }: CartSources,
): Promise<Refusal> {
  const id = toText(fields['id'] ?? '');
  const product = await findProduct(id);
  const isFull = quantities.size >= MAX_LINES && !quantities.has(id);
  if (product === null || isFull) return storeError('unknownProduct', id);
  const name = String(product['name'] ?? '');
  const [quantity, known] = [toQuantity(fields), quantities.get(id)];
  const { maximum, minimum, multiple } = limitsOf(product);
  if (product['type'] === 'variable' && jsonItems(fields['variation']).length === 0)
    return storeError('missingAttributes');
  if (product['is_purchasable'] === false) return storeError('notPurchasable', name);
  if (quantity <= 0) return storeError('nonPositiveQuantity', name);
  if (product['is_in_stock'] === false) return storeError('outOfStock', name);
  // With a stock, the maximum is what remains of it.
  if (typeof product['stock_quantity'] === 'number' && quantity + (known ?? 0) > maximum)
    return storeError('tooFewInStock', name, maximum);
  if (known !== undefined) {
    const refused = limitQuantity(known + quantity, product);
    if (refused === undefined) quantities.set(id, known + quantity);
    return refused;
  }
  const limited = Math.max(minimum, Math.min(maximum, quantity));
  quantities.set(id, Math.max(multiple, limited - (limited % multiple)));
  return undefined;
}

/** The limits of a product (`QuantityLimits::get_add_to_cart_limits()`). */
function limitsOf(product: JsonObject): {
  readonly minimum: number;
  readonly maximum: number;
  readonly multiple: number;
} {
  const { maximum, minimum, multiple_of: multiple } = toJsonObject(product['add_to_cart']);
  const toLimit = (value: Json | undefined, usual: number): number =>
    typeof value === 'number' && value > 0 ? value : usual;
  return { minimum: toLimit(minimum, 1), maximum: toLimit(maximum, 9_999), multiple: toLimit(multiple, 1) };
}

/** `QuantityLimits::validate_cart_item_quantity()` */
function limitQuantity(quantity: number, product: JsonObject): Refusal {
  const { maximum, minimum, multiple } = limitsOf(product);
  const name = String(product['name'] ?? '');
  if (quantity < minimum) return storeError('tooFew', name, minimum);
  if (quantity > maximum) return storeError('tooMany', name, maximum);
  return quantity % multiple === 0 ? undefined : storeError('notMultiple', name, multiple);
}

/** The response to a request: the cart; or its items or coupons, or one of them. */
async function represent(
  refused: Refusal,
  cart: Cart,
  { action, fields, method }: CartRequest,
  sources: CartSources,
): Promise<RestResponse> {
  if (refused !== undefined && refused.status !== 409) return refused;
  const value = await describeCart(cart, sources);
  if (refused !== undefined) {
    // A conflict shows the cart, so that a client corrects its own (`AbstractCartRoute::get_route_error_response()`).
    const error = toJsonObject(refused.body);
    return respondWith(409, { ...error, data: { ...toJsonObject(error['data']), cart: value } });
  }
  const [collection = ''] = action.split('/');
  const isNew = method === 'POST' && /^(?:add-item|items|coupons)$/.test(action);
  if (collection !== 'items' && collection !== 'coupons') return respondWith(isNew ? 201 : 200, value);
  const last = lastOf(action);
  if (method === 'DELETE') return last === '' ? respondWith(200, []) : respondWith(204, null);
  const members = jsonItems(value[collection]);
  if (last === '' && !isNew) return respondWith(200, members);
  const isItems = collection === 'items';
  const wanted = isItems
    ? last || toKey(toText(fields['id'] ?? ''))
    : (last || toText(fields['code'] ?? '')).toLowerCase();
  const member = members.find((each) => toJsonObject(each)[isItems ? 'key' : 'code'] === wanted);
  return respondWith(isNew ? 201 : 200, member ?? null);
}

async function describeCart(own: Cart, sources: CartSources): Promise<JsonObject> {
  const { addresses, coupons, quantities } = own;
  const { cart, createItem, findProduct } = sources;
  const products = await Promise.all(
    Array.from(quantities, async ([id, quantity]) => {
      const product = (await findProduct(id)) ?? {};
      const item = createItem(id);
      const prices = { ...toJsonObject(item['prices']), ...toJsonObject(product['prices']) };
      return { id, quantity, product, item, prices, price: Number(prices['price'] ?? 0) };
    }),
  );
  const discounted = discountLines(products, [...coupons.values()]);
  const currency = currencyOf(products[0]?.prices ?? toJsonObject(cart['totals']));
  const items = products.map((line, at) => describeItem(line, discounted.lines[at]));
  const total = (name: keyof LineTotals): number =>
    discounted.lines.reduce((sum, line) => sum + line[name], 0);
  const [coupon] = jsonItems(cart['coupons']);
  const described: JsonObject = {
    ...Object.fromEntries(EMPTY_LISTS.map((name) => [name, []])),
    ...Object.fromEntries(
      Array.from(addresses, ([name, sent]) => [name, withKnown(toJsonObject(cart[name]), sent)]),
    ),
    items,
    items_count: [...quantities.values()].reduce((sum, quantity) => sum + quantity, 0),
    items_weight: 0,
    coupons: discounted.coupons.map(({ code, discount, type }) => ({
      ...toJsonObject(coupon),
      code,
      discount_type: type,
      totals: {
        ...withoutCosts(toJsonObject(coupon)['totals']),
        ...currency,
        total_discount: String(discount),
      },
    })),
    // Taxes and shipping cost nothing. A cart without shipping has null (`CartSchema::get_totals()`).
    needs_payment: total('total') > 0,
    needs_shipping: false,
    has_calculated_shipping: false,
    totals: {
      ...withoutCosts(cart['totals']),
      ...currency,
      total_items: String(total('subtotal')),
      total_discount: String(total('subtotal') - total('total')),
      total_shipping: null,
      total_shipping_tax: null,
      total_price: String(total('total')),
    },
  };
  return withKnown(cart, described);
}

interface CartLine {
  readonly id: string;
  readonly quantity: number;
  readonly product: JsonObject;
  readonly item: JsonObject;
  readonly prices: JsonObject;
}

function describeItem(line: CartLine, totals: LineTotals | undefined): JsonObject {
  const { id, item, prices, product, quantity } = line;
  const { maximum, minimum, multiple } = limitsOf(product);
  const { subtotal = 0, total = 0 } = totals ?? {};
  return withKnown(item, {
    ...sharedMembers(item, product),
    id: Number(id),
    key: toKey(id),
    quantity,
    quantity_limits: { minimum, maximum, multiple_of: multiple, editable: true },
    variation: [],
    item_data: [],
    low_stock_remaining: product['low_stock_remaining'] ?? null,
    backorders_allowed: false,
    show_backorder_badge: false,
    prices: withKnown(toJsonObject(item['prices']), {
      ...prices,
      price_range: null,
      raw_prices: toRawPrices(prices),
    }),
    totals: {
      ...withoutCosts(item['totals']),
      ...currencyOf(prices),
      line_subtotal: String(subtotal),
      line_total: String(total),
    },
  });
}

/** Lists that would contradict the items of a cart. */
const EMPTY_LISTS = ['cross_sells', 'errors', 'fees', 'shipping_rates', 'tax_lines'];

/** Totals with sums of 0, and the same currency. */
function withoutCosts(totals: Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(toJsonObject(totals)).map(([name, value]) => {
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
const SPECIFIC: ReadonlySet<string> = new Set(['_links', 'extensions', 'prices', 'variation']);

const ERRORS = parseProblems(errors);

/** Creates an error of WooCommerce. @param values what its message names, in order */
function storeError(name: keyof typeof ERRORS, ...values: readonly (string | number)[]): RestResponse {
  const { code, message, status } = ERRORS[name];
  const texts = values.values();
  return errorOf(
    status,
    code,
    message.replace(/%s/g, () => String(texts.next().value ?? '')),
  );
}
