/** How the cache handled a request, as the operator's views count it. */
export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass' | 'none';

/** The order is that of the columns. `none`: the gateway responded itself. */
export const CACHE_OUTCOMES: readonly ['hit', 'stale', 'miss', 'bypass', 'none'] = [
  'hit',
  'stale',
  'miss',
  'bypass',
  'none',
];

/** The gateway's member of `Cache-Status`. Members of caches before it, which may be gateways too, stand before it. */
const MEMBER = /^(?:.*,\s*)?waygate;\s*(?:(hit)|fwd=([a-z-]{1,20}))([^,"]{0,60})/;
const FRESH_HIT = /^waygate; hit; ttl=\d+$/;
/** A negative `ttl` is the time since the response became stale. */
const STALE = /;\s*ttl=-/;

const indexOf = (outcome: CacheOutcome): number => CACHE_OUTCOMES.indexOf(outcome);
const [HIT, STALE_HIT, MISS, BYPASS, NONE] = [
  indexOf('hit'),
  indexOf('stale'),
  indexOf('miss'),
  indexOf('bypass'),
  indexOf('none'),
];

/** Reads how the cache handled a request. @returns index in {@link CACHE_OUTCOMES} */
export function readCacheOutcome(cacheStatus: string | undefined): number {
  if (cacheStatus === undefined) return NONE;
  if (FRESH_HIT.test(cacheStatus)) return HIT;
  const [, hit, forward, rest = ''] = MEMBER.exec(cacheStatus) ?? [];
  // A stale response that replaces an error of the site has `fwd` and a negative `ttl`.
  if (STALE.test(rest)) return STALE_HIT;
  if (hit !== undefined) return rest.includes('detail=') ? STALE_HIT : HIT;
  if (forward === undefined) return NONE;
  return forward === 'bypass' || forward === 'method' ? BYPASS : MISS;
}

/** The gateway's member of `Cache-Status` (RFC 9211): `hit`, or why the request was forwarded. */
const CACHE_STATUS = /(?:^|,\s*)waygate;\s*(?:(hit)|fwd=([a-z-]{1,20}))/;
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

/** Reads how the cache handled a request, as the metrics count it. @returns `hit`, a reason of RFC 9211 for forwarding, or `none` */
export function readCacheResult(cacheStatus: string | undefined): string {
  // The most frequent value needs no regular expression.
  if (cacheStatus?.startsWith('waygate; hit')) return 'hit';
  const [, hit, reason = ''] = CACHE_STATUS.exec(cacheStatus ?? '') ?? [];
  return hit ?? (FORWARD_REASONS.has(reason) ? reason : 'none');
}
