import type { OriginFetch } from './origin-fetch.ts';

/**
 * The fetches that later requests may join, by collapse key.
 *
 * Each fetch is kept in a holder that is emptied on removal. V8 keeps the outgrown tables of a map alive until it has
 * collected the oldest of them, and with a fetch everything that belongs to its request: under load, all requests would
 * stay in memory until the next full collection.
 */
export class InFlightFetches {
  readonly #holders = new Map<string, { fetch: OriginFetch | undefined }>();

  get(collapseKey: string): OriginFetch | undefined {
    return this.#holders.get(collapseKey)?.fetch;
  }

  set(collapseKey: string, fetch: OriginFetch): void {
    this.#holders.set(collapseKey, { fetch });
  }

  delete(collapseKey: string): void {
    const holder = this.#holders.get(collapseKey);
    if (holder === undefined) return;
    holder.fetch = undefined;
    this.#holders.delete(collapseKey);
  }
}
