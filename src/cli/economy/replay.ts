import { LRUCache } from 'lru-cache';
import {
  createDefaultRule,
  type DeclaredParameter,
  QueryCanonicalizer,
} from '../../cache/wordpress/cache-key.ts';
import { createPageRules } from '../../cache/wordpress/page-responses.ts';
import { CacheBypassRules } from '../../cache/wordpress/shared-requests.ts';
import type { LogLine } from './access-log.ts';

/** Requests per second. */
interface Load {
  readonly mean: number;
  readonly busiestMinute: number;
}

/** What the cache does with the reads of pages and of the REST API that may use it. */
interface CachePrediction extends Load {
  /** `null` without reads. */
  readonly hitRatio: number | null;
  /** Requests at the site per read, with background refreshes. */
  readonly requestsPerRead: number | null;
}

/** What an access log predicts of a site behind the gateway. Loads are those of the site, without files. */
export interface Prediction {
  /** First and last time of the log, in milliseconds since the epoch; `null` without a line. */
  readonly from: number | null;
  readonly to: number | null;
  readonly lines: number;
  readonly malformed: number;
  /** Reads of pages and of the REST API that may use the store. */
  readonly reads: number;
  /** Their addresses, as far as they were remembered. */
  readonly addresses: number;
  /** Reads that do not use the store, and reads whose response is not stored. */
  readonly bypasses: number;
  readonly unstorable: number;
  readonly files: number;
  readonly writes: number;
  /** Writes that may change pages, as far as a log tells. */
  readonly marks: number;
  readonly today: Load;
  readonly lifetimes: readonly {
    /** Of pages, in seconds. */
    readonly lifetime: number;
    /** If each write marks everything, as before there is evidence; if it marks only the addresses that its line names. */
    readonly first: CachePrediction;
    readonly best: CachePrediction;
  }[];
}

/** What a read leads to by its line. */
interface LoggedRead {
  readonly kind: 'page' | 'route' | 'file';
  /** Path, and the query as PHP reads it. */
  readonly address: string;
}

const NO_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();
const REST_ROUTE = /^\/(?:index\.php\/)?wp-json(?:\/|$)/;
/** Scripts that plugins hear of. Pages do not show what they write. */
const QUIET_SCRIPT = /\/(?:wp-login|xmlrpc|wp-cron|wp-admin\/admin-ajax)\.php$/;
/** The rule of responses that state no freshness, whatever their lifetime. */
const { staleWhileRevalidate } = createDefaultRule(0);
const REST_LIFETIME = createDefaultRule(30).getTtl(200) ?? 0;

/** Tells what lines read, by the decisions of a gateway about their targets. A log has no header section and no body. */
export class ReadClassifier {
  readonly #bypassRules = new CacheBypassRules({});
  readonly #canonicalizer = new QueryCanonicalizer();
  readonly #findPageRule = createPageRules(1);

  /** @returns `null` if the read bypasses the store */
  classify({ isAuthenticated, target }: LogLine): LoggedRead | null {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    if (isAuthenticated || this.#bypassRules.checkQuery(query) !== null) return null;
    const key = this.#canonicalizer.canonicalize(query, NO_PARAMETERS)?.key;
    if (key === undefined) return null;
    const address = key === '' ? path : `${path}?${key}`;
    if (REST_ROUTE.test(path) || query.includes('rest_route=')) return { kind: 'route', address };
    const rule = this.#findPageRule(path, query);
    if (rule.readsBody) return { kind: 'page', address };
    return rule.selectRule(STYLESHEET) === undefined ? null : { kind: 'file', address };
  }
}

const STYLESHEET = {
  status: 200,
  reason: '',
  headers: ['content-type', 'text/css', 'last-modified', 'Thu, 01 Jan 1970 00:00:00 GMT'],
};

/** One of the predictions: what is stored of an address is in column `column` of its entry. */
interface Scenario {
  readonly column: number;
  /** Seconds. */
  readonly lifetime: number;
  readonly marksAll: boolean;
  readonly load: LoadMeter;
  hits: number;
  requests: number;
}

/** When each scenario has stored the response of an address, and after how many writes. */
interface StoredTimes {
  readonly times: Float64Array;
  readonly marks: Float64Array;
}

/** Replays the lines of a log against the policy of the store, for several lifetimes at once. Its memory is bounded. */
export class Replay {
  readonly #classifier = new ReadClassifier();
  readonly #stored: LRUCache<string, StoredTimes>;
  readonly #scenarios: readonly Scenario[];
  readonly #known: ReadonlyMap<string, number | null>;
  readonly #today = new LoadMeter();
  readonly #counts = { lines: 0, malformed: 0, reads: 0, addresses: 0, bypasses: 0, unstorable: 0 };
  readonly #others = { files: 0, writes: 0, marks: 0 };
  #from: number | null = null;
  #now = 0;

