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
  readonly sites: readonly { readonly site: MountedSite; readonly report: SiteValidationReport }[];
  readonly responses: ResponseCounter;
  readonly bodies: ReturnType<BodyMemory['stats']>;
  /** `null` if nothing is cached. */
  readonly store: ReturnType<CacheStore['stats']> | null;
  readonly sharedState: SharedStoreState | undefined;
  readonly notices: PurgeNotifier['counts'];
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
  waygate_validation_too_complex_total: ofEachSite((_, report) => report.tooComplex),
  waygate_validation_rules_suspended: ofEachSite(
    (_, { operations }) => operations.flatMap(({ rules }) => rules).filter((rule) => rule.suspended).length,
  ),
  waygate_validation_operations_enforced: ofEachSite(
    (_, { operations }) => operations.filter(({ enforced }) => enforced).length,
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

function ofEachSite(read: (site: MountedSite, report: SiteValidationReport) => number): Reader {
  return ({ sites }) => sites.map(({ report, site }) => [{ site: siteKey(site) }, read(site, report)]);
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

/** `GET /-/metrics`, in Prometheus's text format, version 0.0.4. */
export function createMetricsOperation(
  sites: MountedSites,
  responses: ResponseCounter,
  readBodyStats: BodyMemory['stats'],
  store: CacheStore | null,
  notifier: PurgeNotifier | null,
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
        bodies: readBodyStats(),
        store: store?.stats() ?? null,
        sharedState: store?.sharedState,
        notices: notifier?.counts ?? [],
      };
      const headers = {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      };
      const lines = Object.entries(READERS).flatMap(([name, read]) => formatMetric(name, read(measured)));
      return new Response(`${lines.join('\n')}\n`, { headers });
    },
  };
}

const DESCRIPTIONS = new Map(Object.entries(METRICS));

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
