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

/** Something that a worker has seen, in the order of its requests. `write`: a number that is unique in its worker. */
export type EvidenceEvent =
  | { readonly kind: 'start'; readonly write: number; readonly time: number }
  | { readonly kind: 'end'; readonly write: number; readonly time: number; readonly end: WriteEnd }
  | { readonly kind: 'key'; readonly routeClass: string; readonly key: string }
  | { readonly kind: 'comparison'; readonly comparison: ResponseComparison };

/** The effect of a write; `void`: it changed nothing; `skipped`: nothing was stored that it could change. */
type WriteEnd = FinishedWrite | 'void' | 'skipped';

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

  override listKeptPatterns(kind: string | null): readonly string[] {
    return this.#kept.get(kind ?? '') ?? [];
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
    this.#reportEnd(write, 'void', write.start);
  }

  override finishWrite(write: RecentWrite, finished: FinishedWrite, now: number): void {
    super.finishWrite(write, finished, now);
    this.#reportEnd(write, finished, now);
  }

  override skipWrite(write: RecentWrite, now: number): void {
    super.skipWrite(write, now);
    this.#reportEnd(write, 'skipped', now);
  }

  override noteKey(routeClass: string, key: string): boolean {
    const isNew = super.noteKey(routeClass, key);
    if (isNew) this.#report({ kind: 'key', routeClass, key });
    return isNew;
  }

  override record(comparison: ResponseComparison): void {
    this.#report({ kind: 'comparison', comparison });
  }

  #reportEnd(write: RecentWrite, end: WriteEnd, time: number): void {
    this.#report({ kind: 'end', write: this.#numbers.get(write) ?? 0, time, end });
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
    for (const event of events) this.#apply(event, known.writes);
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

  #apply(event: EvidenceEvent, writes: Map<number, RecentWrite>): void {
    const evidence = this.#evidence;
    if (event.kind === 'comparison') this.#comparisons.push(event.comparison);
    else if (event.kind === 'key') evidence.noteKey(event.routeClass, event.key);
    else if (event.kind === 'start') writes.set(event.write, evidence.startWrite(event.time));
    else {
      const write = writes.get(event.write);
      writes.delete(event.write);
      if (write === undefined) return;
      if (event.end === 'void') evidence.voidWrite(write);
      else if (event.end === 'skipped') evidence.skipWrite(write, event.time);
      else evidence.finishWrite(write, event.end, event.time);
    }
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
