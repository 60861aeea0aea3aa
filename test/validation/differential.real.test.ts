import { expect, test } from 'vitest';
import { describe as show } from '../../scripts/fuzz/report.mjs';
import { basic, useWordPress } from '../support/wordpress.ts';
import { fuzzed } from './fuzzed.ts';

/** A site of its own: the requests write. */
const site = useWordPress({ workers: 4 });

/** `FUZZ_SEED` draws others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

test('of 5,000 requests none that WordPress accepts is refused, and what it refuses for its parameters is', async () => {
  const summary = await fuzzed(site().url, {
    authorization: basic(site().users.administrator),
    seed: SEED,
    count: Number(process.env['FUZZ_COUNT'] ?? 5000),
  });
  const { wrong, changed, share, refused, sent } = summary;
  expect(wrong.concat(changed).length, show(summary)).toBe(0);
  expect(refused).toBeGreaterThan(sent / 4);
  expect(share, show(summary)).toBeGreaterThanOrEqual(0.95);
}, 600_000);
