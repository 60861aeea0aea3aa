import type { AddedFields } from './added-fields.ts';
import type { TransportFetch } from './transport-fetch.ts';

/** Options of {@link createSiteFetch}. */
export interface SiteFetchOptions {
  /** Sends the requests to other origins. */
  readonly fetch: typeof globalThis.fetch;
  /** Sends the requests to `connectOrigin`. @default `fetch`, which cannot send another `Host` */
  readonly transportFetch?: TransportFetch | undefined;
  /** Scheme, host and port that connections to the site are made to. */
  readonly connectOrigin: string;
  /** `Host` that the site sees; URLs with this host are requested from `connectOrigin`. `undefined`: that of the URL. */
  readonly host: string | undefined;
  /** Fields of each request to the site; `null` if there are none. */
  readonly addedFields: AddedFields | null;
}

/**
 * Creates the `fetch` of discovery and polling for one site. A request by URL to the site is sent to the origin to which
 * the gateway connects, with the fields that the gateway adds to forwarded requests. All others are sent unchanged, so
 * credentials never reach another origin.
 */
export function createSiteFetch(options: SiteFetchOptions): typeof globalThis.fetch {
  const { addedFields, connectOrigin, fetch, host } = options;
  const { transportFetch = (target, init) => fetch(connectOrigin + target, init as RequestInit) } = options;
  return (input, init = {}) => {
    if (input instanceof Request) return fetch(input, init);
    const url = new URL(input);
    const isPublic = host !== undefined && isHostOf(url, host);
    if (!isPublic && url.origin !== connectOrigin) return fetch(input, init);
    const headers = new Headers(init.headers);
    for (let at = 0; at + 1 < (addedFields?.fields.length ?? 0); at += 2) {
      headers.set(addedFields?.fields[at] ?? '', addedFields?.fields[at + 1] ?? '');
    }
    const authorization = addedFields?.authorization;
    if (authorization !== undefined && !headers.has('authorization')) {
      headers.set('authorization', authorization);
    }
    if (options.transportFetch !== undefined) headers.set('host', host ?? url.host);
    if (host !== undefined) {
      // The site redirects, and links to itself, as if the client had used this URL.
      headers.set('x-forwarded-host', host);
      headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
    }
    const { method = 'GET', redirect, signal } = init;
    return transportFetch(url.pathname + url.search, {
      method,
      headers,
      redirect,
      signal: signal ?? undefined,
    });
  };
}

/** Whether a URL, of either scheme, has this host and port. A default port is the same as none. */
function isHostOf(url: URL, host: string): boolean {
  return url.host === host.toLowerCase() || url.host === new URL(`${url.protocol}//${host}`).host;
}
