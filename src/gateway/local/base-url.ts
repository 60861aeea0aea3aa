import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { TrustedProxyCheck } from '../../upstream/forwarded.ts';
import { readRequestHeaders } from '../../upstream/request-headers.ts';

/** A host that may stand in a page: a name or an address, with or without a port. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const MAX_HOST_LENGTH = 255;

/**
 * Creates a function that returns the URL of a mount as a client sees it, without a slash at its end: below the public
 * URL, or below the host that the request names.
 */
export function createBaseUrlReader(
  mount: string,
  publicUrl: string | undefined,
  trust: TrustedProxyCheck,
): (head: IncomingRequestHead) => string {
  if (publicUrl !== undefined) {
    const { origin, pathname } = new URL(publicUrl);
    const url = origin + pathname.replace(/\/+$/, '') + mount;
    return () => url;
  }
  return (head) => {
    const fields = readRequestHeaders(head, trust);
    if (fields.kind === 'refused') return mount;
    const { forwardedPrefix, host, protocol } = fields.client;
    const isShown = host.length <= MAX_HOST_LENGTH && HOST.test(host);
    return isShown ? `${protocol}://${host.toLowerCase()}${forwardedPrefix}${mount}` : mount;
  };
}
