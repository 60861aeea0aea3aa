import { describe, expect, test } from 'vitest';
import { type CharSet, computeClassCharSet } from '../../src/pcre/charset.ts';

describe('the set of a character class', () => {
  test.each([
    '\\p{L}\\p{N}_',
    '\\p{C}',
    '\\p{Cs}',
    '\\p{Any}',
    '\\p{Script=Greek}',
    '\\p{P}$+<=>^`|~',
    '\\p{Noncharacter_Code_Point}',
    '\\p{Default_Ignorable_Code_Point}',
  ])('[%s] contains every code point that a JavaScript RegExp matches', (contents) => {
    expect(computeClassCharSet(contents)).toEqual(matchEachCodePoint(contents));
  });

  test('an unknown property throws a SyntaxError', () => {
    expect(() => computeClassCharSet('\\p{Nonsense}')).toThrow(SyntaxError);
  });
});

function matchEachCodePoint(contents: string): CharSet {
  const member = new RegExp(`^[${contents}]`, 'u');
  const ranges: [number, number][] = [];
  let last: [number, number] | undefined;
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (!member.test(String.fromCodePoint(point))) continue;
    if (last !== undefined && last[1] === point - 1) last[1] = point;
    else {
      last = [point, point];
      ranges.push(last);
    }
  }
  return ranges;
}
