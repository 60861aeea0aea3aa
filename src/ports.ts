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

/** Where a gateway keeps what is to outlive it: small texts by name. `stateFolder` of `waygate/node` is one. */
export interface StateStore {
  /** `null` where nothing was kept. */
  read(name: string): Promise<string | null>;
  /** Replaces what was kept, whole or not at all. */
  write(name: string, text: string): Promise<void>;
  /**
   * Keeps what cannot be read out of the way, so that a person may look at it.
   *
   * @returns what it is called now
   */
  putAside(name: string): Promise<string>;
}

/** pino's way of calling: facts first, then the sentence. A `Logger` of pino fits. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
