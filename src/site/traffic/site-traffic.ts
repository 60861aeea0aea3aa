import { getOrCreate } from '../../memoize.ts';
import {
  countResponse,
  countUpstream,
  DurationHistograms,
  HIT,
  type Increments,
  readCacheOutcome,
  SlotRing,
  summarizeTraffic,
  TO_SITE,
  type TrafficSummary,
} from './traffic-counters.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export type TrafficSpan = '10m' | '1h' | '6h';

export const TRAFFIC_SPANS: readonly TrafficSpan[] = ['10m', '1h', '6h'];

interface SpanOfRing {
  readonly ring: 0 | 1;
  readonly slotsPerPoint: number;
  readonly points: number;
}

type RingSize = readonly [slotMilliseconds: number, slotCount: number];

const SITE_RINGS: readonly [RingSize, RingSize] = [
  [5 * SECOND, 120],
  [MINUTE, 360],
];
const SITE_SPANS: Readonly<Record<TrafficSpan, SpanOfRing>> = {
  '10m': { ring: 0, slotsPerPoint: 2, points: 60 },
  '1h': { ring: 1, slotsPerPoint: 1, points: 60 },
  '6h': { ring: 1, slotsPerPoint: 5, points: 72 },
};

const OPERATION_RINGS: typeof SITE_RINGS = [
  [MINUTE, 60],
  [5 * MINUTE, 72],
];
const OPERATION_SPANS: Readonly<Record<TrafficSpan, SpanOfRing>> = {
  '10m': { ring: 0, slotsPerPoint: 1, points: 10 },
  '1h': { ring: 0, slotsPerPoint: 1, points: 60 },
  '6h': { ring: 1, slotsPerPoint: 1, points: 72 },
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
  /** Calls of tools are counted for the operations. */
  agents: ':agents',
  other: ':other',
} as const;

class Series {
  readonly operation: string;
  readonly #rings: readonly [SlotRing, SlotRing];
  readonly #spans: Readonly<Record<TrafficSpan, SpanOfRing>>;
  lastUsed = 0;

  constructor(operation: string, rings: typeof SITE_RINGS, spans: Readonly<Record<TrafficSpan, SpanOfRing>>) {
    this.operation = operation;
    this.#rings = [new SlotRing(...rings[0]), new SlotRing(...rings[1])];
    this.#spans = spans;
  }

  add(now: number, increments: Increments): void {
    this.lastUsed = now;
    for (const ring of this.#rings) ring.add(now, increments);
  }

  summarize(now: number, span: TrafficSpan): TrafficSummary {
    const { points, ring, slotsPerPoint } = this.#spans[span];
    return summarizeTraffic(this.#rings[ring].sum(now, points * slotsPerPoint));
  }

  summarizeMinutes(now: number, minutes: number, ago: number): TrafficSummary {
    return summarizeTraffic(this.#rings[1].sum(now, minutes, ago));
  }

  read(now: number, span: TrafficSpan): TrafficSeries {
    const { points: count, ring: index, slotsPerPoint } = this.#spans[span];
    const ring = this.#rings[index];
    const pointMilliseconds = ring.slotMilliseconds * slotsPerPoint;
    const slotStart = Math.floor(now / ring.slotMilliseconds) * ring.slotMilliseconds;
    const points = Array.from({ length: count }, (_, at): TrafficPoint => {
      const skip = (count - 1 - at) * slotsPerPoint;
      const time = slotStart - (skip + slotsPerPoint - 1) * ring.slotMilliseconds;
      return { time, ...summarizeTraffic(ring.sum(now, slotsPerPoint, skip)) };
    });
    return { total: this.summarize(now, span), pointMilliseconds, points };
  }
}

/** Traffic of the last six hours, in total and by operation, in bounded memory. */
export class SiteTraffic {
  readonly #now: () => number;
  readonly #site = new Series('', SITE_RINGS, SITE_SPANS);
  readonly #operations = new Map<string, Series>();
  readonly durations: DurationHistograms = new DurationHistograms();
  readonly failures: Map<string, number> = new Map();
  /** Responses that broke off after the head, by the side. */
  readonly broken: Map<string, number> = new Map();
  readonly webhooks: Map<string, number> = new Map();
  sentBytes = 0;
  #lastSearch = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
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
    const series = this.#find(name, now);
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

  readMinutes(minutes: number, ago = 0): TrafficSummary {
    return this.#site.summarizeMinutes(this.#now(), minutes, ago);
  }

  /** Start of the minutes up to now that had requests and in which something holds, if it ever began. */
  findSince(holds: (minute: TrafficSummary) => boolean): number | null {
    const now = this.#now();
    let since: number | null = null;
    for (let ago = 0; ago < SITE_RINGS[1][1]; ago += 1) {
      const minute = this.#site.summarizeMinutes(now, 1, ago);
      if (minute.requests + minute.upstream.requests === 0) continue;
      if (!holds(minute)) break;
      since = (Math.floor(now / MINUTE) - ago) * MINUTE;
    }
    return since;
  }

  listOperations(
    span: TrafficSpan,
  ): readonly { readonly operation: string; readonly summary: TrafficSummary }[] {
    const now = this.#now();
    return Array.from(this.#operations, ([operation, series]) => ({
      operation,
      summary: series.summarize(now, span),
    })).filter(({ summary }) => summary.requests > 0 || summary.upstream.requests > 0);
  }

  #find(operation: string, now: number): Series {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const key = this.#hasRoom(now) ? operation : NO_OPERATION.other;
    return getOrCreate(this.#operations, key, () => new Series(key, OPERATION_RINGS, OPERATION_SPANS));
  }

  #hasRoom(now: number): boolean {
    if (this.#operations.size >= MAX_OPERATIONS && now - this.#lastSearch >= SEARCH_INTERVAL) {
      this.#lastSearch = now;
      for (const [operation, { lastUsed }] of this.#operations)
        if (now - lastUsed > 6 * 60 * MINUTE) this.#operations.delete(operation);
    }
    return this.#operations.size < MAX_OPERATIONS;
  }
}

export const MAX_OPERATIONS = 200;
const SEARCH_INTERVAL = 60_000;
