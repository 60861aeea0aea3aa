import { runInSlices, type Steps } from '../../base/steps.ts';
import type { SharedStoreState, StoreReport } from '../cache/store.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { SharedParts } from '../site/shared-parts.ts';
import {
  NO_OPERATION,
  type OperationLabels,
  type OperationSamples,
  type Sample,
  type SiteTraffic,
} from '../site/traffic/site-traffic.ts';
import METRICS from './metrics.json' with { type: 'json' };
import { type Alerts, readStateName, SITE_STATES } from './remarks.ts';

interface Measured extends SharedParts {
  readonly alerts: Alerts;
  readonly sites: readonly MountedSite[];
  readonly store: StoreReport | undefined;
}

type Reader = (measured: Measured) => Iterable<Sample>;

const READERS: Readonly<Partial<Record<keyof typeof METRICS, Reader>>> & Readonly<Record<string, Reader>> = {
  http_server_request_duration_seconds: ofEachHistogram('responses'),
  waygate_request_left_seconds: ofEachHistogram('left'),
  http_client_request_duration_seconds: ofEachHistogram('upstream'),
  waygate_operation_duration_seconds: ofOperations('responses'),
  waygate_operation_upstream_duration_seconds: ofOperations('upstream'),
  waygate_site_failures_total: ofEachCount('failures', 'kind'),
  waygate_responses_broken_total: ofEachCount('broken', 'side'),
  waygate_webhooks_refused_total: ofEachCount('webhooks', 'fault'),
  *waygate_response_body_bytes_total(measured) {
    for (const [site, { sentBytes }] of listTraffic(measured)) yield [{ site }, sentBytes];
  },
  waygate_body_memory_bytes: ({ bodyMemory }) => [[{}, bodyMemory.held]],
  waygate_body_memory_max_bytes: ({ bodyMemory }) => [[{}, bodyMemory.limits.ofAll ?? 0]],
  waygate_body_memory_exceeded_total: ({ bodyMemory }) => [[{}, bodyMemory.refused]],
  waygate_cache_exclusions_total: ofEachEntry((site) =>
    Array.from(site.caching?.exclusions.counts ?? [], ([reason, count]) => [{ reason }, count]),
  ),
  waygate_rate_limited_total: ofEachEntry(({ limits }) =>
    Array.from(limits?.refusals ?? [], ([policy, count]) => [{ policy }, count]),
  ),
  waygate_cache_writes_total: ofEachEntry(({ caching }) =>
    Object.entries(caching?.writes.counts ?? {}).map(([purged, count]) => [{ purged }, count]),
  ),
  *waygate_site_state(measured) {
    for (const site of measured.sites) {
      const name = readStateName(site, measured);
      for (const state of SITE_STATES) yield [{ site: site.settings.name, state }, Number(state === name)];
    }
  },
  waygate_site_ready: ofEachSite(({ runtime }) => Number(runtime.isReady)),
  waygate_site_document_held: ofEachSite(({ runtime }) => Number(runtime.known.held !== null)),
  waygate_site_state_unwritten: ofEachSite((site) => Number(site.isStateFailing)),
  waygate_site_last_read_seconds: ofEachEntry(({ runtime }) =>
    runtime.known.lastDiscoveredAt === null ? [] : [[{}, runtime.known.lastDiscoveredAt / 1000]],
  ),
  waygate_site_discoveries_total: ofEachEntry(({ runtime }) =>
    Object.entries(runtime.known.discoveries).map(([outcome, count]) => [{ outcome }, count]),
  ),
  waygate_site_requests_active: ofEachSite(({ concurrency }) => concurrency.report().active),
  waygate_site_requests_queued: ofEachSite(({ concurrency }) => concurrency.report().queued),
  waygate_site_requests_refused_total: ofEachSite(({ concurrency }) => concurrency.report().refused),
  waygate_site_circuit_open: ofEachSite(({ circuits }) =>
    Number((circuits?.report().reason ?? null) !== null),
  ),
  waygate_validation_requests_total: ofEachEntry(({ validation }) =>
    Object.entries(validation.counts).map(([outcome, count]) => [{ outcome }, count]),
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
  nodejs_eventloop_delay_seconds: ({ eventLoopDelay }) => eventLoopDelay.read({}),
  process_start_time_seconds: () => [[{}, performance.timeOrigin / 1000]],
};

const SHARED_STATES: readonly SharedStoreState[] = ['connected', 'full', 'bypassed'];

function ofStore(read: (report: StoreReport) => number): Reader {
  return ({ store }) => (store === undefined ? [] : [[{}, read(store)]]);
}

function ofEachEntry(
  list: (site: MountedSite) => readonly (readonly [labels: Sample[0], value: number])[],
): Reader {
  return function* ({ sites }) {
    for (const site of sites)
      for (const [labels, value] of list(site)) yield [{ site: site.settings.name, ...labels }, value];
  };
}

function ofEachSite(read: (site: MountedSite) => number): Reader {
  return ofEachEntry((site) => [[{}, read(site)]]);
}

function ofEachCount(counts: 'failures' | 'broken' | 'webhooks', label: string): Reader {
  return ofEachEntry(({ recorder }) =>
    Array.from(recorder.traffic[counts], ([name, count]) => [{ [label]: name }, count]),
  );
}

/** The last is the gateway's own. */
function listTraffic({ recorder, sites }: Measured): readonly (readonly [site: string, SiteTraffic])[] {
  const ofSites = sites.map((site) => [site.settings.name, site.recorder.traffic] as const);
  return [...ofSites, ['', recorder.traffic]];
}

function ofEachHistogram(name: 'responses' | 'left' | 'upstream'): Reader {
  return function* (measured) {
    for (const [site, { durations }] of listTraffic(measured)) yield* durations[name].read({ site });
  };
}

function ofOperations(samples: keyof OperationSamples): Reader {
  return function* ({ recorder, sites }) {
    for (const site of sites) {
      const { traffic } = site.recorder;
      yield* traffic.durations.readOperations(site.settings.name, createOperationLabels(site))[samples];
    }
    yield* recorder.traffic.durations.readOperations('', describeOther)[samples];
  };
}

/** In the text format of Prometheus. */
export async function readMetrics(
  parts: SharedParts,
  sites: readonly MountedSite[],
  alerts: Alerts,
): Promise<string> {
  const measured = { ...parts, sites, alerts, store: parts.cache?.store.report() };
  const reports = await Promise.all(Array.from(parts.reporters, (report) => report()));
  return runInSlices(formatMetrics(measured, new Map(reports.flat())), parts.clock);
}

const ROUTES: ReadonlyMap<string, string> = new Map([
  [NO_OPERATION.pages, 'pages'],
  [NO_OPERATION.unknownRoutes, 'unknown routes'],
  [NO_OPERATION.gateway, 'gateway'],
  [NO_OPERATION.agents, 'agents'],
  [NO_OPERATION.unrouted, 'unrouted'],
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

function* formatMetrics(measured: Measured, reported: ReadonlyMap<string, number>): Steps<string> {
  let text = '';
  for (const [name, declared] of Object.entries(METRICS)) {
    const [, type, help] = /^(\w+): (.*)$/.exec(declared) ?? [];
    let lines = '';
    for (const line of READERS[name] === undefined
      ? listReported(reported, name)
      : formatSamples(name, READERS[name](measured))) {
      lines += line;
      yield;
    }
    if (lines !== '') text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
  }
  return text;
}

function* formatSamples(name: string, samples: Iterable<Sample>): Iterable<string> {
  for (const [labels, value, suffix = ''] of samples) {
    const pairs = Object.entries(labels).map(
      ([label, text]) => `${label}="${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
    );
    yield `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  }
}

function* listReported(reported: ReadonlyMap<string, number>, name: string): Iterable<string> {
  for (const [series, value] of reported)
    if (series === name || series.startsWith(`${name}{`)) yield `${series} ${value}\n`;
}
