import type { StoreStats } from '../../cache/store.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { SiteValidationReport } from '../validating/site-validation.ts';
import { siteKey } from './sites.ts';

/** Answers counted by what an operator draws: no label comes from a caller, so that there is a bounded number of them. */
export interface RequestMetrics {
  /**
   * @param mount `/content`, or empty
   * @param cacheStatus the answer's own `Cache-Status`
   */
  count(mount: string, status: number, cacheStatus: string | undefined): void;
  lines(): readonly string[];
}

export function createRequestMetrics(): RequestMetrics {
  // By mount and result; a number for each class of status.
  const mounts = new Map<string, Map<string, number[]>>();
  return {
    count(mount, status, cacheStatus) {
      const results = mounts.get(mount) ?? new Map<string, number[]>();
      if (results.size === 0) mounts.set(mount, results);
      const result = resultOf(cacheStatus);
      const classes = results.get(result) ?? [0, 0, 0, 0, 0, 0];
      const statusClass = Math.floor(status / 100);
      classes[statusClass] = (classes[statusClass] ?? 0) + 1;
      results.set(result, classes);
    },
    lines() {
      const samples: Sample[] = [];
      for (const [mount, results] of mounts) {
        for (const [result, classes] of results) {
          for (const [statusClass, count] of classes.entries()) {
            const labels = `mount="${mount === '' ? '/' : mount}",status="${statusClass}xx",cache="${result}"`;
            if (count > 0) samples.push([labels, count]);
          }
        }
      }
      return family(
        'waygate_requests_total',
        'counter',
        'Answers, by mount, class of status and what the cache did.',
        samples,
      );
    },
  };
}

/** What the cache did with a request (RFC 9211): `hit`, why it was passed on, or `none`. */
const RESULT = /(?:^|,\s*)waygate;\s*(?:(hit)|fwd=([a-z-]{1,20}))/;
/** What mostly stands there, and can be seen sooner. */
const HIT = 'waygate; hit';
const REASONS: ReadonlySet<string> = new Set([
  ...['bypass', 'method', 'uri-miss', 'vary-miss', 'miss', 'request', 'stale', 'partial'],
]);

function resultOf(cacheStatus: string | undefined): string {
  if (cacheStatus?.startsWith(HIT)) return 'hit';
  const [, hit, reason = ''] = RESULT.exec(cacheStatus ?? '') ?? [];
  return hit ?? (REASONS.has(reason) ? reason : 'none');
}

export interface MeasuredSite {
  readonly mount: string;
  readonly runtime: SiteRuntime;
  readonly report: SiteValidationReport;
}

/** What is measured when somebody looks: the sites, what their validation has seen, and the store. */
export function siteMetricLines(sites: readonly MeasuredSite[], store: StoreStats | null): readonly string[] {
  const bySite = (of: (site: MeasuredSite) => number): readonly Sample[] =>
    sites.map((site) => [`site="${siteKey(site)}"`, of(site)]);
  const verdicts = sites.flatMap((site) => verdictsOf(site));
  return [
    ...family(
      'waygate_site_ready',
      'gauge',
      'Whether the site can be served.',
      bySite(({ runtime }) => Number(runtime.snapshot !== null)),
    ),
    ...family(
      'waygate_site_last_read_seconds',
      'gauge',
      'When the site was last read, since the epoch.',
      bySite(({ runtime }) => (runtime.readAt ?? 0) / 1000),
    ),
    ...family(
      'waygate_validation_verdicts_total',
      'counter',
      'Judged requests, by what the site said of the verdict.',
      verdicts,
    ),
    ...family(
      'waygate_validation_rules_set_aside',
      'gauge',
      'Rules that the site was seen to break.',
      bySite(setAsideOf),
    ),
    ...family(
      'waygate_validation_operations_enforced',
      'gauge',
      'Operations whose wrong requests are refused.',
      bySite(enforcedOf),
    ),
    ...(store === null ? [] : storeLines(store)),
  ];
}

type Sample = readonly [labels: string, value: number];

function verdictsOf({ mount, report }: MeasuredSite): readonly Sample[] {
  const sums = { accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0, unasked: 0 };
  for (const { agreed, disagreed, missed, refused, undecided } of report.operations) {
    sums.accepted += agreed.accepted;
    sums.refused += agreed.refused;
    sums.disagreed += disagreed;
    sums.missed += missed;
    sums.undecided += undecided;
    sums.unasked += refused;
  }
  return Object.entries(sums).map(([outcome, sum]) => [
    `site="${siteKey({ mount })}",outcome="${outcome}"`,
    sum,
  ]);
}

function setAsideOf({ report }: MeasuredSite): number {
  return report.operations.reduce(
    (sum, { rules }) => sum + rules.filter(({ suspended }) => suspended).length,
    0,
  );
}

function enforcedOf({ report }: MeasuredSite): number {
  return report.operations.filter(({ enforced }) => enforced).length;
}

function storeLines({ bytes, entries, maxBytes }: StoreStats): readonly string[] {
  return [
    ...family('waygate_cache_entries', 'gauge', 'Answers in the memory of this process.', [['', entries]]),
    ...family('waygate_cache_bytes', 'gauge', 'Bytes that they take.', [['', bytes]]),
    ...family('waygate_cache_max_bytes', 'gauge', 'Bytes that they may take.', [['', maxBytes]]),
  ];
}

/** One metric in Prometheus's text format, version 0.0.4. */
function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string[] {
  if (samples.length === 0) return [];
  const lines = samples.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
