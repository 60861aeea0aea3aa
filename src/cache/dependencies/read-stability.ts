/** Maximum volatile kinds, and maximum kinds with steady fetches. */
const MAX_KINDS = 1000;
/** Fetches without a write in between, all with the same response, after which a kind of read does not change by itself. */
const MIN_STEADY_FETCHES = 5;

/** Which kinds of read change without a write. Such a change must not be taken for the effect of a write. */
export class ReadStability {
  /** Kinds whose responses have changed without a write. */
  readonly #volatileKinds = new Set<string>();
  /** By kind: how often a response was fetched again without a write, and was the same. */
  readonly #steadyFetches = new Map<string, number>();

  /** Records that a response was fetched again without a write, and was the same. */
  recordSame(readKind: string): void {
    const count = this.#steadyFetches.get(readKind);
    if (count === undefined && this.#steadyFetches.size >= MAX_KINDS) return;
    this.#steadyFetches.set(readKind, Math.min(MIN_STEADY_FETCHES, (count ?? 0) + 1));
  }

  /** Records that a response has changed without a write. */
  recordChange(readKind: string): void {
    if (this.#volatileKinds.size < MAX_KINDS) this.#volatileKinds.add(readKind);
  }

  /** Whether a response of the kind was seen to change without a write. */
  isVolatile(readKind: string): boolean {
    return this.#volatileKinds.has(readKind);
  }

  /** Whether the kind was never seen to change without a write, in enough fetches. */
  isDependable(readKind: string): boolean {
    return !this.isVolatile(readKind) && (this.#steadyFetches.get(readKind) ?? 0) >= MIN_STEADY_FETCHES;
  }

  clear(): void {
    this.#volatileKinds.clear();
    this.#steadyFetches.clear();
  }
}
