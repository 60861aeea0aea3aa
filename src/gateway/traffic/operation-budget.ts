/** Maximum operations of all sites of a gateway that are counted apart. */
export const MAX_OPERATIONS = 200;
/** Milliseconds between two searches for idle operations, so that a full budget costs a request nothing. */
const SEARCH_INTERVAL = 60_000;

/** Limits the number of operations whose traffic is counted apart, over all sites of a gateway. */
export class OperationBudget {
  readonly #maximum: number;
  #used = 0;
  #lastSearch = Number.NEGATIVE_INFINITY;

  constructor(maximum: number = MAX_OPERATIONS) {
    this.#maximum = maximum;
  }

  /**
   * Claims a place for one operation.
   *
   * @param dropIdle drops operations without recent traffic and returns their number
   * @returns false if there is no place
   */
  claim(now: number, dropIdle: () => number): boolean {
    if (this.#used >= this.#maximum && now - this.#lastSearch >= SEARCH_INTERVAL) {
      this.#lastSearch = now;
      this.#used -= dropIdle();
    }
    if (this.#used >= this.#maximum) return false;
    this.#used += 1;
    return true;
  }
}
