import { expect, test } from 'vitest';
import { isPageAddress } from '../../src/wordpress/page-responses.ts';

test.each([
  ['/about/', true],
  ['/wp-content/uploads/a.pdf', false],
  ['/sub/wp-includes/a.min.js', false],
  ['/wp-content/uploads/', true],
  ['/about.html/wp-content/', true],
  ['/index.php/about/', true],
  ['/wp-login.php/about', false],
  ['/wp-admin/', false],
])('whether %s leads to a page: %s', (path, isPage) => {
  expect(isPageAddress(path)).toBe(isPage);
});

test('what a path leads to is found in linear time', () => {
  expect(isPageAddress(`${'/wp-content/'.repeat(20_000)}${'.a'.repeat(100_000)}!`)).toBe(true);
});
