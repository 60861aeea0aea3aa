import type { ClientAuth } from './types.ts';

/** Adds credentials to requests. */
export interface Authenticator {
  /** Whether the platform sends cookies; `undefined`: its default. */
  readonly credentials?: 'include' | 'omit';
  authenticate(request: Request): Request | Promise<Request>;
  /** Reads a response. Returns whether the request should be sent again, because its nonce has been replaced. */
  shouldRepeat?(request: Request, response: Response): Promise<boolean>;
}

/** Creates the authenticator of a client. */
export function createAuthenticator(auth: ClientAuth | undefined): Authenticator {
  if (auth === undefined) return { authenticate: (request) => request };
  if (typeof auth === 'function')
    return { authenticate: async (request) => (await auth(request)) ?? request };
  if ('nonce' in auth) return createNonceAuthenticator(auth);
  const bytes = new TextEncoder().encode(`${auth.username}:${auth.password}`);
  const authorization = `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  return {
    credentials: 'omit',
    authenticate(request) {
      request.headers.set('Authorization', authorization);
      return request;
    },
  };
}

function createNonceAuthenticator({
  nonce,
  refreshNonce,
}: {
  readonly nonce: string;
  readonly refreshNonce?: (() => Promise<string>) | undefined;
}): Authenticator {
  let current = nonce;
  let refresh: Promise<void> | undefined;
  return {
    credentials: 'include',
    authenticate(request) {
      request.headers.set('X-WP-Nonce', current);
      return request;
    },
    async shouldRepeat(request, response) {
      current = response.headers.get('x-wp-nonce') ?? current;
      if (refreshNonce === undefined || response.status !== 403) return false;
      const body = (await response
        .clone()
        .json()
        .catch(() => null)) as { readonly code?: unknown } | null;
      if (body?.code !== 'rest_cookie_invalid_nonce') return false;
      // Another call may have replaced the nonce in the meantime.
      if (request.headers.get('X-WP-Nonce') === current) {
        refresh ??= refreshNonce()
          .then((next) => {
            current = next;
          })
          .finally(() => {
            refresh = undefined;
          });
        await refresh;
      }
      return true;
    },
  };
}
