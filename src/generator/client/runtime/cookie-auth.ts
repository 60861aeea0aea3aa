import type { Authenticator } from './options-and-results.ts';

/** A nonce, in white space that a plugin prints before it. Pages and JSON have other characters. */
const NONCE = /^\s*([\w+/=.~-]+)\s*$/;

/**
 * Credentials of a script on one of the site's pages: `createClient({ …, auth: cookieAuth({ nonce }) })`.
 * When the nonce has expired, `refreshNonce` is called once for all waiting calls, and each is repeated once.
 * If it gives none, the calls keep the site's error.
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
