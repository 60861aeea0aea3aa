import { countOf, formatNumber } from '../../base/count-of.ts';
import { formatDuration, formatShare } from '../../base/format.ts';
import { groupEqual } from '../../base/group-by.ts';
import { shorten } from '../../base/text.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { AdminOptions } from '../site/options/gateway-options.ts';
import type { SharedParts } from '../site/shared-parts.ts';
import { NO_OPERATION } from '../site/traffic/durations.ts';
import type { RecordedProblem } from '../site/traffic/site-recorder.ts';
import type { TrafficSummary } from '../site/traffic/site-traffic.ts';
import { createNetworkCheck } from '../upstream/forwarded.ts';
import { describeCause } from './explain.ts';
import { nameOperations } from './stored.ts';

/** The worst first. The first remark decides about the state of a site; without one it is good. */
export const SITE_STATES = ['down', 'failing', 'slow', 'limited', 'starting', 'noted', 'good'] as const;

interface Remark {
  readonly state: Exclude<StateName, 'good'>;
  readonly since: number | null;
  /** What was measured: `12.0 % of requests fail`. */
  readonly text: string;
  /** What helps; empty if the page of the remark says it. */
  readonly remedy: string;
  /** Page of the site's console with the evidence. */
  readonly page: string;
}

type StateName = (typeof SITE_STATES)[number];

/** Whether clients suffer from it: `waygate status` fails, and `deploy/prometheus` has an alert. */
export function isFault(state: StateName): boolean {
  return state !== 'starting' && state !== 'noted' && state !== 'good';
}

export interface SiteState {
  readonly name: StateName;
  readonly since: number | null;
  readonly remarks: readonly Remark[];
}

export const STATE_MINUTES = 5;

/** Failed requests of {@link STATE_MINUTES}. At a quiet site a single 500 would exceed any share. */
const MIN_FAILED = 3;
const MIN_TIMED = 20;
/** Requests from which on a share says something. */
const MIN_REQUESTS = 100;
const STORM = 20;

export interface Alerts {
  readonly errors: number;
  readonly slow: number;
  /** Whether a client can be as busy as it is. */
  readonly isKnown: (client: string) => boolean;
}

/** @throws {ConfigurationError} for an invalid network */
export function readAlerts({
  clients = [],
  errors = 0.01,
  slow = 5_000,
}: NonNullable<AdminOptions['alerts']>): Alerts {
  return { errors, slow, isKnown: createNetworkCheck(clients, 'admin.alerts.clients') };
}

interface Measured {
  readonly site: MountedSite;
  readonly alerts: Alerts;
  readonly traffic: TrafficSummary;
  /** The latest first. */
  readonly problems: readonly RecordedProblem[];
  /** Start of the last {@link STATE_MINUTES}. */
  readonly from: number;
}

type Found =
  | string
  | { readonly text: string; readonly since?: number | null; readonly remedy?: string }
  | null;

type Row = readonly [
  state: Remark['state'],
  page: string,
  find: (measured: Measured) => Found,
  remedy?: string,
];

/** What clients suffer from. One of them is enough: a site that is down fails and is slow. */
const FAULTS: readonly Row[] = [
  [
    'starting',
    'traffic',
    ({ site: { runtime } }) =>
      runtime.isReady || runtime.known.lastDiscoveryError !== null
        ? null
        : 'not read yet, so requests get 503',
  ],
  [
    'down',
    'traffic',
    ({ site: { runtime } }) => (runtime.isReady ? null : 'could not be read, so requests get 503'),
  ],
  ['down', 'problems?q=5xx', findAway],
  ['failing', 'problems?q=5xx', findFailing],
  ['slow', 'traffic#plots', findSlow],
  [
    'limited',
    'traffic',
    ({ site: { runtime } }) =>
      runtime.snapshot?.isProvisional === true ? 'no document: forwarded, not validated, not stored' : null,
  ],
  [
    'limited',
    'traffic',
    ({ site: { runtime } }) => {
      const { held, lastDiscoveryError } = runtime.known;
      if (held !== null)
        return 'served from the last good document, because the discovered one lacks too much';
      return lastDiscoveryError === null ? null : 'served from the last good document';
    },
  ],
];

