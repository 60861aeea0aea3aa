import type { Middleware } from './options-and-results.ts';

/** Options of `wooStore`. */
export interface WooStoreOptions {
  /** The last token that `onCartToken` got, such as from `localStorage` or the session of a visitor. @default a new cart */
  readonly cartToken?: string | undefined;
  /** Called with each new name of the cart, to keep it: its token, or on a server its cookie where the shop has no tokens. */
  readonly onCartToken?: ((token: string) => void) | undefined;
  /**
   * `include` sends the cookies of a shop on another origin that has no tokens. Its CORS rules must allow that. Requests for products
   * have none, so that a cache can serve them.
   */
  readonly credentials?: 'include' | undefined;
  /** Sends the request that creates a cart, if the client has a `fetch` of its own. @default the platform's `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Routes of the Store API that know a cart. The catalogue does not, so its responses stay the same for everybody. */
const CART_ROUTE = /\/wc\/store\/(?!(?:v\d+\/)?products(?:\/|$))/;

/** Names of the nonce. WooCommerce 5.5 knows the second only, 10 the first, others both. */
const NONCES: readonly string[] = ['Nonce', 'X-WC-Store-API-Nonce'];

/** Codes of a write that was not run, because its token or nonce has expired. The response has new ones. */
const REFUSED = /_(?:missing|invalid)_nonce$/;

/** The cookie of a session (`WC_Session_Handler`). */
const SESSION_COOKIE = /^wp_woocommerce_session_[^=;]*=[^;]+/;

/**
 * Creates middleware that keeps the cart of WooCommerce's Store API between calls. It sends the site's last `Cart-Token` and
 * nonce, by the name that this version of the shop gives it. With a token the cart needs no cookie, so that an app of
 * another origin has a cart where it can read the first response (`cors` of the gateway). A newer shop takes the token in place of the
 * nonce too (`AbstractCartRoute::requires_nonce()`). A shop without tokens knows a cart by its cookie, which browsers keep, and on a server this middleware. A write
 * without a token or nonce first reads the cart. Calls that know the cart run one after the other: WooCommerce would lose one of two
 * changes of a session at the same time. Requests for products have no field and do not wait.
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

  /** The fields that name the cart. A token is a JSON Web Token, which has no `=`. */
  const cartFields = () =>
    token === undefined ? fields : { ...fields, [token.includes('=') ? 'Cookie' : 'Cart-Token']: token };

  function addFields({ headers }: Request): void {
    const own = headers.get('Cookie');
    for (const [name, value] of Object.entries(cartFields()))
      headers.set(name, name === 'Cookie' && own !== null ? `${own}; ${value}` : value);
  }

  /** Reads the cart, which creates it. A failure is that of the write, which follows. */
  async function open(request: Request): Promise<void> {
    const url = request.url.replace(/(wc(\/|%2F)store(?:\2v\d+)?)\2.*/, '$1$2cart');
    const { credentials, mode, signal } = request;
    const first = new Request(url, {
      signal,
      ...('credentials' in Request.prototype ? { credentials, mode } : {}),
    });
    addFields(first);
    await (send ?? fetch)(first).then(read, () => undefined);
  }

  return {
    around({ path, signal }, attempt) {
      // An aborted call sends nothing, so that it needs no turn.
      if (!CART_ROUTE.test(path) || signal?.aborted) return attempt();
      const before = last;
      const turn = new Promise<unknown>((start) => {
        signal?.addEventListener('abort', start);
        void before.then(start).then(() => signal?.removeEventListener('abort', start));
      })
        .then(attempt)
        .then((result) => (REFUSED.test(result.error?.code ?? '') ? attempt() : result));
      last = turn.catch(() => undefined).then(() => before);
      return turn;
    },
    async onRequest({ method, path, request: given }) {
      if (!CART_ROUTE.test(path)) return undefined;
      const request = credentials ? new Request(given, { credentials }) : given;
      const isKnown = Object.keys(fields).length > 0 || (token !== undefined && !token.includes('='));
      if (!isKnown && !['GET', 'HEAD'].includes(method)) await open(request);
      addFields(request);
      return path.endsWith('/batch') ? fillBatch(request, cartFields()) : request;
    },
    onResponse({ path, request, response }) {
      if (!CART_ROUTE.test(path)) return;
      read(response);
      const { location } = globalThis as { location?: { origin: string } };
      const isElsewhere = location && new URL(request.url).origin !== location.origin;
      if (isElsewhere && response.ok && !token && request.credentials !== 'include')
        throw new TypeError(
          "The shop sends no Cart-Token, so its cart is lost: wooStore({ credentials: 'include' })",
        );
    },
  };
}

/**
 * Adds header fields to each request of a batch. `AbstractCartRoute` reads them of the request that it runs, the session those of
 * the batch.
 */
async function fillBatch(request: Request, fields: Readonly<Record<string, string>>): Promise<Request> {
  if (request.headers.get('content-type') !== 'application/json') return request;
  const batch = JSON.parse(await request.clone().text()) as {
    readonly requests?: readonly { readonly headers?: object }[];
  };
  const requests = batch.requests?.map((each) => ({ ...each, headers: { ...fields, ...each.headers } }));
  return new Request(request, { body: JSON.stringify({ ...batch, requests }) });
}
