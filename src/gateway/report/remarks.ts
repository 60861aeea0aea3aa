import { groupByFrequency } from '../../base/group-by.ts';
import {
  type CacheReason,
  explainReasons,
  findRemedy,
  listUnstoredReasons,
  writeReason,
} from '../../base/http/cache-status.ts';
import { getOrCreate, lazy } from '../../base/memoize.ts';
import { parseQueryPairs, parseVariableName } from '../../base/php/request.ts';
import {
  countOf,
  formatDuration,
  formatNumber,
  formatSeconds,
  formatShare,
  formatUtc,
  shorten,
} from '../../base/text.ts';
import { isOfAll } from '../cache/store.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { AdminOptions } from '../site/settings.ts';
import type { SharedParts } from '../site/shared-parts.ts';
import { MAX_AGENTS, type RecentRequest, type RecordedProblem } from '../site/traffic/site-recorder.ts';
import {
  MAX_RECENT_MINUTES,
  NO_OPERATION,
  type OperationTraffic,
  type TrafficSummary,
  toOperation,
} from '../site/traffic/site-traffic.ts';
import { createNetworkCheck } from '../upstream/networks.ts';
import { isCredentialName } from '../wordpress/bypass-rules.ts';
import { PLUGIN_VERSION } from '../wordpress/site-fields.ts';
import { describeCause, describeProblem } from './explain.ts';
import REMARKS from './remarks.json' with { type: 'json' };
import { nameOperations } from './stored.ts';

/** The worst first. A site's first remark decides its state; without one it is good. */
export const SITE_STATES = ['down', 'failing', 'slow', 'limited', 'starting', 'noted', 'good'] as const;

