import { describe, expect, test } from 'vitest';
import type { RouteCacheRule } from '../../src/config/option-types.ts';
import { createCacheRuleResolver } from '../../src/wordpress/cache-key.ts';

const TARGET = { route: '/wp/v2/posts', namespace: 'wp/v2', method: 'GET', isInDocument: true };

describe('the times of a rule', () => {
  test('default to 30 s, 5 s for a 404 and a permanent redirect, 10 minutes stale-while-revalidate and one day stale-if-error', () => {
    const { rule, usesStore } = createCacheRuleResolver([])(TARGET);
    expect(usesStore).toBe(true);
    expect([200, 404, 410, 301, 500, 401].map(rule.getTtl)).toEqual([30, 5, 5, 5, 0, 0]);
    expect(rule).toMatchObject({ staleWhileRevalidate: 600, staleIfError: 86_400, overridesResponse: false });
  });

  test.each([
    [
      'for operations that are not in the document',
      createCacheRuleResolver([])({ ...TARGET, isInDocument: false }),
    ],
  ])('%s are zero, so that the response decides', (_, { rule }) => {
    expect([200, 404].map(rule.getTtl)).toEqual([0, 0]);
    expect(rule).toMatchObject({ staleWhileRevalidate: 0, staleIfError: 0 });
  });

  test('that it omits are those of the default', () => {
    const { rule, tags } = createCacheRuleResolver([{ match: '/wp/v2/posts*', ttl: 300, tags: ['blog'] }])(
      TARGET,
    );
    expect([rule.getTtl(200), rule.getTtl(404), rule.staleWhileRevalidate]).toEqual([300, 5, 600]);
    expect(tags).toEqual(['blog']);
  });

  test('limit that of a 404 to the ttl', () => {
    const ttl = (rule: Partial<RouteCacheRule>): unknown =>
      createCacheRuleResolver([{ match: '*', ...rule }])(TARGET).rule.getTtl(404);
    expect([ttl({ ttl: 2 }), ttl({ ttl: 60 })]).toEqual([2, 5]);
  });
});

describe('the globs of a rule', () => {
  const CASES: readonly (readonly [RouteCacheRule, Partial<typeof TARGET>, boolean])[] = [
    [{ match: '/wp/v2/posts' }, {}, true],
    [{ match: '/wp/v2/posts' }, { route: '/wp/v2/posts/1' }, false],
    [{ match: '/wp/v2/posts*' }, { route: '/wp/v2/posts/1' }, true],
    [{ match: '/wp/v2/*/revisions' }, { route: '/wp/v2/posts/1/revisions' }, true],
    [{ match: '/wp/v2/*/revisions' }, { route: '/wp/v2/posts/1/revisions/2' }, false],
    [{ match: 'wp/v2' }, {}, true],
    [{ match: 'wp/v2/' }, {}, true],
    [{ match: 'wc/*' }, { namespace: 'wc/v3' }, true],
    [{ match: 'wc/*' }, {}, false],
    [{ match: ['wc/*', '/wp/v2/posts'] }, {}, true],
    [{ match: '/wp/v2/p.sts' }, {}, false],
  ];

  test.each(CASES)('%j matches a request with %j: %s', (rule, target, matches) => {
    expect(createCacheRuleResolver([rule])({ ...TARGET, ...target }).isConfigured).toBe(matches);
  });

  test('are tried in order, and the first match decides', () => {
    const resolveRule = createCacheRuleResolver([
      { match: '/wp/v2/posts', store: false },
      { match: '*', ttl: 60 },
    ]);
    expect(resolveRule(TARGET).usesStore).toBe(false);
    expect(resolveRule({ ...TARGET, route: '/wp/v2/pages' }).rule.getTtl(200)).toBe(60);
  });
});
