import { isJsonObject, type Json, type JsonObject, mapMembers, toJsonObject, toText } from '../json.ts';
import type { RestResponse } from '../rest-server/declarations.ts';
import { respondWith } from '../rest-server/responses.ts';
import type { MockItems } from './items.ts';
import { errorOf } from './lists.ts';
import type { MockOperation } from './operations.ts';

/** WooCommerce's src/StoreApi/Routes/V1/Cart*.php. */
const CART_ROUTE = /^(\/wc\/store(?:\/v1)?)\/cart(?:\/([a-z-]+))?(?:\/\{key\})?$/;

/** The cart of the Store API: one for everybody. */
export class MockCart {
  readonly #items: MockItems;
  readonly #read: (route: string) => Promise<Json | undefined>;
  readonly #lines = new Map<string, { readonly product: JsonObject; quantity: number }>();
  #customer: JsonObject = {};

  /** @param read the response to a route of the site */
  constructor(items: MockItems, read: (route: string) => Promise<Json | undefined>) {
    this.#items = items;
    this.#read = read;
  }

  /** @returns `undefined` for routes that the cart does not serve */
  respond(
    operation: MockOperation,
    { key = '' }: Readonly<Record<string, string>>,
    fields: JsonObject,
  ): Promise<RestResponse> | undefined {
    const [, root, action] = CART_ROUTE.exec(operation.served.path) ?? [];
    if (root === undefined || /^(?:coupons|extensions)$/.test(action ?? '')) return undefined;
    return this.#respond(operation, { root, action, key }, fields);
  }

  async #respond(
    { form, schema, served, status }: MockOperation,
    {
      root,
      action,
      key,
    }: { readonly root: string; readonly action: string | undefined; readonly key: string },
    fields: JsonObject,
  ): Promise<RestResponse> {
    const { method } = served;
    const line = key || toText(fields['key'] ?? '');
    let own = line;
    if (action === 'add-item' || (action === 'items' && method === 'POST' && key === '')) {
      own = toText(fields['id'] ?? '').padStart(32, '0');
      const product = await this.#read(`${root}/products/${toText(fields['id'] ?? '')}`);
      if (!isJsonObject(product)) {
        return errorOf(
          400,
          'woocommerce_rest_cart_invalid_product',
          'This product cannot be added to the cart.',
        );
      }
      const before = this.#lines.get(own)?.quantity ?? 0;
      this.#lines.set(own, { product, quantity: before + Number(fields['quantity'] ?? 1) });
    } else if (line !== '') {
      const known = this.#lines.get(line);
      if (known === undefined) {
        return errorOf(409, 'woocommerce_rest_cart_invalid_key', 'Cart item no longer exists or is invalid.');
      }
      if (action === 'remove-item' || method === 'DELETE') this.#lines.delete(line);
      else if (method !== 'GET') known.quantity = Number(fields['quantity'] ?? known.quantity);
    } else if (action === 'items' && method === 'DELETE') {
      this.#lines.clear();
      return respondWith(200, []);
    } else if (action === 'update-customer') this.#customer = { ...this.#customer, ...fields };
    const example = toJsonObject(
      this.#items.create(schema, { route: root, list: undefined, params: {} }, ''),
    );
    if (action !== 'items') return respondWith(status, this.#cartOf(example));
    const lines = [...this.#lines.keys()].map((each) => this.#lineOf(example, each));
    return respondWith(
      status,
      form === 'list' ? lines : this.#lines.has(own) ? this.#lineOf(example, own) : null,
    );
  }

  #cartOf(example: JsonObject): JsonObject {
    const [sample] = [example['items'] ?? []].flat();
    const items = [...this.#lines.keys()].map((key) => this.#lineOf(toJsonObject(sample), key));
    const total = items.reduce((sum, { totals }) => sum + Number(toJsonObject(totals)['line_total']), 0);
    const amounts: JsonObject = { total_items: String(total), total_price: String(total) };
    const count = [...this.#lines.values()].reduce((sum, { quantity }) => sum + quantity, 0);
    return {
      ...mapMembers(example, (_, value) => (Array.isArray(value) ? [] : value)),
      ...{ items, items_count: count, needs_payment: total > 0, needs_shipping: count > 0 },
      totals: this.#amountsOf(example['totals'], amounts),
      ...mapMembers(this.#customer, (name, value) => {
        return isJsonObject(value) ? { ...toJsonObject(example[name]), ...value } : value;
      }),
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

  /** Other amounts are zero. */
  #amountsOf(example: Json | undefined, amounts: JsonObject): JsonObject {
    return mapMembers(toJsonObject(example), (name, value) =>
      Array.isArray(value) ? [] : (amounts[name] ?? (/^(?:line|total)_/.test(name) ? '0' : value)),
    );
  }
}
