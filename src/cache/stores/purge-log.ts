import type { PurgeSelection } from '../store.ts';

/** How long a purge is recorded by name, in milliseconds: longer than the gateway waits for a site. */
const MAX_AGE = 10 * 60_000;
/** Maximum tags and keys that are recorded by name. */
const MAX_PURGE_KEYS = 20_000;

/**
 * The times of past purges. A response that was requested before a purge of one of its tags may be older than the write
 * that caused the purge, so it must not enter the store. The log is bounded: a purge that it no longer records by name
 * counts against every response that was requested before it.
 */
export class PurgeLog {
  readonly #maxPurgeKeys: number;
  /** Time of the last purge by purge key, in chronological order: a repeated purge moves to the end. */
  readonly #times = new Map<string, number>();
  /** Responses that were requested at or before this time count as purged. */
  #floor = Number.NEGATIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(maxPurgeKeys: number = MAX_PURGE_KEYS) {
    this.#maxPurgeKeys = maxPurgeKeys;
  }

  record(selection: PurgeSelection, now: number): void {
    // After a clock was set back, a purge must not count as earlier than the one before it.
    const time = Math.max(now, this.#latest);
    this.#latest = time;
    if (selection.kind === 'all') {
      this.#times.clear();
      this.#floor = time;
      return;
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
   * Whether a response has been purged since it was requested. A purge in the same millisecond counts, because it may
   * have come after the request.
   */
  isPurgedSince(key: string, tags: readonly string[], requestTime: number): boolean {
    if (requestTime <= this.#floor) return true;
    // The common case: no purge at all since the request.
    if (requestTime > this.#latest) return false;
    const isPurged = (purgeKey: string) =>
      (this.#times.get(purgeKey) ?? Number.NEGATIVE_INFINITY) >= requestTime;
    return isPurged(purgeKeyForCacheKey(key)) || tags.some((tag) => isPurged(purgeKeyForTag(tag)));
  }
}

/** The name under which a purge of a cache key is recorded. The prefixes keep keys and tags apart. */
export function purgeKeyForCacheKey(key: string): string {
  return `k${key}`;
}

/** The name under which a purge of a tag is recorded. */
export function purgeKeyForTag(tag: string): string {
  return `t${tag}`;
}

/** The names under which a purge of some keys or tags is recorded. */
export function purgeKeysForSelection(
  selection: Exclude<PurgeSelection, { kind: 'all' }>,
): readonly string[] {
  return selection.kind === 'keys'
    ? selection.keys.map(purgeKeyForCacheKey)
    : selection.tags.map(purgeKeyForTag);
}
