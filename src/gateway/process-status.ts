import type { CacheStore, SharedStoreState } from '../cache/store.ts';
import type { AddressReport } from '../upstream/site-addresses.ts';
import type { SiteCircuitReport } from '../upstream/site-circuits.ts';
import type { BodyMemory } from './exchange/inspected-exchange.ts';
import { type LimitReport, MAX_LIMITED_SUBJECTS } from './limiting/site-limits.ts';
import type { MountedSite } from './mounted-site.ts';
import type { PurgeNotifier } from './notify/purge-notifier.ts';
import type { GatewayStatus, PrimaryRole, ProcessStatus, SiteStatus, WorkerCount } from './process-role.ts';
import type { ResponseCounter } from './traffic/traffic-counters.ts';

/** What the status and the metrics of a process are read from. */
export interface StatusSources {
  /** By mount. */
  readonly sites: ReadonlyMap<string, MountedSite>;
  readonly responses: ResponseCounter;
  readonly bodyMemory: BodyMemory;
  /** `null` if nothing is cached. */
  readonly store: CacheStore | null;
  readonly notifier: PurgeNotifier | null;
}

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

  readGateway(): GatewayStatus {
    return this.#listWorkers().reduce(
      (sum, { gateway }) => combineGateways(sum, gateway),
      readGateway(this.#sources),
    );
  }

  #listWorkers(): readonly ProcessStatus[] {
    return this.#role?.listStatuses() ?? [];
  }

  readSite(site: MountedSite): SiteStatus {
    return this.#listWorkers().reduce((sum, { sites }) => {
      const other = sites.get(site.mount);
      return other === undefined ? sum : combineSites(sum, other);
    }, readSite(site));
  }
}

/** Reads the status of this process. */
export function readProcessStatus(sources: StatusSources): ProcessStatus {
  const sites = Array.from(sources.sites, ([mount, site]) => [mount, readSite(site)] as const);
  return { gateway: readGateway(sources), sites: new Map(sites) };
}

function readGateway({ bodyMemory, notifier, store }: StatusSources): GatewayStatus {
  return {
    bodies: bodyMemory.stats(),
    notices: notifier?.counts ?? [],
    store: store?.stats() ?? null,
    sharedState: store?.sharedState,
  };
}

function readSite({ circuits, concurrency, limits, upstream }: MountedSite): SiteStatus {
  return {
    circuit: circuits?.report() ?? null,
    concurrency: concurrency.report(),
    addresses: upstream.addresses?.report() ?? null,
    limits: limits?.report() ?? null,
  };
}

/** Adds the counters of a process that has ended to those of the ones before. */
export function addEnded(before: ProcessStatus | null, { gateway, sites }: ProcessStatus): ProcessStatus {
  const { bodies, notices } = gateway;
  const ended: ProcessStatus = {
    gateway: {
      bodies: { ...bodies, bytes: 0, maxBytes: 0 },
      notices: notices.map((counts) => ({ ...counts, pending: 0 })),
      store: null,
      sharedState: undefined,
    },
    sites: new Map(
      Array.from(sites, ([mount, { concurrency, limits }]) => [
        mount,
        {
          circuit: null,
          concurrency: { ...concurrency, active: 0, queued: 0 },
          addresses: null,
          limits: limits === null ? null : { ...limits, isAlone: false },
        },
      ]),
    ),
  };
  if (before === null) return ended;
  const added = Array.from(ended.sites, ([mount, site]) => {
    const known = before.sites.get(mount);
    return [mount, known === undefined ? site : combineSites(known, site)] as const;
  });
  return { gateway: combineGateways(before.gateway, ended.gateway), sites: new Map(added) };
}

/** Combines two values of which either may be missing. */
function combine<T>(one: T | null, other: T | null, both: (one: T, other: T) => T): T | null {
  if (one === null || other === null) return one ?? other;
  return both(one, other);
}

