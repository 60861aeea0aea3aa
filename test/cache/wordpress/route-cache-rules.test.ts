import { describe, expect, test } from 'vitest';
import { createRuleResolver, type RouteCacheRule } from '../../../src/cache/wordpress/route-cache-rules.ts';

const SUBJECT = { route: '/wp/v2/posts', namespace: 'wp/v2', method: 'GET', isInDocument: true };

describe('how long answers are kept', () => {
  test('by default: 30 s, 10 minutes while they are revalidated, a day while the site fails, 404s 5 s', () => {
    const { rule, store } = createRuleResolver([], true)(SUBJECT);
    expect(store).toBe(true);
    expect([200, 404, 410, 301, 500, 401].map(rule.ttl)).toEqual([30, 5, 5, 0, 0, 0]);
    expect(rule).toMatchObject({ staleWhileRevalidate: 600, staleIfError: 86_400, override: false });
  });

  test.each([
    ['without the default', createRuleResolver([], false)(SUBJECT)],
    ['of what the document does not have', createRuleResolver([], true)({ ...SUBJECT, isInDocument: false })],
  ])('%s only by what the site says', (_, { rule }) => {
    expect([200, 404].map(rule.ttl)).toEqual([0, 0]);
    expect(rule).toMatchObject({ staleWhileRevalidate: 0, staleIfError: 0 });
  });

  test('a rule says what it says, and the default the rest', () => {
    const { rule, tags } = createRuleResolver(
      [{ match: '/wp/v2/posts*', ttl: 300, tags: ['blog'] }],
      true,
    )(SUBJECT);
    expect([rule.ttl(200), rule.ttl(404), rule.staleWhileRevalidate]).toEqual([300, 5, 600]);
    expect(tags).toEqual(['blog']);
  });

  test('what is missing is not missing for longer than what is there is fresh, unless a rule says so', () => {
    const ttl = (rule: Partial<RouteCacheRule>): unknown =>
      createRuleResolver([{ match: '*', ...rule }], true)(SUBJECT).rule.ttl(404);
    expect([ttl({ ttl: 2 }), ttl({ ttl: 2, notFound: 60 })]).toEqual([2, 60]);
  });
});

describe('which routes a rule is about', () => {
  const CASES: readonly (readonly [RouteCacheRule, Partial<typeof SUBJECT>, boolean])[] = [
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
    [{ match: '*', methods: ['HEAD'] }, {}, false],
    [{ match: '*', methods: ['HEAD'] }, { method: 'HEAD' }, true],
    [{ match: '/wp/v2/p.sts' }, {}, false],
  ];

  test.each(CASES)('%j and %j: %s', (rule, subject, matches) => {
    expect(createRuleResolver([rule], true)({ ...SUBJECT, ...subject }).isConfigured).toBe(matches);
  });

  test('the first that matches decides', () => {
    const ruleOf = createRuleResolver(
      [
        { match: '/wp/v2/posts', store: false },
        { match: '*', ttl: 60 },
      ],
      true,
    );
    expect(ruleOf(SUBJECT).store).toBe(false);
    expect(ruleOf({ ...SUBJECT, route: '/wp/v2/pages' }).rule.ttl(200)).toBe(60);
  });
});
