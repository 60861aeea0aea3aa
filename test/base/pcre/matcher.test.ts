import { describe, expect, it } from 'vitest';
import { compilePattern, compileRoute } from '../../../src/base/pcre/index.ts';
import { extractLiteralPrefix } from '../../../src/base/pcre/matcher.ts';

// `preg-match.real.test.ts` compares patterns with the installed PHP.
describe('a compiled route', () => {
  it('returns groups of any name, including __proto__', () => {
    const groups = compileRoute('/(?P<__proto__>a+)(?P<constructor>b)?').match('/aab') ?? {};
    expect(JSON.stringify(groups)).toBe('{"__proto__":"aa","constructor":"b"}');
    expect(Object.getPrototypeOf(groups)).toBe(Object.prototype);
  });
});

describe('a route with syntax that RE2 does not have matches more paths and is marked as inexact', () => {
  it.each([
    ['/x/(?P<n>(?>a|ab))c', '/x/abc', { n: 'ab' }],
    ['/x/(?P<n>(?!admin)[a-z]+)', '/x/administrator', { n: 'administrator' }],
    ['/x/(?P<n>[a-z]+)(?<!in)', '/x/admin', { n: 'admin' }],
    ['/x/(?J)(?:(?P<n>a)|(?P<n>b))', '/x/b', {}],
    ['/x/(?P<n>(?:[a-z]{2,5000}x?)+)', '/x/abc', {}],
  ])('%s', (pattern, path, groups) => {
    const matcher = compileRoute(pattern);
    expect(matcher.exact).toBe(false);
    expect(matcher.match(path)).toEqual(groups);
    expect(matcher.match('/y')).toBe(null);
  });
});

it.each(['^\\p{Hira}+$', '[^\\p{Letter}]', '\\P{ASCII}', '^[^[:^punct:]]+$'])(
  '%s has a class that RE2 does not have, so any value is accepted',
  (pattern) => {
    const matcher = compilePattern(pattern);
    expect([matcher.exact, matcher.test('x1')]).toEqual([false, true]);
  },
);

describe('matching time grows linearly with the subject', () => {
  it.each([
    '/(?P<n>(a+)+)',
    `/(?P<n>${'(?:'.repeat(60)}a?${')*'.repeat(60)})b`,
    '/(?:(?=a*b)a)*',
    '/(?:(?>a*b?)a?)*z',
    '/a*a++(?P<n>b)',
    `/${'a?'.repeat(200)}${'a'.repeat(200)}b`,
  ])('%s', (pattern) => {
    const matcher = compileRoute(pattern);
    expect(matcher.match(`/${'a'.repeat(4000)}!`)).toBe(null);
  });
});

describe('the prefix of a pattern that does not parse', () => {
  // Expressions that search the end of each class would take minutes.
  it.each([
    ['classes without end', `/a/${'['.repeat(60_000)}`, '/a/'],
    ['millions of groups', `/a/${'(?<a>'.repeat(2_000_000)}`, '/a/'],
    ['a long text', `/${'a'.repeat(20_000_000)}`, '/'],
  ])('is found in linear time with %s', (_, pattern, text) => {
    for (let i = 0; i < 20; i += 1) expect(extractLiteralPrefix(pattern).text).toBe(text);
  });
});