/** Adds the numbers of two objects of the same members. All others are those of the first. */
function sumMembers<T extends object>(one: T, other: T): T {
  const added = new Map<string, unknown>(Object.entries(other));
  const members = Object.entries(one).map(([name, value]: [string, unknown]) => {
    const more = added.get(name);
    return [name, typeof value === 'number' && typeof more === 'number' ? value + more : value] as const;
  });
  return { ...one, ...Object.fromEntries(members) };
}

/** Combines two lists by a name. */
function combineLists<T>(
  one: readonly T[],
  other: readonly T[],
  nameOf: (member: T) => string,
  both: (one: T, other: T) => T,
): readonly T[] {
  const combined = new Map(one.map((member) => [nameOf(member), member]));
  for (const member of other) {
    const known = combined.get(nameOf(member));
    combined.set(nameOf(member), known === undefined ? member : both(known, member));
  }
  return [...combined.values()];
}

/** From the best to the worst. */
const SHARED_STATES: readonly (SharedStoreState | undefined)[] = [
  undefined,
  'connected',
  'memory',
  'bypassed',
];

function combineGateways(one: GatewayStatus, other: GatewayStatus): GatewayStatus {
  const states = SHARED_STATES.filter((state) => state === one.sharedState || state === other.sharedState);
  return {
    bodies: sumMembers(one.bodies, other.bodies),
    notices: combineLists(one.notices, other.notices, ({ receiver }) => receiver, sumMembers),
    // The processes store the same responses.
    store: combine(one.store, other.store, (own, added) => ({
      ...sumMembers(own, added),
      responseCount: Math.max(own.responseCount, added.responseCount),
    })),
    sharedState: states.at(-1),
  };
}

function combineSites(one: SiteStatus, other: SiteStatus): SiteStatus {
  const addresses = combine(one.addresses, other.addresses, (own, added) =>
    combineLists(own, added, ({ address }) => address, combineAddresses),
  );
  return {
    circuit: combine(one.circuit, other.circuit, combineCircuits),
    concurrency: {
      ...sumMembers(one.concurrency, other.concurrency),
      // Each process states the limit of all.
      max: Math.max(one.concurrency.max, other.concurrency.max),
    },
    addresses,
    limits: combine(one.limits, other.limits, combineLimits),
  };
}

/** An address is up if it is for all processes. */
function combineAddresses(one: AddressReport, other: AddressReport): AddressReport {
  const active = one.active + other.active;
  if (one.isUp !== other.isUp) return { ...(one.isUp ? other : one), active };
  const since = one.isUp ? Math.max(one.since, other.since) : Math.min(one.since, other.since);
  return { ...one, active, since };
}

/** From the best to the worst. */
const CIRCUIT_STATES: readonly SiteCircuitReport['state'][] = ['closed', 'half-open', 'open'];

/** A circuit is open if it is in one process. */
function combineCircuits(one: SiteCircuitReport, other: SiteCircuitReport): SiteCircuitReport {
  const isWorse = CIRCUIT_STATES.indexOf(other.state) > CIRCUIT_STATES.indexOf(one.state);
  const { reason, state } = isWorse ? other : one;
  const routes = [...new Set([...one.routes, ...other.routes])];
  const routeCount = Math.max(one.routeCount, other.routeCount, routes.length);
  return { state, reason, routes, routeCount };
}

function combineLimits(one: LimitReport, other: LimitReport): LimitReport {
  const limited = combineLists(
    one.limited,
    other.limited,
    ({ policy, who }) => `${policy} ${who}`,
    (own, added) => ({ ...sumMembers(own, added), last: Math.max(own.last, added.last) }),
  );
  return {
    isAlone: one.isAlone || other.isAlone,
    refusals: combineLists(
      one.refusals,
      other.refusals,
      ([policy]) => policy,
      ([policy, own], [, added]) => [policy, own + added],
    ),
    limited: [...limited].sort((left, right) => right.last - left.last).slice(0, MAX_LIMITED_SUBJECTS),
  };
}
