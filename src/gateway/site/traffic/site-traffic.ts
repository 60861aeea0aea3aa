import type { CacheOutcome } from '../../../base/http/cache-status.ts';
import { getOrCreate } from '../../../base/memoize.ts';

/** A site's responses by the minute, of the last six hours, and by operation since the start. */

const CACHE_OUTCOMES: readonly CacheOutcome[] = ['hit', 'stale', 'miss', 'bypass', 'none'];

/** Upper bounds of the buckets, in milliseconds. The last bucket has none. */
const BOUNDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000,
  7_000, 10_000, 15_000, 30_000,
];

const LATENCY_BUCKETS: number = BOUNDS.length + 1;

const STATUS = CACHE_OUTCOMES.length;
const LEFT = STATUS + 4;
const LEFT_TIME = LEFT + 1;
const UPSTREAM_COUNT = LEFT_TIME + 1;
const UPSTREAM_ERRORS = UPSTREAM_COUNT + 1;
const UPSTREAM_TIME = UPSTREAM_ERRORS + 1;
const LATENCY = UPSTREAM_TIME + 1;
const UPSTREAM_LATENCY = LATENCY + LATENCY_BUCKETS;
/** From here on, a column has the largest amount in place of the sum. */
const LONGEST = UPSTREAM_LATENCY + LATENCY_BUCKETS;
const UPSTREAM_LONGEST = LONGEST + 1;
const TRAFFIC_COLUMNS: number = UPSTREAM_LONGEST + 1;
/** Milliseconds from which buckets are so wide that a percentile needs the longest time. */
const LONG = 1_000;
const MINUTE = 60_000;
const MAX_MINUTES = 360;

/** Times are in milliseconds, and null if there was no request. */
export interface TrafficSummary {
  /** All, also those whose clients left, which have no outcome and no class of status. */
  readonly requests: number;
  readonly outcomes: Readonly<Record<CacheOutcome, number>>;
  /** Share of the requests for the site that the store answered, also with stale responses; `null` without such requests. */
  readonly hitRatio: number | null;
  readonly clientErrors: number;
  readonly serverErrors: number;
  /** Requests whose clients left before the response was complete, and how long those waited on average. */
  readonly left: number;
  readonly meanLeft: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly upstream: {
    readonly requests: number;
    readonly errors: number;
    readonly mean: number | null;
    readonly p95: number | null;
  };
}

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

/** How the response to a request ended: what the log says of it, and what all numbers are sums of. */
export interface Ending {
  /** Status of the response; of the failure if the site broke it off, and 499 if the client left before it was complete. */
  readonly status: number;
  /** Status that the client got; `null` if it got none. */
  readonly sent: number | null;
  /** How the response ended: whole, or broken off by one side or the gateway's stop. */
  readonly end: 'complete' | 'client' | 'site' | 'shutdown';
  /** Milliseconds from the request head to completion. */
  readonly duration: number;
  /** Bytes of content sent. */
  readonly bytes: number;
}

