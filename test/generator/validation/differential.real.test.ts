import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as show } from '../../../scripts/fuzz/report.mjs';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';
import { FuzzedSite } from './fuzz-site.ts';

/** A site of its own: the requests write. */
const site = useWordPress({ workers: 4 });

/** `FUZZ_SEED` draws others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

// What callbacks refuse has the same share in both modes, which needs many requests.
test.each([['enforce', 400] as const, ['strict', 150] as const])(
  '%s forwards those of %i requests that WordPress accepts, and rejects those that it refuses for their parameters',
  async (mode, count) => {
    const fuzzed = await FuzzedSite.start(site().url);
    const summary = await fuzzed.compare({
      mode,
      authorization: basicAuth(site().users.administrator),
      seed: SEED,
      count: Number(process.env['FUZZ_COUNT'] ?? count),
    });
    await fuzzed.close();
    const { wrong, changed, missed, share, refused, sent } = summary;
    expect(wrong.concat(changed).length, show(summary)).toBe(0);
    expect(refused).toBeGreaterThan(sent / 4);
    if (mode === 'strict') return;
    expect(share, show(summary)).toBeGreaterThanOrEqual(0.9);
    const forwarded = missed.reduce((sum, { count }) => sum + count, 0);
    // Refusals of callbacks, whose share depends on what is drawn.
    expect(forwarded / refused, show(summary)).toBeLessThanOrEqual(0.08);
  },
  600_000,
);

describe('plugins that sanitise by themselves', () => {
  const plugins = useWordPress({ workers: 4, testPlugins: true });
  let fuzzed: FuzzedSite;
  beforeAll(async () => {
    fuzzed = await FuzzedSite.start(plugins().url);
  });
  afterAll(() => fuzzed.close());

  // Parameters that most requests set to a list of ids.
  test.each([[[]], [['include', 'exclude']]])(
    'enforce refuses nothing that they accept, aimed at %j',
    async (aim) => {
      const summary = await fuzzed.compare({
        aim,
        authorization: basicAuth(plugins().users.administrator),
        seed: SEED,
        count: Number(process.env['FUZZ_COUNT'] ?? 80),
        namespaces: ['community/v1', 'store/v1', 'catalog/v1'],
      });
      expect(summary.wrong.concat(summary.changed).length, show(summary)).toBe(0);
    },
    600_000,
  );
});
