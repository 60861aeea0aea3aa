import { countOf } from '../../base/count-of.ts';
import { formatDuration, formatShare } from '../../base/format.ts';
import { isSharedStore } from '../cache/store.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { AdminOptions } from '../site/options/gateway-options.ts';

export const SITE_STATES = ['down', 'failing', 'slow', 'limited', 'good'] as const;

export interface SiteState {
  readonly name: (typeof SITE_STATES)[number];
  readonly since: number | null;
  readonly words: string;
}

export const STATE_MINUTES = 5;

/** Failed requests of {@link STATE_MINUTES}. At a quiet site a single 500 would exceed any share. */
const MIN_FAILED = 3;
const MIN_TIMED = 20;

const DEFAULT_ALERTS = { errors: 0.01, slow: 5_000 };

export function readSiteState(site: MountedSite, alerts: AdminOptions['alerts'] = {}): SiteState {
  const { recorder, runtime } = site;
  const { errors = DEFAULT_ALERTS.errors, slow = DEFAULT_ALERTS.slow } = alerts;
  const { clientErrors, requests, serverErrors, upstream } = recorder.traffic.readMinutes(STATE_MINUTES);
  const share = requests === 0 ? 0 : serverErrors / requests;
  const failing = serverErrors === 0 ? [] : [`${formatShare(share)} of requests fail`];
  if (!runtime.isReady) return { name: 'down', since: null, words: 'never read, so requests get 503' };
  const away = findAwaySince(site);
  if (away !== null) {
    return { name: 'down', since: away, words: [...describeStored(site), ...failing].join(', ') };
  }
  if (share > errors && serverErrors >= MIN_FAILED) {
    const since = recorder.traffic.findSince((each) => each.serverErrors > errors * each.requests);
    return { name: 'failing', since, words: failing.join() };
  }
  const { mean, p95, requests: timed } = upstream;
  if (p95 !== null && p95 > slow && (timed >= MIN_TIMED || (mean ?? 0) > slow)) {
    const since = recorder.traffic.findSince((each) => (each.upstream.p95 ?? 0) > slow);
    const words = `one in twenty of its responses takes over ${formatDuration(p95)}`;
    return { name: 'slow', since, words };
  }
  const limits = describeLimits(site);
  return limits === null
    ? { name: 'good', since: null, words: describeRemarks(site, clientErrors / requests) }
    : { name: 'limited', since: null, words: limits };
}

function describeStored({ caching, recorder, runtime: { snapshot } }: MountedSite): readonly string[] {
  if (snapshot !== null && caching?.hasStored(snapshot) === true) return ['stored responses are served'];
  // Other gateways can have stored what this one has not.
  if (caching !== null && isSharedStore(caching.cache.store)) return [];
  const status = recorder.listProblems().find(({ source }) => source === 'failure')?.status;
  return status === undefined ? ['nothing is stored'] : [`nothing is stored: clients get ${status}`];
}

/** Since when no request reaches the site, or none succeeds. */
function findAwaySince(site: MountedSite): number | null {
  const { circuits, recorder } = site;
  if (circuits === null) {
    const { errors, requests } = recorder.traffic.readMinutes(STATE_MINUTES).upstream;
    const last = recorder.listProblems().find(({ source }) => source === 'failure' || source === 'site');
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

export const STORM = 20;

/** What can be wrong though each request gets a good response, or the fault is its client's. */
function describeRemarks({ caching, recorder }: MountedSite, clientErrorShare: number): string {
  const from = caching === null ? 0 : caching.cache.clock.now() - STATE_MINUTES * 60_000;
  const purges = caching?.writes.recent.list().filter(({ time }) => time >= from).length ?? 0;
  const refused = [...recorder.traffic.webhooks.values()].reduce((sum, count) => sum + count, 0);
  const remarks = [
    clientErrorShare > 0.5 ? `${formatShare(clientErrorShare)} of requests get 4xx` : '',
    purges >= STORM ? `${countOf(purges, 'purge')} in ${STATE_MINUTES} minutes` : '',
    refused > 0 ? `${countOf(refused, 'message')} of waygate.php refused` : '',
    caching?.exclusions.describeCosts() ?? '',
  ];
  return remarks.filter((remark) => remark !== '').join(', ');
}

function describeLimits({ runtime }: MountedSite): string | null {
  const { held, lastDiscoveryError, snapshot } = runtime.known;
  if (snapshot?.isProvisional === true) return 'no document: forwarded, not validated, not stored';
  if (held !== null) return 'served from the last good document, because the discovered one lacks too much';
  return lastDiscoveryError === null ? null : 'served from the last good document';
}
