import type { Clock } from '../../ports.ts';

/** Items that wait together are no more than these: one beyond shows that there were more. */
export const MAX_LATER_ITEMS = 100;

/**
 * Purges of one site that are repeated after fixed delays, because the site may still be changing: it has not responded to a write, or
 * goes on working after its response. One purge waits for each delay. What is added meanwhile is purged together, a delay after the
 * last of it, so a busy site is purged once per delay and not once per request.
 */
export class LaterPurges<Item> {
  readonly #clock: Clock;
  readonly #purge: (items: readonly Item[]) => void;
  /** The items of the next purge but one, by delay. */
  readonly #waiting = new Map<number, { readonly items: Item[]; dueAt: number }>();

  constructor(clock: Clock, purge: (items: readonly Item[]) => void) {
    this.#clock = clock;
    this.#purge = purge;
  }

  add(item: Item, delays: readonly number[]): void {
    for (const delay of delays) {
      const next = this.#waiting.get(delay);
      if (next === undefined) this.#wait(delay, [item], delay);
      else {
        next.dueAt = this.#clock.now() + delay;
        if (next.items.length <= MAX_LATER_ITEMS) next.items.push(item);
      }
    }
  }

  #wait(delay: number, items: readonly Item[], milliseconds: number): void {
    const next = { items: [], dueAt: 0 };
    this.#waiting.set(delay, next);
    this.#clock.after(milliseconds, () => {
      this.#waiting.delete(delay);
      if (next.items.length > 0) this.#wait(delay, next.items, next.dueAt - this.#clock.now());
      this.#purge(items);
    });
  }
}
