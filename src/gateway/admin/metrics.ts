import type { CacheStore, SharedStoreState } from '../../cache/store.ts';
import type { AddressReport } from '../../upstream/site-addresses.ts';
import type { BodyMemory } from '../exchange/inspected-exchange.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { PurgeNotifier } from '../notify/purge-notifier.ts';
import type { ResponseCounter, Sample } from '../traffic/traffic-counters.ts';
import type { SiteValidationReport } from '../validating/site-validation.ts';
import type { AdminOperation } from './admin-handler.ts';
import METRICS from './metrics.json' with { type: 'json' };
import { type MountedSites, siteKey } from './site-operations.ts';

/** What is measured at a scrape. */
interface Measured {
  readonly sites: readonly MeasuredSite[];
  readonly responses: ResponseCounter;
  readonly bodies: ReturnType<BodyMemory['stats']>;
  /** `null` if nothing is cached. */
  readonly store: ReturnType<CacheStore['stats']> | null;
  readonly sharedState: SharedStoreState | undefined;
  readonly notices: PurgeNotifier['counts'];
}

interface MeasuredSite {
  readonly site: MountedSite;
  /** Created when it is read first. */
  readonly report: SiteValidationReport;
}

type Reader = (measured: Measured) => readonly Sample[];

/** Values of every metric of `metrics.json`, in the order of the output. A metric without values is left out. */
const READERS: Readonly<Record<keyof typeof METRICS, Reader>> = {
  waygate_requests_total: ({ responses }) => responses.read(),
  waygate_body_memory_bytes: ({ bodies }) => [[{}, bodies.bytes]],
  waygate_body_memory_max_bytes: ({ bodies }) => [[{}, bodies.maxBytes]],
  waygate_body_memory_exceeded_total: ({ bodies }) => [[{}, bodies.exceeded]],
  waygate_cache_exclusions_total: ({ sites }) =>
    sites.flatMap(({ site }) =>
      Array.from(
        site.caching?.exclusions.counts ?? [],
        ({ count, name, reason }): Sample => [{ site: siteKey(site), reason, name }, count],
      ),
    ),
  waygate_rate_limited_total: ({ sites }) =>
    sites.flatMap(({ site }) =>
      Array.from(
        site.limits?.refusals ?? [],
        ([policy, count]): Sample => [{ site: siteKey(site), policy }, count],
      ),
    ),
  waygate_cache_writes_total: ofEachCachedSite('writes'),
  waygate_cache_write_purged_total: ofEachCachedSite('purged'),
  waygate_cache_write_marked_total: ofEachCachedSite('marked'),
  waygate_cache_write_kept_total: ofEachCachedSite('kept'),
  waygate_site_ready: ofEachSite(({ runtime }) => Number(runtime.isReady)),
  waygate_site_document_held: ofEachSite(({ runtime }) => Number(runtime.held !== null)),
  waygate_site_last_read_seconds: ofEachSite(({ runtime }) => (runtime.lastDiscoveredAt ?? 0) / 1000),
  waygate_site_requests_active: ofEachSite(({ concurrency }) => concurrency.report().active),
  waygate_site_requests_queued: ofEachSite(({ concurrency }) => concurrency.report().queued),
  waygate_site_requests_refused_total: ofEachSite(({ concurrency }) => concurrency.report().refused),
  waygate_site_address_up: ofEachAddress(({ isUp }) => Number(isUp)),
  waygate_site_address_requests_active: ofEachAddress(({ active }) => active),
  waygate_site_circuit_open: ofEachSite(({ circuits }) =>
    Number(circuits !== null && circuits.report().state !== 'closed'),
  ),
  waygate_site_circuit_routes_open: ofEachSite(({ circuits }) => circuits?.report().routeCount ?? 0),
  waygate_validation_verdicts_total: ({ sites }) => sites.flatMap(sumVerdicts),
  waygate_validation_too_complex_total: ofEachSite((_, { report }) => report.tooComplex),
  waygate_validation_rules_suspended: ofEachSite(
    (_, { report }) =>
      report.operations.flatMap(({ rules }) => rules).filter((rule) => rule.suspended).length,
  ),
  waygate_validation_operations_enforced: ofEachSite(
    (_, { report }) => report.operations.filter(({ enforced }) => enforced).length,
  ),
  waygate_cache_entries: ({ store }) => (store === null ? [] : [[{}, store.responseCount]]),
  waygate_cache_bytes: ({ store }) => (store === null ? [] : [[{}, store.bytes]]),
  waygate_cache_shared_state: ({ sharedState }) =>
    sharedState === undefined
      ? []
      : SHARED_STATES.map((state): Sample => [{ state }, Number(state === sharedState)]),
  waygate_notify_requests_total: ({ notices }) =>
    notices.flatMap(({ failed, receiver, sent }): readonly Sample[] => [
      [{ receiver, outcome: 'sent' }, sent],
      [{ receiver, outcome: 'failed' }, failed],
    ]),
  waygate_notify_pending_names: ({ notices }) =>
    notices.map(({ pending, receiver }): Sample => [{ receiver }, pending]),
  waygate_cache_max_bytes: ({ store }) => (store === null ? [] : [[{}, store.maxBytes]]),
};

