import type { Clock } from '../../ports.ts';

/** What judging answers may take of a gateway that has requests to serve. */
export interface SamplingLimits {
  /** Bytes of one answer, coded and decoded. @default 1 MiB */
  readonly answerBytes: number;
  /** Bytes of all answers that are being collected or wait. @default 16 MiB */
  readonly heldBytes: number;
  /** Milliseconds of each second. @default 50 */
  readonly perSecond: number;
}

export const SAMPLING_LIMITS: SamplingLimits = {
  answerBytes: 1024 * 1024,
  heldBytes: 16 * 1024 * 1024,
  perSecond: 50,
};

/** Work that nobody waits for: one piece at a time, between requests, as long as there is time left in the second. */
export interface SamplingQueue {
  /** Takes memory for an answer; false where there is none left. */
  hold(bytes: number): boolean;
  release(bytes: number): void;
  /** Does what takes time of its own, and counts how long. */
  timed<T>(work: () => T): T;
  /** Runs `work` soon, or `drop` where there is no time for it. Exactly one of them, exactly once. */
  add(work: () => void | Promise<void>, drop: () => void): void;
}

interface Piece {
  readonly work: () => void | Promise<void>;
  readonly drop: () => void;
}

export function createSamplingQueue(clock: Clock, { heldBytes, perSecond }: SamplingLimits): SamplingQueue {
  const waiting: Piece[] = [];
  let held = 0;
  let running = false;
  let second = Number.NEGATIVE_INFINITY;
  let spent = 0;

  /** The clock counts whole milliseconds: a short piece counts as one or none, which is right on the average. */
  function hasTime(): boolean {
    const now = clock.now();
    if (now - second >= 1000 || now < second) {
      second = now;
      spent = 0;
    }
    return spent < perSecond;
  }

  async function runNext(): Promise<void> {
    const piece = waiting.shift();
    if (piece === undefined) {
      running = false;
      return;
    }
    if (!hasTime()) piece.drop();
    else {
      try {
        await piece.work();
      } catch {
        // Whatever an answer does to its judge, the gateway goes on.
        piece.drop();
      }
    }
    clock.after(0, () => void runNext());
  }

  return {
    hold(bytes) {
      if (held + bytes > heldBytes) return false;
      held += bytes;
      return true;
    },
    release(bytes) {
      held -= bytes;
    },
    timed(work) {
      const begun = clock.now();
      try {
        return work();
      } finally {
        spent += Math.max(0, clock.now() - begun);
      }
    },
    add(work, drop) {
      waiting.push({ work, drop });
      if (running) return;
      running = true;
      clock.after(0, () => void runNext());
    },
  };
}
