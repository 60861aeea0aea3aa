import { describe, expect, test } from 'vitest';
import { startReplay } from '../../../scripts/fuzz/replay.mjs';
import { type Summary, describe as show, summarize } from '../../../scripts/fuzz/report.mjs';
import { type FuzzOptions, fuzz } from '../../../scripts/fuzz/run.mjs';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { startGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';

/** A site of its own: the requests write. */
const site = useWordPress({ workers: 4 });

/** `FUZZ_SEED` draws others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** Sends generated requests to a site, which executes each once, and through a gateway that enforces its rules. */
async function compare(
  siteUrl: string,
  {
    mode = 'enforce',
    ...requests
  }: Pick<FuzzOptions, 'aim' | 'authorization' | 'count' | 'namespaces'> & {
    readonly mode?: 'enforce' | 'strict';
  },
): Promise<Summary> {
  const index: unknown = await (await fetch(`${siteUrl}index.php?rest_route=/`)).json();
  const replay = await startReplay(siteUrl);
  closeAfterTest(replay.close);
  const sites = [{ url: `${replay.origin}/`, validation: { mode } }];
  const { origin } = await startGateway({ gateway: { sites, cache: 'off' } });
  const urls = { site: siteUrl, gateway: `${origin}/` };
  return summarize(await fuzz({ seed: SEED, ...requests, ...urls, index, replay, prefix: 'wp-json' }));
}

// What callbacks refuse has the same share in both modes, which needs many requests.
test.each([['enforce', 400] as const, ['strict', 150] as const])(
  '%s forwards those of %i requests that WordPress accepts, and rejects those that it refuses for their parameters',
  async (mode, count) => {
    const summary = await compare(site().url, {
      mode,
      authorization: basicAuth(site().users.administrator),
      count: Number(process.env['FUZZ_COUNT'] ?? count),
    });
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

  // Parameters that most requests set to a list of ids.
  test.each([[[]], [['include', 'exclude']]])(
    'enforce refuses nothing that they accept, aimed at %j',
    async (aim) => {
      const summary = await compare(plugins().url, {
        aim,
        authorization: basicAuth(plugins().users.administrator),
        count: Number(process.env['FUZZ_COUNT'] ?? 80),
        namespaces: ['community/v1', 'store/v1', 'catalog/v1'],
      });
      expect(summary.wrong.concat(summary.changed).length, show(summary)).toBe(0);
    },
    600_000,
  );
});
