import { startReplay } from '../../scripts/fuzz/replay.mjs';
import { type Summary, summarize } from '../../scripts/fuzz/report.mjs';
import { type FuzzOptions, fuzz } from '../../scripts/fuzz/run.mjs';
import { calibrate } from '../../src/calibrate/index.ts';
import type { StateStore } from '../../src/ports.ts';
import type { ValidationMode } from '../../src/validation/evidence/enforcement.ts';
import { startNodeGateway } from '../support/gateway.ts';

export interface FuzzSiteOptions
  extends Pick<
    FuzzOptions,
    'aim' | 'authorization' | 'bodyless' | 'count' | 'namespaces' | 'parallel' | 'seed'
  > {
  /** @default 'enforce' */
  readonly mode?: ValidationMode;
  /** Methods of a calibration before the requests. @default no calibration */
  readonly calibrated?: 'get' | 'all';
}

/** Sends generated requests to a site directly and through a gateway, and summarizes the differences. */
export async function fuzzSite(
  site: string,
  { mode = 'enforce', calibrated, ...options }: FuzzSiteOptions,
): Promise<Summary> {
  const index: unknown = await (await fetch(`${site}index.php?rest_route=/`)).json();
  const replay = await startReplay(site);
  const url = `${replay.origin}/`;
  const state = createMemoryState();
  if (calibrated !== undefined) await calibrate(url, { methods: calibrated, rate: 100_000, state });
  const gateway = await startNodeGateway({
    sites: [{ url, validation: { mode } }],
    state,
  });
  try {
    const findings = await fuzz({
      ...options,
      index,
      site,
      gateway: `${gateway.origin}/`,
      replay,
      prefix: 'wp-json',
    });
    return summarize(findings);
  } finally {
    await gateway.stop();
    await replay.close();
  }
}

function createMemoryState(): StateStore {
  const texts = new Map<string, string>();
  return {
    read: async (name) => texts.get(name) ?? null,
    write: async (name, text) => void texts.set(name, text),
    putAside: async (name) => name,
  };
}
