import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { toPhpInteger, toPhpString } from '../../../src/base/php/values.ts';

test.each([
  [1.9, 1],
  [-1.9, -1],
  [-0.5, 0],
  [Number.POSITIVE_INFINITY, 0],
  [Number.NaN, 0],
])('(int) %s is %s', (number, integer) => {
  expect(toPhpInteger(number)).toBe(integer);
});

const PRINTED: readonly (readonly [number | boolean | string, string])[] = [
  [true, '1'],
  [false, ''],
  [0.1, '0.1'],
  [-1.5, '-1.5'],
  [1e25, '1.0E+25'],
  [1e-7, '1.0E-7'],
  [123456789012345, '123456789012345'],
  [0.0001, '0.0001'],
  [0.00001, '1.0E-5'],
  [123456789.123456, '123456789.12346'],
  [12345678901234.56, '12345678901235'],
  [123456789012345.6, '1.2345678901235E+14'],
];

test.each(PRINTED)('(string) %s is %j', (value, text) => {
  expect(toPhpString(value)).toBe(text);
});

describe.skipIf(spawnSync('php', ['-v']).status !== 0)('PHP prints the same text', () => {
  test('for numbers', () => {
    const numbers = PRINTED.map(([value]) => value).filter((value) => typeof value === 'number');
    const script = 'foreach (json_decode(stream_get_contents(STDIN)) as $n) echo $n, "\\n";';
    const { stdout } = spawnSync('php', ['-r', script], { input: JSON.stringify(numbers), encoding: 'utf8' });
    expect(numbers.map(toPhpString)).toEqual(stdout.trim().split('\n'));
  });
});