export class SiteTraffic {
  readonly #now: () => number;
  readonly #start: number;
  /** Columns of each minute, cleared when their turn comes again. */
  readonly #cells = new Uint32Array(MAX_MINUTES * TRAFFIC_COLUMNS);
  /** Minutes since the epoch; -1 if a place holds none. */
  readonly #numbers = new Float64Array(MAX_MINUTES).fill(-1);
  readonly durations: Durations = new Durations();
  readonly failures: Map<string, number> = new Map();
  /** Responses that broke off after the head, by the side. */
  readonly broken: Map<string, number> = new Map();
  readonly webhooks: Map<string, number> = new Map();
  sentBytes = 0;
  /** When the last request failed with 5xx, and how many did not since. */
  failedAt: number | null = null;
  goodSince = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#start = now();
  }

  /** @param operation or one of {@link NO_OPERATION}, with the method if known */
  record(operation: string, outcome: CacheOutcome, ending: Ending, now: number = this.#now()): void {
    const { bytes, duration: milliseconds, end, sent, status } = ending;
    this.sentBytes += bytes;
    if (sent !== null && (end === 'client' || end === 'site')) this.addCount('broken', end);
    if (status >= 500) {
      this.failedAt = now;
      this.goodSince = 0;
    } else this.goodSince += 1;
    const minute = this.#findMinute(now);
    if (end === 'client') {
      this.#add(minute + LEFT);
      this.#add(minute + LEFT_TIME, Math.round(milliseconds));
      this.durations.count(operation, outcome, LEFT_STATUS, milliseconds);
      return;
    }
    // 0 for success, 1 for redirection, 2 for client errors, 3 for server errors
    const statusClass = Math.min(Math.max(Math.floor(status / 100) - 2, 0), 3);
    this.#add(minute + CACHE_OUTCOMES.indexOf(outcome));
    this.#add(minute + STATUS + statusClass);
    this.#add(minute + LATENCY + findBucket(milliseconds));
    if (milliseconds >= LONG) this.#raise(minute + LONGEST, milliseconds);
    this.durations.count(operation, outcome, status, milliseconds);
  }

  /** @param status `null` without a response @param milliseconds to its head, or to the failure */
  recordUpstream(operation: string, status: number | null, milliseconds: number): void {
    const minute = this.#findMinute(this.#now());
    this.#add(minute + UPSTREAM_COUNT);
    if (status === null || status >= 500) this.#add(minute + UPSTREAM_ERRORS);
    this.#add(minute + UPSTREAM_TIME, Math.round(milliseconds));
    this.#add(minute + UPSTREAM_LATENCY + findBucket(milliseconds));
    this.#raise(minute + UPSTREAM_LONGEST, milliseconds);
    this.durations.count(operation, null, status ?? 0, milliseconds);
  }

  #findMinute(now: number): number {
    const number = Math.floor(now / MINUTE);
    const place = number % MAX_MINUTES;
    const first = place * TRAFFIC_COLUMNS;
    if (this.#numbers[place] !== number) {
      this.#cells.fill(0, first, first + TRAFFIC_COLUMNS);
      this.#numbers[place] = number;
      this.durations.startMinute(number);
    }
    return first;
  }

  #add(cell: number, amount = 1): void {
    this.#cells[cell] = (this.#cells[cell] ?? 0) + amount;
  }

  #raise(cell: number, amount: number): void {
    this.#cells[cell] = Math.max(this.#cells[cell] ?? 0, Math.ceil(amount));
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

  /** Traffic of the operations in the last minutes, at most five, the current one included. */
  listRecent(minutes: number): readonly OperationTraffic[] {
    return this.durations.listRecent(Math.floor(this.#now() / MINUTE) - minutes + 1);
  }

  /** Minutes of the last ones that have passed since the start, at least one. */
  countMinutes(minutes: number): number {
    const now = this.#now();
    const first = Math.max(this.#start, (Math.floor(now / MINUTE) - minutes + 1) * MINUTE);
    return Math.max(1, (now - first) / MINUTE);
  }

  readMinutes(minutes: number): TrafficSummary {
    return this.#summarize(this.#now(), minutes);
  }

  /** Start of the minutes up to now, after the process's, that had requests and in which something holds, if any. */
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
    const sums = new Float64Array(TRAFFIC_COLUMNS);
    const last = Math.floor(now / MINUTE) - ago;
    for (let number = last - minutes + 1; number <= last; number += 1) {
      const place = number % MAX_MINUTES;
      if (number < 0 || this.#numbers[place] !== number) continue;
      for (let column = 0; column < TRAFFIC_COLUMNS; column += 1) {
        const amount = this.#cells[place * TRAFFIC_COLUMNS + column] ?? 0;
        const before = sums[column] ?? 0;
        sums[column] = column < LONGEST ? before + amount : Math.max(before, amount);
      }
    }
    return summarizeTraffic(sums);
  }
}

function summarizeTraffic(sums: Float64Array): TrafficSummary {
  const at = (column: number): number => sums[column] ?? 0;
  const [hit, stale, miss, bypass, none] = [at(0), at(1), at(2), at(3), at(4)];
  const ofSite = hit + stale + miss + bypass;
  const latency = sums.subarray(LATENCY, LATENCY + LATENCY_BUCKETS);
  const upstreamRequests = at(UPSTREAM_COUNT);
  return {
    requests: ofSite + none + at(LEFT),
    outcomes: { hit, stale, miss, bypass, none },
    hitRatio: ofSite === 0 ? null : (hit + stale) / ofSite,
    clientErrors: at(STATUS + 2),
    serverErrors: at(STATUS + 3),
    left: at(LEFT),
    meanLeft: at(LEFT) === 0 ? null : at(LEFT_TIME) / at(LEFT),
    p50: readPercentile(latency, 0.5, at(LONGEST)),
    p95: readPercentile(latency, 0.95, at(LONGEST)),
    upstream: {
      requests: upstreamRequests,
      errors: at(UPSTREAM_ERRORS),
      mean: upstreamRequests === 0 ? null : at(UPSTREAM_TIME) / upstreamRequests,
      p95: readPercentile(sums.subarray(UPSTREAM_LATENCY, LONGEST), 0.95, at(UPSTREAM_LONGEST)),
    },
  };
}

function findBucket(milliseconds: number): number {
  let bucket = 0;
  while (bucket < BOUNDS.length && milliseconds >= (BOUNDS[bucket] ?? 0)) bucket += 1;
  return bucket;
}

/** Milliseconds, as if each bucket were filled evenly. @param longest ends the last one; 0 if all are below {@link LONG} */
function readPercentile(counts: ArrayLike<number>, share: number, longest: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) total += counts[bucket] ?? 0;
  if (total === 0) return null;
  const rank = Math.max(share * total, Number.MIN_VALUE);
  let below = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    const count = counts[bucket] ?? 0;
    if (below + count >= rank) {
      const lower = BOUNDS[bucket - 1] ?? 0;
      const upper = Math.min(BOUNDS[bucket] ?? longest, longest || LONG);
      return lower + (upper - lower) * ((rank - below) / count);
    }
    below += count;
  }
  return longest;
}

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number, suffix?: string];

