import type { CacheStore } from '../cache/store.ts';
import type { AddressReport } from '../upstream/site-addresses.ts';
import type { SiteCircuitReport } from '../upstream/site-circuits.ts';
import type { SiteTagsReport } from './caching/site-tags.ts';
import type { BodyMemory } from './exchange/request-body-validator.ts';
import { type LimitedSubject, type LimitReport, MAX_LIMITED_SUBJECTS } from './limiting/site-limits.ts';
import type { MountedSite } from './mounted-site.ts';
import type { PurgeNotifier } from './notify/purge-notifier.ts';
import type { GatewayStatus, PrimaryRole, ProcessStatus, SiteStatus, WorkerCount } from './process-role.ts';
import type { DurationHistograms } from './traffic/traffic-counters.ts';

export interface StatusSources {
  /** By mount. */
  readonly sites: ReadonlyMap<string, MountedSite>;
  /** See `RequestContext.durations`. */
  readonly durations: DurationHistograms;
  readonly bodyMemory: BodyMemory;
  /** `null` if nothing is cached. */
  readonly store: CacheStore | null;
  readonly notifier: PurgeNotifier | null;
  /** Durations that the server and its process measure, by the name of their metric. */
  readonly measured: DurationHistograms;
  /** Report what the server and its process count. See `GatewayStatus.reported`. */
  readonly reporters: Set<Reporter>;
}

export type Reporter = () => Iterable<readonly [series: string, value: number]>;

/** Reads the status of a gateway: that of its process, or of all of its processes. */
export class StatusReader {
  readonly #sources: StatusSources;
  readonly #role: PrimaryRole | null;

  /** @param role `null` in a gateway of one process */
  constructor(sources: StatusSources, role: PrimaryRole | null) {
    this.#sources = sources;
    this.#role = role;
  }

  /** `null` in a gateway of one process. */
  countWorkers(): WorkerCount | null {
    return this.#role?.countWorkers() ?? null;
  }

  /** Resolves when it is known what the workers have served until now. */
  async collect(): Promise<void> {
    await this.#role?.collectReports();
  }

