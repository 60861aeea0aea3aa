import { describe, expect, test } from 'vitest';
import { playByPolicy } from './by-policy.ts';
import { expectPlayed } from './played.ts';
import { TABLE } from './table.ts';

/** Saturday, the first day of a month, at a whole second: dates in the table have no fractions. */
const START = Date.UTC(2031, 10, 1, 12, 0, 0);

describe.each(Object.entries(TABLE))('%s', (_topic, cases) => {
  test.each(cases.map((one) => [one.name, one.rfc, one] as const))('%s (%s)', (_name, _rfc, one) => {
    expectPlayed(one, playByPolicy(one, START), START);
  });
});

test('the table has several hundred cases, each told apart by what holds', () => {
  const all = Object.entries(TABLE).flatMap(([topic, cases]) => cases.map(({ name }) => `${topic}: ${name}`));
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
