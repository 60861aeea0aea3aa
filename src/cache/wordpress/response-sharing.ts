import { hasDirective, hasUnqualifiedDirective, parseCacheControl } from '../../http/cache-directives.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import { findPersonalField } from '../policy/personal-fields.ts';

/**
 * Finds the reason why a WordPress response must not be served to other clients: it sets a cookie, contains a nonce or an
 * authentication challenge, or its `Cache-Control` is `private` or `no-store`. This also applies to a response with a
 * targeted field, which replaces `Cache-Control` under RFC 9213: that field is mostly written by a plugin that only
 * knows the URL. The core of WordPress, which knows whether a user is logged in, writes `Cache-Control`.
 *
 * @returns the reason as the `detail` of `Cache-Status`; `null` if the response may be served to others
 */
export function findUnshareableReason({ headers }: ResponseHead): string | null {
  const personal = findPersonalField(headers);
  if (personal !== undefined) return personal;
  // RFC 6265 made Set-Cookie2 historic: no client reads it, but what a plugin writes there is meant for one client.
  if (hasField(headers, 'set-cookie2')) return 'header set-cookie2';
  if (hasField(headers, 'www-authenticate')) return 'header www-authenticate';
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  if (hasDirective(directives, 'no-store')) return 'no-store';
  return hasUnqualifiedDirective(directives, 'private') ? 'private' : null;
}

/**
 * Appends `Vary: Origin` if `Vary` does not list `Origin`. WordPress sends the `Origin` of a request back in CORS fields,
 * with `Vary: Origin`. Plugins that send the CORS fields themselves often omit it.
 *
 * @param headers flat list, changed in place
 */
export function addVaryOrigin(headers: string[]): void {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined || !/(?:^|[\s,])(?:origin|\*)(?:$|[\s,])/i.test(vary)) {
    headers.push('Vary', 'Origin');
  }
}
