import { expect, test } from 'vitest';
import { findUnshareableReason } from '../../src/wordpress/shared-requests.ts';

test.each<[name: string, headers: readonly string[], reason: string | null]>([
  ['a response without these fields', [], null],
  ['public', ['Cache-Control', 'public, max-age=60'], null],
  ['no-cache', ['Cache-Control', 'no-cache, must-revalidate'], null],
  ['private for listed fields, which are not stored', ['Cache-Control', 'private="x-user"'], null],
  ['Set-Cookie', ['set-cookie', 'a=b'], 'set-cookie'],
  ['Set-Cookie2', ['Set-Cookie2', 'a=b'], 'header set-cookie2'],
  ['a nonce', ['X-WP-Nonce', 'a'], 'header x-wp-nonce'],
  ["a nonce of WooCommerce's", ['X-WC-Store-API-Nonce', 'a'], 'header x-wc-store-api-nonce'],
  ['a CSRF token', ['X-CSRF-Token', 'a'], 'header x-csrf-token'],
  ['a token of a session', ['X-Auth-Token', 'a'], 'header x-auth-token'],
  ['a name with underscores', ['X_Session_Id', 'a'], 'header x_session_id'],
  ['a client by name', ['X-Customer', 'a'], 'header x-customer'],
  ['an id of a session', ['X-PHPSESSID', 'a'], 'header x-phpsessid'],
  ['a cart', ['Cart-Hash', 'a'], 'header cart-hash'],
  ['credentials', ['Authorization', 'Bearer a'], 'header authorization'],
  ['the result of an authentication', ['Authentication-Info', 'a'], 'header authentication-info'],
  [
    'fields of WordPress and of CORS',
    ['X-WP-Total', '1', 'X-WP-TotalPages', '1', 'Allow', 'GET', 'Access-Control-Allow-Credentials', 'true'],
    null,
  ],
  ['words within other words', ['X-Author', 'a', 'X-Carton', 'a', 'X-Cache-Key', 'a', 'X-Side', 'a'], null],
  ['an authentication challenge', ['WWW-Authenticate', 'Basic'], 'header www-authenticate'],
  ['private', ['Cache-Control', 'Private, max-age=60'], 'private'],
  ['no-store', ['Cache-Control', 'max-age=60', 'Cache-Control', 'No-Store'], 'no-store'],
  [
    'private, although a plugin allows CDNs to cache it',
    ['CDN-Cache-Control', 'max-age=3600', 'Cache-Control', 'private'],
    'private',
  ],
])('%s: a response with %j has the reason %j', (_, headers, expected) => {
  expect(findUnshareableReason({ status: 200, reason: '', headers })).toBe(expected);
});
