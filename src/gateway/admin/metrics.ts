import type { CacheStore, StoreStats } from '../../cache/store.ts';

import type { SiteCircuitReport } from '../../upstream/site-circuits.ts';
import type { BodyMemory } from '../exchange/body-memory.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { SiteValidationReport } from '../validating/site-validation.ts';
import type { AdminOperation } from './admin-router.ts';
import { formatBodyMemoryMetrics } from './body-memory-metrics.ts';
import { formatExclusionMetrics } from './exclusion-metrics.ts';
import { formatMetric, type MetricSample } from './prometheus-format.ts';
import { formatPurgeMetrics } from './purge-metrics.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { type AdminSite, siteKey } from './site-operations.ts';

/** `GET /-/metrics`, in Prometheus's text format. */
export function createMetricsOperation(
  requestMetrics: RequestMetrics,
  sites: ReadonlyMap<string, AdminSite>,
  { bodyMemory, store }: { readonly store: CacheStore | null; readonly bodyMemory: BodyMemory },
): AdminOperation {
  return {
    method: 'GET',
    path: '/-/metrics',
    access: 'token',
    respond() {
      const measured = Array.from(sites.values(), ({ circuits, mount, runtime, validation }) => ({
        circuits: circuits?.report(),
        mount,
        runtime,
        report: validation.createReport(runtime.snapshot),
      }));
      const lines = [
        ...requestMetrics.formatMetrics(),
        ...formatBodyMemoryMetrics(bodyMemory.stats()),
        ...formatExclusionMetrics(sites.values()),
        ...formatPurgeMetrics(sites.values()),
        ...formatSiteMetrics(measured, store?.stats() ?? null),
      ];
      const headers = {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      };
      return new Response(`${lines.join('\n')}\n`, { headers });
    },
  };
}

interface MeasuredSite {
  /** Undefined if the circuit breakers are off. */
  readonly circuits: SiteCircuitReport | undefined;
  readonly mount: string;
  readonly runtime: SiteRuntime;
  readonly report: SiteValidationReport;
}

/** Formats what is measured at the time of the scrape: the sites, their validation, and the store. */
function formatSiteMetrics(sites: readonly MeasuredSite[], store: StoreStats | null): readonly string[] {
  const measureEach = (measure: (site: MeasuredSite) => number): readonly MetricSample[] =>
    sites.map((site) => [`site="${siteKey(site)}"`, measure(site)]);
  return [
    ...formatMetric({
      name: 'waygate_site_ready',
      type: 'gauge',
      help: 'Whether the site can be served.',
      samples: measureEach(({ runtime }) => Number(runtime.snapshot !== null)),
    }),
    ...formatMetric({
      name: 'waygate_site_last_read_seconds',
      type: 'gauge',
      help: 'Time of the last successful discovery, in seconds since the epoch.',
      samples: measureEach(({ runtime }) => (runtime.lastDiscoveredAt ?? 0) / 1000),
    }),
    ...formatMetric({
      name: 'waygate_site_circuit_open',
      type: 'gauge',
      help: 'Whether the circuit breaker of the whole site stops requests.',
      samples: measureEach(({ circuits }) => Number(circuits !== undefined && circuits.state !== 'closed')),
    }),
    ...formatMetric({
      name: 'waygate_site_circuit_routes_open',
      type: 'gauge',
      help: 'Routes whose reads a circuit breaker stops.',
      samples: measureEach(({ circuits }) => circuits?.routeCount ?? 0),
    }),
    ...formatMetric({
      name: 'waygate_validation_verdicts_total',
      type: 'counter',
      help: "Validated requests, by how the site's response compares with the verdict.",
      samples: sites.flatMap(sumVerdicts),
    }),
    ...formatMetric({
      name: 'waygate_validation_too_complex_total',
      type: 'counter',
      help: 'Requests that were not validated because that would have blocked the gateway for too long.',
      samples: measureEach(({ report }) => report.tooComplex),
    }),
    ...formatMetric({
      name: 'waygate_validation_rules_suspended',
      type: 'gauge',
      help: 'Rules that the site contradicted, and that no longer refuse requests.',
      samples: measureEach(countSuspendedRules),
    }),
    ...formatMetric({
      name: 'waygate_validation_operations_enforced',
      type: 'gauge',
      help: 'Operations whose invalid requests are refused.',
      samples: measureEach(({ report }) => report.operations.filter(({ enforced }) => enforced).length),
    }),
    ...(store === null ? [] : formatStoreMetrics(store)),
  ];
}

function sumVerdicts({ mount, report }: MeasuredSite): readonly MetricSample[] {
  const sums = { accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0, not_forwarded: 0 };
  for (const { agreed, disagreed, missed, refused, undecided } of report.operations) {
    sums.accepted += agreed.accepted;
    sums.refused += agreed.refused;
    sums.disagreed += disagreed;
    sums.missed += missed;
    sums.undecided += undecided;
    sums.not_forwarded += refused;
  }
  return Object.entries(sums).map(([outcome, sum]) => [
    `site="${siteKey({ mount })}",outcome="${outcome}"`,
    sum,
  ]);
}

function countSuspendedRules({ report }: MeasuredSite): number {
  return report.operations.reduce(
    (sum, { rules }) => sum + rules.filter(({ suspended }) => suspended).length,
    0,
  );
}

function formatStoreMetrics({ bytes, responseCount, maxBytes }: StoreStats): readonly string[] {
  const gauges = [
    ['waygate_cache_entries', 'Stored responses in the memory of this process.', responseCount],
    ['waygate_cache_bytes', 'Bytes of the stored responses in memory.', bytes],
    ['waygate_cache_max_bytes', 'Limit of waygate_cache_bytes.', maxBytes],
  ] as const;
  return gauges.flatMap(([name, help, value]) =>
    formatMetric({ name, type: 'gauge', help, samples: [['', value]] }),
  );
}
