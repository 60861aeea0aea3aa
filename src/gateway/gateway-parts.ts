import type { StatusSources } from '../admin/process-status.ts';
import type { DrainSwitch } from '../admin/site-operations.ts';
import { HttpCache } from '../cache/http-cache.ts';
import { MemoryStore } from '../cache/stores/memory-store.ts';
import { BodyMemory } from '../exchange/request-body-validator.ts';
import { isSameData } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { silentLog, systemClock } from '../ports.ts';
import { GatewayLimits } from '../site/limiting/site-limits.ts';
import type { SiteDependencies } from '../site/mounted-site.ts';
import type { GatewayOptions } from '../site/options/gateway-options.ts';
import { PurgeNotifier } from '../site/purge-notifier.ts';
import { DurationHistograms } from '../site/traffic/traffic-counters.ts';

/** Parts that the sites of a gateway share, and a gateway that replaces it. */
export interface GatewayParts extends StatusSources, Omit<SiteDependencies, 'trust'> {
  readonly drain: DrainSwitch;
}

/**
 * Keeps cache and counts of the gateway before, and others if their settings are the same.
 * @param findSite finds the name of the site whose stored responses begin with a scope
 */
export function createGatewayParts(
  options: GatewayOptions,
  previous: GatewayParts | null,
  findSite: (scope: string) => string | undefined,
): GatewayParts {
  const { clock = systemClock, fetch = globalThis.fetch, log = silentLog, random = Math.random } = options;
  const { notify: receivers = [], sharedCounts } = options;
  const createNotifier = (): PurgeNotifier | null =>
    receivers.length === 0 ? null : new PurgeNotifier({ receivers, fetch, clock, log, random, findSite });
  const createLimits = (): GatewayLimits => new GatewayLimits(options.limits ?? {}, clock, log, sharedCounts);
  if (previous !== null) {
    const isSame = (name: keyof GatewayOptions): boolean => isSameData(previous.options[name], options[name]);
    return {
      ...previous,
      options,
      notifier: isSame('notify') ? previous.notifier : createNotifier(),
      limits:
        isSame('limits') && previous.options.sharedCounts === sharedCounts ? previous.limits : createLimits(),
      bodyMemory: isSame('bodyMemory') ? previous.bodyMemory : new BodyMemory(options.bodyMemory),
    };
  }
  const notifier = createNotifier();
  const cache = createCache(options);
  if (cache !== null) reportPurges(cache, notifier);
  return {
    ...{ options, cache, notifier },
    limits: createLimits(),
    bodyMemory: new BodyMemory(options.bodyMemory),
    ...{ durations: new DurationHistograms(), measured: new DurationHistograms(), reporters: new Set() },
    drain: { isDraining: false },
  };
}

export function replaceParts({ cache, notifier }: GatewayParts, previous: GatewayParts): void {
  if (notifier === previous.notifier) return;
  if (cache !== null) reportPurges(cache, notifier);
  void previous.notifier?.stop();
}

function reportPurges(cache: HttpCache, notifier: PurgeNotifier | null): void {
  cache.onPurged = notifier && ((selection) => notifier.notify(selection));
}

function createCache(options: GatewayOptions): HttpCache | null {
  const { cache = 'off', clock = systemClock } = options;
  if (cache === 'off') return null;
  const limits = omitUndefined({ maxEntryBytes: options.maxEntryBytes });
  const store = cache === 'memory' ? new MemoryStore({ clock, ...limits }) : cache;
  return new HttpCache({ store, clock, limits });
}
