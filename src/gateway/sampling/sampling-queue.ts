import type { Clock } from '../../ports.ts';

/** Memory and time that background validation may use. */
export interface SamplingLimits {
  /** Bytes of one response, before and after content decoding. @default 1 MiB */
  readonly maxResponseBytes: number;
  /** Bytes of all responses that are buffered or queued. @default 16 MiB */
  readonly maxBufferedBytes: number;
  /** Milliseconds of validation in each second. @default 50 */
  readonly millisecondsPerSecond: number;
}

export const SAMPLING_LIMITS: SamplingLimits = {
  maxResponseBytes: 1024 * 1024,
  maxBufferedBytes: 16 * 1024 * 1024,
  millisecondsPerSecond: 50,
};

/** A queue of background tasks: one at a time, each in its own timer task, within a time budget for each second. */
export interface SamplingQueue {
  /** Reserves memory; `false` if the limit is reached. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  /** Runs synchronous work, and subtracts its duration from the budget. */
  measure<T>(work: () => T): T;
  /** Queues a task. Exactly one of `run` and `drop` is called, once; `drop` also if `run` fails. */
  enqueue(run: () => void | Promise<void>, drop: () => void): void;
}

interface SamplingTask {
  readonly run: () => void | Promise<void>;
  readonly drop: () => void;
}

export function createSamplingQueue(
  clock: Clock,
  { maxBufferedBytes, millisecondsPerSecond }: SamplingLimits,
): SamplingQueue {
  const tasks: SamplingTask[] = [];
  let reservedBytes = 0;
  let isRunning = false;
  let secondStart = Number.NEGATIVE_INFINITY;
  let spentMilliseconds = 0;

  /** The clock has a resolution of 1 ms: a short task counts as 0 or 1 ms, which is right on average. */
  function hasTimeLeft(): boolean {
    const now = clock.now();
    if (now - secondStart >= 1000 || now < secondStart) {
      secondStart = now;
      spentMilliseconds = 0;
    }
    return spentMilliseconds < millisecondsPerSecond;
  }

  async function runNext(): Promise<void> {
    const task = tasks.shift();
    if (task === undefined) {
      isRunning = false;
      return;
    }
    if (!hasTimeLeft()) task.drop();
    else {
      try {
        await task.run();
      } catch {
        // A response that makes its validator fail must not stop the queue.
        task.drop();
      }
    }
    clock.after(0, () => void runNext());
  }

  return {
    reserve(bytes) {
      if (reservedBytes + bytes > maxBufferedBytes) return false;
      reservedBytes += bytes;
      return true;
    },
    release(bytes) {
      reservedBytes -= bytes;
    },
    measure(work) {
      const start = clock.now();
      try {
        return work();
      } finally {
        spentMilliseconds += Math.max(0, clock.now() - start);
      }
    },
    enqueue(run, drop) {
      tasks.push({ run, drop });
      if (isRunning) return;
      isRunning = true;
      clock.after(0, () => void runNext());
    },
  };
}