interface Remark {
  /** Stays the same, for programs that read `/-/sites`. */
  readonly name: string;
  readonly state: StateName;
  readonly since: number | null;
  /** What was measured: `12.0 % of requests fail`. */
  readonly text: string;
  /** What helps; empty if the remark's page says it. */
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

export const STATE_MINUTES: number = MAX_RECENT_MINUTES;

/** Failed requests of {@link STATE_MINUTES}. At a quiet site a single 500 would exceed any share. */
const MIN_FAILED = 3;
const MIN_TIMED = 20;
/** Requests of one operation to the site whose mean says something, even if one of them hung. */
const MIN_TIMED_OF_ONE = 8;
const MIN_REQUESTS = 100;
const STORM = 20;
/** Purges of everything matter from this number, and only if hits are below {@link MAX_LOW_HITS}. */
const MIN_PURGES = 3;
const MAX_LOW_HITS = 0.8;
/** Reads without a hit whose addresses say something. */
const MIN_READS = 30;
/** Share of the requests that one cause keeps from being hits. */
const MIN_SHARE = 0.05;
const MIN_LIMITED = 50;
/** Share of hits below which an operation counts as not stored: a longer lifetime changes nothing. */
const MIN_HITS_OF_STORED = 0.05;
/** Parameters of an address that are read, because clients choose their number. */
const MAX_PARAMETERS = 20;
const LONG_WAIT = 1_000;

export interface Alerts {
  readonly errors: number;
  readonly slow: number;
  readonly isKnown: (client: string) => boolean;
}

export function readAlerts({
  clients = [],
  errors = 0.01,
  slow = 5_000,
}: NonNullable<AdminOptions['alerts']>): Alerts {
  return { errors, slow, isKnown: createNetworkCheck(clients) };
}

interface Measured {
  readonly site: MountedSite;
  readonly alerts: Alerts;
  readonly traffic: TrafficSummary;
  /** The latest first. */
  readonly problems: readonly RecordedProblem[];
  /** @param minutes the last ones */
  readonly listOperations: (minutes: number) => readonly OperationTraffic[];
  /** Reads of {@link STATE_MINUTES} that weren't hits, at most 500; the latest first. */
  readonly reads: readonly RecentRequest[];
  readonly unstoredCause: () => Found;
  /** Start of the last {@link STATE_MINUTES}, whole ones as in `traffic`. */
  readonly from: number;
  readonly now: number;
}

type Found = string | ({ readonly text: string } & Partial<Pick<Remark, 'page' | 'remedy' | 'since'>>) | null;

type Find = (measured: Measured) => Found;

/** A row of `remarks.json`, which has the worst first. */
interface Row {
  readonly state: string;
  readonly page: string;
  readonly remedy?: string;
}

/** Functions of `remarks.json` by name. Each name has an incident in `remarks.test.ts`. */
const FINDERS: Readonly<Record<keyof typeof REMARKS, Find>> & Readonly<Record<string, Find>> = {
  starting: findStarting,
  unread: findUnread,
  away: findAway,
  failing: findFailing,
  waiting: findWaiting,
  slow: findSlow,
  limited: findLimitation,
  'lost-store': findLostStore,
  'unwritten-state': findUnwrittenState,
  failed: findFailed,
  left: findLeft,
  'failing-operation': findFailingOperation,
  'slow-operation': findSlowOperation,
  'client-errors': findClientErrors,
  'limited-client': findLimitedClient,
  'busy-client': findBusyClient,
  purges: findPurges,
  'old-responses': findOldResponses,
  'new-addresses': findNewAddresses,
  'emptied-store': findEmptiedStore,
  'refused-messages': findRefusedMessages,
  'old-plugin': findOldPlugin,
  'not-exact': findInexact,
  'unstored-cause': ({ unstoredCause }) => unstoredCause(),
  evictions: findEvictions,
  'unstored-pages': findUnstoredPages,
};

interface ReportContext extends Pick<SharedParts, 'clock'> {
  readonly alerts: Alerts;
}

export function readSiteState(site: MountedSite, context: ReportContext): SiteState {
  const remarks = [...listRemarks(site, context)];
  return { name: remarks[0]?.state ?? 'good', since: remarks[0]?.since ?? null, remarks };
}

export function readStateName(site: MountedSite, context: ReportContext): StateName {
  const [first] = listRemarks(site, context);
  return first?.state ?? 'good';
}

function* listRemarks(site: MountedSite, { alerts, clock }: ReportContext): Generator<Remark> {
  const { recorder } = site;
  const now = clock.now();
  const from = (Math.floor(now / 60_000) - STATE_MINUTES + 1) * 60_000;
  const operations = new Map<number, readonly OperationTraffic[]>();
  const measured: Measured = {
    site,
    alerts,
    traffic: recorder.traffic.readMinutes(STATE_MINUTES),
    problems: recorder.listProblems(),
    listOperations: (minutes) => getOrCreate(operations, minutes, () => recorder.traffic.listRecent(minutes)),
    reads: recorder.requests.list().filter(({ method, time }) => method === 'GET' && time >= from),
    unstoredCause: lazy(() => findUnstoredCause(measured)),
    ...{ from, now },
  };
  let worst: StateName = 'good';
  for (const [name, { page, remedy = '', state: declared }] of Object.entries<Row>(REMARKS)) {
    const state = SITE_STATES.find((each) => each === declared) ?? 'noted';
    // What takes long can be why requests fail.
    const isTold = worst !== 'good' && state !== 'noted' && !(worst === 'failing' && state === 'slow');
    const found = isTold ? null : (FINDERS[name]?.(measured) ?? null);
    if (found === null) continue;
    if (worst === 'good') worst = state;
    const more = typeof found === 'string' ? { text: found } : found;
    yield { name, state, page, since: null, remedy, ...more };
  }
}

function findStarting({ site: { runtime } }: Measured): Found {
  const isTried = runtime.isReady || runtime.known.lastDiscoveryError !== null;
  return isTried ? null : 'not read yet, so requests get 503';
}

function findUnread({ site: { runtime } }: Measured): Found {
  return runtime.isReady ? null : 'could not be read, so requests get 503';
}

function findLimitation({ site: { runtime } }: Measured): Found {
  const { held, lastDiscoveryError, snapshot } = runtime.known;
  if (snapshot?.isProvisional === true) return 'no document: forwarded, not validated, not stored';
  if (held !== null) return 'served from the last good document, because the discovered one lacks too much';
  return lastDiscoveryError === null ? null : 'served from the last good document';
}

function findClientErrors({ traffic: { clientErrors, requests } }: Measured): Found {
  return clientErrors >= MIN_REQUESTS && clientErrors > requests / 2
    ? `${formatShare(clientErrors / requests)} of requests get 4xx`
    : null;
}

function findRefusedMessages({ site: { recorder } }: Measured): Found {
  const { refusedMessages } = recorder;
  return refusedMessages > 0
    ? `${countOf(refusedMessages, 'message')} of waygate.php refused, and none taken since`
    : null;
}

function findOldPlugin({ site: { caching } }: Measured): Found {
  const { version = PLUGIN_VERSION } = caching?.siteTags ?? {};
  const of = version === 'none' ? 'of an older version' : `of version ${shorten(version, 20)}`;
  return version === PLUGIN_VERSION ? null : `waygate.php of the site is ${of}; this is ${PLUGIN_VERSION}`;
}

function findInexact({ from, site: { caching } }: Measured): Found {
  const answers = caching?.siteTags?.answers.list().filter(({ time }) => time >= from) ?? [];
  const others = answers.filter(({ reason }) => reason !== '');
  const [most] = groupByFrequency(others, ({ reason }) => reason);
  if (most === undefined || answers.length < MIN_READS || others.length < MIN_SHARE * answers.length)
    return null;
  const exact = formatNumber(answers.length - others.length);
  return `waygate.php tags ${exact} of ${countOf(answers.length, 'response')} exactly; ${formatNumber(most.all.length)}: ${shorten(most.reason, 160)}`;
}

function findEvictions({ site: { caching } }: Measured): Found {
  const { evictions = 0, responseCount } = caching?.cache.store.report() ?? { responseCount: 0 };
  return evictions > Math.max(responseCount, MIN_REQUESTS)
    ? `the store was full: ${countOf(evictions, 'response')} had to make room since the start`
    : null;
}

function isDown({ recorder, runtime }: MountedSite): boolean {
  return recorder.availability.findDownSince(runtime.known.lastDiscoveredAt) !== null;
}

function findAway({ site }: Measured): Found {
  const { availability } = site.recorder;
  const since = availability.findDownSince(site.runtime.known.lastDiscoveredAt);
  if (since === null) return null;
  const { answers, requests, served } = availability.run ?? { answers: 0, requests: 0, served: 0 };
  const [last] = site.recorder.failures.list();
  const cause = last === undefined ? '' : `; ${describeProblem(last)}`;
  return {
    since,
    // Requests that the store answered aren't in the list of problems.
    ...(served === requests && { page: 'traffic#operations' }),
    text: `no good answer to ${countOf(answers, 'request')}; served from the store: ${formatNumber(served)} of ${countOf(requests, 'request')}${cause}`,
  };
}

/** What most failed requests of {@link STATE_MINUTES} got, in its own words. */
function describeMostFailures({ from, now, problems, site }: Measured): string {
  const failed = problems.filter(({ status, time }) => status >= 500 && time >= from);
  const [most] = groupByFrequency(failed, describeProblem);
  if (most === undefined) return '';
  const places = most.cause === 'overloaded' ? describePlaces(site, now) : '';
  return `; ${formatNumber(most.all.length)} of the last ${formatNumber(failed.length)}: ${describeProblem(most)}${places}`;
}

function findFailing(measured: Measured): Found {
  const { alerts, site, traffic } = measured;
  const { errors } = alerts;
  const { recorder } = site;
  const { requests, serverErrors } = traffic;
  if (serverErrors < MIN_FAILED || serverErrors <= errors * requests || isOver(measured)) return null;
  const since = recorder.traffic.findSince((each) => each.serverErrors > errors * each.requests);
  return {
    since,
    text: `${formatShare(serverErrors / requests)} of requests fail${describeMostFailures(measured)}`,
  };
}

/** Whether no request has failed for half a minute, and thrice as many were good as lay between two failures. */
function isOver({ now, site: { recorder }, traffic: { requests, serverErrors } }: Measured): boolean {
  const { failedAt, goodSince } = recorder.traffic;
  const between = Math.max(0, requests - goodSince) / (serverErrors || 1);
  return failedAt !== null && now - failedAt >= 30_000 && goodSince > Math.max(MIN_TIMED, 3 * between);
}

function findFailed(measured: Measured): Found {
  const { requests, serverErrors } = measured.traffic;
  const { failedAt, goodSince } = measured.site.recorder.traffic;
  if (serverErrors < MIN_FAILED || failedAt === null || !isOver(measured)) return null;
  return `${formatShare(serverErrors / requests)} of requests failed, the last at ${formatUtc(failedAt)}; none of ${formatNumber(goodSince)} since`;
}

function findLeft({ traffic: { left, meanLeft, requests } }: Measured): Found {
  return left < MIN_TIMED_OF_ONE || left < MIN_SHARE * requests
    ? null
    : `${countOf(left, 'visitor')} left before their response was complete, after ${formatDuration(meanLeft)} on average`;
}

function findLostStore({ site: { caching } }: Measured): Found {
  const { state = 'connected' } = caching?.cache.store.report().shared ?? {};
  return state === 'connected' ? null : `the shared store is ${state}`;
}

function findUnwrittenState({ site: { isStateFailing } }: Measured): Found {
  return isStateFailing ? 'its state cannot be written to the state folder' : null;
}

function findSlow({ alerts: { slow }, now, site, traffic }: Measured): Found {
  const { recorder } = site;
  const { mean, p95, requests } = traffic.upstream;
  if (p95 === null || p95 <= slow || (requests < MIN_TIMED && (mean ?? 0) <= slow)) return null;
  const since = recorder.traffic.findSince((each) => (each.upstream.p95 ?? 0) > slow);
  const places = describePlaces(site, now);
  const remedy = places === '' ? '' : REMARKS.waiting.remedy;
  return { since, remedy, text: `one in twenty of its responses takes over ${formatDuration(p95)}${places}` };
}

function findWaiting({ now, site }: Measured): Found {
  const since = site.concurrency.waitingSince;
  if (since === null || now - since < LONG_WAIT) return null;
  const { active, max, queued } = site.concurrency.report();
  const taken = `${formatNumber(active)} of ${countOf(max, 'place')} at the site are taken, ${countOf(queued, 'request')} wait`;
  return taken + describePlaces(site, now);
}

function describePlaces({ concurrency }: MountedSite, now: number): string {
  const { max } = concurrency.report();
  const [most] = groupByFrequency(concurrency.listActive(), ({ name }) => name);
  if (most === undefined || most.all.length <= max / 2) return '';
  const since = Math.min(...most.all.map((each) => each.since));
  return `; ${shorten(most.name, 100)} holds ${formatNumber(most.all.length)} of ${countOf(max, 'place')} at the site, the longest for ${formatDuration(now - since)}`;
}

/** Counts failures at the site, whatever clients got: a stored response can hide a failure for a day. */
function findFailingOperation(measured: Measured): Found {
  const { from, problems, site } = measured;
  const [most] = measured
    .listOperations(STATE_MINUTES)
    .toSorted((one, other) => other.upstream.errors - one.upstream.errors);
  // If all operations fail, another remark says so.
  if (most === undefined || most.upstream.errors < MIN_FAILED || isDown(site)) return null;
  const { operation, serverErrors, upstream } = most;
  const pages = problems.filter(
    ({ source, status, time }) => source !== 'early' && status >= 500 && time >= from,
  );
  const [page] = groupByFrequency(pages, ({ method, route }) => `${method} ${route}`);
  const ofPage =
    operation !== NO_OPERATION.pages || page === undefined
      ? ''
      : `, mostly ${page.method} ${shorten(page.route, 100)}`;
  const got =
    serverErrors === 0
      ? 'its clients got stored responses'
      : `its clients got ${countOf(serverErrors, 'error')}`;
  const { errors, requests, unanswered } = upstream;
  const how =
    unanswered === 0
      ? 'with 5xx'
      : `${unanswered === errors ? '' : `${formatNumber(errors - unanswered)} with 5xx, ${formatNumber(unanswered)} `}without a response`;
  const failures = site.recorder.failures
    .list()
    .filter((each) => toOperation(each.operation) === operation && each.time >= from);
  const [cause] = groupByFrequency(failures, describeProblem);
  const words = cause === undefined ? '' : `; ${describeProblem(cause)}`;
  return `${nameOperation(site, operation)} failed at the site ${countOf(errors, 'time')} of ${formatNumber(requests)} in ${describeSpan(site)} (${how})${ofPage}; ${got}${words}`;
}

/** {@link STATE_MINUTES}, or the time since the start. */
function describeSpan({ recorder }: MountedSite): string {
  return formatSeconds(60 * recorder.traffic.countMinutes(STATE_MINUTES));
}

function nameOperation(site: MountedSite, operation: string): string {
  return shorten(nameOperations(site.runtime.snapshot)(operation), 100);
}

/** Also checks the means of fewer minutes, because a good past hides an operation that became slow. */
function findSlowOperation(measured: Measured): Found {
  const { alerts, now, site } = measured;
  const least = MIN_TIMED_OF_ONE * alerts.slow;
  const isSlow = measured
    .listOperations(STATE_MINUTES)
    .some(({ upstream: { mean, requests } }) => requests * (mean ?? 0) > least);
  if (!isSlow || isDown(site)) return null;
  // An operation that holds the places makes all others slow.
  const isFull = findWaiting(measured) !== null || findSlow(measured) !== null;
  if (isFull && describePlaces(site, now) !== '') return null;
  for (let minutes = STATE_MINUTES; minutes > 0; minutes -= 1) {
    const [slow] = measured
      .listOperations(minutes)
      .filter(({ upstream: { mean, requests } }) => requests >= MIN_TIMED_OF_ONE && (mean ?? 0) > alerts.slow)
      .toSorted((one, other) => (other.upstream.mean ?? 0) - (one.upstream.mean ?? 0));
    if (slow === undefined) continue;
    const { hitRatio, operation, upstream } = slow;
    const longer =
      (hitRatio ?? 0) < MIN_HITS_OF_STORED ? '' : 'a rule with a longer ttl asks for it less often, and ';
    return {
      text: `${nameOperation(site, operation)} takes ${formatDuration(upstream.mean)} on average (${countOf(upstream.requests, 'request')} to the site in ${countOf(minutes, 'minute')})`,
      remedy: `look at its plugin and its query; ${longer}limits.rules bounds it`,
    };
  }
  return null;
}

function findLimitedClient({ site }: Measured): Found {
  const [most] = site.recorder.clients.read().clients.toSorted((one, other) => other.limited - one.limited);
  if (most === undefined || most.limited < MIN_LIMITED) return null;
  const { agents, client, limited, policy, requests } = most;
  const { client: own, rules = [] } = site.settings.options.limits ?? {};
  const place = Number(/\d+$/.exec(policy)?.[0] ?? 0) - 1;
  const setting = place < 0 ? 'limits.client' : `limits.rules[${place}].client`;
  const { ofNetwork, window } = (place < 0 ? own : rules[place]?.client) ?? { ofNetwork: 0, window: 0 };
  const [agent = ''] = agents;
  const isShared = agents.length > 1;
  const many = agents.length < MAX_AGENTS ? String(agents.length) : `${MAX_AGENTS} or more`;
  const as = isShared ? `from ${many} user agents` : `all as ${JSON.stringify(shorten(agent, 100))}`;
  return {
    text: `${setting} (${ofNetwork} in ${formatDuration(window)}) refuses ${client}: 429 for ${formatNumber(limited)} of its ${countOf(requests, 'request')}, ${as}`,
    remedy: isShared
      ? `people who share an address need a higher ${setting}, or rules for what is costly and client: off for the rest; add a proxy of yours to trust`
      : 'one program: the limit does its work, unless it is a front end or a monitor of yours',
  };
}

function findBusyClient({ alerts, site }: Measured): Found {
  const all = site.recorder.clients.read();
  for (const { agent, client, clientErrors, limited, operation, requests } of all.clients) {
    const isBusy = all.requests >= MIN_REQUESTS && requests > all.requests / 2;
    const isWrong = all.clientErrors >= MIN_REQUESTS && clientErrors > all.clientErrors / 2;
    // Another remark names clients that a limit refuses.
    const isLimited = limited >= MIN_LIMITED;
    if ((!isBusy && !isWrong) || isLimited || alerts.isKnown(client)) continue;
    const text = isBusy
      ? `${client} sends ${formatShare(requests / all.requests)} of the requests`
      : `${client} gets ${formatShare(clientErrors / all.clientErrors)} of the responses 4xx`;
    const asked = operation === '' ? '' : `, mostly ${nameOperation(site, operation)}`;
    return {
      text: `${text}${asked}${agent === '' ? '' : `, as ${JSON.stringify(shorten(agent, 100))}`}`,
      remedy:
        'if it is a proxy in front, add it to trust; if it is a front end of yours, to admin.alerts.clients; otherwise limits.client bounds it',
    };
  }
  return null;
}

function findPurges({ from, site, traffic: { hitRatio, requests } }: Measured): Found {
  const { caching } = site;
  const all = caching?.writes.recent.list().filter(({ time }) => time >= from) ?? [];
  const whole = all.filter(({ selection }) => isOfAll(selection));
  const isLow = requests >= MIN_REQUESTS && hitRatio !== null && hitRatio < MAX_LOW_HITS;
  const costs = whole.length >= MIN_PURGES && isLow;
  if (all.length < STORM && !costs) return null;
  const purges = costs ? whole : all;
  const [most] = groupByFrequency(purges, describeCause);
  if (most === undefined) return null;
  const [, address] = /^([A-Z]+ [^\s?]+)$/.exec(describeCause(most).replace(/\?.*/s, '')) ?? [];
  const rule =
    address === undefined
      ? ', and cache.writes what it purges'
      : `; cache.writes: [{ match: ${shorten(address, 100)}, purges: nothing }] if no stored response depends on it`;
  const count = `${countOf(purges.length, 'purge')}${costs ? ' of everything' : ''} in ${describeSpan(site)}`;
  const by = `${formatNumber(most.all.length)} of them by ${shorten(describeCause(most), 120)}${most.client === '' ? '' : ` from ${most.client}`}`;
  return {
    text: `${count}, ${by}${costs ? `; the store answers ${formatShare(hitRatio)} of the requests` : ''}`,
    remedy: `waygate.php says what a write changed${rule}`,
  };
}

function findOldResponses({ reads }: Measured): Found {
  const isToStore = ({ kind }: CacheReason): boolean => kind === 'storable' || kind === 'arrived';
  const stored = reads.filter(
    ({ cacheStatus: { detail = [], stored } }) => stored === true || detail.some(isToStore),
  );
  const ages = stored
    .flatMap(({ cacheStatus: { detail = [] } }) => detail)
    .flatMap((reason) => (reason.kind === 'arrived' ? reason.age : []))
    .sort((one, other) => one - other);
  if (stored.length < MIN_READS || ages.length < stored.length / 2) return null;
  const age = formatSeconds(ages[Math.floor(ages.length / 2)] ?? 0);
  return `${formatNumber(ages.length)} of the last ${formatNumber(stored.length)} responses to be stored were older than their lifetime when they arrived, by their Date or Age about ${age}`;
}

/** A parameter with a new value each time, such as jQuery's `_`, which makes each address new. */
function findNewAddresses({ reads, site }: Measured): Found {
  const operations = site.runtime.snapshot?.requestValidators?.getOperationsById();
  const isNew = reads.filter(
    ({ cacheStatus: { fwd }, target }) => fwd === 'uri-miss' && target.includes('?'),
  );
  const asked = new Map<string, { values: Set<string>; rest: Set<string>; count: number }>();
  for (const { operation, target } of isNew) {
    const declared = operations?.get(operation.replace(/ .*/s, ''))?.operation.parameters;
    if (declared === undefined) continue;
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    const pairs = parseQueryPairs(query);
    if (pairs.length > MAX_PARAMETERS) continue;
    const known = new Set(
      declared.filter((each) => each.in === 'query').map((each) => parseVariableName(each.name).name),
    );
    for (const { name, value } of pairs) {
      // Declared parameters can select content, and WordPress's own select the operation.
      if (name === '' || name === 'rest_route' || name === '_method' || known.has(name)) continue;
      const counted = getOrCreate(asked, name, () => ({
        values: new Set<string>(),
        rest: new Set<string>(),
        count: 0,
      }));
      counted.count += 1;
      counted.values.add(value);
      counted.rest.add(
        `${path}?${pairs
          .filter((each) => each.name !== name)
          .map(({ raw }) => raw)
          .join('&')}`,
      );
    }
  }
  const [most] = [...asked].toSorted(([, one], [, other]) => other.count - one.count);
  if (most === undefined) return null;
  const [name, { count, rest, values }] = most;
  if (count < MIN_READS || values.size < 0.9 * count || rest.size > count / 2) return null;
  const shown = shorten(name, 60);
  return {
    text: `the parameter ${shown} makes each address new: ${formatNumber(count)} of the last ${countOf(reads.length, 'read')} without a hit have it, with ${countOf(values.size, 'value')}, and name only ${formatNumber(rest.size)} without it`,
    remedy: `cache.ignoreParameters: [${JSON.stringify(shown)}] if no content depends on it, or a front end that doesn't send it`,
  };
}

function findEmptiedStore({ from, site }: Measured): Found {
  const { emptied = [] } = site.caching?.cache.store.report().shared ?? {};
  const recent = emptied.filter((time) => time >= from).length;
  return recent < 2
    ? null
    : `the shared store was emptied ${countOf(recent, 'time')} in ${describeSpan(site)}, by no purge of this gateway`;
}

/** Cookies of a user, a customer or a visitor who has written something. */
const OF_ONE_CLIENT =
  /^(?:wordpress_|wp-settings-|wp-postpass_|comment_author_|woocommerce_|wp_woocommerce_)/;

/** What keeps reads from being hits, e.g. a cookie that a plugin sets on every page. */
function findUnstoredCause({ reads, site: { caching }, traffic: { outcomes, requests } }: Measured): Found {
  const causes = reads.flatMap(({ cacheStatus, status }) => {
    if (status >= 400 || cacheStatus.fwd === 'request') return [];
    const [reason] = listUnstoredReasons(cacheStatus);
    if (reason === undefined) return [];
    const isKept =
      (reason.kind === 'set-cookie' && caching?.bypassRules.isKeyCookie(reason.name) === true) ||
      (reason.kind === 'cookie' && (OF_ONE_CLIENT.test(reason.name) || isCredentialName(reason.name)));
    const remedy = isKept ? '' : findRemedy(reason);
    return remedy === '' ? [] : [{ reason, remedy }];
  });
  // A cookie that the site sets comes back in requests: one cause.
  const [most] = groupByFrequency(causes, ({ reason }) => {
    const cause = writeReason(reason.kind === 'set-cookie' ? { ...reason, kind: 'cookie' } : reason);
    return reason.kind === 'header' ? cause.toLowerCase() : cause;
  });
  if (most === undefined || most.all.length < MIN_READS) return null;
  const share = (most.all.length / reads.length) * (1 - outcomes.hit / requests);
  if (share < MIN_SHARE) return null;
  const { reason, remedy } = most.all.find((each) => each.reason.kind === 'set-cookie') ?? most;
  return {
    text: `${formatShare(share)} of requests are no hits: ${explainReasons([reason])}`,
    remedy: remedy.replaceAll('`', ''),
  };
}

function findUnstoredPages(measured: Measured): Found {
  const { caching, recorder } = measured.site;
  // The remark about the most frequent cause says more.
  if (caching === null || measured.unstoredCause() !== null) return null;
  const operations = recorder.traffic.durations.listOperations();
  const pages = operations.find(({ operation }) => operation === NO_OPERATION.pages);
  return pages !== undefined && pages.requests >= MIN_REQUESTS && pages.hits === 0
    ? `none of ${countOf(pages.requests, 'request')} for pages was a hit since the start`
    : null;
}
