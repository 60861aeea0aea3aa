import type { PairEvidence } from './pair-evidence.ts';

/** One write of the site, from the moment its request was planned. */
export interface LoggedWrite {
  readonly start: number;
  /** `null` while it runs. */
  end: number | null;
  /** Whether it turned out to have changed nothing: the site refused it, or never received it. */
  isVoid: boolean;
  /** `null` if it is unknown. */
  kind: string | null;
  /** Hashes of the tags that it purged. */
  tags: ReadonlySet<number>;
  /** Hashes of the tags by which a changed response shows that the write had an effect. */
  effectTags: ReadonlySet<number>;
  /** Namespace of the written route; empty if it is unknown. */
  namespace: string;
  /** Names of the groups that it purged. */
  groups: ReadonlySet<string>;
  /** Identifies the written resource. */
  resource: number;
  /** Whether it is certain that something has changed. Until then its observations do not count. */
  hasSeenEffect: boolean;
  /** Number of observations of each pair. */
  readonly observed: Map<PairEvidence, number>;
  readonly pending: PendingObservation[];
}

export interface PendingObservation {
  readonly pair: PairEvidence;
  readonly key: number;
}

/** Maximum writes in the log. */
const MAX_WRITES = 1024;
/** A write without end after this time, in milliseconds, is ignored: it was never forwarded. */
const MAX_DURATION = 10 * 60_000;

/** The last writes of a site, in the order in which they began. */
export class WriteLog {
  #writes: LoggedWrite[] = [];
  /** Writes that ran until this time may be missing. */
  #completeSince = Number.NEGATIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#writes.length === 0;
  }

  start(now: number): LoggedWrite {
    const write: LoggedWrite = {
      start: now,
      end: null,
      isVoid: false,
      kind: null,
      tags: new Set(),
      effectTags: new Set(),
      namespace: '',
      groups: new Set(),
      resource: 0,
      hasSeenEffect: false,
      observed: new Map(),
      pending: [],
    };
    this.#writes.push(write);
    if (this.#writes.length > MAX_WRITES) {
      const dropped = this.#writes.splice(0, MAX_WRITES / 2);
      this.#completeSince = Math.max(...dropped.map(({ end, start: began }) => end ?? began));
    }
    return write;
  }

  /**
   * Lists the writes that ran at some time from `since` to `until`.
   *
   * @returns `null` if the log does not reach back that far
   */
  listBetween(since: number, until: number): readonly LoggedWrite[] | null {
    if (this.#completeSince >= since) return null;
    const found: LoggedWrite[] = [];
    for (let at = this.#writes.length - 1; at >= 0; at -= 1) {
      const write = this.#writes[at];
      if (write === undefined || write.start < since - MAX_DURATION) break;
      const end = write.end ?? write.start + MAX_DURATION;
      if (!write.isVoid && write.start <= until && end >= since) found.push(write);
    }
    return found;
  }
}
