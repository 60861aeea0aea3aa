/** Maximum pages that are remembered. */
const MAX_PAGES = 4_096;
/** Milliseconds after which a page may use the store again, because the site may have changed. */
const EXPIRY = 600_000;

/**
 * Remembers pages of a site whose last response could not be stored. Their requests bypass the store for a while, so that
 * the site gets everything that the client sent: its address, its language, its browser.
 */
export class UnstorablePages {
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

  /** @param status of the response that could not be stored; errors and partial responses say nothing about the page */
  add(key: string, status: number): void {
    if (status >= 500 || status === 304 || status === 206 || status === 429) return;
    this.#expiries.delete(key);
    const [oldest] = this.#expiries.keys();
    if (this.#expiries.size >= MAX_PAGES && oldest !== undefined) this.#expiries.delete(oldest);
    this.#expiries.set(key, this.#now() + EXPIRY);
  }
}
