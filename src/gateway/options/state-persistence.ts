import type { Clock, Log, StateStore } from '../../ports.ts';

/** Stores a state that changes in memory, so that it outlives the process. */
export interface StatePersistence {
  /** Loads the stored state, once. Never rejects: unusable state is ignored and logged. */
  load(): Promise<void>;
  /** Whether loading has ended, successfully or not. */
  readonly isLoaded: boolean;
  /** Reports that the state has changed. It is written after a delay. */
  markChanged(): void;
  /** Writes outstanding changes and ends the writing. */
  stop(): Promise<void>;
}

export interface StatePersistenceOptions {
  readonly store: StateStore;
  /** Name of the state in the store; usable as a file name. */
  readonly stateName: string;
  /** What the state is, for messages: `validation evidence`. */
  readonly description: string;
  /** Milliseconds between a change and the write, which includes all changes of that time. */
  readonly writeDelay: number;
  readonly serialize: () => string;
  /** Adds a stored state to the current one. Returns the reason why it is unusable, or `null`. */
  readonly restore: (text: string) => string | null;
  readonly clock: Clock;
  readonly log: Log;
}

export function createStatePersistence(options: StatePersistenceOptions): StatePersistence {
  const { clock, description, log, serialize, stateName, store, writeDelay } = options;
  let cancelWrite: (() => void) | null = null;
  let isDirty = false;
  let isStopped = false;
  /** The last read or write. Each starts when the one before has ended. */
  let last: Promise<void> = Promise.resolve();
  /** Becomes true after the read, because a write before would overwrite state that was not read. */
  let isWritable = false;
  let isLoaded = false;
  let loading: Promise<void> | undefined;

  async function write(): Promise<void> {
    if (!isDirty || !isWritable) return;
    isDirty = false;
    try {
      await store.write(stateName, serialize());
    } catch (error) {
      isDirty = true;
      log.error(
        { state: stateName, err: error },
        `the ${description} cannot be written; the write is retried`,
      );
    }
  }

  function enqueue(task: () => Promise<void>): Promise<void> {
    last = last.then(task);
    return last;
  }

  function scheduleWrite(): void {
    if (cancelWrite !== null || isStopped) return;
    cancelWrite = clock.after(writeDelay, () => {
      cancelWrite = null;
      void enqueue(write).then(() => {
        if (isDirty) scheduleWrite();
      });
    });
  }

  return {
    load() {
      loading ??= enqueue(async () => {
        isWritable = await loadState(options);
        isLoaded = true;
      });
      return loading;
    },
    get isLoaded() {
      return isLoaded;
    },
    markChanged() {
      isDirty = true;
      scheduleWrite();
    },
    stop() {
      isStopped = true;
      cancelWrite?.();
      return enqueue(write);
    },
  };
}

/** Loads stored state. Returns false when the store cannot be read, so that its state must not be overwritten. */
async function loadState({
  description,
  log,
  restore,
  stateName,
  store,
}: StatePersistenceOptions): Promise<boolean> {
  try {
    const text = await store.read(stateName);
    const fault = text === null ? null : restore(text);
    if (fault !== null) {
      const aside = await store.putAside(stateName);
      log.warn(
        { state: stateName, aside },
        `the stored ${description} is unusable: ${fault}. It is ignored, and collected anew`,
      );
    }
    return true;
  } catch (error) {
    log.error(
      { state: stateName, err: error },
      `the stored ${description} cannot be read; it is not overwritten`,
    );
    return false;
  }
}
