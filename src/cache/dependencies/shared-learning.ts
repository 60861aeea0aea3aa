import type { StoredResponse } from '../store.ts';
import {
  DependencyLearning,
  hashText,
  type ObservedWrite,
  RecentWrite,
  type RememberedFetch,
  rememberFetch,
  type UnstoredFetch,
} from './dependency-learning.ts';

/**
 * Learning in a gateway of several processes. One process must know all writes and fetches, because a comparison is evidence
 * only if one write was the only one in between. So the workers report what they see, and the primary process learns.
 */

/** Something that a worker has seen, in the order of its requests. */
export type LearningEvent =
  /** `write`: a number that is unique in its worker. */
  | { readonly kind: 'start'; readonly write: number; readonly time: number }
  | { readonly kind: 'void'; readonly write: number }
  | { readonly kind: 'skip'; readonly write: number; readonly time: number }
  | {
      readonly kind: 'finish';
      readonly write: number;
      readonly observed: ObservedWrite;
      readonly time: number;
    }
  | FetchEvent;

interface FetchEvent {
  readonly kind: 'fetch';
  /** Hash of the cache key. */
  readonly key: number;
  /** A status: that of a response that was not stored. `null`: nothing is learned about the response. */
  readonly fetched: RememberedFetch | UnstoredFetch | null;
  /** When the response arrived, in milliseconds since the epoch. */
  readonly time: number;
}

/** A kind of write, and a route class that it does not change. */
export type IndependentPair = readonly [writeKind: string, routeClass: string];

/** What a worker has seen since its last report. */
export interface LearningReport {
  /** The version of the document by which the kinds are named; `null` before the first. */
  readonly version: string | null;
  /** Everything that the worker has seen until this time is reported, in milliseconds since the epoch. */
  readonly until: number;
  readonly events: readonly LearningEvent[];
  /** Whether there were too many events, so that some are missing. */
  readonly isIncomplete: boolean;
}

/** Maximum events between two reports, and fetches that wait for the reports of other workers. */
const MAX_EVENTS = 50_000;

/** The learning of a worker: it reports what it sees, and knows the pairs that are independent. */
export class ReportedLearning extends DependencyLearning {
  #events: LearningEvent[] = [];
  #isIncomplete = false;
  #lastWrite = 0;
  readonly #writes = new WeakMap<RecentWrite, number>();

  constructor() {
    super({ observations: Number.POSITIVE_INFINITY, onContradiction: () => {} });
  }

  /** Returns what was seen since the last call. */
  take(now: number): LearningReport {
    const events = this.#events;
    const isIncomplete = this.#isIncomplete;
    this.#events = [];
    this.#isIncomplete = false;
    return { version: this.contents?.version ?? null, until: now, events, isIncomplete };
  }

  setIndependent(independent: readonly IndependentPair[]): void {
    const names = new Set(independent.map(([writeKind, routeClass]) => `${writeKind}\n${routeClass}`));
    this.pairs.retain(({ routeClass, writeKind }) => names.has(`${writeKind}\n${routeClass}`));
    for (const [writeKind, routeClass] of independent) {
      this.pairs.getOrCreate(writeKind, routeClass).isIndependent = true;
    }
  }

  override startWrite(now: number): RecentWrite {
    const write = new RecentWrite(now);
    this.#lastWrite += 1;
    this.#writes.set(write, this.#lastWrite);
    this.#report({ kind: 'start', write: this.#lastWrite, time: now });
    return write;
  }

  override voidWrite(write: RecentWrite): void {
    this.#report({ kind: 'void', write: this.#numberOf(write) });
  }

  override finishWrite(write: RecentWrite, observed: ObservedWrite, now: number): void {
    this.#report({ kind: 'finish', write: this.#numberOf(write), observed, time: now });
  }

  override skipWrite(write: RecentWrite, now: number): void {
    this.#report({ kind: 'skip', write: this.#numberOf(write), time: now });
  }

  override observeStored(key: string, response: StoredResponse): void {
    const fetched = rememberFetch(response);
    this.#report({ kind: 'fetch', key: hashText(key), fetched, time: response.responseTime });
  }

  override observeNotStored(key: string, status: number, requestTime: number, responseTime: number): void {
    const fetched = { status, requestTime, responseTime };
    this.#report({ kind: 'fetch', key: hashText(key), fetched, time: responseTime });
  }

  #numberOf(write: RecentWrite): number {
    return this.#writes.get(write) ?? 0;
  }

  #report(event: LearningEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    else this.#isIncomplete = true;
  }
}

/** What the primary process knows of one worker. */
interface ReportingWorker {
  /** The writes that have not ended, by their number. */
  readonly writes: Map<number, RecentWrite>;
  until: number;
}

export class ReportReceiver {
  readonly #learning: DependencyLearning;
  readonly #workers = new Map<number, ReportingWorker>();
  #fetches: FetchEvent[] = [];

  constructor(learning: DependencyLearning) {
    this.#learning = learning;
  }

  /**
   * Adds a worker, before it serves anything.
   *
   * @param worker a number that no other worker has had
   */
  add(worker: number, now: number): void {
    this.#workers.set(worker, { writes: new Map(), until: now });
  }

  receive(worker: number, { events, isIncomplete, until, version }: LearningReport): void {
    const known = this.#workers.get(worker);
    if (known === undefined) return;
    known.until = until;
    // For a moment the worker has another document than this process.
    if (isIncomplete || (events.length > 0 && version !== this.#learning.contents?.version)) {
      this.#interrupt(until);
    }
    for (const event of events) {
      if (event.kind === 'fetch') this.#fetches.push(event);
      else this.#applyWrite(known.writes, event);
    }
    this.#compareFetches();
  }

  /** The worker has ended, and has not reported everything. */
  remove(worker: number, now: number): void {
    if (this.#workers.delete(worker)) this.#interrupt(now);
    this.#compareFetches();
  }

  #interrupt(now: number): void {
    this.#learning.interrupt(now);
    this.#fetches = this.#fetches.filter(({ time }) => time > now);
  }

  #applyWrite(writes: Map<number, RecentWrite>, event: Exclude<LearningEvent, FetchEvent>): void {
    if (event.kind === 'start') {
      writes.set(event.write, this.#learning.startWrite(event.time));
      return;
    }
    const write = writes.get(event.write);
    writes.delete(event.write);
    if (write === undefined) return;
    if (event.kind === 'void') this.#learning.voidWrite(write);
    else if (event.kind === 'skip') this.#learning.skipWrite(write, event.time);
    else this.#learning.finishWrite(write, event.observed, event.time);
  }

  /** Compares the fetches that ended before all workers have reported last: all writes until then are known. */
  #compareFetches(): void {
    const until = Math.min(...Array.from(this.#workers.values(), (worker) => worker.until));
    const isKnown = ({ time }: FetchEvent): boolean => time < until;
    const known = this.#fetches.filter(isKnown).sort((one, other) => one.time - other.time);
    this.#fetches = this.#fetches.filter((event) => !isKnown(event)).slice(-MAX_EVENTS);
    for (const { fetched, key } of known) {
      if (fetched !== null && 'status' in fetched) this.#learning.observeStatus(key, fetched);
      else this.#learning.observeFetch(key, fetched);
    }
  }
}
