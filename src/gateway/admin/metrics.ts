import type { CacheStore } from '../../cache/store.ts';
import type { BodyMemory } from '../exchange/inspected-exchange.ts';
import type { MountedSite } from '../mounted-site.ts';
import { readCacheResult } from '../traffic/traffic-counters.ts';
import type { SiteValidationReport } from '../validating/site-validation.ts';
import type { AdminOperation } from './admin-handler.ts';
import { type MountedSites, siteKey } from './site-operations.ts';

/** Counts responses. No label value comes from a client, so the number of time series is bounded. */
export class ResponseCounter {
  /** By mount, then by cache result: one count for each class of status, 0xx to 5xx. */
  readonly #countsByMount = new Map<string, Map<string, number[]>>();

  /**
   * @param mount `/content`, or empty
   * @param cacheStatus the response's `Cache-Status`
   */
  count(mount: string, status: number, cacheStatus: string | undefined): void {
    const countsByResult = this.#countsByMount.get(mount) ?? new Map<string, number[]>();
    if (countsByResult.size === 0) this.#countsByMount.set(mount, countsByResult);
    const result = readCacheResult(cacheStatus);
    const counts = countsByResult.get(result) ?? [0, 0, 0, 0, 0, 0];
    const statusClass = Math.floor(status / 100);
    counts[statusClass] = (counts[statusClass] ?? 0) + 1;
    countsByResult.set(result, counts);
  }

  read(): readonly Sample[] {
    return Array.from(this.#countsByMount, ([mount, countsByResult]) =>
      Array.from(countsByResult, ([cache, counts]) =>
        counts.flatMap((count, statusClass): readonly Sample[] =>
          count === 0 ? [] : [[{ mount: mount || '/', status: `${statusClass}xx`, cache }, count]],
        ),
      ).flat(),
    ).flat();
  }
}

/** One value of a metric, with its labels. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** What is measured at a scrape. */
interface Measured {
  readonly sites: readonly { readonly site: MountedSite; readonly report: SiteValidationReport }[];
  readonly responses: ResponseCounter;
  readonly bodies: ReturnType<BodyMemory['stats']>;
  /** `null` if nothing is cached. */
  readonly store: ReturnType<CacheStore['stats']> | null;
}

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  /** A metric without values is left out. */
  readonly read: (measured: Measured) => readonly Sample[];
}