/** What can be wrong though each request gets a good response, or the fault is its client's. */
const NOTES: readonly Row[] = [
  ['noted', 'problems?q=5xx', findFailingRoute],
  ['noted', 'traffic#operations', findSlowOperation],
  [
    'noted',
    'problems?q=4xx',
    ({ traffic: { clientErrors, requests } }) =>
      clientErrors >= MIN_REQUESTS && clientErrors > requests / 2
        ? `${formatShare(clientErrors / requests)} of requests get 4xx`
        : null,
  ],
  ['noted', 'traffic#clients', findBusyClient],
  ['noted', 'traffic#events', findPurges],
  [
    'noted',
    'traffic#events',
    ({ site: { recorder } }) => {
      const refused = [...recorder.traffic.webhooks.values()].reduce((sum, count) => sum + count, 0);
      return refused > 0 ? `${countOf(refused, 'message')} of waygate.php refused since the start` : null;
    },
    'compare the secret of the plugin with cache.webhook',
  ],
  ['noted', 'cache#unstored', ({ site: { caching } }) => caching?.exclusions.describeCosts() || null],
  [
    'noted',
    'cache#store',
    ({ site: { caching } }) => {
      const { evictions = 0, responseCount } = caching?.cache.store.report() ?? { responseCount: 0 };
      return evictions > Math.max(responseCount, MIN_REQUESTS)
        ? `the store was full: ${countOf(evictions, 'response')} had to make room since the start`
        : null;
    },
    'raise cache.maxBytes',
  ],
  ['noted', 'cache#unstored', findUnstoredPages, 'waygate check <URL of a page> says why'],
];

interface ReportContext extends Pick<SharedParts, 'clock'> {
  readonly alerts: Alerts;
}

export function readSiteState(site: MountedSite, context: ReportContext): SiteState {
  const remarks = [...listRemarks(site, context)];
  return { name: remarks[0]?.state ?? 'good', since: remarks[0]?.since ?? null, remarks };
}

/** Looks no further than to the first remark. */
export function readStateName(site: MountedSite, context: ReportContext): StateName {
  const [first] = listRemarks(site, context);
  return first?.state ?? 'good';
}

function* listRemarks(site: MountedSite, { alerts, clock }: ReportContext): Generator<Remark> {
  const { recorder } = site;
  const from = clock.now() - STATE_MINUTES * 60_000;
  const measured: Measured = {
    site,
    alerts,
    traffic: recorder.traffic.readMinutes(STATE_MINUTES),
    problems: recorder.listProblems(),
    from,
  };
  let hasFault = false;
  for (const [state, page, find, remedy = ''] of [...FAULTS, ...NOTES]) {
    const found = hasFault && state !== 'noted' ? null : find(measured);
    if (found === null) continue;
    hasFault = true;
    yield { state, page, since: null, remedy, ...(typeof found === 'string' ? { text: found } : found) };
  }
}

function findAway(measured: Measured): Found {
  const since = findAwaySince(measured);
  if (since === null) return null;
  const { outcomes, requests, serverErrors } = measured.traffic;
  const served = formatNumber(outcomes.hit + outcomes.stale);
  const failing = serverErrors === 0 ? '' : `, ${formatShare(serverErrors / requests)} fail`;
  return {
    since,
    text:
      requests === 0
        ? 'no requests'
        : `served from the store: ${served} of ${countOf(requests, 'request')}${failing}`,
  };
}

/** Since when no request reaches the site, or none succeeds. */
function findAwaySince({ problems, site, traffic }: Measured): number | null {
  const { circuits, recorder } = site;
  if (circuits === null) {
    const { errors, requests } = traffic.upstream;
    const last = problems.find(({ source }) => source === 'failure' || source === 'site');
    return errors === requests && requests >= MIN_FAILED && last?.source === 'failure'
      ? recorder.traffic.findSince(({ upstream }) => upstream.errors === upstream.requests)
      : null;
  }
  const { failingSince, reason, unreachableSince } = circuits.report();
  return reason === null ? findUnreachableSince(site) : (unreachableSince ?? failingSince);
}

/** `null` if the last connection could be opened, or the site has been read since. */
export function findUnreachableSince({ circuits, runtime }: MountedSite): number | null {
  const since = circuits?.report().unreachableSince ?? null;
  return since === null || since < (runtime.known.lastDiscoveredAt ?? 0) ? null : since;
}