  readGateway(): GatewayStatus {
    const ofWorkers = this.#listWorkers().map(({ gateway }) => gateway);
    return ofWorkers.reduce(combineGateways, readGateway(this.#sources));
  }

  readSite(site: MountedSite): SiteStatus {
    const ofWorkers = this.#listWorkers().flatMap(({ sites }) => sites.get(site.mount) ?? []);
    return ofWorkers.reduce(combineSites, readSite(site));
  }

  #listWorkers(): readonly ProcessStatus[] {
    return this.#role?.listStatuses() ?? [];
  }
}

export function readProcessStatus(sources: StatusSources): ProcessStatus {
  const sites = Array.from(sources.sites, ([mount, site]) => [mount, readSite(site)] as const);
  return { gateway: readGateway(sources), sites: new Map(sites) };
}

function readGateway({ bodyMemory, notifier, reporters, store }: StatusSources): GatewayStatus {
  const bodies = bodyMemory.stats();
  const notices = notifier?.counts ?? [];
  const mayEvictPurges = store?.mayEvictPurges === true;
  const { shared = null, ...memory } = store?.stats() ?? {};
  return {
    ...{ bodies, notices, mayEvictPurges, sharedState: store?.sharedState, shared },
    store: 'bytes' in memory ? { evictions: 0, ...memory } : null,
    reported: new Map(Array.from(reporters, (report) => [...report()]).flat()),
  };
}

function readSite({ caching, circuits, concurrency, limits, upstream }: MountedSite): SiteStatus {
  return {
    circuit: circuits?.report() ?? null,
    concurrency: concurrency.report(),
    addresses: upstream.addresses?.report() ?? null,
    limits: limits?.report() ?? null,
    tags: caching?.reportTags() ?? null,
  };
}

/** Returns what counts of a process that has ended: its counters. */
export function toEnded({ gateway, sites }: ProcessStatus): ProcessStatus {
  const { bodies, notices, reported, shared, store } = gateway;
  const endSite = ({ concurrency, limits, tags }: SiteStatus): SiteStatus => ({
    tags,
    ...{ circuit: null, addresses: null },
    concurrency: { ...concurrency, active: 0, queued: 0 },
    limits: limits === null ? null : { ...limits, isAlone: false },
  });
  return {
    gateway: {
      ...{ sharedState: undefined, mayEvictPurges: false },
      store: store === null ? null : { ...store, responseCount: 0, bytes: 0, maxBytes: 0 },
      shared,
      reported: new Map([...reported].filter(([series]) => series.includes('_total'))),
      bodies: { ...bodies, bytes: 0, maxBytes: 0 },
      notices: notices.map((counts) => ({ ...counts, pending: 0 })),
    },
    sites: new Map(Array.from(sites, ([mount, site]) => [mount, endSite(site)])),
  };
}

type Combine<T> = (one: T, other: T) => T;

const sum: Combine<number> = (one, other) => one + other;

/** Keeps what is the same in both. */
const keep: Combine<string> = (one) => one;

function members<T extends object>(ways: { readonly [Name in keyof T]: Combine<T[Name]> }): Combine<T> {
  return (one, other) => {
    const combined = { ...one };
    for (const name in ways) combined[name] = ways[name](one[name], other[name]);
    return combined;
  };
}

function ifBoth<T>(both: Combine<T>): Combine<T | null> {
  return (one, other) => (one === null || other === null ? (one ?? other) : both(one, other));
}

function maps<T>(both: (one: T, other: T, name: string) => T): Combine<ReadonlyMap<string, T>> {
  return (one, other) => {
    const combined = new Map(one);
    for (const [name, member] of other) {
      const known = combined.get(name);
      combined.set(name, known === undefined ? member : both(known, member, name));
    }
    return combined;
  };
}

function lists<T>(nameOf: (member: T) => string, both: Combine<T>): Combine<readonly T[]> {
  const toMap = (list: readonly T[]): ReadonlyMap<string, T> =>
    new Map(list.map((member) => [nameOf(member), member]));
  return (one, other) => [...maps(both)(toMap(one), toMap(other)).values()];
}

/** @param states from the best to the worst */
function worst<T>(states: readonly T[]): Combine<T> {
  return (one, other) => (states.indexOf(other) > states.indexOf(one) ? other : one);
}

const combineGateways = members<GatewayStatus>({
  bodies: members({ bytes: sum, maxBytes: sum, exceeded: sum }),
  notices: lists(
    ({ receiver }) => receiver,
    members({ receiver: keep, sent: sum, failed: sum, pending: sum }),
  ),
  store: ifBoth(members({ responseCount: sum, bytes: sum, maxBytes: sum, evictions: sum })),
  shared: ifBoth(members({ losses: sum, away: Math.max })),
  sharedState: worst([undefined, 'connected', 'memory', 'bypassed']),
  mayEvictPurges: (one, other) => one || other,
  reported: maps((one, other, series) =>
    series.includes('_timestamp_seconds') ? Math.min(one, other) : one + other,
  ),
});

/** An address is up if it is for all processes. */
function combineAddresses(one: AddressReport, other: AddressReport): AddressReport {
  const active = one.active + other.active;
  if (one.isUp !== other.isUp) return { ...(one.isUp ? other : one), active };
  const since = one.isUp ? Math.max(one.since, other.since) : Math.min(one.since, other.since);
  return { ...one, active, since };
}

const worseCircuit = worst<SiteCircuitReport['state']>(['closed', 'open']);

/** A circuit is open if it is in one process. */
function combineCircuits(one: SiteCircuitReport, other: SiteCircuitReport): SiteCircuitReport {
  const { reason, state } = worseCircuit(one.state, other.state) === one.state ? one : other;
  const routes = [...new Set([...one.routes, ...other.routes])];
  const routeCount = Math.max(one.routeCount, other.routeCount, routes.length);
  const reachedAt = Math.max(one.reachedAt, other.reachedAt);
  const failing = [one, other].flatMap(({ unreachableSince: since }) =>
    since === null || since < reachedAt ? [] : [since],
  );
  const unreachableSince = failing.length === 0 ? null : Math.min(...failing);
  return { state, reason, routes, routeCount, unreachableSince, reachedAt };
}

const combineLimited = lists<LimitedSubject>(
  ({ policy, who }) => `${policy} ${who}`,
  members({ policy: keep, who: keep, refused: sum, last: Math.max }),
);

const combineLimits = members<LimitReport>({
  isAlone: (one, other) => one || other,
  refusals: lists(
    ([policy]) => policy,
    ([policy, own], [, added]) => [policy, own + added],
  ),
  limited: (one, other) =>
    combineLimited(one, other)
      .toSorted((left, right) => right.last - left.last)
      .slice(0, MAX_LIMITED_SUBJECTS),
});

const combineSites = members<SiteStatus>({
  circuit: ifBoth(combineCircuits),
  // The primary process states the limit of all workers, of which each has a part.
  concurrency: members({ active: sum, queued: sum, refused: sum, max: Math.max }),
  addresses: ifBoth(lists(({ address }) => address, combineAddresses)),
  limits: ifBoth(combineLimits),
  tags: ifBoth(
    members<SiteTagsReport>({
      isUsed: (one) => one,
      responses: sum,
      fields: maps(sum),
      lost: sum,
      contradictions: (one, other) => [...one, ...other],
    }),
  ),
});

export const combineStatuses: Combine<ProcessStatus> = members<ProcessStatus>({
  gateway: combineGateways,
  sites: maps(combineSites),
});
