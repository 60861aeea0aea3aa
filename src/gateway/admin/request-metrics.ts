import { formatMetric, type MetricSample } from './prometheus-format.ts';

/** Counts responses. No label value comes from a client, so the number of time series is bounded. */
export interface RequestMetrics {
  /**
   * @param mount `/content`, or empty
   * @param cacheStatus the response's `Cache-Status`
   */
  countResponse(mount: string, status: number, cacheStatus: string | undefined): void;
  /** @returns lines of Prometheus's text format */
  formatMetrics(): readonly string[];
}

export function createRequestMetrics(): RequestMetrics {
  /** By mount, then by cache result: one count for each class of status, 0xx to 5xx. */
  const countsByMount = new Map<string, Map<string, number[]>>();
  return {
    countResponse(mount, status, cacheStatus) {
      const countsByResult = countsByMount.get(mount) ?? new Map<string, number[]>();
      if (countsByResult.size === 0) countsByMount.set(mount, countsByResult);
      const result = parseCacheResult(cacheStatus);
      const counts = countsByResult.get(result) ?? [0, 0, 0, 0, 0, 0];
      const statusClass = Math.floor(status / 100);
      counts[statusClass] = (counts[statusClass] ?? 0) + 1;
      countsByResult.set(result, counts);
    },
    formatMetrics() {
      const samples: MetricSample[] = [];
      for (const [mount, countsByResult] of countsByMount) {
        for (const [result, counts] of countsByResult) {
          for (const [statusClass, count] of counts.entries()) {
            const labels = `mount="${mount === '' ? '/' : mount}",status="${statusClass}xx",cache="${result}"`;
            if (count > 0) samples.push([labels, count]);
          }
        }
      }
      return formatMetric({
        name: 'waygate_requests_total',
        type: 'counter',
        help: 'Responses, by mount, class of status and cache result.',
        samples,
      });
    },
  };
}

/** The gateway's member of `Cache-Status` (RFC 9211): `hit`, or why the request was forwarded. */
const CACHE_STATUS = /(?:^|,\s*)waygate;\s*(?:(hit)|fwd=([a-z-]{1,20}))/;
/** The most frequent value, tested without the regular expression. */
const HIT = 'waygate; hit';
const FORWARD_REASONS: ReadonlySet<string> = new Set([
  'bypass',
  'method',
  'uri-miss',
  'vary-miss',
  'miss',
  'request',
  'stale',
  'partial',
]);

/** @returns `hit`, a reason of RFC 9211 for forwarding, or `none` */
function parseCacheResult(cacheStatus: string | undefined): string {
  if (cacheStatus?.startsWith(HIT)) return 'hit';
  const [, hit, reason = ''] = CACHE_STATUS.exec(cacheStatus ?? '') ?? [];
  return hit ?? (FORWARD_REASONS.has(reason) ? reason : 'none');
}
