import { memoizeByString } from '../../memoize.ts';

/** Response fields, in lower case, that are made for one client. RFC 9111 does not forbid to store them. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'set-cookie',
  'authorization',
  'authentication-info',
  'x-api-key',
]);

/**
 * Words by which a name says that the field holds something of one client or for one use: `X-WP-Nonce`, `X-CSRF-Token`,
 * `X-Auth-Token`, `Cart-Hash`, `X-Session-Id`, `X-Customer`.
 */
const PERSONAL_WORDS = new RegExp(
  [
    'nonce|token|csrf|xsrf|session|jwt|secret|passw|credential',
    '(?:^|-)(?:auth|bearer|cart|basket|otp|one-time|pin|login|sid|phpsessid|remember|signature|identity)(?:-|$)',
    '(?:^|-)(?:user|account|customer|member|guest|visitor|license|licence|ticket|invite|invitation)(?:-|$)',
    '(?<!(?:^|-)(?:cache|surrogate|public|content|tag|xcache))(?:^|-)key$',
  ].join('|'),
);

/** Names with such a word that are the same for all clients. */
const COMMON_FIELDS: ReadonlySet<string> = new Set(['access-control-allow-credentials']);

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
  const isPersonal = PERSONAL_FIELDS.has(lowerName) || PERSONAL_WORDS.test(lowerName.replaceAll('_', '-'));
  if (!isPersonal || COMMON_FIELDS.has(lowerName)) return '';
  return lowerName === 'set-cookie' ? lowerName : `header ${lowerName}`;
});
