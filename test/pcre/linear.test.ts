import { expect, it } from 'vitest';
import { isLinear, parsePcre } from '../../src/pcre/index.ts';

function isLinearPattern(pattern: string): boolean | string {
  const parsed = parsePcre(pattern);
  return parsed.ok ? isLinear(parsed.root) : parsed.message;
}

it.each([
  ...['^[\\d]+$', '^(?:[\\d]+|me)$', '^[a-z0-9]+(?:-[a-z0-9]+)*$', '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$'],
  ...['^[^.\\/]+(?:\\/[^.\\/]+)?$', '^[a-zA-Z0-9\\-\\/]+?$', '^(\\d{4})-?(\\d{2})-?(\\d{2})$'],
  ...['^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', '[\\w-]+', '[^.\\/]+(?:\\/[^.\\/]+)?', 'foo'],
])('the time of a search for %s is linear', (pattern) => expect(isLinearPattern(pattern)).toBe(true));

it.each([
  '^([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+$',
  ...[
    '^\\d+\\d+$',
    '^.*a.*b$',
    '^a*b?a*$',
    '^(?:a*b|c)*a*b?a*$',
    '^(a+)+$',
    '^(a*)*$',
    '^(a|a)*$',
    '^(a|aa)+$',
  ],
  ...['^(?:ab|a(?:b|c))*$', '^(?:\\w+-?)+$', '^(?:a?){30}a{30}$', '^(a)\\1*b$'],
  `^${'a?'.repeat(30)}${'a'.repeat(30)}$`,
  `^${'(?:a|a)'.repeat(30)}$`,
  ...['a*b', '.*\\S.*', '\\d+$', '\\w+\\b'],
])('the time of a search for %s is not known to be linear', (pattern) =>
  expect(isLinearPattern(pattern)).toBe(false),
);

it('the analysis of adversarial patterns ends', () => {
  const hard = [
    `(?:${'[ab]{50}'.repeat(40)})*`,
    '((((a{60}){60}){60}){60}){60}',
    '((((?:\\b){65535}){65535}){65535}){65535}',
    `${'(?:a*b*)'.repeat(500)}`,
    `(?:${Array.from({ length: 700 }, (_, i) => `a${i}b*`).join('|')})*`,
    'x'.repeat(8000),
  ];
  for (const pattern of hard) expect([true, false]).toContain(isLinearPattern(`^(?:${pattern})$`));
});
