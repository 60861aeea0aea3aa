import { WorkerPurges, WorkerStore } from '../../../src/cache/stores/worker-store.ts';
import { type Clock, systemClock } from '../../../src/ports.ts';

/** Messages of one process to another: they keep their order, and arrive when they are delivered. */
class Queue {
  readonly #messages: (() => void)[] = [];

  add(message: () => void): void {
    this.#messages.push(message);
  }

  /** @returns false if there is no message */
  deliver(): boolean {
    const message = this.#messages.shift();
    message?.();
    return message !== undefined;
  }
}

/** A worker process and its two queues. */
export interface Worker {
  readonly store: WorkerStore;
  readonly toPrimary: Queue;
  readonly toWorker: Queue;
  /** Sends a message whose reply renews the lease. */
  report(): void;
  end(): void;
}

interface Processes {
  readonly purges: WorkerPurges;
  readonly addWorker: () => Worker;
}

/** The processes of a gateway. Nothing arrives before a test delivers it. */
export function createProcesses(clock: Clock = systemClock): Processes {
  const purges = new WorkerPurges(clock, () => clock.now());
  const addWorker = (): Worker => {
    const [toPrimary, toWorker] = [new Queue(), new Queue()];
    const waiting = new Set<() => void>();
    /** Runs a call in another process, and resolves with its result. */
    const call = <Result>(there: Queue, back: Queue, run: () => Result | Promise<Result>): Promise<Result> =>
      new Promise((resolve) => {
        there.add(() => {
          void Promise.resolve(run()).then((result) => back.add(() => resolve(result)));
        });
      });
    const connection = purges.add((purge) => {
      const reply = call(toWorker, toPrimary, () => store.runPurge(purge));
      const ended = new Promise<undefined>((resolve) => waiting.add(() => resolve(undefined)));
      return Promise.race([reply, ended]);
    });
    const store: WorkerStore = new WorkerStore({
      clock,
      monotonicNow: () => clock.now(),
      tellOthers: (purge) => call(toPrimary, toWorker, () => purges.tell(purge, connection)),
    });
    return {
      ...{ store, toPrimary, toWorker },
      report() {
        const sentAt = clock.now();
        const renewed = call(toPrimary, toWorker, () => purges.renewLease(connection));
        void renewed.then(() => store.renewLease(sentAt));
      },
      end() {
        purges.remove(connection);
        for (const resolve of waiting) resolve();
      },
    };
  };
  return { purges, addWorker };
}

/** Delivers everything, and lets it take effect. */
export async function deliverAll(...workers: readonly Worker[]): Promise<void> {
  const queues = workers.flatMap(({ toPrimary, toWorker }) => [toPrimary, toWorker]);
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settle();
  while (queues.map((queue) => queue.deliver()).includes(true)) await settle();
}

export async function startWorkers(processes: Processes, count: number): Promise<Worker[]> {
  const workers = Array.from({ length: count }, processes.addWorker);
  for (const worker of workers) worker.report();
  await deliverAll(...workers);
  return workers;
}
