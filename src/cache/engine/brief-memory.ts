/** What was found out about a key a moment ago, forgotten after a while. */
export interface BriefMemory<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * @param duration milliseconds
 * @param most keys at a time, about: the older half goes first
 */
export function createBriefMemory<T>(
  clock: { now(): number },
  duration: number,
  most: number,
): BriefMemory<T> {
  interface Known {
    readonly value: T;
    readonly until: number;
  }
  // A map that its oldest key is taken out of again and again is slow: it steps over all that it has lost.
  let younger = new Map<string, Known>();
  let older = new Map<string, Known>();
  return {
    get(key) {
      const found = younger.get(key) ?? older.get(key);
      return found !== undefined && clock.now() < found.until ? found.value : undefined;
    },
    set(key, value) {
      younger.set(key, { value, until: clock.now() + duration });
      if (younger.size < most / 2) return;
      older = younger;
      younger = new Map();
    },
  };
}
