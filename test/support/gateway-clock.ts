import type { Clock } from '../../src/base/ports.ts';

const SECOND = 1_000;

/** A clock that a test moves. Tasks of a second or more run when the test lets the time pass, others by themselves. */
export class GatewayClock implements Clock {
  #now = Date.now();
  #tasks: { readonly at: number; readonly run: () => void }[] = [];

  get waiting(): number {
    return this.#tasks.length;
  }

  now = (): number => this.#now;

  after = (delay: number, run: () => void): (() => void) => {
    const task = { at: this.#now + delay, run };
    const timer = delay < SECOND ? setTimeout(run, delay) : undefined;
    if (timer === undefined) this.#tasks.push(task);
    return () => {
      clearTimeout(timer);
      this.#tasks = this.#tasks.filter((each) => each !== task);
    };
  };

  /** Lets a few milliseconds pass: nothing is stored that was requested in the millisecond of a purge. */
  tick(): void {
    this.pass(5);
  }

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
    for (const { run } of this.#tasks.splice(0)) run();
  }
}
