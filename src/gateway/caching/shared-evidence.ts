import {
  Evidence,
  type FinishedWrite,
  type RecentWrite,
  type ResponseComparison,
} from '../../cache/dependencies/evidence.ts';

/**
 * Evidence in a gateway of several processes. One process must know all writes and comparisons, because a comparison is evidence
 * only if all writes in between are known. So the workers report what they see, and the primary process counts.
 */

/** Something that a worker has seen, in the order of its requests. */
export type EvidenceEvent =
  /** `write`: a number that is unique in its worker. */
  | { readonly kind: 'start'; readonly write: number; readonly time: number }
  | { readonly kind: 'void'; readonly write: number }
  | { readonly kind: 'skip'; readonly write: number; readonly time: number }
  | {
      readonly kind: 'finish';
      readonly write: number;
      readonly finished: FinishedWrite;
      readonly time: number;
    }
  | { readonly kind: 'key'; readonly routeClass: string; readonly key: string }
  | ComparisonEvent;

interface ComparisonEvent {
  readonly kind: 'comparison';
  readonly comparison: ResponseComparison;
}

/** A kind of write, and the route classes that it keeps. */
export type KeptPatterns = readonly [writeKind: string, patterns: readonly string[]];

/** What a worker has seen since its last report. */
export interface EvidenceEvents {
  /** The version of the document by which the kinds are named; `null` before the first. */
  readonly version: string | null;
  /** Everything that the worker has seen until this time is reported, in milliseconds since the epoch. */
  readonly until: number;
  readonly events: readonly EvidenceEvent[];
  /** Whether there were too many events, so that some are missing. */
  readonly isIncomplete: boolean;
}

/** Maximum events between two reports, and comparisons that wait for the reports of other workers. */
const MAX_EVENTS = 50_000;

/** The evidence of a worker: it reports what it sees, and knows what writes keep. */
export class ReportedEvidence extends Evidence {
  #events: EvidenceEvent[] = [];
  #isIncomplete = false;
  #lastWrite = 0;
  readonly #numbers = new WeakMap<RecentWrite, number>();
  #kept: ReadonlyMap<string, readonly string[]> = new Map();

  constructor() {
    super({ confidence: 1, onContradiction: () => {} });
  }

  take(now: number): EvidenceEvents {
    const [events, isIncomplete] = [this.#events, this.#isIncomplete];
    this.#events = [];
    this.#isIncomplete = false;
    return { version: this.version, until: now, events, isIncomplete };
  }

  setKept(kept: readonly KeptPatterns[]): void {
    this.#kept = new Map(kept);
  }

  override listKeptPatterns(kind: string): readonly string[] {
    return this.#kept.get(kind) ?? [];
  }

  override startWrite(now: number): RecentWrite {
    const write = super.startWrite(now);
    this.#lastWrite += 1;
    this.#numbers.set(write, this.#lastWrite);
    this.#report({ kind: 'start', write: this.#lastWrite, time: now });
    return write;
  }

  override voidWrite(write: RecentWrite): void {
    super.voidWrite(write);
    this.#report({ kind: 'void', write: this.#numberOf(write) });
  }

  override finishWrite(write: RecentWrite, finished: FinishedWrite, now: number): void {
    super.finishWrite(write, finished, now);
    this.#report({ kind: 'finish', write: this.#numberOf(write), finished, time: now });
  }

  override skipWrite(write: RecentWrite, now: number): void {
    super.skipWrite(write, now);
    this.#report({ kind: 'skip', write: this.#numberOf(write), time: now });
  }

  override noteKey(routeClass: string, key: string): boolean {
    const isNew = super.noteKey(routeClass, key);
    if (isNew) this.#report({ kind: 'key', routeClass, key });
    return isNew;
  }

  override record(comparison: ResponseComparison): void {
    this.#report({ kind: 'comparison', comparison });
  }

  #numberOf(write: RecentWrite): number {
    return this.#numbers.get(write) ?? 0;
  }

  #report(event: EvidenceEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    else this.#isIncomplete = true;
  }
}

interface ReportingWorker {
  /** The writes that have not ended, by their number. */
  readonly writes: Map<number, RecentWrite>;
  until: number;
}

export class EvidenceReceiver {
  readonly #evidence: Evidence;
  readonly #workers = new Map<number, ReportingWorker>();
  #comparisons: ResponseComparison[] = [];

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  /** Adds a worker, before it serves anything. @param worker a number that no other worker has had */
  add(worker: number, now: number): void {
    this.#workers.set(worker, { writes: new Map(), until: now });
  }

  receive(worker: number, { events, isIncomplete, until, version }: EvidenceEvents): void {
    const known = this.#workers.get(worker);
    if (known === undefined) return;
    known.until = until;
    // For a moment the worker has another document than this process.
    if (isIncomplete || (events.length > 0 && version !== this.#evidence.version)) {
      this.#interrupt(until);
    }
    for (const event of events) {
      if (event.kind === 'comparison') this.#comparisons.push(event.comparison);
      else if (event.kind === 'key') this.#evidence.noteKey(event.routeClass, event.key);
      else this.#applyWrite(known.writes, event);
    }
    this.#record();
  }

  /** The worker has ended, and has not reported everything. */
  remove(worker: number, now: number): void {
    if (this.#workers.delete(worker)) this.#interrupt(now);
    this.#record();
  }

  #interrupt(now: number): void {
    this.#evidence.interrupt(now);
    this.#comparisons = this.#comparisons.filter(({ until }) => until > now);
  }

  #applyWrite(
    writes: Map<number, RecentWrite>,
    event: Exclude<EvidenceEvent, ComparisonEvent | { readonly kind: 'key' }>,
  ): void {
    if (event.kind === 'start') {
      writes.set(event.write, this.#evidence.startWrite(event.time));
      return;
    }
    const write = writes.get(event.write);
    writes.delete(event.write);
    if (write === undefined) return;
    if (event.kind === 'void') this.#evidence.voidWrite(write);
    else if (event.kind === 'skip') this.#evidence.skipWrite(write, event.time);
    else this.#evidence.finishWrite(write, event.finished, event.time);
  }

  /** Records the comparisons that ended before all workers have reported last: all writes until then are known. */
  #record(): void {
    const reported = Math.min(...Array.from(this.#workers.values(), (worker) => worker.until));
    const isKnown = ({ until }: ResponseComparison): boolean => until < reported;
    const known = this.#comparisons.filter(isKnown).sort((one, other) => one.until - other.until);
    this.#comparisons = this.#comparisons.filter((each) => !isKnown(each)).slice(-MAX_EVENTS);
    for (const comparison of known) this.#evidence.record(comparison);
  }
}
