/** Interfaces of the environment that a gateway runs in. Tests replace their implementations. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `delay` milliseconds, unless the returned function is called before. */
  after(delay: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(delay, task) {
    const timer: unknown = setTimeout(task, delay);
    // On Node a pending timer must not keep the process alive, unless it is due now: work that pauses for a turn is to end.
    // On other platforms a timer is a number.
    if (
      delay > 0 &&
      typeof timer === 'object' &&
      timer !== null &&
      'unref' in timer &&
      typeof timer.unref === 'function'
    ) {
      timer.unref();
    }
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
};

/** Persists small texts by name across restarts. `stateFolder` of `waygate/node` creates one. */
export interface StateStore {
  /** Returns the text of this name; `null` if none is stored. */
  read(name: string): Promise<string | null>;
  /** Replaces the text of this name atomically. */
  write(name: string, text: string): Promise<void>;
  /**
   * Moves an unusable text to another name, so that an operator can inspect it.
   *
   * @returns the new name
   */
  putAside(name: string): Promise<string>;
}

/** A logger with pino's signature: structured fields, then the message. A `Logger` of pino implements it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export function withFields(log: Log, fields: object): Log {
  return {
    info: (added, message) => log.info({ ...fields, ...added }, message),
    warn: (added, message) => log.warn({ ...fields, ...added }, message),
    error: (added, message) => log.error({ ...fields, ...added }, message),
  };
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** Waits for work, but not longer than `limit` milliseconds. @returns whether it has ended */
export async function endsWithin(limit: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
  let cancel = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(limit, () => resolve(false));
  });
  const hasEnded = await Promise.race([work.then(() => true), late]);
  cancel();
  return hasEnded;
}

/**
 * Milliseconds to wait after a number of failures in a row: twice as long after each.
 *
 * @param random from 0 to 1: a part of the second half is left out, so that many processes do not try in step. @default 1
 */
export function computeBackoff(failures: number, first: number, most: number, random = 1): number {
  return Math.min(most, first * 2 ** Math.max(0, failures - 1)) * (0.5 + random / 2);
}
