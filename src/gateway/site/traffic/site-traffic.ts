import type { CacheOutcome } from '../../../base/http/cache-status.ts';
import { Durations } from './durations.ts';
import {
  countResponse,
  countUpstream,
  MAX_MINUTES,
  MINUTE,
  MinuteCounters,
  summarizeTraffic,
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

/** Traffic of a site: of each of the last 360 minutes, and of each operation since the start. */
export class SiteTraffic {
  readonly #now: () => number;
  readonly #start: number;
  readonly #minutes = new MinuteCounters();
  readonly durations: Durations = new Durations();
  readonly failures: Map<string, number> = new Map();
  /** Responses that broke off after the head, by the side. */
  readonly broken: Map<string, number> = new Map();
  readonly webhooks: Map<string, number> = new Map();
  sentBytes = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#start = now();
  }

  /** @param operation or one of `NO_OPERATION`, with the method if known */
  recordResponse(operation: string, status: number, outcome: CacheOutcome, milliseconds: number): void {
    this.#minutes.add(this.#now(), countResponse(outcome, status, milliseconds));
    this.durations.countResponse(operation, outcome, status, milliseconds);
  }

  /** @param status `null` without a response @param milliseconds to its head, or to the failure */
  recordUpstream(operation: string, status: number | null, milliseconds: number): void {
    this.#minutes.add(this.#now(), countUpstream(status === null || status >= 500, milliseconds));
    this.durations.countUpstream(operation, status ?? 0, milliseconds);
  }

  addCount(counts: 'failures' | 'broken' | 'webhooks', name: string): void {
    this[counts].set(name, (this[counts].get(name) ?? 0) + 1);
  }

  read(span: TrafficSpan): TrafficSeries {
    const now = this.#now();
    const { minutes, minutesPerPoint } = SPANS[span];
    const count = minutes / minutesPerPoint;
    const minuteStart = Math.floor(now / MINUTE) * MINUTE;
    const points = Array.from({ length: count }, (_, at): TrafficPoint => {
      const ago = (count - 1 - at) * minutesPerPoint;
      const time = minuteStart - (ago + minutesPerPoint - 1) * MINUTE;
      return { time, ...this.#summarize(now, minutesPerPoint, ago) };
    });
    const pointMilliseconds = minutesPerPoint * MINUTE;
    return { total: this.#summarize(now, minutes), pointMilliseconds, points };
  }

  readMinutes(minutes: number): TrafficSummary {
    return this.#summarize(this.#now(), minutes);
  }

  /** Start of the minutes up to now, after that of the process, that had requests and in which something holds, if it ever began. */
  findSince(holds: (minute: TrafficSummary) => boolean): number | null {
    const now = this.#now();
    let since: number | null = null;
    for (let ago = 0; ago < MAX_MINUTES; ago += 1) {
      const minute = this.#summarize(now, 1, ago);
      if (minute.requests + minute.upstream.requests === 0) continue;
      if (!holds(minute)) break;
      since = Math.max(this.#start, (Math.floor(now / MINUTE) - ago) * MINUTE);
    }
    return since;
  }

  #summarize(now: number, minutes: number, ago = 0): TrafficSummary {
    return summarizeTraffic(this.#minutes.sum(now, minutes, ago));
  }
}
