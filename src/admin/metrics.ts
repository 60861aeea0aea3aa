import type { SharedStoreState, StoreReport } from '../cache/store.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { SharedParts } from '../site/shared-parts.ts';
import { NO_OPERATION } from '../site/traffic/site-traffic.ts';
import type { DurationSamples, OperationLabels, Sample } from '../site/traffic/traffic-counters.ts';
import { type AdminApp, type AdminContext, createOperatorCheck } from './admin-app.ts';
import METRICS from './metrics.json' with { type: 'json' };
import type { SiteOperationsContext } from './site-operations.ts';
import { readSiteState, SITE_STATES } from './site-state.ts';

interface Measured extends SharedParts, Pick<AdminContext, 'alerts'> {
  readonly sites: readonly MeasuredSite[];
  readonly store: StoreReport | undefined;
}

interface MeasuredSite {
  readonly site: MountedSite;
  readonly durations: DurationSamples;
}

type Reader = (measured: Measured) => readonly Sample[];

const READERS: Readonly<Record<string, Reader>> = {
  http_server_request_duration_seconds: ({ durations, sites }) => [
    ...sites.flatMap((site) => site.durations.server),
    ...durations.read('', describeOther).server,
  ],
  http_client_request_duration_seconds: ({ sites }) => sites.flatMap(({ durations }) => durations.client),
  waygate_site_failures_total: ofEachCount('failures', 'kind'),
  waygate_responses_broken_total: ofEachCount('broken', 'side'),
  waygate_webhooks_refused_total: ofEachCount('webhooks', 'fault'),
  waygate_response_body_bytes_total: ofEachSite(({ recorder }) => recorder.traffic.sentBytes),
  waygate_body_memory_bytes: ({ bodyMemory }) => [[{}, bodyMemory.stats().bytes]],
  waygate_body_memory_max_bytes: ({ bodyMemory }) => [[{}, bodyMemory.stats().maxBytes]],
  waygate_body_memory_exceeded_total: ({ bodyMemory }) => [[{}, bodyMemory.stats().exceeded]],
  waygate_cache_exclusions_total: ofEachEntry(({ site }) =>
    Array.from(site.caching?.exclusions.counts ?? [], ({ count, name, reason }) => [{ reason, name }, count]),
  ),
  waygate_rate_limited_total: ofEachEntry(({ site: { limits } }) =>
    Array.from(limits?.refusals ?? [], ([policy, count]) => [{ policy }, count]),
  ),
  waygate_cache_writes_total: ofEachEntry(({ site: { caching } }) =>
    Object.entries(caching?.writes.counts ?? {}).map(([purged, count]) => [{ purged }, count]),
  ),
  waygate_site_state: (measured) =>
    measured.sites.flatMap(({ site }) => {
      const { name } = readSiteState(site, measured.alerts);
      return SITE_STATES.map(
        (state): Sample => [{ site: site.settings.name, state }, Number(state === name)],
      );
    }),
  waygate_site_ready: ofEachSite(({ runtime }) => Number(runtime.isReady)),
  waygate_site_document_held: ofEachSite(({ runtime }) => Number(runtime.held !== null)),
  waygate_site_state_unwritten: ofEachSite((site) => Number(site.isStateFailing)),
  waygate_site_last_read_seconds: ofEachEntry(({ site: { runtime } }) =>
    runtime.lastDiscoveredAt === null ? [] : [[{}, runtime.lastDiscoveredAt / 1000]],
  ),
  waygate_site_discoveries_total: ofEachEntry(({ site }) =>
    Object.entries(site.runtime.discoveries).map(([outcome, count]) => [{ outcome }, count]),
  ),
  waygate_site_requests_active: ofEachSite(({ concurrency }) => concurrency.report().active),
  waygate_site_requests_queued: ofEachSite(({ concurrency }) => concurrency.report().queued),
  waygate_site_requests_refused_total: ofEachSite(({ concurrency }) => concurrency.report().refused),
  waygate_site_circuit_open: ofEachSite(({ circuits }) =>
    Number((circuits?.report().reason ?? null) !== null),
  ),
  waygate_validation_requests_total: ofEachEntry(({ site: { validation } }) =>
    Object.entries(validation.context.counts).map(([outcome, count]) => [{ outcome }, count]),
  ),
  waygate_cache_entries: ofStore(({ responseCount }) => responseCount),
  waygate_cache_bytes: ofStore(({ bytes }) => bytes),
  waygate_cache_evictions_total: ofStore(({ evictions = 0 }) => evictions),
  waygate_cache_shared_state: ({ store: { shared } = {} }) =>
    shared ? SHARED_STATES.map((state): Sample => [{ state }, Number(state === shared.state)]) : [],
  waygate_cache_shared_losses_total: ({ store: { shared } = {} }) => (shared ? [[{}, shared.losses]] : []),
  waygate_notify_requests_total: ({ notifier }) =>
    (notifier?.counts ?? []).flatMap(({ failed, receiver, sent }): readonly Sample[] => [
      [{ receiver, outcome: 'sent' }, sent],
      [{ receiver, outcome: 'failed' }, failed],
    ]),
  waygate_cache_max_bytes: ofStore(({ maxBytes }) => maxBytes),
  nodejs_eventloop_delay_seconds: ({ measured }) => measured.readMeasured('nodejs_eventloop_delay_seconds'),
  process_start_time_seconds: () => [[{}, performance.timeOrigin / 1000]],
};

