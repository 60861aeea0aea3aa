/** What a worker is told: how many slots it gets, 0 if there are none yet, or that others ask for some of its own. */
export interface SlotMessages {
  grant(count: number): void;
  recall(): void;
}

interface Holder {
  held: number;
  /** Whether it was asked to give slots back, and has not yet. */
  isRecalled: boolean;
}

/**
 * The slots of one site (`concurrency.max`), which the workers share: each has an equal part at first. A worker whose requests wait
 * asks for more, and gets what is free or what the others give back. If requests wait in several, the parts become equal again.
 */
export class SiteSlots {
  readonly #share: number;
  readonly #holders = new Map<SlotMessages, Holder>();
  /** The first one is served first. */
  readonly #waiting = new Set<SlotMessages>();
  #free: number;

  /** @param count number of workers */
  constructor(max: number, count: number) {
    this.#free = max;
    this.#share = Math.floor(max / count);
  }

  /** @returns the slots of a new worker */
  add(worker: SlotMessages): number {
    const held = Math.min(this.#free, this.#share);
    this.#free -= held;
    this.#holders.set(worker, { held, isRecalled: false });
    return held;
  }

  ask(worker: SlotMessages): void {
    this.#waiting.add(worker);
    this.#divide();
    if (this.#waiting.has(worker)) worker.grant(0);
  }

  giveBack(worker: SlotMessages, count: number): void {
    const holder = this.#holders.get(worker);
    if (holder === undefined) return;
    holder.held -= count;
    holder.isRecalled = false;
    this.#free += count;
    this.#divide();
  }

  /** A worker has ended. */
  remove(worker: SlotMessages): void {
    this.#free += this.#holders.get(worker)?.held ?? 0;
    this.#holders.delete(worker);
    this.#waiting.delete(worker);
    this.#divide();
  }

  #divide(): void {
    for (const worker of this.#waiting) {
      const holder = this.#holders.get(worker);
      if (this.#free === 0 || holder === undefined) break;
      // The rest is for the next one that asks.
      const count = Math.ceil(this.#free / 2);
      this.#free -= count;
      holder.held += count;
      this.#waiting.delete(worker);
      worker.grant(count);
    }
    for (const worker of this.#waiting) this.#recallFor(worker, this.#holders.get(worker)?.held ?? 0);
  }

  #recallFor(worker: SlotMessages, held: number): void {
    for (const [other, holder] of this.#holders) {
      if (other === worker || holder.held === 0 || holder.isRecalled) continue;
      // Between two that wait, a difference of one stays, unless one of them has nothing.
      if (this.#waiting.has(other) && held > 0 && holder.held <= held + 1) continue;
      holder.isRecalled = true;
      other.recall();
    }
  }
}
