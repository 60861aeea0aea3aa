import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shop } from '../../scripts/bench/shop.mjs';
import { readIndex } from '../../src/discovery/read-index.ts';
import { generateFrom } from '../../src/generate.ts';
import { PRETTY_ADDRESS } from '../support/site.ts';

interface Case {
  readonly index: () => unknown;
  readonly operations: number;
  /** Limit of the processor time of all threads of this process, in seconds. */
  readonly seconds: number;
  /** Limit of the growth of resident memory, in megabytes. */
  readonly megabytes: number;
}

/**
 * The limits are several times what a small machine needs, so that only a wrong order of growth exceeds them;
 * `npm run bench:types` measures the actual cost.
 */
const cases: readonly (readonly [string, Case])[] = [
  ['WordPress 7.1', { index: recorded, operations: 257, seconds: 3, megabytes: 250 }],
  ['2,000 operations', { index: () => shop(2_000), operations: 2_002, seconds: 8, megabytes: 500 }],
];

describe('generating all files of a site takes bounded time and memory', () => {
  it.each(cases)('%s', { timeout: 120_000 }, async (_, { index, operations, seconds, megabytes }) => {
    const raw = index();
    const { maxRSS } = process.resourceUsage();
    const start = process.cpuUsage();
    const { files, report } = await generateFrom({ address: PRETTY_ADDRESS, ...readIndex(raw) });
    const { user, system } = process.cpuUsage(start);
    expect(report.counts.operations).toBe(operations);
    expect([...files.values()].every((text) => text.length > 10_000)).toBe(true);
    expect((user + system) / 1e6).toBeLessThan(seconds);
    expect((process.resourceUsage().maxRSS - maxRSS) / 1e3).toBeLessThan(megabytes);
  });
});

function recorded(): unknown {
  const url = new URL('../fixtures/wordpress-7.1-index-help.json', import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}
