import { describe, expect, test } from 'vitest';
import { expectOutcomes } from './outcomes.ts';
import { runWithEngine } from './run-with-engine.ts';
import { START, TABLE } from './table.ts';

describe.each(Object.entries(TABLE))('engine: %s', (_topic, cases) => {
  test.each(cases.map((one) => [one.name, one.rfc, one] as const))('%s (%s)', async (_name, _rfc, one) => {
    expectOutcomes(one, await runWithEngine(one, START), START);
  });
});

test('the table has several hundred cases with distinct names', () => {
  const all = Object.entries(TABLE).flatMap(([topic, cases]) => cases.map(({ name }) => `${topic}: ${name}`));
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
