import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseCacheControl, parseDeltaSeconds } from '../../src/http/cache-directives.ts';

describe('directives are read', () => {
  it.each([
    ['max-age=60', [['max-age', '60']]],
    [
      'Max-Age="60" , NO-CACHE',
      [
        ['max-age', '60'],
        ['no-cache', null],
      ],
    ],
    [
      'a="b, c=\\"d\\"", e',
      [
        ['a', 'b, c="d"'],
        ['e', null],
      ],
    ],
    [' , ,', []],
    ['a=', [['a', '']]],
    ['a =1', [['a', '']]],
    ['a= 1', [['a', '']]],
    ['a="b', [['a', 'b']]],
    [
      'a="b" c, d',
      [
        ['a', 'b'],
        ['d', null],
      ],
    ],
    [
      'a=1, a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['=1, b', [['b', null]]],
  ] as const)('%j', (field, expected) => {
    expect(parseCacheControl(field).map(({ argument, name }) => [name, argument])).toEqual(expected);
  });

  test('any text is parsed in linear time', () => {
    const tokens = fc.constantFrom('max-age', '=', '"', '\\', ',', ' ', '60', 'no-store', ';', '\t');
    fc.assert(
      fc.property(fc.array(tokens), (text) => {
        const directives = parseCacheControl(text.join(''));
        expect(directives.every(({ name }) => name !== '' && name === name.trim().toLowerCase())).toBe(true);
      }),
    );
    expect(parseCacheControl('"'.repeat(100_000)).length).toBeLessThanOrEqual(1);
    expect(parseCacheControl(', '.repeat(100_000))).toEqual([]);
  });
});

it.each([
  ['0', 0],
  ['60', 60],
  ['0060', 60],
  ['2147483648', 2 ** 31],
  ['9'.repeat(400), 2 ** 31],
  ['-1', null],
  ['+1', null],
  ['1.0', null],
  ['1e3', null],
  [' 1', null],
  ['', null],
  [null, null],
])('%j is %j seconds', (text, seconds) => {
  expect(parseDeltaSeconds(text)).toBe(seconds);
});
