import type { Clock, Log, StateStore } from '../../ports.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import { restoreEvidence, serializeEvidence } from '../../validation/evidence/state.ts';

/** Milliseconds from a change until it is written: what changes meanwhile goes with it. */
const WRITE_DELAY = 5_000;

/** Keeps the evidence of one site beyond the process. */
export interface EvidencePersistence {
  /** Reads what was kept, once. Never rejects: what cannot be read is put aside, and said. */
  load(): Promise<void>;
  /** Whether that is over, in whatever way. */
  readonly isLoaded: boolean;
  /** There is more to keep; it is written soon. */
  markChanged(): void;
  /** Writes what has not been written, and no more after that. */
  stop(): Promise<void>;
}

export interface EvidencePersistenceOptions {
  readonly store: StateStore;
  /** What the state is called in the store: a file name's worth. */
  readonly name: string;
  /** The site's address: what was learnt at one is not true of another. */
  readonly site: string;
  readonly evidence: Evidence;
  readonly clock: Clock;
  readonly log: Log;
}

/** How evidence is kept in a store; `null` without one. */
export function createPersistenceFactory(
  store: StateStore | undefined,
  its: Omit<EvidencePersistenceOptions, 'store' | 'evidence'>,
): ((evidence: Evidence) => EvidencePersistence) | null {
  return store === undefined ? null : (evidence) => createEvidencePersistence({ ...its, store, evidence });
}

export function createEvidencePersistence({
  clock,
  evidence,
  log,
  name,
  site,
  store,
}: EvidencePersistenceOptions): EvidencePersistence {
  let cancel: (() => void) | null = null;
  let isDirty = false;
  let isStopped = false;
  /** Nothing is written before what was kept has been read: it would be lost. */
  let last: Promise<void> = Promise.resolve();
  let isWritable = false;
  let isLoaded = false;
  let loading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      const text = await store.read(name);
      const fault = text === null ? null : restoreEvidence(text, site, evidence);
      if (fault !== null) {
        const aside = await store.putAside(name);
        log.warn(
          { state: name, aside },
          `what was kept cannot be used: ${fault}. It was put aside, and a new one begun`,
        );
      }
      isWritable = true;
    } catch (error) {
      log.error({ state: name, err: error }, 'what was kept cannot be reached; nothing is written over it');
    }
  }

  async function write(): Promise<void> {
    if (!isDirty || !isWritable) return;
    isDirty = false;
    try {
      await store.write(name, serializeEvidence(site, evidence));
    } catch (error) {
      isDirty = true;
      log.error({ state: name, err: error }, 'what was seen cannot be kept; it is tried again');
    }
  }

  function enqueue(work: () => Promise<void>): Promise<void> {
    last = last.then(work);
    return last;
  }

  function schedule(): void {
    if (cancel !== null || isStopped) return;
    cancel = clock.after(WRITE_DELAY, () => {
      cancel = null;
      void enqueue(write).then(() => {
        if (isDirty) schedule();
      });
    });
  }

  return {
    load() {
      loading ??= enqueue(read).then(() => {
        isLoaded = true;
      });
      return loading;
    },
    get isLoaded() {
      return isLoaded;
    },
    markChanged() {
      isDirty = true;
      schedule();
    },
    stop() {
      isStopped = true;
      cancel?.();
      return enqueue(write);
    },
  };
}
