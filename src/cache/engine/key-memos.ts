import { TwoGenerationMap } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import type { CacheEngineLimits } from './http-cache-options.ts';

/** Maximum entries in each of the three memos. */
const MAX_ENTRIES = 10_000;
/** Milliseconds for which the `Vary` fields of a key are remembered; needed while nothing is stored under the key. */
const VARY_DURATION = 60_000;

/** State that the engine keeps for each key for a short time, in addition to the store. */
export class KeyMemos {
  /** Names of the `Vary` fields, by cache key. */
  readonly varyFields: TtlMap<readonly string[]>;
  /** Collapse keys whose last response could not be shared (hit-for-pass). */
  readonly hitForPass: TtlMap<true>;
  /** Collapse keys whose last background refresh failed. */
  readonly refreshBackoff: TtlMap<true>;

  constructor(clock: Clock, limits: CacheEngineLimits) {
    this.varyFields = createTtlMap(clock, VARY_DURATION, MAX_ENTRIES);
    this.hitForPass = createTtlMap(clock, limits.hitForPassDuration, MAX_ENTRIES);
    this.refreshBackoff = createTtlMap(clock, limits.refreshBackoffDuration, MAX_ENTRIES);
  }
}

/** A bounded map whose entries expire. */
export interface TtlMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * Creates a map whose entries expire.
 *
 * @param duration milliseconds after which an entry expires
 * @param maxEntries approximate maximum: the map keeps at least the newer half of it
 */
function createTtlMap<T>(clock: Clock, duration: number, maxEntries: number): TtlMap<T> {
  const entries = new TwoGenerationMap<{ readonly value: T; readonly expires: number }>(maxEntries / 2);
  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && clock.now() < entry.expires ? entry.value : undefined;
    },
    set: (key, value) => entries.set(key, { value, expires: clock.now() + duration }),
  };
}
