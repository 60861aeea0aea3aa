import { describe, expect, it } from 'vitest';
import { type Ambiguity, analyzeAmbiguity } from '../../src/pcre/ambiguity.ts';
import { parsePcre } from '../../src/pcre/parser.ts';

function ambiguityOf(pattern: string, matchesWhole: boolean): Ambiguity | string {
  const parsed = parsePcre(pattern);
  return parsed.ok ? analyzeAmbiguity(parsed.root, { matchesWhole }) : parsed.message;
}

describe('the ambiguity of an anchored pattern', () => {
  const cases: readonly [string, Ambiguity][] = [
    ['[\\d]+', 'none'],
    ['[\\w-]+', 'none'],
    ['(?:[\\d]+|me)', 'none'],
    ['[a-z0-9]+(?:-[a-z0-9]+)*', 'none'],
    ['[^.\\/]+(?:\\/[^.\\/]+)?', 'none'],
    ['[a-zA-Z0-9\\-\\/]+?', 'none'],
    ['(\\d{4})-?(\\d{2})-?(\\d{2})', 'none'],
    ['[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'none'],
    ['(?:a|b|ab)', 'none'],
    ['\\d+(?!x)', 'none'],
    ['([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+', 'polynomial'],
    ['[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?', 'none'],
    ['\\d+\\d+', 'polynomial'],
    ['.*a.*b', 'polynomial'],
    ['(?:(?=a*b)a)*', 'polynomial'],
    ['(a+)+', 'exponential'],
    ['(a*)*', 'exponential'],
    ['(a|a)*', 'exponential'],
    ['(a|aa)+', 'exponential'],
    ['(?:\\w+-?)+', 'exponential'],
    ['(?:a?){30}a{30}', 'exponential'],
    [`${'a?'.repeat(30)}${'a'.repeat(30)}`, 'exponential'],
    [`${'(?:a|a)'.repeat(30)}`, 'exponential'],
    ['(?=(a+)+b)a*', 'exponential'],
    ['(a)\\1', 'unknown'],
  ];
  it.each(cases)('%s is %s', (pattern, ambiguity) => expect(ambiguityOf(pattern, true)).toBe(ambiguity));
});

describe('the ambiguity of an unanchored pattern', () => {
  const cases: readonly [string, Ambiguity][] = [
    ['[\\w-]+', 'none'],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'none'],
    ['^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$', 'none'],
    ['[^.\\/]+(?:\\/[^.\\/]+)?', 'none'],
    ['foo', 'none'],
    ['a*b', 'polynomial'],
    ['.*\\S.*', 'polynomial'],
    ['\\d+$', 'polynomial'],
    ['^(a+)+$', 'exponential'],
    ['\\w+\\b', 'polynomial'],
  ];
  it.each(cases)('%s is %s', (pattern, ambiguity) => expect(ambiguityOf(pattern, false)).toBe(ambiguity));
});

it('the analysis of adversarial patterns ends', () => {
  const hard = [
    `(?:${'[ab]{50}'.repeat(40)})*`,
    '((((a{60}){60}){60}){60}){60}',
    `${'(?:a*b*)'.repeat(500)}`,
    `(?:${Array.from({ length: 700 }, (_, i) => `a${i}b*`).join('|')})*`,
    'x'.repeat(8000),
  ];
  for (const pattern of hard)
    expect(['none', 'polynomial', 'exponential', 'unknown']).toContain(ambiguityOf(pattern, true));
});
