import { describe, expect, it } from 'vitest';
import { isLinear, parsePcre } from '../../src/pcre/index.ts';

function isLinearPattern(pattern: string, matchesWhole: boolean): boolean | string {
  const parsed = parsePcre(pattern);
  return parsed.ok ? isLinear(parsed.root, matchesWhole) : parsed.message;
}

describe('the time of a pattern that matches the whole subject', () => {
  it.each([
    '[\\d]+',
    '(?:[\\d]+|me)',
    '[a-z0-9]+(?:-[a-z0-9]+)*',
    '[^.\\/]+(?:\\/[^.\\/]+)?',
    '[a-zA-Z0-9\\-\\/]+?',
    '(\\d{4})-?(\\d{2})-?(\\d{2})',
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  ])('is linear: %s', (pattern) => expect(isLinearPattern(pattern, true)).toBe(true));

  it.each([
    '([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+',
    '\\d+\\d+',
    '.*a.*b',
    'a*b?a*',
    '(?:a*b|c)*a*b?a*',
    '(a+)+',
    '(a*)*',
    '(a|a)*',
    '(a|aa)+',
    '(?:ab|a(?:b|c))*',
    '(?:\\w+-?)+',
    '(?:a?){30}a{30}',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
    `${'(?:a|a)'.repeat(30)}`,
    '(a)\\1*b',
  ])('is not known to be linear: %s', (pattern) => expect(isLinearPattern(pattern, true)).toBe(false));
});

describe('the time of a search', () => {
  it.each([
    '[\\w-]+',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$',
    '[^.\\/]+(?:\\/[^.\\/]+)?',
    'foo',
  ])('is linear: %s', (pattern) => expect(isLinearPattern(pattern, false)).toBe(true));

  it.each(['a*b', '.*\\S.*', '\\d+$', '^(a+)+$', '\\w+\\b'])('is not known to be linear: %s', (pattern) =>
    expect(isLinearPattern(pattern, false)).toBe(false),
  );
});

it('the analysis of adversarial patterns ends', () => {
  const hard = [
    `(?:${'[ab]{50}'.repeat(40)})*`,
    '((((a{60}){60}){60}){60}){60}',
    '((((?:\\b){65535}){65535}){65535}){65535}',
    `${'(?:a*b*)'.repeat(500)}`,
    `(?:${Array.from({ length: 700 }, (_, i) => `a${i}b*`).join('|')})*`,
    'x'.repeat(8000),
  ];
  for (const pattern of hard) expect([true, false]).toContain(isLinearPattern(pattern, true));
});
