import type { CacheOutcome } from '../../../base/http/cache-status.ts';
import { getOrCreate } from '../../../base/memoize.ts';

export const CACHE_OUTCOMES: readonly CacheOutcome[] = ['hit', 'stale', 'miss', 'bypass', 'none'];

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number, suffix?: string];

/** Seconds, as OpenTelemetry advises for HTTP. A bound belongs to its bucket. The last has none. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const SUM = BOUNDS.length + 1;

export class Histogram {
  readonly #counts = new Float64Array(SUM + 1);

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#counts[SUM] = (this.#counts[SUM] ?? 0) + seconds;
  }

  read(labels: Sample[0]): readonly Sample[] {
    let count = 0;
    const buckets = Array.from({ length: SUM }, (_, at): Sample => {
      count += this.#counts[at] ?? 0;
      return [{ ...labels, le: String(BOUNDS[at] ?? '+Inf') }, count, '_bucket'];
    });
    return [...buckets, [labels, this.#counts[SUM] ?? 0, '_sum'], [labels, count, '_count']];
  }
}

/** Keys of requests that belong to no operation. An `operationId` never begins with a colon. */
export const NO_OPERATION = {
  unknownRoutes: ':unknown-routes',
  pages: ':pages',
  gateway: ':local',
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

/** 0xx for a request to the site without response, 2xx to 5xx. */
const CLASSES = 6;
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
    const own = { requests: 0, seconds: 0, hits: 0, ofSite: 0, clientErrors: 0, serverErrors: 0 };
    const upstream = { requests: 0, seconds: 0, errors: 0, unanswered: 0 };
    for (const [cell, number] of this.numbers.entries()) {
      const [outcome, status] = [Math.floor(cell / CLASSES), cell % CLASSES];
      const sums = outcome === TO_SITE ? upstream : own;
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
    const { clientErrors, hits, ofSite, requests, serverErrors } = own;
    return {
      ...{ operation, requests, hits, clientErrors, serverErrors, mean: toMean(own) },
      hitRatio: ofSite === 0 ? null : hits / ofSite,
      upstream: {
        ...{ requests: upstream.requests, errors: upstream.errors, unanswered: upstream.unanswered },
        mean: toMean(upstream),
      },
    };
  }
}

function toMean({
  requests,
  seconds,
}: {
  readonly requests: number;
  readonly seconds: number;
}): number | null {
  return requests === 0 ? null : (1_000 * seconds) / requests;
}

/** Without the method. */
const toOperation = (key: string): string => key.replace(/ .*/, '');

export class Durations {
  readonly responses: Histogram = new Histogram();
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
   * @param status 0 without a response
   */
  count(operation: string, outcome: CacheOutcome | null, status: number, milliseconds: number): void {
    const seconds = milliseconds / 1_000;
    (outcome === null ? this.upstream : this.responses).add(seconds);
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
