import type { Clock } from '../../../../../src/base/ports.ts';

/** A clock that only moves by `advance`. */
export class ManualClock implements Clock {
  #now: number;
  #tasks: { readonly at: number; readonly task: () => void }[] = [];

  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delay: number, task: () => void): () => void {
    const entry = { at: this.#now + delay, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }

  get pending(): number {
    return this.#tasks.length;
  }

  /** Milliseconds until each task. */
  get delays(): readonly number[] {
    return this.#tasks.map(({ at }) => at - this.#now);
  }

  /** Advances the time, and runs due tasks in order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = this.#tasks.filter(({ at }) => at <= end).sort((first, other) => first.at - other.at)[0];
      if (due === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
    }
    this.#now = end;
  }
}
