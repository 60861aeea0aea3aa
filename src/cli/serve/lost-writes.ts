import { EVERYTHING } from '../../cache/dependencies/tags.ts';
import type { GatewayInternals } from '../../gateway/gateway.ts';

/** Milliseconds after the end of a process. PHP stops a request after 30 seconds of work. */
const PURGE_DELAYS = [2_000, 10_000, 35_000];

/** Purges everything again later: the site may still be running a write that a process had forwarded when it ended. */
export function purgeForLostWritesLater(gateway: GatewayInternals | undefined): void {
  for (const { caching, runtime } of gateway?.context.sites.values() ?? [])
    caching?.purgeLater(() => runtime.snapshot, PURGE_DELAYS);
}

/** Purges everything after the end of a process that has served: its writes may have changed what is stored. */
export async function purgeForLostWrites(gateway: GatewayInternals | undefined): Promise<void> {
  const { context, figures, parts } = gateway ?? {};
  const cache = parts?.cache ?? null;
  if (cache === null || context === undefined) return;
  const sites = [...context.sites.values()];
  const mode = sites.every(({ caching }) => caching?.writes.isUsedAfter(true)) ? 'unconfirmed' : 'hard';
  await cache.invalidate({ kind: 'all' }, mode);
  // It may also have ended before it told others what it has purged.
  for (const { caching, runtime } of sites) {
    const selection = runtime.snapshot && caching?.selectTags(runtime.snapshot, [EVERYTHING]);
    if (selection) figures?.notifier?.notify(selection, 'hard');
  }
}
