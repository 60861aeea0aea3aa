import type { HttpCache } from '../cache/http-cache.ts';
import type { StoreReport } from '../cache/store.ts';
import type { BodyMemory, BodyMemoryStats } from '../exchange/request-body-validator.ts';
import type { NotifyCounts, PurgeNotifier } from '../site/purge-notifier.ts';
import type { DurationHistograms } from '../site/traffic/traffic-counters.ts';

export interface StatusSources {
  /** See `RequestContext.durations`. */
  readonly durations: DurationHistograms;
  readonly bodyMemory: BodyMemory;
  /** `null` if nothing is cached. */
  readonly cache: HttpCache | null;
  readonly notifier: PurgeNotifier | null;
  /** Durations that the server and its process measure, by the name of their metric. */
  readonly measured: DurationHistograms;
  /** Report what the server and its process count. See `GatewayStatus.reported`. */
  readonly reporters: Set<Reporter>;
}

export type Reporter = () => Iterable<readonly [series: string, value: number]>;

export interface GatewayStatus {
  readonly bodies: BodyMemoryStats;
  readonly notices: readonly NotifyCounts[];
  /** `null` if nothing is cached. */
  readonly store: Required<Omit<StoreReport, 'entries' | 'shared'>> | null;
  /** `null` if no other gateway shares the store. */
  readonly shared: NonNullable<StoreReport['shared']> | null;
  /** What the server and its process report, by name and labels of a metric: `process_open_fds`, `waygate_x_total{side="y"}`. */
  readonly reported: ReadonlyMap<string, number>;
}

/** Reads the status of a gateway: connections, circuits and memory now, counters since the start. */
export function readGatewayStatus({ bodyMemory, notifier, cache, reporters }: StatusSources): GatewayStatus {
  const bodies = bodyMemory.stats();
  const notices = notifier?.counts ?? [];
  const { bytes = 0, evictions = 0, maxBytes = 0, responseCount = 0, shared } = cache?.store.report() ?? {};
  return {
    ...{ bodies, notices, shared: shared ?? null },
    store: cache === null ? null : { responseCount, bytes, maxBytes, evictions },
    reported: new Map(Array.from(reporters, (report) => [...report()]).flat()),
  };
}
