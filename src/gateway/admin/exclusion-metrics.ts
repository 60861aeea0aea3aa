import type { StoreExclusions } from '../caching/store-exclusions.ts';
import { formatMetric } from './prometheus-format.ts';
import { siteKey } from './site-operations.ts';

/** The part of a site that this module reads. */
export interface MeasuredExclusions {
  readonly mount: string;
  /** `null` if nothing of the site is cached. */
  readonly caching: { readonly exclusions: StoreExclusions } | null;
}

/** Formats how often requests bypassed the stores of sites, and how often responses contained nonces. */
export function formatExclusionMetrics(sites: Iterable<MeasuredExclusions>): readonly string[] {
  const samples = Array.from(sites).flatMap(({ caching, mount }) =>
    Array.from(caching?.exclusions.counts ?? [], ({ count, name, reason }) => {
      const labels = `site="${siteKey({ mount })}",reason="${reason}",name="${escapeLabel(name)}"`;
      return [labels, count] as const;
    }),
  );
  return formatMetric({
    name: 'waygate_cache_exclusions_total',
    type: 'counter',
    help: 'Requests that bypassed the store and responses that contained a nonce, by reason and by name of the field, cookie, parameter or member.',
    samples,
  });
}

function escapeLabel(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}
