import { ConfigurationError } from '../errors.ts';
import type { Clock, StateStore } from '../ports.ts';
import { createEvidence, type Evidence } from '../validation/evidence/evidence.ts';
import { restoreEvidence, serializeEvidence } from '../validation/evidence/serialize-evidence.ts';
import { toStateName } from '../validation/evidence/state-name.ts';

/** Milliseconds between evidence and its storage. */
const SAVE_INTERVAL = 2_000;

/** Options of {@link createEvidenceStore}. */
export interface EvidenceStoreOptions {
  readonly clock: Clock;
  /** Name of the site; `undefined` for none. */
  readonly name: string | undefined;
  /** `undefined` when nothing is stored. */
  readonly state: StateStore | undefined;
}

/** The stored evidence of a site that a calibration continues. */
export interface EvidenceStore {
  /** Evidence of this and earlier calibrations. */
  readonly evidence: Evidence;
  /** Evidence of a gateway from the requests of clients. It is only read. */
  readonly trafficEvidence: Evidence;
  /** @throws {ConfigurationError} when stored evidence is unusable */
  load(): Promise<void>;
  readonly markChanged: () => void;
  saveIfDue(): Promise<void>;
  save(): Promise<void>;
}

/** @param url URL of the site that the evidence is for, as in the configuration of the gateway */
export function createEvidenceStore(
  url: string,
  { clock, name, state }: EvidenceStoreOptions,
): EvidenceStore {
  const stateName = toStateName('calibration', name);
  const evidence = createEvidence();
  const trafficEvidence = createEvidence();
  let isDirty = false;
  let savedAt = clock.now();
  let last: Promise<void> = Promise.resolve();

  function save(): Promise<void> {
    if (!isDirty || state === undefined) return last;
    isDirty = false;
    savedAt = clock.now();
    const text = serializeEvidence(url, evidence);
    last = last.then(() => state.write(stateName, text));
    return last;
  }

  async function loadState(entry: string, target: Evidence): Promise<void> {
    const text = (await state?.read(entry)) ?? null;
    const fault = text === null ? null : restoreEvidence(text, url, target);
    if (fault !== null) throw new ConfigurationError(`the stored evidence "${entry}" is unusable: ${fault}`);
  }

  return {
    evidence,
    trafficEvidence,
    async load() {
      await loadState(stateName, evidence);
      await loadState(toStateName('validation', name), trafficEvidence);
    },
    markChanged: () => {
      isDirty = true;
    },
    saveIfDue: () => (clock.now() - savedAt >= SAVE_INTERVAL ? save() : Promise.resolve()),
    save,
  };
}
