import {
  isJsonObject,
  type Json,
  type JsonObject,
  mapMembers,
  toJsonObject,
  toText,
} from '../../base/json.ts';
import type { RestResponse } from '../rest-server/declarations.ts';
import { COMMON_HEADERS, respondWith } from '../rest-server/responses.ts';
import type { MockItems } from './items.ts';
import { errorOf } from './lists.ts';
import type { MockOperation } from './operations.ts';

/** WooCommerce's src/StoreApi/Routes/V1/Cart*.php and Checkout.php. */
const CART_ROUTE = /^(\/wc\/store(?:\/v1)?)\/(?:cart(?:\/([a-z-]+))?(?:\/\{key\})?|(checkout))$/;

const CART_NAMES = 'Cart-Token, Nonce';

/** Fields of each response of the Store API (`Authentication.php`). All clients share one cart. */
export const STORE_FIELDS: readonly (readonly [name: string, value: string])[] = [
  ['Cart-Token', 'mock.cart.token'],
  ['Nonce', 'mock'],
  ...(['Access-Control-Expose-Headers', 'Access-Control-Allow-Headers'] as const).map(
    (name) => [name, `${COMMON_HEADERS[name]}, ${CART_NAMES}`] as const,
  ),
];

const NO_PRODUCT = 'This product cannot be added to the cart.';
const NO_LINES = 'Cannot create order from empty cart.';
const NO_LINE = 'Cart item no longer exists or is invalid.';

interface CartRequest {
  /** Address of the site as the client knows it, without a trailing slash. */
  readonly base: string;
  readonly fields: JsonObject;
  readonly params: Readonly<Record<string, string>>;
}

export class MockCart {
  readonly #items: MockItems;
  readonly #read: (route: string, base: string) => Promise<Json | undefined>;
  readonly #lines = new Map<string, { readonly product: JsonObject; quantity: number }>();
  readonly #coupons = new Set<string>();
  #customer: JsonObject = {};

  constructor(items: MockItems, read: (route: string, base: string) => Promise<Json | undefined>) {
    this.#items = items;
    this.#read = read;
  }

  respond(operation: MockOperation, request: CartRequest): Promise<RestResponse> | undefined {
    const [, root, action, checkout] = CART_ROUTE.exec(operation.served.path) ?? [];
    if (root === undefined || /^(?:coupons|extensions)$/.test(action ?? '')) return undefined;
    if (checkout !== undefined)
      return operation.served.method === 'POST' ? this.#checkOut(operation, root, request) : undefined;
    return this.#respond(operation, root, action, request);
  }

  async #respond(
    { form, schema, served: { method }, status }: MockOperation,
    root: string,
    action: string | undefined,
    { base, fields, params }: CartRequest,
  ): Promise<RestResponse> {
    const key = params['key'] ?? toText(fields['key'] ?? '');
    const line = this.#lines.get(key);
    let changed = key;
    if (action === 'add-item' || (action === 'items' && method === 'POST')) {
      const id = toText(fields['id'] ?? '');
      const product = await this.#read(`${root}/products/${id}`, base);
      if (!isJsonObject(product)) return errorOf(400, 'woocommerce_rest_cart_invalid_product', NO_PRODUCT);
      changed = id.padStart(32, '0');
      const quantity = (this.#lines.get(changed)?.quantity ?? 0) + Number(fields['quantity'] ?? 1);
      this.#lines.set(changed, { product, quantity });
    } else if (key !== '') {
      if (line === undefined) return errorOf(409, 'woocommerce_rest_cart_invalid_key', NO_LINE);
      if (action === 'remove-item' || method === 'DELETE') this.#lines.delete(key);
      else if (method !== 'GET') line.quantity = Number(fields['quantity'] ?? line.quantity);
    } else if (action === 'items' && method === 'DELETE') {
      this.#lines.clear();
      return respondWith(200, []);
    } else if (action === 'update-customer') this.#customer = { ...this.#customer, ...fields };
    else if (action === 'apply-coupon') this.#coupons.add(toText(fields['code'] ?? ''));
    else if (action === 'remove-coupon') this.#coupons.delete(toText(fields['code'] ?? ''));
    const collection = { base, route: root, list: undefined, params: {} };
    const example = toJsonObject(this.#items.create(schema, collection, ''));
    if (action !== 'items') return respondWith(status, this.#cartOf(example));
    const items = [...this.#lines.keys()].map((each) => this.#lineOf(example, each));
    if (form === 'list') return respondWith(status, items);
    return respondWith(status, this.#lines.has(changed) ? this.#lineOf(example, changed) : null);
  }

  async #checkOut(
    { schema, status }: MockOperation,
    root: string,
    { base, fields }: CartRequest,
  ): Promise<RestResponse> {
    if (this.#lines.size === 0) return errorOf(400, 'woocommerce_rest_cart_empty', NO_LINES);
    this.#customer = { ...this.#customer, ...fields };
    this.#lines.clear();
    this.#coupons.clear();
    const collection = { base, route: `${root}/checkout`, list: undefined, params: {} };
    const order = this.#ofCustomer(toJsonObject(this.#items.create(schema, collection, '')));
    const payment_result = { ...toJsonObject(order['payment_result']), payment_status: 'success' };
    return respondWith(status, { ...order, status: 'processing', payment_result });
  }

  #ofCustomer(example: JsonObject): JsonObject {
    return mapMembers(example, (name, value) => {
      const sent = this.#customer[name] ?? value;
      return isJsonObject(sent) && isJsonObject(value) ? { ...value, ...sent } : sent;
    });
  }

  #cartOf(example: JsonObject): JsonObject {
    const [sample] = [example['items'] ?? []].flat();
    const [coupon] = [example['coupons'] ?? []].flat();
    const items = [...this.#lines.keys()].map((key) => this.#lineOf(toJsonObject(sample), key));
    const total = items.reduce((sum, { totals }) => sum + Number(toJsonObject(totals)['line_total']), 0);
    const amounts: JsonObject = { total_items: String(total), total_price: String(total) };
    const count = [...this.#lines.values()].reduce((sum, { quantity }) => sum + quantity, 0);
    return {
      ...mapMembers(this.#ofCustomer(example), (_, value) => (Array.isArray(value) ? [] : value)),
      coupons: [...this.#coupons].map((code) => ({ ...toJsonObject(coupon), code })),
      ...{ items, items_count: count, needs_payment: total > 0, needs_shipping: count > 0 },
      totals: this.#amountsOf(example['totals'], amounts),
    };
  }

  #lineOf(sample: JsonObject, key: string): JsonObject {
    const { product = {}, quantity = 0 } = this.#lines.get(key) ?? {};
    const prices: JsonObject = { ...toJsonObject(sample['prices']), ...toJsonObject(product['prices']) };
    const total = String(Number(prices['price']) * quantity);
    return {
      ...mapMembers(sample, (name, value) => product[name] ?? value),
      ...{ key, quantity, prices, variation: [], item_data: [] },
      totals: this.#amountsOf(sample['totals'], { line_subtotal: total, line_total: total }),
    };
  }

  #amountsOf(example: Json | undefined, amounts: JsonObject): JsonObject {
    return mapMembers(toJsonObject(example), (name, value) =>
      Array.isArray(value) ? [] : (amounts[name] ?? (/^(?:line|total)_/.test(name) ? '0' : value)),
    );
  }
}
