import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shop } from '../../scripts/bench/shop.mjs';
import { PRETTY_ADDRESS } from '../support/site.ts';
import { useStepCounter } from '../support/steps.ts';

interface Case {
  readonly index: () => unknown;
  readonly operations: number;
  /** Limit of the steps per operation. */
  readonly steps: number;
  /** Limit of the growth of resident memory, in megabytes. */
  readonly megabytes: number;
}

/**
 * The limits are twice what is taken and more, so that only a wrong order of growth exceeds them.
 */
const cases: readonly (readonly [string, Case])[] = [
  ['WordPress 7.1', { index: recorded, operations: 257, steps: 80_000, megabytes: 250 }],
  ['2,000 operations', { index: () => shop(2_000), operations: 2_002, steps: 40_000, megabytes: 500 }],
];

const countSteps = useStepCounter();

describe('generating all files of a site takes bounded work and memory', () => {
  it.each(cases)('%s', { timeout: 120_000 }, async (_, { index, operations, steps, megabytes }) => {
    const { readIndex } = await import('../../src/discovery/read-index.ts');
    const { generateFrom } = await import('../../src/generate.ts');
    const raw = index();
    const { maxRSS } = process.resourceUsage();
    const taken = await countSteps(async () => {
      const { files, report } = await generateFrom({ address: PRETTY_ADDRESS, ...readIndex(raw) });
      expect(report.counts.operations).toBe(operations);
      expect([...files.values()].every((text) => text.length > 10_000)).toBe(true);
    });
    expect(taken / operations).toBeLessThan(steps);
    expect((process.resourceUsage().maxRSS - maxRSS) / 1e3).toBeLessThan(megabytes);
  });
});

function recorded(): unknown {
  const url = new URL('../fixtures/wordpress-7.1-index-help.json', import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}
