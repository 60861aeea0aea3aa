import { describe, expect, test } from 'vitest';
import { generateSamplePaths } from '../../src/discovery/sample-paths.ts';
import { compileRoute } from '../../src/pcre/index.ts';
import { readRecordedIndex } from '../support/stub-site.ts';

describe('sample paths of a route', () => {
  test('exist for every route of WordPress 7.1, and need no escaping', () => {
    for (const pattern of Object.keys(readRecordedIndex()['routes'] as object)) {
      const paths = generateSamplePaths(pattern);
      expect([pattern, paths.length]).not.toEqual([pattern, 0]);
      for (const path of paths) {
        expect(compileRoute(pattern).match(path), `${pattern} at ${path}`).not.toBeNull();
        expect(new URL(`http://x.example/wp-json${path}`).pathname).toBe(`/wp-json${path}`);
      }
    }
  });

  test.each([
    ['/a/(?P<id>\\d{3})', '/a/111'],
    ['/a/(?P<id>[^\\d\\/]+)', '/a/a'],
    ['/a/(?:foo|bar)(?:/x)?', '/a/foo'],
    ['/a/(?P<id>[\\d]+|me)', '/a/1'],
    ['/a(?:/(?P<id>\\d+))?', '/a'],
    ['/a/(?P<id>([^\\/:<>]+(?:\\/[^\\/:<>]+)?)[\\/\\w%-]+)', '/a/11'],
    ['/A/x{1,2}', '/A/x'],
  ])('%s → %s', (pattern, path) => {
    expect(generateSamplePaths(pattern)[0]).toBe(path);
  });

  test.each([
    ['an invalid pattern', '/a/('],
    ['a pattern that nothing matches', '/ab^'],
    ['a pattern with a lookaround, which is not matched', '/a/(?!1)(?P<id>\\w+)'],
    ['a pattern that only spaces match', '/a/\\s+'],
    ['a pattern that requires two slashes', '/a//b'],
    ['a pattern that requires a dot segment', '/a/\\.\\./b'],
    ['a pattern without a leading slash', 'a'],
    ['a pattern with very many repetitions', `/a/${'(?:'.repeat(20)}x${'{9})'.repeat(20)}`],
  ])('do not exist for %s', (_, pattern) => {
    expect(generateSamplePaths(pattern)).toEqual([]);
  });
});