  /**
   * @param lifetimes of pages, in seconds
   * @param known lifetimes of addresses, in seconds, that the site has stated; `null` if their responses are not stored
   */
  constructor(
    lifetimes: readonly number[],
    maxAddresses: number,
    known: ReadonlyMap<string, number | null> = new Map(),
  ) {
    this.#stored = new LRUCache({ maxSize: maxAddresses, sizeCalculation: () => 1 });
    this.#known = known;
    this.#scenarios = lifetimes.flatMap((lifetime, at) =>
      [true, false].map((marksAll) => {
        const column = 2 * at + (marksAll ? 0 : 1);
        return { column, lifetime, marksAll, load: new LoadMeter(), hits: 0, requests: 0 };
      }),
    );
  }

  /** @param line `null` if it is in another format */
  add(line: LogLine | null): void {
    this.#counts.lines += 1;
    if (line === null) {
      this.#counts.malformed += 1;
      return;
    }
    this.#from ??= line.time;
    // Servers write a line when its response has ended, so times may go back a little.
    this.#now = Math.max(this.#now, line.time);
    if (line.method === 'GET' || line.method === 'HEAD') this.#addRead(line);
    else this.#addWrite(line);
  }

  #addRead(line: LogLine): void {
    const read = this.#classifier.classify(line);
    if (read?.kind === 'file') {
      this.#others.files += 1;
      return;
    }
    this.#today.add(this.#now);
    const stated = read === null ? null : this.#known.get(read.address);
    if (read !== null && stated !== null && isStored(line.status, read.kind)) {
      this.#counts.reads += 1;
      this.#read(read, line.status, stated);
      return;
    }
    this.#counts[read === null ? 'bypasses' : 'unstorable'] += 1;
    for (const { load } of this.#scenarios) load.add(this.#now);
  }

  #read({ address, kind }: LoggedRead, status: number, stated: number | undefined): void {
    let entry = this.#stored.get(address);
    if (entry === undefined) {
      const columns = this.#scenarios.length;
      entry = { times: new Float64Array(columns).fill(-Infinity), marks: new Float64Array(columns) };
      this.#stored.set(address, entry);
      this.#counts.addresses += 1;
    }
    const isFound = status === 200 || status === 304;
    for (const scenario of this.#scenarios) {
      const { column, marksAll } = scenario;
      const ofKind = kind === 'route' ? REST_LIFETIME : scenario.lifetime;
      const lifetime = isFound ? (stated ?? ofKind) : 0;
      const isMarked = marksAll && entry.marks[column] !== this.#others.marks;
      const age = isMarked ? Infinity : (this.#now - (entry.times[column] ?? 0)) / 1000;
      if (age <= lifetime + staleWhileRevalidate) scenario.hits += 1;
      if (age < lifetime) continue;
      entry.times[column] = this.#now;
      entry.marks[column] = this.#others.marks;
      scenario.requests += 1;
      scenario.load.add(this.#now);
    }
  }

  #addWrite({ referrer, status, target }: LogLine): void {
    this.#others.writes += 1;
    this.#today.add(this.#now);
    for (const { load } of this.#scenarios) load.add(this.#now);
    const path = target.split('?', 1)[0] ?? '/';
    if ((status >= 400 && status < 500) || QUIET_SCRIPT.test(path)) return;
    this.#others.marks += 1;
    for (const address of [path, referrer]) {
      const entry = this.#stored.peek(address);
      for (const { column, marksAll } of this.#scenarios) {
        if (entry !== undefined && !marksAll) entry.times[column] = -Infinity;
      }
    }
  }

  predict(): Prediction {
    const seconds = Math.max(1, (this.#now - (this.#from ?? 0)) / 1000);
    const { reads } = this.#counts;
    const describe = ({ hits, load, requests }: Scenario): CachePrediction => ({
      hitRatio: reads === 0 ? null : hits / reads,
      requestsPerRead: reads === 0 ? null : requests / reads,
      ...load.read(seconds),
    });
    const first = this.#scenarios.filter(({ marksAll }) => marksAll);
    const best = this.#scenarios.filter(({ marksAll }) => !marksAll);
    return {
      ...{ from: this.#from, to: this.#from === null ? null : this.#now },
      ...this.#counts,
      ...this.#others,
      today: this.#today.read(seconds),
      lifetimes: first.flatMap((scenario, at) => {
        const other = best[at];
        const { lifetime } = scenario;
        return other === undefined ? [] : [{ lifetime, first: describe(scenario), best: describe(other) }];
      }),
    };
  }
}

/** WordPress forbids to store its 404 pages; routes state nothing then. A permanent redirect is used while it is revalidated. */
function isStored(status: number, kind: LoggedRead['kind']): boolean {
  return [200, 301, 304, 308].includes(status) || (kind === 'route' && (status === 404 || status === 410));
}

/** Counts requests, and those of the busiest minute. */
class LoadMeter {
  #count = 0;
  #minute = 0;
  #inMinute = 0;
  #busiest = 0;

  add(now: number): void {
    const minute = Math.floor(now / 60_000);
    if (minute > this.#minute) this.#inMinute = 0;
    this.#minute = minute;
    this.#inMinute += 1;
    this.#busiest = Math.max(this.#busiest, this.#inMinute);
    this.#count += 1;
  }

  read(seconds: number): Load {
    return { mean: this.#count / seconds, busiestMinute: this.#busiest / 60 };
  }
}
