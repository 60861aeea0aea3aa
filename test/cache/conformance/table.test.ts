import { describe, expect, test } from 'vitest';
import { playByEngine } from './by-engine.ts';
import { playByPolicy } from './by-policy.ts';
import type { Case } from './case.ts';
import { expectPlayed, type Played } from './played.ts';
import { START, TABLE } from './table.ts';

const PLAYERS: Readonly<Record<string, (of: Case, start: number) => readonly Played[]>> = {
  'the policy alone': playByPolicy,
  'the engine over a store in memory': playByEngine,
};

describe.each(Object.entries(PLAYERS))('%s', (_player, play) => {
  describe.each(Object.entries(TABLE))('%s', (_topic, cases) => {
    test.each(cases.map((one) => [one.name, one.rfc, one] as const))('%s (%s)', (_name, _rfc, one) => {
      expectPlayed(one, play(one, START), START);
    });
  });
});

test('the table has several hundred cases, each told apart by what holds', () => {
  const all = Object.entries(TABLE).flatMap(([topic, cases]) => cases.map(({ name }) => `${topic}: ${name}`));
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
