import type { IncomingRequestHead } from '../http/request-head.ts';
import type { BodyMemory } from './exchange/inspected-exchange.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** What a process does in a gateway of several processes. */
export type ProcessRole = PrimaryRole | WorkerRole;

export type BodyStats = ReturnType<BodyMemory['stats']>;

/** The primary process discovers the sites, keeps the state, and serves what is below `/-/`. It serves no site. */
export interface PrimaryRole {
  readonly kind: 'primary';
  /** Sends a snapshot to all workers. Resolves when they use it. */
  distribute(mount: string, snapshot: Snapshot): Promise<void>;
  /** Adds what the workers have counted since their last report to the figures of this process. */
  collectFigures(): Promise<void>;
  /** Adds the request bodies of the workers to those of this process. */
  addBodyStats(own: BodyStats): BodyStats;
}

/** A worker serves the sites. It gets their documents from the primary process. */
interface WorkerRole {
  readonly kind: 'worker';
  /** Lets the primary process respond to a request below `/-/`. */
  respondByPrimary(request: Request, head: IncomingRequestHead): Promise<Response>;
}
