/** Counts that several processes share: in Redis, or in the primary process of a cluster. */
export interface SharedCounts {
  /**
   * Adds to the count of a key. A count begins with its first addition and ends after its window.
   *
   * @param key contains no credential in clear
   * @param window milliseconds, whole seconds
   * @returns the count of all processes, and the milliseconds until its window ends. Rejects while the counts are unreachable
   */
  add(
    key: string,
    amount: number,
    window: number,
  ): Promise<{ readonly count: number; readonly remaining: number }>;
}
