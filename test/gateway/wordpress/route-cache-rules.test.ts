import { describe, expect, test } from 'vitest';
import type { RouteCacheRule } from '../../../src/base/option-types.ts';
import { createCacheRuleResolver } from '../../../src/gateway/wordpress/response-rules.ts';

const TARGET = { names: ['/wp/v2/posts', '/wp-json/wp/v2/posts'], namespace: 'wp/v2', isInDocument: true };

describe('the globs of a rule', () => {
  const CASES: readonly (readonly [RouteCacheRule, Partial<typeof TARGET>, boolean])[] = [
    [{ match: '/wp/v2/posts' }, { names: ['/wp/v2/posts/1'] }, false],
    [{ match: '/wp/v2/*/revisions' }, { names: ['/wp/v2/posts/1/revisions'] }, true],
    [{ match: '/wp/v2/*/revisions' }, { names: ['/wp/v2/posts/1/revisions/2'] }, false],
    [{ match: 'wp/v2' }, {}, true],
    [{ match: 'wc/*' }, { namespace: 'wc/v3' }, true],
    [{ match: 'wc/*' }, {}, false],
    [{ match: ['wc/*', '/wp/v2/posts'] }, {}, true],
    [{ match: '/wp/v2/p.sts' }, {}, false],
    [{ match: '/wp-json/wp/v2/posts' }, {}, true],
    [{ match: '/?rest_route=/wp/v2/posts' }, {}, true],
    [{ match: '/index.php?rest_route=%2Fwp%2Fv2%2FPosts' }, {}, true],
    [{ match: '/index.php/wp-json/wp/v2/po*' }, {}, true],
    [{ match: '/wp-json/wp/v2/pages' }, {}, false],
  ];

  test.each(CASES)('%j matches a request with %j: %s', (rule, target, matches) => {
    expect(createCacheRuleResolver([{ ...rule, ttl: 60 }])({ ...TARGET, ...target }).statesLifetime).toBe(
      matches,
    );
  });

  test('are tried in order, and the first match decides', () => {
    const resolveRule = createCacheRuleResolver([
      { match: '/wp/v2/posts', store: false },
      { match: '*', ttl: 60 },
    ]);
    expect(resolveRule(TARGET).usesStore).toBe(false);
    expect(resolveRule({ ...TARGET, names: ['/wp/v2/pages'] }).rule.getTtl(200)).toBe(60);
  });
});
