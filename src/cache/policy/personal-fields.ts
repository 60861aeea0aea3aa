import { memoizeByString } from '../../memoize.ts';

/** Response fields, in lower case, that are made for one client. RFC 9111 does not forbid to store them. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'x-wp-nonce',
  'nonce',
  'cart-token',
]);

/**
 * Finds a response field that is made for one client: a cookie, a nonce, a token of a session. A response with such a
 * field is never stored.
 *
 * @param headers flat list name, value
 * @returns the reason as the `detail` of `Cache-Status`: `set-cookie`, or `header <name>`
 */
export function findPersonalField(headers: readonly string[]): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const reason = toReason(headers[at] ?? '');
    if (reason !== '') return reason;
  }
  return undefined;
}

/** The reason not to store a response with a field of this name; empty if the field is not personal. */
const toReason = memoizeByString((name): string => {
  const lowerName = name.toLowerCase();
  if (!PERSONAL_FIELDS.has(lowerName)) return '';
  return lowerName === 'set-cookie' ? lowerName : `header ${lowerName}`;
});
