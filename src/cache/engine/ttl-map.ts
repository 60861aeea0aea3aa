import { TwoGenerationMap } from '../../memoize.ts';

/** What was found out about a key a moment ago, forgotten after a while. */
export interface TtlMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * @param duration milliseconds
 * @param most keys at a time, about
 */
export function createTtlMap<T>(clock: { now(): number }, duration: number, most: number): TtlMap<T> {
  const known = new TwoGenerationMap<{ readonly value: T; readonly until: number }>(most / 2);
  return {
    get(key) {
      const found = known.get(key);
      return found !== undefined && clock.now() < found.until ? found.value : undefined;
    },
    set: (key, value) => known.set(key, { value, until: clock.now() + duration }),
  };
}