const SHARED_STATES: readonly SharedStoreState[] = ['connected', 'memory', 'bypassed'];

function ofEachSite(read: (site: MountedSite, measured: MeasuredSite) => number): Reader {
  return ({ sites }) => sites.map((each) => [{ site: siteKey(each.site) }, read(each.site, each)]);
}

function ofEachAddress(read: (address: AddressReport) => number): Reader {
  return ({ sites }) =>
    sites.flatMap(({ site }) =>
      (site.upstream.addresses?.report() ?? []).map(
        (report): Sample => [{ site: siteKey(site), address: report.address }, read(report)],
      ),
    );
}

function ofEachCachedSite(name: 'writes' | 'purged' | 'marked' | 'kept'): Reader {
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

/** What the metrics are read from. */
export interface MetricSources {
  readonly sites: MountedSites;
  readonly responses: ResponseCounter;
  readonly bodyMemory: BodyMemory;
  /** `null` if nothing is cached. */
  readonly store: CacheStore | null;
  readonly notifier: PurgeNotifier | null;
}

function measure({ bodyMemory, notifier, responses, sites, store }: MetricSources): Measured {
  return {
    sites: Array.from(sites.values(), (site) => ({
      site,
      get report() {
        return site.validation.createReport(site.runtime.snapshot);
      },
    })),
    responses,
    bodies: bodyMemory.stats(),
    store: store?.stats() ?? null,
    sharedState: store?.sharedState,
    notices: notifier?.counts ?? [],
  };
}

/** The samples of a process, by the name of the metric. */
export type ProcessSamples = Readonly<Record<string, readonly Sample[]>>;

/** Reads the metrics that the primary process cannot know, in a worker. */
export function readWorkerSamples(sources: MetricSources): ProcessSamples {
  const measured = measure(sources);
  return Object.fromEntries(
    Object.entries(READERS).flatMap(([name, read]) =>
      DESCRIPTIONS.get(name)?.workers === undefined ? [] : [[name, read(measured)]],
    ),
  );
}

/** Adds the counters of a worker that has ended to those of the ones before. */
export function addCounters(before: ProcessSamples, samples: ProcessSamples): ProcessSamples {
  const counters = Object.entries(samples).filter(([name]) => DESCRIPTIONS.get(name)?.type === 'counter');
  return Object.fromEntries(
    counters.map(([name, own]) => [name, combineSamples(name, [before[name] ?? [], own])]),
  );
}

/** Combines the samples of several processes as the metric states it: their sum, maximum or minimum. */
function combineSamples(name: string, processes: readonly (readonly Sample[])[]): readonly Sample[] {
  const combined = new Map<string, Sample>();
  const how = DESCRIPTIONS.get(name)?.workers ?? 'sum';
  for (const [labels, value] of processes.flat()) {
    const key = JSON.stringify(labels);
    const known = combined.get(key)?.[1];
    combined.set(key, [labels, known === undefined ? value : COMBINE[how](known, value)]);
  }
  return [...combined.values()];
}

const COMBINE = {
  sum: (one: number, other: number): number => one + other,
  max: Math.max,
  min: Math.min,
} as const;

/**
 * `GET /-/metrics`, in Prometheus's text format, version 0.0.4.
 *
 * @param listWorkerSamples what the workers have read by {@link readWorkerSamples}; nothing in a gateway of one process
 */
export function createMetricsOperation(
  sources: MetricSources,
  listWorkerSamples: () => readonly ProcessSamples[],
): AdminOperation {
  return {
    method: 'GET',
    path: '/-/metrics',
    access: 'token',
    respond() {
      const measured = measure(sources);
      const workers = listWorkerSamples();
      const headers = {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      };
      const lines = Object.entries(READERS).flatMap(([name, read]) =>
        formatMetric(
          name,
          combineSamples(name, [read(measured), ...workers.map((each) => each[name] ?? [])]),
        ),
      );
      return new Response(`${lines.join('\n')}\n`, { headers });
    },
  };
}

interface MetricDescription {
  readonly type: string;
  readonly help: string;
  /** How the samples of workers are combined; `undefined` if the primary process has them. */
  readonly workers?: keyof typeof COMBINE;
}

const DESCRIPTIONS: ReadonlyMap<string, MetricDescription> = new Map(
  Object.entries(METRICS as Readonly<Record<string, MetricDescription>>),
);

function formatMetric(name: string, samples: readonly Sample[]): readonly string[] {
  const { help = '', type = '' } = DESCRIPTIONS.get(name) ?? {};
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
