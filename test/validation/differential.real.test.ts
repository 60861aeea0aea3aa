import { expect, test } from 'vitest';
import { describe as show } from '../../scripts/fuzz/report.mjs';
import { basicAuth, useWordPress } from '../support/wordpress.ts';
import { fuzzSite } from './fuzz-site.ts';

/** A site of its own: the requests write. */
const site = useWordPress({ workers: 4 });

/** `FUZZ_SEED` draws others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

test('of 5,000 requests, those that WordPress accepts are forwarded, and those that it refuses for their parameters are rejected', async () => {
  const summary = await fuzzSite(site().url, {
    authorization: basicAuth(site().users.administrator),
    seed: SEED,
    count: Number(process.env['FUZZ_COUNT'] ?? 5000),
  });
  const { wrong, changed, share, refused, sent } = summary;
  expect(wrong.concat(changed).length, show(summary)).toBe(0);
  expect(refused).toBeGreaterThan(sent / 4);
  expect(share, show(summary)).toBeGreaterThanOrEqual(0.95);
}, 600_000);
