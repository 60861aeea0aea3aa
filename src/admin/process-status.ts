import type { HttpCache } from '../cache/http-cache.ts';
import type { BodyMemory } from '../exchange/request-body-validator.ts';
import type { PurgeNotifier } from '../site/purge-notifier.ts';
import type { DurationHistograms } from '../site/traffic/traffic-counters.ts';

export interface StatusSources {
  /** See `RequestContext.durations`. */
  readonly durations: DurationHistograms;
  readonly bodyMemory: BodyMemory;
  /** `null` if nothing is cached. */
  readonly cache: HttpCache | null;
  readonly notifier: PurgeNotifier | null;
  /** Durations by the name of their metric. */
  readonly measured: DurationHistograms;
  readonly reporters: Set<Reporter>;
}

/** Values by metric with labels: `process_open_fds`, `waygate_x_total{side="y"}`. */
export type Reporter = () => Iterable<readonly [series: string, value: number]>;
