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
 * `Cache-Control` is neither `private` nor `no-store`. This also applies to a response with a targeted field, which
 * replaces `Cache-Control` under RFC 9213: that field is mostly written by a plugin that only knows the URL. The core of
 * WordPress, which knows whether a user is logged in, writes `Cache-Control`.
 */
export function isShareableResponse({ headers }: ResponseHead): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    if (PERSONAL_FIELDS.has((headers[at] ?? '').toLowerCase())) return false;
  }
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  return !hasDirective(directives, 'no-store') && !hasUnqualifiedDirective(directives, 'private');
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
