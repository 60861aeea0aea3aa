import { expect, test } from 'vitest';
import { isShareableResponse } from '../../../src/cache/wordpress/response-sharing.ts';

test.each([
  ['a response without these fields', [], true],
  ['public', ['Cache-Control', 'public, max-age=60'], true],
  ['no-cache', ['Cache-Control', 'no-cache, must-revalidate'], true],
  ['private for listed fields, which are not stored', ['Cache-Control', 'private="x-user"'], true],
  ['Set-Cookie', ['set-cookie', 'a=b'], false],
  ['a nonce', ['X-WP-Nonce', 'a'], false],
  ['an authentication challenge', ['WWW-Authenticate', 'Basic'], false],
  ['private', ['Cache-Control', 'Private, max-age=60'], false],
  ['no-store', ['Cache-Control', 'max-age=60', 'Cache-Control', 'No-Store'], false],
  [
    'private, although a plugin allows CDNs to cache it',
    ['CDN-Cache-Control', 'max-age=3600', 'Cache-Control', 'private'],
    false,
  ],
])('%s: a response with %j is shareable: %s', (_, headers, expected) => {
  expect(isShareableResponse({ status: 200, reason: '', headers })).toBe(expected);
});
