/** What the gateway is given from outside, so that it needs no global and a test can hold it still. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `delay` milliseconds, unless the returned function is called before. */
  after(delay: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, task) {
    const timer: unknown = setTimeout(task, delay);
    // On Node a waiting rediscovery must not keep a process alive that is done; elsewhere a timer is a number.
    if (
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

/** pino's way of calling: facts first, then the sentence. A `Logger` of pino fits. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