/** Seconds, as OpenTelemetry advises for HTTP. A bound belongs to its bucket. The last has none. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const SUM = SECONDS.length + 1;

export class Histogram {
  readonly #counts = new Float64Array(SUM + 1);

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < SECONDS.length && seconds > (SECONDS[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#counts[SUM] = (this.#counts[SUM] ?? 0) + seconds;
  }

  read(labels: Sample[0]): readonly Sample[] {
    let count = 0;
    const buckets = Array.from({ length: SUM }, (_, at): Sample => {
      count += this.#counts[at] ?? 0;
      return [{ ...labels, le: String(SECONDS[at] ?? '+Inf') }, count, '_bucket'];
    });
    return [...buckets, [labels, this.#counts[SUM] ?? 0, '_sum'], [labels, count, '_count']];
  }
}

/** Keys of requests that belong to no operation. An `operationId` never begins with a colon. */
export const NO_OPERATION = {
  unknownRoutes: ':unknown-routes',
  pages: ':pages',
  gateway: ':local',
  unrouted: ':unrouted',
  agents: ':agents',
  other: ':other',
} as const;

/** Operations with their own counts. Later ones count as one. */
const MAX_OPERATIONS = 200;

/** Methods as labels (RFC 9110 and `PATCH`): any other is `_OTHER`, so that clients can't make more. */
const METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH'.split(' '),
);

export function addMethod(key: string, method: string): string {
  return `${key} ${METHODS.has(method) ? method : '_OTHER'}`;
}

export type OperationLabels = Readonly<Record<'http_request_method' | 'http_route', string>>;

/** Since the start. Times are in milliseconds, and null if there was no request. */
export interface OperationTraffic {
  readonly operation: string;
  readonly requests: number;
  readonly hits: number;
  /** Share of the requests for the site that the store answered; `null` without such requests. */
  readonly hitRatio: number | null;
  readonly clientErrors: number;
  readonly serverErrors: number;
  /** Requests whose clients left; they are in no other number but `requests`. */
  readonly left: number;
  readonly mean: number | null;
  readonly upstream: {
    readonly requests: number;
    readonly errors: number;
    /** Errors without a response. */
    readonly unanswered: number;
    readonly mean: number | null;
  };
}

export const MAX_RECENT_MINUTES = 5;

/** 0xx for a request to the site without response, or of a client that left; 2xx to 5xx. */
const CLASSES = 6;
const LEFT_STATUS = 0;
const TO_SITE = CACHE_OUTCOMES.length;
const CELLS = (TO_SITE + 1) * CLASSES;

class Counts {
  readonly numbers = new Float64Array(CELLS);
  readonly seconds = new Float64Array(CELLS);

  addAll({ numbers, seconds }: Counts, sign: 1 | -1 = 1): this {
    for (let cell = 0; cell < CELLS; cell += 1) {
      this.numbers[cell] = (this.numbers[cell] ?? 0) + sign * (numbers[cell] ?? 0);
      this.seconds[cell] = (this.seconds[cell] ?? 0) + sign * (seconds[cell] ?? 0);
    }
    return this;
  }

  summarize(operation: string): OperationTraffic {
    const own = { requests: 0, seconds: 0, hits: 0, ofSite: 0, clientErrors: 0, serverErrors: 0, left: 0 };
    const upstream = { requests: 0, seconds: 0, errors: 0, unanswered: 0 };
    for (const [cell, number] of this.numbers.entries()) {
      const [outcome, status] = [Math.floor(cell / CLASSES), cell % CLASSES];
      const sums = outcome === TO_SITE ? upstream : own;
      if (sums === own && status === LEFT_STATUS) {
        own.left += number;
        continue;
      }
      sums.requests += number;
      sums.seconds += this.seconds[cell] ?? 0;
      if (sums === upstream) {
        upstream.errors += status === 0 || status === 5 ? number : 0;
        upstream.unanswered += status === 0 ? number : 0;
      } else {
        const isHit = CACHE_OUTCOMES[outcome] === 'hit' || CACHE_OUTCOMES[outcome] === 'stale';
        own.hits += isHit ? number : 0;
        own.ofSite += CACHE_OUTCOMES[outcome] === 'none' ? 0 : number;
        own.clientErrors += status === 4 ? number : 0;
        own.serverErrors += status === 5 ? number : 0;
      }
    }
    const { clientErrors, hits, left, ofSite, requests, serverErrors } = own;
    return {
      ...{ operation, requests: requests + left, hits, clientErrors, serverErrors, left, mean: toMean(own) },
      hitRatio: ofSite === 0 ? null : hits / ofSite,
      upstream: {
        ...{ requests: upstream.requests, errors: upstream.errors, unanswered: upstream.unanswered },
        mean: toMean(upstream),
      },
    };
  }
}

