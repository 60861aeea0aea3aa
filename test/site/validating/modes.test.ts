import { expect, test } from 'vitest';
import { createModeResolver } from '../../../src/site/validating/site-validation.ts';

const modeOf = createModeResolver('observe', [
  { match: '/wp/v2/posts', mode: 'enforce' },
  { match: '/wp/v2/*/{id}', mode: 'off' },
  { match: 'wp/*', mode: 'enforce' },
]);

test.each([
  ['/wp/v2/posts', 'wp/v2', 'enforce'],
  ['/wp/v2/posts/(?P<id>[\\d]+)', 'wp/v2', 'off'],
  ['/wp/v2/users', 'wp/v2', 'enforce'],
  ['/other/v1/things', 'other/v1', 'observe'],
] as const)('%s of %s: %s', (pattern, namespace, mode) => {
  expect(modeOf({ pattern, namespace })).toBe(mode);
});
