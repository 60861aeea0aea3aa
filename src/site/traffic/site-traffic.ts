import { getOrCreate } from '../../memoize.ts';
import {
  countResponse,
  countUpstream,
  DurationHistograms,
  HIT,
  type Increments,
  MAX_MINUTES,
  MINUTE,
  MinuteCounters,
  readCacheOutcome,
  summarizeTraffic,
  TO_SITE,
  type TrafficSummary,
} from './traffic-counters.ts';

export type TrafficSpan = '10m' | '1h' | '6h';

export const TRAFFIC_SPANS: readonly TrafficSpan[] = ['10m', '1h', '6h'];

const SPANS: Readonly<Record<TrafficSpan, { readonly minutes: number; readonly minutesPerPoint: number }>> = {
  '10m': { minutes: 10, minutesPerPoint: 1 },
  '1h': { minutes: 60, minutesPerPoint: 1 },
  '6h': { minutes: MAX_MINUTES, minutesPerPoint: 5 },
};

interface TrafficPoint extends TrafficSummary {
  readonly time: number;
}

export interface TrafficSeries {
  readonly total: TrafficSummary;
  readonly pointMilliseconds: number;
  readonly points: readonly TrafficPoint[];
}

/** Keys of traffic that belongs to no operation. An `operationId` never begins with a colon. */
export const NO_OPERATION = {
  unknownRoutes: ':unknown-routes',
  pages: ':pages',
  gateway: ':local',
  agents: ':agents',
  other: ':other',
} as const;

class Series {
  readonly operation: string;
  readonly #minutes = new MinuteCounters();

  constructor(operation: string) {
    this.operation = operation;
  }

  add(now: number, increments: Increments): void {
    this.#minutes.add(now, increments);
  }

  summarize(now: number, minutes: number, ago = 0): TrafficSummary {
    return summarizeTraffic(this.#minutes.sum(now, minutes, ago));
  }

  read(now: number, span: TrafficSpan): TrafficSeries {
    const { minutes, minutesPerPoint } = SPANS[span];
    const count = minutes / minutesPerPoint;
    const minuteStart = Math.floor(now / MINUTE) * MINUTE;
    const points = Array.from({ length: count }, (_, at): TrafficPoint => {
      const ago = (count - 1 - at) * minutesPerPoint;
      const time = minuteStart - (ago + minutesPerPoint - 1) * MINUTE;
      return { time, ...this.summarize(now, minutesPerPoint, ago) };
    });
    const pointMilliseconds = minutesPerPoint * MINUTE;
    return { total: this.summarize(now, minutes), pointMilliseconds, points };
  }
}

/** Traffic of the last six hours, in total and by operation, in bounded memory. */
export class SiteTraffic {
  readonly #now: () => number;
  readonly #start: number;
  readonly #site = new Series('');
  readonly #operations = new Map<string, Series>();
  readonly durations: DurationHistograms = new DurationHistograms();
  readonly failures: Map<string, number> = new Map();
  /** Responses that broke off after the head, by the side. */
  readonly broken: Map<string, number> = new Map();
  readonly webhooks: Map<string, number> = new Map();
  sentBytes = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#start = now();
  }

  /** @param operation or {@link NO_OPERATION}, with the method if known @returns whether it hit */
  recordResponse(
    operation: string,
    status: number,
    cacheStatus: string | undefined,
    milliseconds: number,
  ): boolean {
    const outcome = readCacheOutcome(cacheStatus);
    const counted = this.#count(operation, countResponse(outcome, status, milliseconds));
    this.durations.count(counted, outcome, status, milliseconds);
    return outcome === HIT;
  }

  /** @param status `null` without a response @param milliseconds to its head, or to the failure */
  recordUpstream(operation: string, status: number | null, milliseconds: number): void {
    const counted = this.#count(operation, countUpstream(status === null || status >= 500, milliseconds));
    this.durations.count(counted, TO_SITE, status ?? 0, milliseconds);
  }

  addCount(counts: 'failures' | 'broken' | 'webhooks', name: string): void {
    this[counts].set(name, (this[counts].get(name) ?? 0) + 1);
  }

  /** @returns the operation that it was counted for: {@link NO_OPERATION.other} beyond the maximum */
  #count(operation: string, increments: Increments): string {
    const now = this.#now();
    const end = operation.indexOf(' ');
    const name = end < 0 ? operation : operation.slice(0, end);
    this.#site.add(now, increments);
    const series = this.#find(name);
    series.add(now, increments);
    return series.operation === name ? operation : series.operation;
  }

  /** @param operation without it, the traffic of the whole site; `null` if the operation has had none */
  read(span: TrafficSpan): TrafficSeries;
  read(span: TrafficSpan, operation: string): TrafficSeries | null;
  read(span: TrafficSpan, operation?: string): TrafficSeries | null {
    const series = operation === undefined ? this.#site : this.#operations.get(operation);
    return series?.read(this.#now(), span) ?? null;
  }

  readMinutes(minutes: number): TrafficSummary {
    return this.#site.summarize(this.#now(), minutes);
  }

  /** Start of the minutes up to now, after that of the process, that had requests and in which something holds, if it ever began. */
  findSince(holds: (minute: TrafficSummary) => boolean): number | null {
    const now = this.#now();
    let since: number | null = null;
    for (let ago = 0; ago < MAX_MINUTES; ago += 1) {
      const minute = this.#site.summarize(now, 1, ago);
      if (minute.requests + minute.upstream.requests === 0) continue;
      if (!holds(minute)) break;
      since = Math.max(this.#start, (Math.floor(now / MINUTE) - ago) * MINUTE);
    }
    return since;
  }

  listOperations(
    span: TrafficSpan,
  ): readonly { readonly operation: string; readonly summary: TrafficSummary }[] {
    const now = this.#now();
    return Array.from(this.#operations, ([operation, series]) => ({
      operation,
      summary: series.summarize(now, SPANS[span].minutes),
    })).filter(({ summary }) => summary.requests > 0 || summary.upstream.requests > 0);
  }

  #find(operation: string): Series {
    const isKnown = this.#operations.has(operation) || this.#operations.size < MAX_OPERATIONS;
    const key = isKnown ? operation : NO_OPERATION.other;
    return getOrCreate(this.#operations, key, () => new Series(key));
  }
}

/** Operations with figures of their own. Others that are requested later count as one. */
export const MAX_OPERATIONS = 200;
