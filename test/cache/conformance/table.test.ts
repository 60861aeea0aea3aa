import { describe, expect, test } from 'vitest';
import type { Awaitable } from '../../../src/cache/store.ts';
import type { Case } from './case.ts';
import { expectOutcomes, type StepOutcome } from './outcomes.ts';
import { runWithEngine } from './run-with-engine.ts';
import { runWithPolicy } from './run-with-policy.ts';
import { START, TABLE } from './table.ts';

const RUNNERS: Readonly<Record<string, (of: Case, start: number) => Awaitable<readonly StepOutcome[]>>> = {
  policy: runWithPolicy,
  'engine with a memory store': runWithEngine,
};

describe.each(Object.entries(RUNNERS))('%s', (_runner, run) => {
  describe.each(Object.entries(TABLE))('%s', (_topic, cases) => {
    test.each(cases.map((one) => [one.name, one.rfc, one] as const))('%s (%s)', async (_name, _rfc, one) => {
      expectOutcomes(one, await run(one, START), START);
    });
  });
});

test('the table has several hundred cases with distinct names', () => {
  const all = Object.entries(TABLE).flatMap(([topic, cases]) => cases.map(({ name }) => `${topic}: ${name}`));
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
