import { expect, test } from 'vitest';
import { findUnshareableReason } from '../../../src/cache/wordpress/response-sharing.ts';

test.each<[name: string, headers: readonly string[], reason: string | null]>([
  ['a response without these fields', [], null],
  ['public', ['Cache-Control', 'public, max-age=60'], null],
  ['no-cache', ['Cache-Control', 'no-cache, must-revalidate'], null],
  ['private for listed fields, which are not stored', ['Cache-Control', 'private="x-user"'], null],
  ['Set-Cookie', ['set-cookie', 'a=b'], 'set-cookie'],
  ['a nonce', ['X-WP-Nonce', 'a'], 'header x-wp-nonce'],
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