const SHARED_STATES: readonly SharedStoreState[] = ['connected', 'memory', 'bypassed'];

function ofStore(read: (report: StoreReport) => number): Reader {
  return ({ store }) => (store === undefined ? [] : [[{}, read(store)]]);
}

function ofEachEntry(
  list: (measured: MeasuredSite) => readonly (readonly [labels: Sample[0], value: number])[],
): Reader {
  return ({ sites }) =>
    sites.flatMap((each) =>
      list(each).map(([labels, value]): Sample => [{ site: each.site.settings.name, ...labels }, value]),
    );
}

function ofEachSite(read: (site: MountedSite, measured: MeasuredSite) => number): Reader {
  return ofEachEntry((each) => [[{}, read(each.site, each)]]);
}

function ofEachCount(counts: 'failures' | 'broken' | 'webhooks', label: string): Reader {
  return ofEachEntry(({ site }) =>
    Array.from(site.recorder.traffic[counts], ([name, count]) => [{ [label]: name }, count]),
  );
}

/** `GET /-/metrics` in Prometheus's text format 0.0.4. */
export function addMetricsOperation(
  app: AdminApp,
  context: AdminContext & SharedParts & Pick<SiteOperationsContext, 'sites'>,
): void {
  app.get('/metrics', createOperatorCheck(context), () => {
    const measured: Measured = {
      ...context,
      store: context.cache?.store.report(),
      sites: Array.from(context.sites.values(), (site) => ({
        site,
        durations: site.recorder.traffic.durations.read(site.settings.name, createOperationLabels(site)),
      })),
    };
    const headers = {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    };
    const reported = new Map(Array.from(context.reporters, (report) => [...report()]).flat());
    const lines = Object.entries(METRICS).flatMap(([name, declared]) => {
      const values = READERS[name]?.(measured);
      const samples = values === undefined ? listReported(reported, name) : formatSamples(name, values);
      return formatMetric(name, declared, samples);
    });
    return new Response(`${lines.join('\n')}\n`, { headers });
  });
}

/** Labels of routes without an operation. An operation that the document no longer has is `other`. */
const ROUTES: ReadonlyMap<string, string> = new Map([
  [NO_OPERATION.pages, 'pages'],
  [NO_OPERATION.unknownRoutes, 'unknown routes'],
  [NO_OPERATION.gateway, 'gateway'],
  [NO_OPERATION.agents, 'agents'],
  ['', 'gateway'],
]);

function describeOther(key: string): OperationLabels {
  const [name = '', method = '_OTHER'] = key.split(' ');
  return { http_request_method: method, http_route: ROUTES.get(name) ?? 'other' };
}

function createOperationLabels({ runtime }: MountedSite): (operation: string) => OperationLabels {
  const operations = runtime.snapshot?.requestValidators?.getOperationsById();
  return (id) => {
    const found = operations?.get(id)?.operation;
    if (found === undefined) return describeOther(id);
    return { http_request_method: found.method, http_route: found.path };
  };
}

function formatMetric(name: string, declared: string, lines: readonly string[]): readonly string[] {
  const [, type, help] = /^(\w+): (.*)$/.exec(declared) ?? [];
  return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function formatSamples(name: string, samples: readonly Sample[]): readonly string[] {
  return samples.map(([labels, value, suffix = '']) => {
    const pairs = Object.entries(labels).map(
      ([label, text]) => `${label}="${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
    );
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
  });
}

function listReported(reported: ReadonlyMap<string, number>, name: string): readonly string[] {
  return Array.from(reported, ([series, value]) => `${series} ${value}`).filter(
    (line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`),
  );
}
