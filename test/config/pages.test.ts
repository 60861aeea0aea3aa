import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const errorsOf = (site: object): readonly string[] => {
  const result = readConfig({ sites: [{ url: 'https://example.com', ...site }] });
  return result.ok ? [] : result.errors;
};

test.each<readonly [object, readonly string[]]>([
  [{ passthrough: true, cache: { pages: '60s' } }, []],
  [{ passthrough: true, cache: { pages: '7h' } }, ['sites[0].cache.pages: must be at most 6h']],
  [
    { cache: { pages: '60s' } },
    ['sites[0].cache.pages: needs "passthrough: true", without which no page is served'],
  ],
  [
    { discovery: 'off', passthrough: true, cache: { pages: '60s' } },
    ["sites[0].cache.pages: needs discovery; without it the response's own fields decide, or a rule"],
  ],
])('the cache of the pages of a site %j', (site, errors) => {
  expect(errorsOf(site)).toEqual(errors);
});
