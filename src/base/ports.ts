export interface Clock {
  now(): number;
  after(delay: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(delay, task) {
    const timer = setTimeout(task, delay);
    // A pending timer doesn't keep the process alive, unless it is due now: work that pauses for a turn is to end.
    if (delay > 0) timer.unref();
    return () => clearTimeout(timer);
  },
};

export interface StateStore {
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<void>;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Environment {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
}

export function withFields(log: Log, fields: object): Log {
  return {
    info: (added, message) => log.info({ ...fields, ...added }, message),
    warn: (added, message) => log.warn({ ...fields, ...added }, message),
    error: (added, message) => log.error({ ...fields, ...added }, message),
  };
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

export async function endsWithin(limit: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
  let cancel = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(limit, () => resolve(false));
  });
  const hasEnded = await Promise.race([work.then(() => true), late]);
  cancel();
  return hasEnded;
}

/** Doubled each time. @param random shortens the second half, so that processes don't try in step */
export function computeBackoff(failures: number, first: number, most: number, random = 1): number {
  return Math.min(most, first * 2 ** Math.max(0, failures - 1)) * (0.5 + random / 2);
}

/** Settles like `promise`, for work that ignores its signal. */
export async function withAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  signal.throwIfAborted();
  let rejectOnAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    rejectOnAbort = () => reject(signal.reason);
    signal.addEventListener('abort', rejectOnAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', rejectOnAbort);
  }
}
