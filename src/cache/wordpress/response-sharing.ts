import { hasDirective, hasUnqualifiedDirective, parseCacheControl } from '../../http/directives.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';

/** Fields with which an answer is one caller's own. */
const PERSONAL = new Set([
  'set-cookie',
  'set-cookie2',
  'x-wp-nonce',
  'nonce',
  'cart-token',
  'www-authenticate',
]);

/**
 * Whether an answer may be anybody's: it logs nobody in, gives out no nonce, and the site did not say that it was for
 * one caller. RFC 9213 has a targeted field set `Cache-Control` aside; but of a WordPress site, the one is mostly a plugin
 * that knows addresses, and the other the core, which knows who is logged in.
 */
export function isShareableResponse({ headers }: ResponseHead): boolean {
  for (let at = 0; at < headers.length; at += 2)
    if (PERSONAL.has((headers[at] ?? '').toLowerCase())) return false;
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  return !hasDirective(directives, 'no-store') && !hasUnqualifiedDirective(directives, 'private');
}

/**
 * WordPress echoes the `Origin` of a request. It says `Vary: Origin` with it, but plugins that send the fields themselves
 * often don't; so it is said of every answer of the interface.
 *
 * @param headers flat list, which is added to in place
 */
export function addVaryOrigin(headers: string[]): void {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined || !/(?:^|[\s,])(?:origin|\*)(?:$|[\s,])/i.test(vary))
    headers.push('Vary', 'Origin');
}
