import { HttpCache } from '../cache/http-cache.ts';
import { MemoryStore } from '../cache/stores/memory-store.ts';
import { BodyMemory } from '../exchange/request-body-validator.ts';
import { isSameData } from '../json.ts';
import { silentLog, systemClock } from '../ports.ts';
import { createTrustedProxyCheck, type TrustedProxyCheck } from '../upstream/forwarded.ts';
import { GatewayLimits } from './limiting/site-limits.ts';
import type { GatewayOptions } from './options/gateway-options.ts';
import { PurgeNotifier } from './purge-notifier.ts';
import type { SiteEnvironment } from './site-settings.ts';
import { DurationHistograms } from './traffic/traffic-counters.ts';

/** Whether the load balancer is asked for no more requests. Those that arrive are still served. */
interface DrainSwitch {
  isDraining: boolean;
}

/** Values by metric with labels: `process_open_fds`, `waygate_x_total{side="y"}`. */
export type Reporter = () => Iterable<readonly [series: string, value: number]>;

/** Settings and parts that the sites of a gateway share. A gateway that replaces it takes most of them over. */
export interface SharedParts extends SiteEnvironment {
  readonly options: GatewayOptions;
  readonly trust: TrustedProxyCheck;
  readonly cache: HttpCache | null;
  readonly notifier: PurgeNotifier | null;
  readonly limits: GatewayLimits;
  readonly bodyMemory: BodyMemory;
  /** Durations of requests for the gateway itself, and without a target. */
  readonly durations: DurationHistograms;
  readonly measured: DurationHistograms;
  readonly reporters: Set<Reporter>;
  readonly drain: DrainSwitch;
}

/** Keeps cache and counts of the gateway before, and others with the same settings. */
export function createSharedParts(
  options: GatewayOptions,
  previous: SharedParts | null,
  findSite: (scope: string) => string | undefined,
): SharedParts {
  const { clock = systemClock, fetch = globalThis.fetch, log = silentLog, random = Math.random } = options;
  const { notify: receivers = [] } = options;
  const trust = createTrustedProxyCheck(options.trust ?? []);
  const createNotifier = (): PurgeNotifier | null =>
    receivers.length === 0 ? null : new PurgeNotifier({ receivers, fetch, clock, log, random, findSite });
  if (previous !== null) {
    const isSame = (name: keyof GatewayOptions): boolean => isSameData(previous.options[name], options[name]);
    return {
      ...previous,
      ...{ options, trust },
      notifier: isSame('notify') ? previous.notifier : createNotifier(),
    };
  }
  const notifier = createNotifier();
  const cache = createCache(options);
  if (cache !== null) reportPurges(cache, notifier);
  return {
    ...{ clock, log, random, options, trust, cache, notifier },
    limits: new GatewayLimits(clock, log),
    bodyMemory: new BodyMemory(),
    ...{ durations: new DurationHistograms(), measured: new DurationHistograms(), reporters: new Set() },
    drain: { isDraining: false },
  };
}

export function replaceParts({ cache, notifier }: SharedParts, previous: SharedParts): void {
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
  return new HttpCache({ store: cache === 'memory' ? new MemoryStore({ clock }) : cache, clock });
}
