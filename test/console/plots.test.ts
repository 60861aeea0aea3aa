import { expect, test } from 'vitest';
import { drawLines } from '../../src/console/plot.tsx';
import { formatDuration, formatRate, formatShare } from '../../src/ui/format.ts';

test.each([
  [formatShare(0.98), '98.0\u00a0%'],
  [formatShare(null), '–'],
  [formatDuration(9.64), '9.6\u00a0ms'],
  [formatDuration(1_450), '1.4\u00a0s'],
  [formatRate(1_852.6), '1,853/min'],
  [formatRate(4), '4/min'],
])('a number is formatted as %s', (text, expected) => expect(text).toBe(expected));

test('a line is interrupted at a gap, and a point between two gaps is shown', () => {
  const values = [0, 4, null, 2, null];
  expect(drawLines([{ name: 'a', colour: 'blue', values }], 4)).toEqual([
    'M2.5 100H5L15 0h2.5M32.5 50H35h2.5',
  ]);
});
