import { describe, expect, it } from 'vitest';
import { parseArgumentPattern, parsePcre, parseRoutePattern } from '../../src/pcre/index.ts';

/** Results observed with PHP 8.2 (PCRE2 10.42). */
describe('a pattern that PCRE rejects fails with the offset of the error', () => {
  const refused: readonly [string, number, string][] = [
    ['a**', 2, 'nothing to repeat'],
    ['^*a', 1, 'nothing to repeat'],
    ['a|*', 2, 'nothing to repeat'],
    ['a{2}{3}', 4, 'nothing to repeat'],
    ['a(?i)*', 5, 'nothing to repeat'],
    ['\\b+', 2, 'nothing to repeat'],
    ['a\\K?b', 3, 'nothing to repeat'],
    ['a{65536}', 8, 'too big'],
    ['a{3,2}', 6, 'out of order'],
    ['[z-a]', 4, 'out of order'],
    ['[\\d-z]', 3, 'cannot start with a set'],
    ['[a-\\d]', 5, 'cannot end with a set'],
    ['[]', 2, 'no ]'],
    ['[[:foo:]]', 8, 'unknown POSIX class'],
    ['[[:a[b:]]', 8, 'unknown POSIX class'],
    ['[:alpha:]', 9, 'outside of a class'],
    ['[.a.]', 5, 'outside of a class'],
    ['(a', 1, 'unmatched ('],
    ['a)', 1, 'unmatched )'],
    ['\\i', 2, 'has no meaning'],
    ['[\\R]', 3, 'has no meaning in a class'],
    ['(?P<1a>x)', 7, 'is not a valid group name'],
    ['a\\', 2, 'end of the pattern'],
    ['\\x{100}', 7, 'out of range'],
  ];
  it.each(refused)('%s', (pattern, offset, message) => {
    const parsed = parsePcre(pattern);
    expect(parsed).toMatchObject({ ok: false, reason: 'invalid', offset });
    expect(parsed.ok ? '' : parsed.message).toContain(message);
  });
});

it.each([
  ...'a{,3} a{2 x++ (?=a)*b []a] [^]a] [\\w-] [a-] [--a] [:a] [:al]pha:] [:\\\\]:] ()* (|a)+'.split(' '),
  ..."a(?#c)* a\\E* (?P<n>a)(?P=n) \\p{Greek} \\_ (?<=a|bc)b (?'n'a)".split(' '),
])('%s is parsed, as PCRE accepts it', (pattern) => {
  expect(parsePcre(pattern)).toMatchObject({ ok: true });
});

it('the failure distinguishes unsupported syntax from invalid patterns', () => {
  for (const pattern of '(?(1)a|b) (*SKIP)a (?|(a)|(b))(c) (?C) (?m)^a \\Qa [\\Q]\\E] \\101'.split(' '))
    expect(parsePcre(pattern)).toMatchObject({ ok: false, reason: 'unsupported' });
  expect(parsePcre('a'.repeat(10_000))).toMatchObject({ ok: false, reason: 'too-large' });
});

it('nested parentheses are limited: 100,000 exceed the length, 4,000 the depth', () => {
  expect(parsePcre('('.repeat(100_000))).toMatchObject({ ok: false, reason: 'too-large' });
  expect(parsePcre(`${'('.repeat(4000)}${')'.repeat(4000)}`)).toMatchObject({
    ok: false,
    reason: 'invalid',
    offset: 251,
  });
});

it('groups have numbers and names', () => {
  const parsed = parsePcre("(a)(?P<x>b(?<y>c))(?:d)(?'z'e)");
  expect(parsed.ok && parsed.groups).toEqual([
    { index: 1 },
    { index: 2, name: 'x' },
    { index: 3, name: 'y' },
    { index: 4, name: 'z' },
  ]);
});

describe('checks of PHP and WordPress before PCRE compiles a pattern:', () => {
  it.each([
    ['/(?P<n>a@b)', 'an unescaped @'],
    ['/(?P<n>[@])', 'an unescaped @'],
    ['/(?P<n>a)(?P<n>b)', 'two groups are named n'],
  ])('the route %s is refused', (route, rejectionReason) =>
    expect(parseRoutePattern(route)).toMatchObject({ ok: true, rejectionReason }),
  );

  it('an escaped @ in a route is accepted', () => {
    expect(parseRoutePattern('/(?P<n>[a\\@b]+)')).not.toHaveProperty('rejectionReason');
  });

  it('a # in an argument pattern is escaped, and an escaped # becomes unescaped', () => {
    expect(parseArgumentPattern('^#[0-9a-f]+$')).not.toHaveProperty('rejectionReason');
    expect(parseArgumentPattern('a\\#b')).toMatchObject({ rejectionReason: 'an unescaped #' });
  });
});
