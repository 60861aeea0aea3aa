import type { Clock, Log, StateStore } from '../../ports.ts';
import { createEvidence, type Evidence } from '../../validation/evidence/evidence.ts';
import { restoreEvidence, serializeEvidence } from '../../validation/evidence/serialize-evidence.ts';
import { createStatePersistence, type StatePersistence } from '../options/state-persistence.ts';

/** Milliseconds between a change and the write, which includes all changes of that time. */
const WRITE_DELAY = 5_000;

/** Stores the evidence of one site, so that it outlives the process. */
export type EvidencePersistence = StatePersistence;

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
  evidence,
  siteUrl,
  ...options
}: EvidencePersistenceOptions): EvidencePersistence {
  return createStatePersistence({
    ...options,
    description: 'validation evidence',
    writeDelay: WRITE_DELAY,
    serialize: () => serializeEvidence(siteUrl, evidence),
    restore: (text) => restoreEvidence(text, siteUrl, evidence),
  });
}

/** Reads the evidence of a calibration; `null` when there is none that is usable. Never rejects: the reason is logged. */
export type CalibrationReader = () => Promise<Evidence | null>;

export type CalibrationReaderOptions = Pick<EvidencePersistenceOptions, 'stateName' | 'siteUrl' | 'log'>;

/** Creates a reader of a store; `null` without a store. */
export function createCalibrationReader(
  store: StateStore | undefined,
  { log, siteUrl, stateName }: CalibrationReaderOptions,
): CalibrationReader | null {
  if (store === undefined) return null;
  return async () => {
    try {
      const text = await store.read(stateName);
      if (text === null) return null;
      const evidence = createEvidence();
      const fault = restoreEvidence(text, siteUrl, evidence);
      if (fault === null) return evidence;
      log.warn({ state: stateName }, `the evidence of the calibration is not used: ${fault}`);
    } catch (error) {
      log.error({ state: stateName, err: error }, 'the evidence of the calibration cannot be read');
    }
    return null;
  };
}
