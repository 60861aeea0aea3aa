import type { Clock, Log, StateStore } from '../../ports.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import { restoreEvidence, serializeEvidence } from '../../validation/evidence/serialize-evidence.ts';

/** Milliseconds between a change and the write, which includes all changes of that time. */
const WRITE_DELAY = 5_000;

/** Stores the evidence of one site, so that it outlives the process. */
export interface EvidencePersistence {
  /** Loads the stored evidence, once. Never rejects: unusable state is set aside and logged. */
  load(): Promise<void>;
  /** Whether loading has ended, successfully or not. */
  readonly isLoaded: boolean;
  /** Reports that the evidence has changed. It is written after a delay. */
  markChanged(): void;
  /** Writes outstanding changes and ends the writing. */
  stop(): Promise<void>;
}

export interface EvidencePersistenceOptions {
  readonly store: StateStore;
  /** Name of the state in the store; usable as a file name. */
  readonly stateName: string;
  /** URL of the site. State of another site is not loaded. */
  readonly siteUrl: string;
  readonly evidence: Evidence;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates a factory of persistences in a store; `null` without a store. */
export function createEvidencePersistenceFactory(
  store: StateStore | undefined,
  options: Omit<EvidencePersistenceOptions, 'store' | 'evidence'>,
): ((evidence: Evidence) => EvidencePersistence) | null {
  return store === undefined
    ? null
    : (evidence) => createEvidencePersistence({ ...options, store, evidence });
}

export function createEvidencePersistence({
  clock,
  evidence,
  log,
  stateName,
  siteUrl,
  store,
}: EvidencePersistenceOptions): EvidencePersistence {
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
      await store.write(stateName, serializeEvidence(siteUrl, evidence));
    } catch (error) {
      isDirty = true;
      log.error(
        { state: stateName, err: error },
        'the validation evidence cannot be written; the write is retried',
      );
    }
  }

  function enqueue(task: () => Promise<void>): Promise<void> {
    last = last.then(task);
    return last;
  }

  function scheduleWrite(): void {
    if (cancelWrite !== null || isStopped) return;
    cancelWrite = clock.after(WRITE_DELAY, () => {
      cancelWrite = null;
      void enqueue(write).then(() => {
        if (isDirty) scheduleWrite();
      });
    });
  }

  return {
    load() {
      loading ??= enqueue(async () => {
        isWritable = await loadEvidence({ evidence, log, stateName, siteUrl, store });
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

/** Loads stored evidence. Returns false when the store cannot be read, so that its state must not be overwritten. */
async function loadEvidence({
  evidence,
  log,
  stateName,
  siteUrl,
  store,
}: Omit<EvidencePersistenceOptions, 'clock'>): Promise<boolean> {
  try {
    const text = await store.read(stateName);
    const fault = text === null ? null : restoreEvidence(text, siteUrl, evidence);
    if (fault !== null) {
      const aside = await store.putAside(stateName);
      log.warn(
        { state: stateName, aside },
        `the stored validation evidence is unusable: ${fault}. It was set aside, and new evidence is collected`,
      );
    }
    return true;
  } catch (error) {
    log.error(
      { state: stateName, err: error },
      'the stored validation evidence cannot be read; it is not overwritten',
    );
    return false;
  }
}
