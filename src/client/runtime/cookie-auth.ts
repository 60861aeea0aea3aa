import type { Authenticator } from './options-and-results.ts';

/** A nonce, in white space that a plugin prints before it. Pages and JSON have other characters. */
const NONCE = /^\s*([\w+/=.~-]+)\s*$/;

/**
 * The credentials of a script on a page of the site: `createClient({ …, auth: cookieAuth({ nonce }) })`. They are the cookie of the
 * logged-in user and its nonce (`X-WP-Nonce`). A nonce in a response replaces it. After `rest_cookie_invalid_nonce`, `refreshNonce`
 * is called once for all waiting calls, and each call is repeated once. If it rejects, or returns a page of a login or of
 * maintenance instead of a nonce, the calls have the error of the site, and the next one refreshes again.
 */
export function cookieAuth({
  nonce,
  refreshNonce,
}: {
  readonly nonce: string;
  readonly refreshNonce?: (() => Promise<string>) | undefined;
}): Authenticator {
  let current = nonce;
  let refresh: Promise<string | undefined> | undefined;
  return {
    credentials: 'include',
    authenticate(request) {
      request.headers.set('X-WP-Nonce', current);
    },
    async shouldRepeat(request, response) {
      current = response.headers.get('x-wp-nonce') ?? current;
      if (refreshNonce === undefined || response.status !== 403) return false;
      const body = (await response
        .clone()
        .json()
        .catch(() => null)) as { readonly code?: unknown } | null;
      if (body?.code !== 'rest_cookie_invalid_nonce') return false;
      // Another call might have replaced the nonce in the meantime.
      if (request.headers.get('X-WP-Nonce') === current) {
        refresh ??= Promise.resolve()
          .then(refreshNonce)
          .then((text) => NONCE.exec(text ?? '')?.[1])
          .catch(() => undefined)
          .finally(() => {
            refresh = undefined;
          });
        const next = await refresh;
        if (next === undefined) return false;
        current = next;
      }
      return true;
    },
  };
}
