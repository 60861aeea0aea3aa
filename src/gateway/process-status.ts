import type { CacheStore } from '../cache/store.ts';
import type { AddressReport } from '../upstream/site-addresses.ts';
import type { SiteCircuitReport } from '../upstream/site-circuits.ts';
import type { BodyMemory } from './exchange/inspected-exchange.ts';
import { type LimitedSubject, type LimitReport, MAX_LIMITED_SUBJECTS } from './limiting/site-limits.ts';
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

/** Combines what two processes report. */
type Combine<T> = (one: T, other: T) => T;

const sum: Combine<number> = (one, other) => one + other;

/** Keeps what is the same in both. */
const keep: Combine<string> = (one) => one;

/** Combines each member in its own way. */
function members<T extends object>(ways: { readonly [Name in keyof T]: Combine<T[Name]> }): Combine<T> {
  return (one, other) => {
    const combined = { ...one };
    for (const name in ways) combined[name] = ways[name](one[name], other[name]);
    return combined;
  };
}

/** Combines two values of which either may be missing. */
function ifBoth<T>(both: Combine<T>): Combine<T | null> {
  return (one, other) => (one === null || other === null ? (one ?? other) : both(one, other));
}

/** Combines two lists by a name. */
function lists<T>(nameOf: (member: T) => string, both: Combine<T>): Combine<readonly T[]> {
  return (one, other) => {
    const combined = new Map(one.map((member) => [nameOf(member), member]));
    for (const member of other) {
      const known = combined.get(nameOf(member));
      combined.set(nameOf(member), known === undefined ? member : both(known, member));
    }
    return [...combined.values()];
  };
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
  // The processes store the same responses.
  store: ifBoth(members({ responseCount: Math.max, bytes: sum, maxBytes: sum })),
  sharedState: worst([undefined, 'connected', 'memory', 'bypassed']),
});

/** An address is up if it is for all processes. */
function combineAddresses(one: AddressReport, other: AddressReport): AddressReport {
  const active = one.active + other.active;
  if (one.isUp !== other.isUp) return { ...(one.isUp ? other : one), active };
  const since = one.isUp ? Math.max(one.since, other.since) : Math.min(one.since, other.since);
  return { ...one, active, since };
}

const worseCircuit = worst<SiteCircuitReport['state']>(['closed', 'half-open', 'open']);

/** A circuit is open if it is in one process. */
function combineCircuits(one: SiteCircuitReport, other: SiteCircuitReport): SiteCircuitReport {
  const { reason, state } = worseCircuit(one.state, other.state) === one.state ? one : other;
  const routes = [...new Set([...one.routes, ...other.routes])];
  const routeCount = Math.max(one.routeCount, other.routeCount, routes.length);
  return { state, reason, routes, routeCount };
}

const combineLimited = lists<LimitedSubject>(
  ({ policy, who }) => `${policy} ${who}`,
  members({ policy: keep, who: keep, refused: sum, last: Math.max }),
);

const combineSites = members<SiteStatus>({
  circuit: ifBoth(combineCircuits),
  // Each process states the limit of all.
  concurrency: members({ active: sum, queued: sum, refused: sum, max: Math.max }),
  addresses: ifBoth(lists(({ address }) => address, combineAddresses)),
  limits: ifBoth(
    members<LimitReport>({
      isAlone: (one, other) => one || other,
      refusals: lists(
        ([policy]) => policy,
        ([policy, own], [, added]) => [policy, own + added],
      ),
      limited: (one, other) =>
        combineLimited(one, other)
          .toSorted((left, right) => right.last - left.last)
          .slice(0, MAX_LIMITED_SUBJECTS),
    }),
  ),
});
