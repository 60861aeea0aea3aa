import type { StoreReader } from '../cache/inventory.ts';
import type { SharedStoreState, StoreStats } from '../cache/store.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import type { AddressReport } from '../upstream/site-addresses.ts';
import type { SiteCircuitReport } from '../upstream/site-circuits.ts';
import type { ConcurrencyReport } from '../upstream/site-connections.ts';
import type { SiteTagsReport } from './caching/site-tags.ts';
import type { BodyMemoryStats } from './exchange/request-body-validator.ts';
import type { LimitReport } from './limiting/site-limits.ts';
import type { NotifyCounts } from './notify/purge-notifier.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

export type ProcessRole = PrimaryRole | WorkerRole;

/** The primary process discovers the sites, keeps the state, and serves what is below `/-/`. It serves no site. */
export interface PrimaryRole {
  readonly kind: 'primary';
  /** Sends a snapshot to all workers, if they have the site. Resolves when they use it. */
  distribute(site: { readonly mount: string }, snapshot: Snapshot): Promise<void>;
  /** Lists the status that each worker has reported last, and the counters of those that have ended. */
  listStatuses(): readonly ProcessStatus[];
  /** Resolves when what the workers have counted and observed until now is known. */
  collectReports(): Promise<void>;
  countWorkers(): WorkerCount;
  listStores(): readonly StoreReader[];
}

/** How many of the workers serve the sites. */
export interface WorkerCount {
  readonly serving: number;
  readonly all: number;
}

/** A worker serves the sites. It gets their documents from the primary process. */
interface WorkerRole {
  readonly kind: 'worker';
  /** Lets the primary process respond to a request below `/-/`. */
  respondByPrimary(request: Request, head: IncomingRequestHead): Promise<Response>;
}

/** What exists in each process of a gateway separately, at one moment: connections, circuits, memory, and counters since the start. */
export interface ProcessStatus {
  readonly gateway: GatewayStatus;
  /** By mount. */
  readonly sites: ReadonlyMap<string, SiteStatus>;
}

export interface GatewayStatus {
  readonly bodies: BodyMemoryStats;
  readonly notices: readonly NotifyCounts[];
  /** `null` if nothing is cached. */
  readonly store: Required<Omit<StoreStats, 'shared'>> | null;
  readonly shared: NonNullable<StoreStats['shared']> | null;
  readonly sharedState: SharedStoreState | undefined;
  /** See `CacheStore.mayEvictPurges`. */
  readonly mayEvictPurges: boolean;
  /** What the server and its process report, by name and labels of a metric: `process_open_fds`, `waygate_x_total{side="y"}`. */
  readonly reported: ReadonlyMap<string, number>;
}

export interface SiteStatus {
  /** `null` if the circuit breakers are off. */
  readonly circuit: SiteCircuitReport | null;
  readonly concurrency: ConcurrencyReport;
  /** `null` if the site has one address. */
  readonly addresses: readonly AddressReport[] | null;
  /** `null` if nothing is limited. */
  readonly limits: LimitReport | null;
  /** `null` if nothing is cached. */
  readonly tags: SiteTagsReport | null;
}
