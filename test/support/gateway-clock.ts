import type { Clock } from '../../src/base/ports.ts';

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that a test moves. */
export class GatewayClock implements Clock {
  #now: number;
  readonly #heldFrom: number;
  #tasks: readonly Task[] = [];

  /** @param heldFrom milliseconds from which tasks run when the test lets the time pass. Others run by themselves */
  constructor(now: number = Date.now(), heldFrom = 1_000) {
    this.#now = now;
    this.#heldFrom = heldFrom;
  }

  get waiting(): number {
    return this.#tasks.length;
  }

  /** Milliseconds until each waiting task. */
  get delays(): readonly number[] {
    return this.#tasks.map(({ at }) => at - this.#now);
  }

  now = (): number => this.#now;

  after = (delay: number, run: () => void): (() => void) => {
    const task = { at: this.#now + delay, run };
    const timer = delay < this.#heldFrom ? setTimeout(run, delay) : undefined;
    if (timer === undefined) this.#tasks = [...this.#tasks, task];
    return () => {
      clearTimeout(timer);
      this.#tasks = this.#tasks.filter((each) => each !== task);
    };
  };

  /** Lets a few milliseconds pass: nothing is stored that was requested in the millisecond of a purge. */
  tick(): void {
    this.pass(5);
  }

  /** Runs due tasks in order. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [task] = this.#tasks.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (task === undefined) break;
      this.#now = Math.max(this.#now, task.at);
      this.#tasks = this.#tasks.filter((each) => each !== task);
      task.run();
    }
    this.#now = end;
  }

  runWaiting(): void {
    const waiting = this.#tasks;
    this.#tasks = [];
    for (const { run } of waiting) run();
  }
}
