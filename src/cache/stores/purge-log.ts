import type { GroupPurge, PurgeSelection, ResponseGroup, StoredResponse } from '../store.ts';

/** Time for which a purge is recorded by name, in milliseconds. Longer than the gateway waits for a site. */
const MAX_AGE = 10 * 60_000;
/** Maximum tags and keys that are recorded by name. */
const MAX_PURGE_KEYS = 20_000;

/**
 * The times of past purges. A response that was requested before a purge of one of its tags may be older than the write
 * that caused the purge, so it must not be stored. The log is bounded: a purge that it no longer records by name is treated
 * as a purge of everything.
 */
export class PurgeLog {
  readonly #maxPurgeKeys: number;
  /** Time of the last purge by purge key, in chronological order: a repeated purge moves to the end. */
  readonly #times = new Map<string, number>();
  readonly #groups = new GroupPurgeLog();
  /** All responses that were requested at this time or earlier are treated as purged. */
  #floor = Number.NEGATIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(maxPurgeKeys: number = MAX_PURGE_KEYS) {
    this.#maxPurgeKeys = maxPurgeKeys;
  }

  record(selection: PurgeSelection, now: number): void {
    // If the clock was set back, the purge gets the time of the purge before it.
    const time = Math.max(now, this.#latest);
    this.#latest = time;
    if (selection.kind === 'all') {
      this.#clear(time);
      return;
    }
    if (selection.kind === 'tags') {
      for (const group of selection.groups ?? []) this.#groups.record(group, time);
      if (this.#groups.isFull) this.#clear(time);
    }
    for (const purgeKey of purgeKeysForSelection(selection)) {
      this.#times.delete(purgeKey);
      this.#times.set(purgeKey, time);
    }
    for (const [purgeKey, since] of this.#times) {
      if (this.#times.size <= this.#maxPurgeKeys && since > time - MAX_AGE) break;
      this.#times.delete(purgeKey);
      this.#floor = since;
    }
  }

  /**
   * Whether a response has been purged since it was requested, or in the same millisecond, in which the purge may have
   * come after the request.
   */
  isPurgedSince(
    key: string,
    { group, requestTime, tags }: Pick<StoredResponse, 'group' | 'requestTime' | 'tags'>,
  ): boolean {
    if (requestTime <= this.#floor) return true;
    // In the common case there is no purge since the request.
    if (requestTime > this.#latest) return false;
    const isPurged = (purgeKey: string) =>
      (this.#times.get(purgeKey) ?? Number.NEGATIVE_INFINITY) >= requestTime;
    if (group !== null && this.#groups.getLastPurge(group) >= requestTime) return true;
    return isPurged(purgeKeyForCacheKey(key)) || tags.some((tag) => isPurged(purgeKeyForTag(tag)));
  }

  #clear(time: number): void {
    this.#times.clear();
    this.#groups.clear();
    this.#floor = time;
  }
}

/** Creates the name under which a purge of a cache key is recorded. Its prefix distinguishes it from those of tags. */
export function purgeKeyForCacheKey(key: string): string {
  return `k${key}`;
}

/** Creates the name under which a purge of a tag is recorded. */
export function purgeKeyForTag(tag: string): string {
  return `t${tag}`;
}

/** Creates the names under which a purge of some keys or tags is recorded. */
export function purgeKeysForSelection(
  selection: Exclude<PurgeSelection, { kind: 'all' }>,
): readonly string[] {
  return selection.kind === 'keys'
    ? selection.keys.map(purgeKeyForCacheKey)
    : selection.tags.map(purgeKeyForTag);
}

interface LoggedGroup {
  /** Time of the last purge. */
  readonly time: number;
  /** For each kind that the last purge excepted, the time of the last purge that did not. */
  readonly exceptedKinds: ReadonlyMap<string, number>;
}

/** Maximum groups in the log. A site has two. */
const MAX_GROUPS = 10_000;

/** The times of past purges of groups, in bounded memory: only the exceptions of a group's last purge are recorded. */
class GroupPurgeLog {
  readonly #groups = new Map<string, LoggedGroup>();

  /** Whether the log is full, so that all that was stored before must count as purged. */
  get isFull(): boolean {
    return this.#groups.size > MAX_GROUPS;
  }

  record({ exceptKinds, name }: GroupPurge, time: number): void {
    const previous = this.#groups.get(name);
    const exceptedKinds = new Map(
      exceptKinds.map((kind) => [kind, previous === undefined ? NEVER : lastPurge(previous, kind)]),
    );
    this.#groups.set(name, { time, exceptedKinds });
  }

  clear(): void {
    this.#groups.clear();
  }

  /** Returns the time of the last purge of a kind of read. */
  getLastPurge({ name, readKind }: ResponseGroup): number {
    const group = this.#groups.get(name);
    return group === undefined ? NEVER : lastPurge(group, readKind);
  }
}

const NEVER = Number.NEGATIVE_INFINITY;

function lastPurge({ exceptedKinds, time }: LoggedGroup, kind: string): number {
  return exceptedKinds.get(kind) ?? time;
}
