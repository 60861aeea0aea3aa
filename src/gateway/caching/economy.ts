import {
  type CounterExample,
  type Evidence,
  isDependent,
  sumSame,
} from '../../cache/dependencies/evidence.ts';
import type { Inventory } from '../../cache/inventory.ts';
import type { SiteTraffic } from '../traffic/site-traffic.ts';
import { listWriteCosts, type WriteCost } from './recent-purges.ts';
import type { SiteCaching } from './site-caching.ts';
import type { PurgeCounts } from './site-writes.ts';

/** What the cache saves a site, what writes cost, and what is known of dependencies. */
export interface EconomyReport {
  /** Of the last six hours, or since the start. */
  readonly traffic: SiteLoad;
  readonly writes: PurgeCounts;
  /** Kinds of write, in the table and in this page of the report. */
  readonly total: number;
  readonly offset: number;
  readonly kinds: readonly KindReport[];
  /** Route classes whose responses change without a write: comparisons, changes, and the places in the text that differ. */
  readonly varying: readonly {
    readonly read: string;
    readonly compared: number;
    readonly changed: number;
    readonly places: number;
  }[];
  /** Stored pages that show no item, by route class: a write marks them unless comparisons show that it does not change them. */
  readonly unrelated: readonly { readonly read: string; readonly responses: number }[];
}

/** The reads of a site that may use the store, and the requests that they cost it. */
export interface SiteLoad {
  readonly reads: number;
  readonly hits: number;
  readonly stale: number;
  readonly misses: number;
  /** Requests that do not use the store: writes, and those of clients with credentials. */
  readonly bypasses: number;
  /** Requests at the site for reads that may use the store, with those of background refreshes. */
  readonly siteRequests: number;
  /** `null` before the first read. */
  readonly hitRatio: number | null;
  readonly siteRequestsPerRead: number | null;
}

/** One kind of write: what it costs, and the evidence that pages do not depend on it. */
export interface KindReport extends WriteCost {
  readonly write: string;
  /** Responses that were compared after one such write alone, and how many of them it had changed. */
  readonly compared: number;
  readonly changed: number;
  /** Comparisons without a counter-example of pages that it is not known to change, and how many are needed to keep them. */
  readonly same: number;
  readonly needed: number;
  readonly counterExamples: number;
  /** Route classes that such a write keeps. */
  readonly kept: number;
  readonly dependents: readonly {
    readonly read: string;
    readonly changes: number;
    readonly example: CounterExample | null;
  }[];
}

const PAGE_SIZE = 1000;

/** Creates a page of the report, with the kinds that cost most first. @param inventory `null` if it is not known what is stored */
export function createEconomyReport(
  caching: SiteCaching | null,
  traffic: SiteTraffic,
  inventory: Inventory | null,
  offset: number,
): EconomyReport {
  const { evidence = null, writes } = caching ?? {};
  const costs = writes === undefined ? new Map<string, WriteCost>() : listWriteCosts(writes.recent);
  const names = new Set([...costs.keys(), ...(evidence?.kinds.keys() ?? [])]);
  const kinds = Array.from(names, (write): KindReport => {
    const { marked = 0, writes: count = 0 } = costs.get(write) ?? {};
    const { changed = 0, compared = 0 } = evidence?.differences.get(write) ?? {};
    return { write, writes: count, marked, compared, changed, ...describeEvidence(evidence, write) };
  });
  kinds.sort((one, other) => other.marked - one.marked || other.same - one.same);
  const varying = Array.from(evidence?.variations ?? []).flatMap(([read, { changed, compared, places }]) =>
    changed > 0 ? [{ read, compared, changed, places: places.size }] : [],
  );
  return {
    traffic: describeLoad(traffic),
    writes: writes?.counts ?? NO_COUNTS,
    ...{ total: kinds.length, offset, kinds: kinds.slice(offset, offset + PAGE_SIZE) },
    varying: varying.slice(0, PAGE_SIZE),
    unrelated: inventory?.unrelated.map(({ name: read, responses }) => ({ read, responses })) ?? [],
  };
}

const NO_COUNTS: PurgeCounts = { writes: 0, purged: 0, softPurged: 0, kept: 0 };

function describeEvidence(
  evidence: Evidence | null,
  write: string,
): Pick<KindReport, 'same' | 'needed' | 'counterExamples' | 'kept' | 'dependents'> {
  const kind = evidence?.kinds.get(write);
  if (evidence === null || kind === undefined)
    return { same: 0, needed: 0, counterExamples: 0, kept: 0, dependents: [] };
  const patterns = [...kind.patterns];
  return {
    same: sumSame(kind),
    needed: evidence.countNeeded(kind),
    counterExamples: patterns.reduce((sum, [, { changes }]) => sum + changes, 0),
    kept: evidence.listKeptPatterns(write).length,
    dependents: patterns.flatMap(([read, pattern]) =>
      isDependent(pattern) ? [{ read, changes: pattern.changes, example: pattern.example }] : [],
    ),
  };
}

/** A request that bypasses the store is one request at the site, so the others are for reads that may use it. */
export function describeLoad(traffic: SiteTraffic): SiteLoad {
  const { hitRatio, outcomes, upstream } = traffic.read('6h').total;
  const { bypass: bypasses, hit: hits, miss: misses, stale } = outcomes;
  const reads = hits + stale + misses;
  const siteRequests = Math.max(0, upstream.requests - bypasses);
  return {
    ...{ reads, hits, stale, misses, bypasses, siteRequests },
    hitRatio,
    siteRequestsPerRead: reads === 0 ? null : siteRequests / reads,
  };
}