const toMean = ({ requests, seconds }: Record<'requests' | 'seconds', number>): number | null =>
  requests === 0 ? null : (1_000 * seconds) / requests;

/** Without the method. */
export const toOperation = (key: string): string => key.replace(/ .*/, '');

export class Durations {
  readonly responses: Histogram = new Histogram();
  /** How long clients waited that left. */
  readonly left: Histogram = new Histogram();
  readonly upstream: Histogram = new Histogram();
  readonly #operations = new Map<string, Counts>();
  /** Counts before the last minutes with requests, the earliest first. */
  readonly #before: (readonly [minute: number, counts: ReadonlyMap<string, Counts>])[] = [];

  startMinute(minute: number): void {
    const copies = Array.from(
      this.#operations,
      ([key, counts]) => [key, new Counts().addAll(counts)] as const,
    );
    this.#before.push([minute, new Map(copies)]);
    if (this.#before.length > MAX_RECENT_MINUTES) this.#before.shift();
  }

  /** @param first minute, one of the last {@link MAX_RECENT_MINUTES} */
  listRecent(first: number): readonly OperationTraffic[] {
    const [, before] = this.#before.find(([minute]) => minute >= first) ?? [];
    if (before === undefined) return [];
    const merged = this.#merge(toOperation);
    for (const [key, counts] of before) merged.get(toOperation(key))?.addAll(counts, -1);
    return Array.from(merged, ([operation, counts]) => counts.summarize(operation));
  }

  #addOperation(operation: string): Counts {
    const name = this.#operations.size < MAX_OPERATIONS ? operation : NO_OPERATION.other;
    return getOrCreate(this.#operations, name, () => new Counts());
  }

  /**
   * @param operation or one of {@link NO_OPERATION}, with the method if known
   * @param outcome `null` for the site's response to the gateway
   * @param status 0 without a response, or if the client left
   */
  count(operation: string, outcome: CacheOutcome | null, status: number, milliseconds: number): void {
    const seconds = milliseconds / 1_000;
    (outcome === null ? this.upstream : status === LEFT_STATUS ? this.left : this.responses).add(seconds);
    const counts = this.#operations.get(operation) ?? this.#addOperation(operation);
    const column = outcome === null ? TO_SITE : CACHE_OUTCOMES.indexOf(outcome);
    const cell = column * CLASSES + Math.min(Math.floor(status / 100), CLASSES - 1);
    counts.numbers[cell] = (counts.numbers[cell] ?? 0) + 1;
    counts.seconds[cell] = (counts.seconds[cell] ?? 0) + seconds;
  }

  listOperations(): readonly OperationTraffic[] {
    const merged = this.#merge(toOperation);
    return Array.from(merged, ([operation, counts]) => counts.summarize(operation));
  }

  summarize(operation: string): OperationTraffic {
    return (this.#merge(() => operation).get(operation) ?? new Counts()).summarize(operation);
  }

  /** Operations that `describe` gives the same labels are one. */
  readOperations(site: string, describe: (operation: string) => OperationLabels): OperationSamples {
    const described = new Map<string, OperationLabels>();
    const merged = this.#merge((key) => {
      const labels = describe(key);
      const name = JSON.stringify(labels);
      described.set(name, labels);
      return name;
    });
    const samples = { responses: [] as Sample[], upstream: [] as Sample[] };
    for (const [name, { numbers, seconds }] of merged) {
      for (const [cell, number] of numbers.entries()) {
        if (number === 0) continue;
        const cache = CACHE_OUTCOMES[Math.floor(cell / CLASSES)];
        const status = `${cell % CLASSES}xx`;
        const labels = { site, ...described.get(name), status, ...(cache === undefined ? {} : { cache }) };
        samples[cache === undefined ? 'upstream' : 'responses'].push(
          [labels, seconds[cell] ?? 0, '_sum'],
          [labels, number, '_count'],
        );
      }
    }
    return samples;
  }

  #merge(name: (operation: string) => string): ReadonlyMap<string, Counts> {
    const merged = new Map<string, Counts>();
    for (const [operation, counts] of this.#operations)
      getOrCreate(merged, name(operation), () => new Counts()).addAll(counts);
    return merged;
  }
}

export interface OperationSamples {
  readonly responses: readonly Sample[];
  readonly upstream: readonly Sample[];
}