/** Every metric, in the order of the output. */
const METRICS: readonly Metric[] = [
  {
    name: 'waygate_requests_total',
    type: 'counter',
    help: 'Responses, by mount, class of status and cache result.',
    read: ({ responses }) => responses.read(),
  },
  {
    name: 'waygate_body_memory_bytes',
    type: 'gauge',
    help: 'Bytes of request bodies that are in memory for validation.',
    read: ({ bodies }) => [[{}, bodies.bytes]],
  },
  {
    name: 'waygate_body_memory_max_bytes',
    type: 'gauge',
    help: 'Limit of waygate_body_memory_bytes.',
    read: ({ bodies }) => [[{}, bodies.maxBytes]],
  },
  {
    name: 'waygate_body_memory_exceeded_total',
    type: 'counter',
    help: 'Request bodies for which there was no memory: forwarded without validation, or refused with 503.',
    read: ({ bodies }) => [[{}, bodies.exceeded]],
  },
  {
    name: 'waygate_cache_exclusions_total',
    type: 'counter',
    help: 'Requests that bypassed the store and responses that contained a nonce, by reason and by name of the field, cookie, parameter or member.',
    read: ({ sites }) =>
      sites.flatMap(({ site }) =>
        Array.from(
          site.caching?.exclusions.counts ?? [],
          ({ count, name, reason }): Sample => [{ site: siteKey(site), reason, name }, count],
        ),
      ),
  },
  {
    name: 'waygate_cache_writes_total',
    type: 'counter',
    help: 'Writes and notices of changes that purged responses.',
    read: ofEachCachedSite('writes'),
  },
  {
    name: 'waygate_cache_write_purged_total',
    type: 'counter',
    help: 'Responses in memory that writes purged.',
    read: ofEachCachedSite('purged'),
  },
  {
    name: 'waygate_cache_write_kept_total',
    type: 'counter',
    help: 'Responses in memory that a write left there, summed over all writes.',
    read: ofEachCachedSite('kept'),
  },
  {
    name: 'waygate_site_ready',
    type: 'gauge',
    help: 'Whether the site can be served.',
    read: ofEachSite(({ runtime }) => Number(runtime.snapshot !== null)),
  },
  {
    name: 'waygate_site_last_read_seconds',
    type: 'gauge',
    help: 'Time of the last successful discovery, in seconds since the epoch.',
    read: ofEachSite(({ runtime }) => (runtime.lastDiscoveredAt ?? 0) / 1000),
  },
  {
    name: 'waygate_site_circuit_open',
    type: 'gauge',
    help: 'Whether the circuit breaker of the whole site stops requests.',
    read: ofEachSite(({ circuits }) => Number(circuits !== null && circuits.report().state !== 'closed')),
  },
  {
    name: 'waygate_site_circuit_routes_open',
    type: 'gauge',
    help: 'Routes whose reads a circuit breaker stops.',
    read: ofEachSite(({ circuits }) => circuits?.report().routeCount ?? 0),
  },
  {
    name: 'waygate_validation_verdicts_total',
    type: 'counter',
    help: "Validated requests, by how the site's response compares with the verdict.",
    read: ({ sites }) => sites.flatMap(sumVerdicts),
  },
  {
    name: 'waygate_validation_too_complex_total',
    type: 'counter',
    help: 'Requests that were not validated because that would have blocked the gateway for too long.',
    read: ofEachSite((_, report) => report.tooComplex),
  },
  {
    name: 'waygate_validation_rules_suspended',
    type: 'gauge',
    help: 'Rules that the site contradicted, and that no longer refuse requests.',
    read: ofEachSite(
      (_, { operations }) => operations.flatMap(({ rules }) => rules).filter((rule) => rule.suspended).length,
    ),
  },
  {
    name: 'waygate_validation_operations_enforced',
    type: 'gauge',
    help: 'Operations whose invalid requests are refused.',
    read: ofEachSite((_, { operations }) => operations.filter(({ enforced }) => enforced).length),
  },
  {
    name: 'waygate_cache_entries',
    type: 'gauge',
    help: 'Stored responses in the memory of this process.',
    read: ({ store }) => (store === null ? [] : [[{}, store.responseCount]]),
  },
  {
    name: 'waygate_cache_bytes',
    type: 'gauge',
    help: 'Bytes of the stored responses in memory.',
    read: ({ store }) => (store === null ? [] : [[{}, store.bytes]]),
  },
  {
    name: 'waygate_cache_max_bytes',
    type: 'gauge',
    help: 'Limit of waygate_cache_bytes.',
    read: ({ store }) => (store === null ? [] : [[{}, store.maxBytes]]),
  },
];

function ofEachSite(read: (site: MountedSite, report: SiteValidationReport) => number): Metric['read'] {
  return ({ sites }) => sites.map(({ report, site }) => [{ site: siteKey(site) }, read(site, report)]);
}

function ofEachCachedSite(name: 'writes' | 'purged' | 'kept'): Metric['read'] {
  return ({ sites }) =>
    sites.flatMap(({ site }): readonly Sample[] =>
      site.caching === null ? [] : [[{ site: siteKey(site) }, site.caching.purgeCounts[name]]],
    );
}

function sumVerdicts({ report, site }: Measured['sites'][number]): readonly Sample[] {
  const sums = { accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0, not_forwarded: 0 };
  for (const { agreed, disagreed, missed, refused, undecided } of report.operations) {
    sums.accepted += agreed.accepted;
    sums.refused += agreed.refused;
    sums.disagreed += disagreed;
    sums.missed += missed;
    sums.undecided += undecided;
    sums.not_forwarded += refused;
  }
  return Object.entries(sums).map(([outcome, sum]) => [{ site: siteKey(site), outcome }, sum]);
}

/** `GET /-/metrics`, in Prometheus's text format, version 0.0.4. */
export function createMetricsOperation(
  sites: MountedSites,
  responses: ResponseCounter,
  bodyMemory: BodyMemory,
  store: CacheStore | null,
): AdminOperation {
  return {
    method: 'GET',
    path: '/-/metrics',
    access: 'token',
    respond() {
      const measured: Measured = {
        sites: Array.from(sites.values(), (site) => ({
          site,
          report: site.validation.createReport(site.runtime.snapshot),
        })),
        responses,
        bodies: bodyMemory.stats(),
        store: store?.stats() ?? null,
      };
      const headers = {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      };
      const lines = METRICS.flatMap((metric) => formatMetric(metric, metric.read(measured)));
      return new Response(`${lines.join('\n')}\n`, { headers });
    },
  };
}

function formatMetric({ help, name, type }: Metric, samples: readonly Sample[]): readonly string[] {
  if (samples.length === 0) return [];
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function escapeLabel(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}
