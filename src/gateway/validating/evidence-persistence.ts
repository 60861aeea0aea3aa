import type { Clock, Log, StateStore } from '../../ports.ts';
import type { Evidence } from '../../validation/evidence/evidence.ts';
import { restoreEvidence, serializeEvidence } from '../../validation/evidence/serialize-evidence.ts';
import { createStatePersistence, type StatePersistence } from '../options/state-persistence.ts';

/** Milliseconds between a change and the write, which includes all changes of that time. */
const WRITE_DELAY = 5_000;

/** Returns the name of a site's evidence in the store. @param site name of the site; `undefined` or empty for none */
export function toEvidenceStateName(site: string | undefined): string {
  return site === undefined || site === '' ? 'validation' : `validation.${site}`;
}

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
