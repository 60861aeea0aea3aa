import type { GroupPurge, PurgeSelection, ResponseGroup, StoredResponse } from '../store.ts';

/** Time for which a purge is recorded by name, in milliseconds. Longer than the gateway waits for a site. */
const MAX_AGE = 10 * 60_000;
/** Maximum tags and keys that are recorded by name. */
const MAX_PURGE_KEYS = 20_000;
/** Maximum groups in the log. A site has two. */
const MAX_GROUPS = 10_000;
const NEVER = Number.NEGATIVE_INFINITY;

/** A purge, under each of its names in the log. */
export interface LoggedPurge {
  readonly time: number;
  /** Number of the purge. That of a soft purge equals that of the hard purge before it. */
  readonly number: number;
  /** Called for each stored response that is found to be purged by one of its tags. */
  readonly onRemoved: (() => void) | undefined;
}

interface LoggedGroup {
  /** Time of the last purge. */
  readonly time: number;
  /** For each kind that the last purge excepted, the time of the last purge that did not. */
  readonly exceptedKinds: ReadonlyMap<string, number>;
}

/**
 * The past purges, with which responses are compared before they are stored and when they are looked up. A response that
 * was requested before a purge of one of its tags may be older than the write that caused the purge, so it must not be
 * stored; a response that was stored before a purge must not be served. The log is bounded: a purge that it no longer
 * records by name is treated as a purge of everything.
 */
export class PurgeLog {
  /** Last purge by tag and by key, in chronological order: a repeated purge moves to the end. */
  readonly #tags = new Map<string, LoggedPurge>();
  readonly #keys = new Map<string, LoggedPurge>();
  /** Only the exceptions of a group's last purge are recorded. */
  readonly #groups = new Map<string, LoggedGroup>();
  /** All responses that were requested by its time, or stored before its number, are treated as purged. */
  #floor: LoggedPurge = { time: NEVER, number: 0, onRemoved: undefined };
  #latest = NEVER;
  /** Number of the last hard purge. Responses that were compared with it need no further comparison. */
  number = 0;

  record(selection: PurgeSelection, mode: 'hard' | 'soft', now: number, onRemoved?: () => void): void {
    // If the clock was set back, the purge gets the time of the purge before it.
    const time = Math.max(now, this.#latest);
    this.#latest = time;
    if (mode === 'hard') this.number += 1;
    const purge = { time, number: this.number, onRemoved };
    if (selection.kind === 'all') {
      this.#clear(purge);
      return;
    }
    if (selection.kind === 'tags') {
      for (const group of selection.groups ?? []) this.#recordGroup(group, time);
      if (this.#groups.size > MAX_GROUPS) this.#clear(purge);
    }
    if (selection.kind === 'tags') this.#recordNames(this.#tags, selection.tags, purge);
    else this.#recordNames(this.#keys, selection.keys, purge);
  }

  /**
   * Whether a response has been purged since it was requested, or in the same millisecond, in which the purge may have
   * come after the request.
   */
  isPurgedSince(
    key: string,
    { group, requestTime, tags }: Pick<StoredResponse, 'group' | 'requestTime' | 'tags'>,
  ): boolean {
    if (requestTime <= this.#floor.time) return true;
    // In the common case there is no purge since the request.
    if (requestTime > this.#latest) return false;
    const isLater = (purge: LoggedPurge | undefined) => purge !== undefined && purge.time >= requestTime;
    if (group !== null && this.#getLastPurge(group) >= requestTime) return true;
    return isLater(this.#keys.get(key)) || tags.some((tag) => isLater(this.#tags.get(tag)));
  }

  /**
   * Finds a hard purge of a stored response by one of its tags.
   *
   * @param number that of the last purge before the response was stored, or with which it was compared
   */
  findPurgeAfter(number: number, tags: readonly string[]): LoggedPurge | undefined {
    if (number < this.#floor.number) return this.#floor;
    for (const tag of tags) {
      const purge = this.#tags.get(tag);
      if (purge !== undefined && purge.number > number) return purge;
    }
    return undefined;
  }

  #recordNames(purges: Map<string, LoggedPurge>, names: readonly string[], purge: LoggedPurge): void {
    for (const name of names) {
      purges.delete(name);
      purges.set(name, purge);
    }
    for (const [name, oldest] of purges) {
      if (purges.size <= MAX_PURGE_KEYS && oldest.time > purge.time - MAX_AGE) break;
      purges.delete(name);
      if (oldest.time >= this.#floor.time) this.#floor = oldest;
    }
  }

  #recordGroup({ exceptKinds, name }: GroupPurge, time: number): void {
    const previous = this.#groups.get(name);
    const exceptedKinds = new Map(
      exceptKinds.map((kind) => [kind, previous?.exceptedKinds.get(kind) ?? previous?.time ?? NEVER]),
    );
    this.#groups.set(name, { time, exceptedKinds });
  }

  /** Returns the time of the last purge of a kind of read. */
  #getLastPurge({ name, readKind }: ResponseGroup): number {
    const group = this.#groups.get(name);
    return group?.exceptedKinds.get(readKind) ?? group?.time ?? NEVER;
  }

  #clear(purge: LoggedPurge): void {
    this.#tags.clear();
    this.#keys.clear();
    this.#groups.clear();
    this.#floor = purge;
  }
}
