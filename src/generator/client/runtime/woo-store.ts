import { originOf } from './client.ts';
import type { Middleware } from './options-and-results.ts';

/** Options of `wooStore`. */
export interface WooStoreOptions {
  /** Last token from `onCartToken`, e.g. in `localStorage` or a visitor's session. @default a new cart */
  readonly cartToken?: string | undefined;
  /** Called with each new token of the cart; on a server with its cookie, if the shop has no tokens. */
  readonly onCartToken?: ((token: string) => void) | undefined;
  /**
   * `include` sends the cookies of a shop on another origin that has no tokens, if its CORS rules allow it.
   */
  readonly credentials?: 'include' | undefined;
  /** Sends the request that creates a cart. @default the platform's `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Routes that know a cart, unlike the catalogue. */
const CART_ROUTE = /\/wc\/store\/(?!(?:v\d+\/)?products(?:\/|$))/;

/** Header fields of the nonce. WooCommerce 5.5 knows only the second, 10 the first, others both. */
const NONCES: readonly string[] = ['Nonce', 'X-WC-Store-API-Nonce'];

/** Codes of a write whose token or nonce has expired. The response has new ones. */
const REFUSED = /_(?:missing|invalid)_nonce$/;

/** Milliseconds after which a call without a response no longer holds up later ones. */
const LONGEST_TURN = 30_000;

/** Session cookie (`WC_Session_Handler`). */
const SESSION_COOKIE = /^wp_woocommerce_session_[^=;]*=[^;]+/;

/**
 * Creates middleware that keeps the cart of WooCommerce's Store API between calls, by the site's last
 * `Cart-Token` and nonce, or by its cookie if the shop has no tokens. A write without a cart first reads it.
 * Calls that know the cart run one after the other, because WooCommerce would lose one of two simultaneous
 * changes.
 *
 * Use one for each visitor. On a server it must not be shared.
 */
export function wooStore({
  cartToken,
  credentials,
  onCartToken,
  fetch: send,
}: WooStoreOptions = {}): Middleware {
  let token = cartToken;
  let fields: Readonly<Record<string, string>> = {};
  let last: Promise<unknown> = Promise.resolve();

  function read({ headers }: Response): void {
    const nonces = NONCES.map((name) => [name, headers.get(name)] as const).filter(([, value]) => value);
    if (nonces.length > 0) fields = Object.fromEntries(nonces) as Record<string, string>;
    const cookies = (headers as { getSetCookie?: () => string[] }).getSetCookie?.() ?? [];
    const [cookie] = cookies.flatMap((each) => SESSION_COOKIE.exec(each)?.[0] ?? []);
    const next = headers.get('cart-token') ?? cookie ?? token;
    if (next === undefined || next === token) return;
    token = next;
    onCartToken?.(next);
  }

  /** A token is a JSON Web Token, which has no `=`. */
  const cartFields = () =>
    token === undefined ? fields : { ...fields, [token.includes('=') ? 'Cookie' : 'Cart-Token']: token };

  function addFields({ headers }: Request): void {
    const own = headers.get('Cookie');
    for (const [name, value] of Object.entries(cartFields()))
      headers.set(name, name === 'Cookie' && own !== null ? `${own}; ${value}` : value);
  }

  /** Reads the cart, which creates it. A failure shows in the write that follows. */
  async function open(request: Request): Promise<void> {
    const url = request.url.replace(/(wc(\/|%2F)store(?:\2v\d+)?)\2.*/, '$1$2cart');
    const { credentials, mode, signal } = request;
    const first = new Request(url, { signal, ...('credentials' in request ? { credentials, mode } : {}) });
    addFields(first);
    await (send ?? fetch)(first).then(read, () => undefined);
  }

  return {
    around({ path, signal }, attempt) {
      // An aborted call sends nothing, so it needs no turn.
      if (!CART_ROUTE.test(path) || signal?.aborted) return attempt();
      const before = last;
      let timer: ReturnType<typeof setTimeout>;
      let end: (value: unknown) => void;
      const over = new Promise<unknown>((resolve) => {
        end = resolve;
      });
      last = before.then(() => over);
      return new Promise<unknown>((start) => {
        signal?.addEventListener('abort', start);
        void before.then(start).then(() => signal?.removeEventListener('abort', start));
      })
        .then(() => {
          timer = setTimeout(end, LONGEST_TURN);
          return attempt();
        })
        .then((result) => (REFUSED.test(result.error?.code ?? '') ? attempt() : result))
        .finally(() => {
          clearTimeout(timer);
          end(undefined);
        });
    },
    async onRequest({ method, path, request: given }) {
      if (!CART_ROUTE.test(path)) return undefined;
      const request = credentials ? new Request(given, { credentials }) : given;
      const isKnown = Object.keys(fields).length > 0 || (token !== undefined && !token.includes('='));
      if (!isKnown && method !== 'GET') await open(request);
      addFields(request);
      return path.endsWith('/batch') ? fillBatch(request, cartFields()) : request;
    },
    onResponse({ path, request, response }) {
      if (!CART_ROUTE.test(path)) return;
      read(response);
      const { location } = globalThis as { location?: { href: string } };
      const isElsewhere = location && originOf(request.url) !== originOf(location.href);
      if (isElsewhere && response.ok && !token && request.credentials !== 'include')
        throw new TypeError(
          "The shop sends no Cart-Token, so its cart is lost: wooStore({ credentials: 'include' })",
        );
    },
  };
}

/** `AbstractCartRoute` reads header fields of each request of a batch, the session those of the batch. */
async function fillBatch(request: Request, fields: Readonly<Record<string, string>>): Promise<Request> {
  if (request.headers.get('content-type') !== 'application/json') return request;
  const batch = JSON.parse(await request.clone().text()) as {
    readonly requests?: readonly { readonly headers?: object }[];
  };
  const requests = batch.requests?.map((each) => ({ ...each, headers: { ...fields, ...each.headers } }));
  return new Request(request, { body: JSON.stringify({ ...batch, requests }) });
}
