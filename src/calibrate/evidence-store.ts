import type { Clock } from '../ports.ts';
import type { SiteStates } from '../state.ts';
import { createEvidence, type Evidence } from '../validation/evidence/evidence.ts';
import { evidenceToJson, restoreEvidence } from '../validation/evidence/serialize-evidence.ts';

/** Milliseconds between evidence and its storage. */
const SAVE_INTERVAL = 2_000;

/** The stored evidence of a site that a calibration continues. */
export class EvidenceStore {
  /** Evidence of this and earlier calibrations. */
  readonly evidence: Evidence = createEvidence();
  /** Evidence of a gateway from the requests of clients. It is only read. */
  readonly trafficEvidence: Evidence = createEvidence();
  readonly #states: SiteStates;
  readonly #clock: Clock;
  #isDirty = false;
  #savedAt: number;
  #last: Promise<void> = Promise.resolve();

  constructor(states: SiteStates) {
    this.#states = states;
    this.#clock = states.clock;
    this.#savedAt = this.#clock.now();
  }

  async load(): Promise<void> {
    await this.#states.load('calibration', (content) => restoreEvidence(content, this.evidence));
    await this.#states.consult('validation', (content) => restoreEvidence(content, this.trafficEvidence));
  }

  readonly markChanged = (): void => {
    this.#isDirty = true;
  };

  saveIfDue(): Promise<void> {
    return this.#clock.now() - this.#savedAt >= SAVE_INTERVAL ? this.save() : Promise.resolve();
  }

  save(): Promise<void> {
    if (!this.#isDirty) return this.#last;
    this.#isDirty = false;
    this.#savedAt = this.#clock.now();
    const content = evidenceToJson(this.evidence);
    this.#last = this.#last.then(() => this.#states.write('calibration', content));
    return this.#last;
  }
}
