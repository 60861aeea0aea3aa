/** What was found out about a key a moment ago, forgotten after a while. */
export interface BriefMemory<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/**
 * @param duration milliseconds
 * @param most keys at a time: the oldest go first
 */
export function createBriefMemory<T>(
  clock: { now(): number },
  duration: number,
  most: number,
): BriefMemory<T> {
  const known = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key) {
      const found = known.get(key);
      if (found === undefined) return undefined;
      if (clock.now() < found.until) return found.value;
      known.delete(key);
      return undefined;
    },
    set(key, value) {
      // A map keeps the order in which keys came.
      known.delete(key);
      known.set(key, { value, until: clock.now() + duration });
      if (known.size <= most) return;
      for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    },
  };
}
