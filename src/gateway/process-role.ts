import type { IncomingRequestHead } from '../http/request-head.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { Sample } from './traffic/traffic-counters.ts';

/** What a process does in a gateway of several processes. */
export type ProcessRole = PrimaryRole | WorkerRole;

/** The primary process discovers the sites, keeps the state, and serves what is below `/-/`. It serves no site. */
export interface PrimaryRole {
  readonly kind: 'primary';
  /** Sends a snapshot to all workers. Resolves when they use it. */
  distribute(mount: string, snapshot: Snapshot): Promise<void>;
  /** Adds what the workers have counted since their last report to the figures of this process. */
  collectFigures(): Promise<void>;
  /** Returns the metrics that the workers have reported last. */
  listWorkerSamples(): readonly Readonly<Record<string, readonly Sample[]>>[];
}

/** A worker serves the sites. It gets their documents from the primary process. */
interface WorkerRole {
  readonly kind: 'worker';
  /** Lets the primary process respond to a request below `/-/`. */
  respondByPrimary(request: Request, head: IncomingRequestHead): Promise<Response>;
}
