import type { Middleware } from './types.ts';

/** Options of `wooStore`. */
export interface WooStoreOptions {
  /** The token of a cart that was used before, such as one in `localStorage` or a cookie. @default a new cart */
  readonly cartToken?: string | undefined;
  /** Called with each new token of the cart, to keep it. */
  readonly onCartToken?: ((token: string) => void) | undefined;
  /** Sends the request that creates a cart, if the client has a `fetch` of its own. @default the platform's `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Routes of the Store API that know a cart. The catalogue does not, so its responses stay the same for everybody. */
const CART_ROUTE = /\/wc\/store\/(?!(?:v\d+\/)?products(?:\/|$))/;

/**
 * Creates middleware that keeps the cart of the Store API of WooCommerce between calls: it sends the `Cart-Token` and the `Nonce` that
 * the site sent last. With a token the cart needs no cookie, and a write no nonce (`AbstractCartRoute::requires_nonce()`), so that
 * an app of another origin has a cart where it may read the first response (`cors` of the gateway). A write without either first
 * reads the cart. Requests for products have neither field.
 *
 * Use one for each visitor. On a server it must not be shared.
 */
export function wooStore({ cartToken, onCartToken, fetch: send }: WooStoreOptions = {}): Middleware {
  let token = cartToken;
  let nonce: string | undefined;
  let opening: Promise<void> | undefined;

  /** @param sent the token that the request had. A response for another cart must not replace the cart of a later call */
  function read({ headers }: Response, sent: string | null): void {
    nonce = headers.get('nonce') ?? nonce;
    const next = headers.get('cart-token');
    if (next === null || next === token || sent !== (token ?? null)) return;
    token = next;
    onCartToken?.(next);
  }

  /** Reads the cart, which creates it, once for all writes that wait. A failure is that of the write, which follows. */
  function open(request: Request): Promise<void> {
    const url = new URL(request.url);
    const cart = (path: string) => path.replace(/(\/wc\/store(?:\/v\d+)?)\/.*/, '$1/cart');
    const route = url.searchParams.get('rest_route');
    url.search = '';
    if (route === null) url.pathname = cart(url.pathname);
    else url.searchParams.set('rest_route', cart(route));
    const { credentials, mode } = request;
    const first = new Request(url, 'credentials' in Request.prototype ? { credentials, mode } : {});
    opening ??= (send ?? fetch)(first)
      .then(
        (response) => read(response, null),
        () => undefined,
      )
      .finally(() => {
        opening = undefined;
      });
    return opening;
  }

  return {
    async onRequest({ method, path, request }) {
      if (!CART_ROUTE.test(path)) return undefined;
      if (!['GET', 'HEAD', 'OPTIONS'].includes(method) && token === undefined && nonce === undefined)
        await open(request);
      const fields = {
        ...(token === undefined ? {} : { 'Cart-Token': token }),
        ...(nonce === undefined ? {} : { Nonce: nonce }),
      };
      for (const [name, value] of Object.entries(fields)) request.headers.set(name, value);
      return path.endsWith('/batch') ? fillBatch(request, fields) : undefined;
    },
    onResponse({ path, request, response }) {
      if (CART_ROUTE.test(path)) read(response, request.headers.get('Cart-Token'));
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
