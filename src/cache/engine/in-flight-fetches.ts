import type { OriginFetch } from './origin-fetch.ts';

/**
 * The flights on their way, by what they are found by.
 *
 * Each stands in a holder of its own that is emptied when it is taken out. V8 keeps what stood in the outgrown tables of
 * a map alive for as long as it has not collected the oldest of them, and with a flight all that belongs to its request:
 * under load all requests would live until the next full collection.
 */
export class InFlightFetches {
  readonly #holders = new Map<string, { flight: OriginFetch | undefined }>();

  get(id: string): OriginFetch | undefined {
    return this.#holders.get(id)?.flight;
  }

  set(id: string, flight: OriginFetch): void {
    this.#holders.set(id, { flight });
  }

  delete(id: string): void {
    const holder = this.#holders.get(id);
    if (holder === undefined) return;
    holder.flight = undefined;
    this.#holders.delete(id);
  }
}
