const MAX_KEYS = 4_096;
/** Milliseconds for which a key is remembered: the site may have changed since. */
const EXPIRY = 600_000;

/** Keys that are remembered for ten minutes: pages that could not be stored, classes of resources that depend on a cookie. */
export class ExpiringKeys {
  readonly #now: () => number;
  /** Time of expiry by key, the oldest first. */
  readonly #expiries = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    const expiry = this.#expiries.get(key);
    return expiry !== undefined && this.#now() < expiry;
  }

  add(key: string): void {
    this.#expiries.delete(key);
    const [oldest] = this.#expiries.keys();
    if (this.#expiries.size >= MAX_KEYS && oldest !== undefined) this.#expiries.delete(oldest);
    this.#expiries.set(key, this.#now() + EXPIRY);
  }
}
