import { describe, expect, test } from 'vitest';
import { describe as show } from '../../scripts/fuzz/report.mjs';
import { basicAuth, useWordPress } from '../support/wordpress.ts';
import { fuzzSite } from './fuzz-site.ts';

/** A site of its own: the requests write. */
const site = useWordPress({ workers: 4 });

/** `FUZZ_SEED` draws others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

test('of 2,500 requests, those that WordPress accepts are forwarded, and those that it refuses for their parameters are rejected', async () => {
  const summary = await fuzzSite(site().url, {
    authorization: basicAuth(site().users.administrator),
    seed: SEED,
    count: Number(process.env['FUZZ_COUNT'] ?? 2500),
  });
  const { wrong, changed, share, refused, sent } = summary;
  expect(wrong.concat(changed).length, show(summary)).toBe(0);
  expect(refused).toBeGreaterThan(sent / 4);
  expect(share, show(summary)).toBeGreaterThanOrEqual(0.95);
}, 600_000);

describe('plugins that sanitise by themselves', () => {
  const plugins = useWordPress({ workers: 4, testPlugins: true });
  const options = () => ({
    authorization: basicAuth(plugins().users.administrator),
    seed: SEED,
    count: Number(process.env['FUZZ_COUNT'] ?? 600),
    namespaces: ['community/v1', 'store/v1', 'catalog/v1'],
  });

  test.each([[[]], [['include', 'exclude']]])(
    'enforce refuses nothing that they accept, without a calibration, aimed at %j',
    async (aim) => {
      const summary = await fuzzSite(plugins().url, { ...options(), aim });
      expect(summary.wrong.concat(summary.changed).length, show(summary)).toBe(0);
    },
    600_000,
  );

  test.each([[[]], [['include', 'exclude']]])(
    'after a calibration, enforce refuses 95 % of what they refuse and nothing that they accept, aimed at %j',
    async (aim) => {
      const summary = await fuzzSite(plugins().url, { ...options(), aim, calibrated: 'all' });
      expect(summary.wrong.concat(summary.changed).length, show(summary)).toBe(0);
      expect(summary.refused).toBeGreaterThan(summary.sent / 8);
      expect(summary.share, show(summary)).toBeGreaterThanOrEqual(0.95);
    },
    600_000,
  );
});
