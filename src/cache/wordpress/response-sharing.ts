import { hasDirective, hasUnqualifiedDirective, parseCacheControl } from '../../http/cache-directives.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';

/** Header fields whose presence makes a response personal to one client. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'x-wp-nonce',
  'nonce',
  'cart-token',
  'www-authenticate',
]);

/**
 * Whether a WordPress response may be served to other clients: it sets no cookie, contains no nonce, and its
 * `Cache-Control` is neither `private` nor `no-store`. Under RFC 9213 a targeted field would replace `Cache-Control`. On a
 * WordPress site the targeted field is mostly written by a plugin that only knows the URL, while `Cache-Control` is
 * written by the core, which knows whether a user is logged in. So `Cache-Control` counts in either case.
 */
export function isShareableResponse({ headers }: ResponseHead): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    if (PERSONAL_FIELDS.has((headers[at] ?? '').toLowerCase())) return false;
  }
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  return !hasDirective(directives, 'no-store') && !hasUnqualifiedDirective(directives, 'private');
}

/**
 * Appends `Vary: Origin` if it is missing. WordPress echoes the `Origin` of a request in its responses. It sends
 * `Vary: Origin` with that, but plugins that send the CORS fields themselves often do not.
 *
 * @param headers flat list, changed in place
 */
export function addVaryOrigin(headers: string[]): void {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined || !/(?:^|[\s,])(?:origin|\*)(?:$|[\s,])/i.test(vary)) {
    headers.push('Vary', 'Origin');
  }
}
