import { expect, test } from 'vitest';
import { isShareableResponse } from '../../../src/cache/wordpress/response-sharing.ts';

test.each([
  ['an answer that says nothing', [], true],
  ['a public one', ['Cache-Control', 'public, max-age=60'], true],
  ['one that must be asked about', ['Cache-Control', 'no-cache, must-revalidate'], true],
  ['one with private fields, which are left out', ['Cache-Control', 'private="x-user"'], true],
  ['one that sets a cookie', ['set-cookie', 'a=b'], false],
  ['one with a nonce', ['X-WP-Nonce', 'a'], false],
  ['one that asks who is there', ['WWW-Authenticate', 'Basic'], false],
  ['a private one', ['Cache-Control', 'Private, max-age=60'], false],
  ['one not to be stored', ['Cache-Control', 'max-age=60', 'Cache-Control', 'No-Store'], false],
  [
    'a private one that a plugin wants on every CDN',
    ['CDN-Cache-Control', 'max-age=3600', 'Cache-Control', 'private'],
    false,
  ],
])('%s: %j is anybody’s: %s', (_what, headers, expected) => {
  expect(isShareableResponse({ status: 200, reason: '', headers })).toBe(expected);
});
