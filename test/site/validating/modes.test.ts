import { expect, test } from 'vitest';
import { createModeResolver } from '../../../src/site/validating/site-validation.ts';

const modeOf = createModeResolver('observe', [
  { match: '/wp/v2/posts*', methods: ['get'], mode: 'enforce' },
  { match: '/wp/v2/*/{id}', mode: 'off' },
  { match: 'wp/*', methods: ['DELETE', 'POST'], mode: 'enforce' },
  { match: 'wp/v2', mode: 'off' },
]);

test.each([
  ['GET', '/wp/v2/posts', 'wp/v2', 'enforce'],
  ['GET', '/wp/v2/posts/(?P<id>[\\d]+)', 'wp/v2', 'enforce'],
  ['PUT', '/wp/v2/posts/(?P<id>[\\d]+)', 'wp/v2', 'off'],
  ['DELETE', '/wp/v2/users', 'wp/v2', 'enforce'],
  ['POST', '/wp/v3/users', 'wp/v3', 'enforce'],
  ['GET', '/wp/v2/users', 'wp/v2', 'off'],
  ['GET', '/other/v1/things', 'other/v1', 'observe'],
] as const)('%s %s of %s: %s', (method, pattern, namespace, mode) => {
  expect(modeOf({ pattern, namespace }, method)).toBe(mode);
});
