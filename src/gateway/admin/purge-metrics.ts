import type { CachedSite } from './dependency-operation.ts';
import { formatMetric, type MetricSample } from './prometheus-format.ts';
import { siteKey } from './site-operations.ts';

/** Formats what writes have purged and kept. */
export function formatPurgeMetrics(sites: Iterable<CachedSite>): readonly string[] {
  const cached = [...sites].flatMap((site) =>
    site.caching === null ? [] : [{ key: siteKey(site), counts: site.caching.purgeCounts }],
  );
  const samples = (name: 'writes' | 'purged' | 'kept'): readonly MetricSample[] =>
    cached.map(({ counts, key }) => [`site="${key}"`, counts[name]]);
  return [
    ...formatMetric({
      name: 'waygate_cache_writes_total',
      type: 'counter',
      help: 'Writes and notices of changes that purged responses.',
      samples: samples('writes'),
    }),
    ...formatMetric({
      name: 'waygate_cache_write_purged_total',
      type: 'counter',
      help: 'Responses in memory that writes purged.',
      samples: samples('purged'),
    }),
    ...formatMetric({
      name: 'waygate_cache_write_kept_total',
      type: 'counter',
      help: 'Responses in memory that a write left there, summed over all writes.',
      samples: samples('kept'),
    }),
  ];
}