function findFailing({ alerts: { errors }, site: { recorder }, traffic }: Measured): Found {
  const { requests, serverErrors } = traffic;
  if (serverErrors < MIN_FAILED || serverErrors <= errors * requests) return null;
  const since = recorder.traffic.findSince((each) => each.serverErrors > errors * each.requests);
  return { since, text: `${formatShare(serverErrors / requests)} of requests fail` };
}

function findSlow({ alerts: { slow }, site: { recorder }, traffic }: Measured): Found {
  const { mean, p95, requests } = traffic.upstream;
  if (p95 === null || p95 <= slow || (requests < MIN_TIMED && (mean ?? 0) <= slow)) return null;
  const since = recorder.traffic.findSince((each) => (each.upstream.p95 ?? 0) > slow);
  return { since, text: `one in twenty of its responses takes over ${formatDuration(p95)}` };
}

function findFailingRoute({ from, problems }: Measured): Found {
  const failed = problems.filter(({ status, time }) => status >= 500 && time >= from);
  const [most] = groupEqual(failed, ({ method, route, status }) => `${method} ${route}: ${status}`).toSorted(
    (one, other) => other.all.length - one.all.length,
  );
  if (most === undefined || most.all.length < MIN_FAILED) return null;
  const { all, method, route, status } = most;
  return `${method} ${shorten(route, 100)} got ${status} ${countOf(all.length, 'time')} in ${STATE_MINUTES} minutes`;
}

function findSlowOperation({ alerts, site }: Measured): Found {
  const slow = site.recorder.traffic.durations
    .listOperations()
    .filter(({ upstream: { mean, requests } }) => requests >= MIN_TIMED && (mean ?? 0) > alerts.slow)
    .toSorted((one, other) => (other.upstream.mean ?? 0) - (one.upstream.mean ?? 0))[0];
  if (slow === undefined) return null;
  const name = nameOperations(site.runtime.snapshot)(slow.operation);
  return `${shorten(name, 100)} takes ${formatDuration(slow.upstream.mean)} on average since the start`;
}

function findBusyClient({ alerts, site }: Measured): Found {
  const nameOperation = nameOperations(site.runtime.snapshot);
  const all = site.recorder.clients.read();
  for (const { agent, client, clientErrors, operation, requests } of all.clients) {
    const isBusy = all.requests >= MIN_REQUESTS && requests > all.requests / 2;
    const isWrong = all.clientErrors >= MIN_REQUESTS && clientErrors > all.clientErrors / 2;
    if ((!isBusy && !isWrong) || alerts.isKnown(client)) continue;
    const text = isBusy
      ? `${client} sends ${formatShare(requests / all.requests)} of the requests`
      : `${client} gets ${formatShare(clientErrors / all.clientErrors)} of the responses 4xx`;
    const asked = operation === '' ? '' : `, mostly ${shorten(nameOperation(operation), 100)}`;
    return {
      text: `${text}${asked}${agent === '' ? '' : `, as ${JSON.stringify(shorten(agent, 100))}`}`,
      remedy:
        'a proxy in front belongs into trust, a front end of yours into admin.alerts.clients; limits.client bounds others',
    };
  }
  return null;
}

function findPurges({ from, site: { caching } }: Measured): Found {
  const purges = caching?.writes.recent.list().filter(({ time }) => time >= from) ?? [];
  if (purges.length < STORM) return null;
  const [most] = groupEqual(purges, describeCause).toSorted(
    (one, other) => other.all.length - one.all.length,
  );
  if (most === undefined) return null;
  return {
    text: `${countOf(purges.length, 'purge')} in ${STATE_MINUTES} minutes, ${formatNumber(most.all.length)} of them by ${shorten(describeCause(most), 120)}`,
    remedy: 'waygate.php says what a write changed, and cache.writes what it purges',
  };
}

function findUnstoredPages({ site: { caching, recorder } }: Measured): Found {
  // The most frequent cause says more.
  if (caching === null || caching.exclusions.describeCosts() !== '') return null;
  const operations = recorder.traffic.durations.listOperations();
  const pages = operations.find(({ operation }) => operation === NO_OPERATION.pages);
  return pages !== undefined && pages.requests >= MIN_REQUESTS && pages.hits === 0
    ? `none of ${countOf(pages.requests, 'request')} for pages was a hit since the start`
    : null;
}
