import { startReplay } from '../../scripts/fuzz/replay.mjs';
import { type Summary, summarize } from '../../scripts/fuzz/report.mjs';
import { type FuzzOptions, fuzz } from '../../scripts/fuzz/run.mjs';
import { createGateway } from '../../src/gateway/index.ts';
import { serve } from '../../src/node/index.ts';

/** Sends generated requests to a site directly and through a gateway in enforce mode, and summarizes the differences. */
export async function fuzzSite(
  site: string,
  options: Pick<FuzzOptions, 'authorization' | 'seed' | 'count' | 'bodyless' | 'parallel'>,
): Promise<Summary> {
  const index: unknown = await (await fetch(`${site}index.php?rest_route=/`)).json();
  const replay = await startReplay(site);
  const gateway = createGateway({
    sites: [{ url: `${replay.origin}/`, validation: { mode: 'enforce' } }],
  });
  await gateway.rediscover();
  const server = await serve(gateway, { port: 0, shutdownGrace: 500 });
  try {
    const findings = await fuzz({
      ...options,
      index,
      site,
      gateway: `${server.url}/`,
      replay,
      prefix: 'wp-json',
    });
    return summarize(findings);
  } finally {
    await server.stop();
    await replay.close();
  }
}
