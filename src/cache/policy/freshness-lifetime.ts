import {
  hasDirective,
  hasUnqualifiedDirective,
  MAX_DELTA_SECONDS,
  parseDirectiveSeconds,
} from '../../http/cache-directives.ts';
import { parseHttpDate } from '../../http/date.ts';
import { firstFieldValue } from '../../http/fields.ts';
import type { CacheRule } from '../cache-rule.ts';
import type { EffectiveCacheControl } from './effective-cache-control.ts';
import { parseDateField } from './freshness.ts';
import { HEURISTICALLY_CACHEABLE_STATUSES } from './status-codes.ts';

/** The parts of an origin's response that its freshness lifetime depends on. */
export interface FreshnessInput {
  readonly status: number;
  readonly headers: readonly string[];
  readonly cacheControl: EffectiveCacheControl;
  readonly responseTime: number;
}

/** RFC 9111 §4.2.2: "A typical setting of this fraction might be 10%." */
const HEURISTIC_FRACTION = 0.1;
/** Seconds. A heuristic is a guess, so it is limited to one day. */
const MAX_HEURISTIC_LIFETIME = 24 * 3600;

/**
 * Calculates the freshness lifetime (RFC 9111 §4.2.1) in seconds; 0 if the response is stale on arrival. A configured
 * rule has precedence over the heuristic, and with `overridesResponse` over the response.
 */
export function calculateFreshnessLifetime(input: FreshnessInput, rule: CacheRule): number {
  const ruleLifetime = rule.getTtl(input.status);
  if (rule.overridesResponse && ruleLifetime !== undefined) return Math.min(ruleLifetime, MAX_DELTA_SECONDS);
  // §5.2.2.4: "no-cache […] MUST NOT be used to satisfy any other request without forwarding it for validation".
  if (hasUnqualifiedDirective(input.cacheControl.directives, 'no-cache')) return 0;
  return (
    getExplicitLifetime(input) ??
    (ruleLifetime === undefined
      ? calculateHeuristicLifetime(input)
      : Math.min(ruleLifetime, MAX_DELTA_SECONDS))
  );
}

/**
 * §4.2.1: "If the cache is shared and the s-maxage response directive is present, use its value, or if the max-age
 * response directive is present, use its value, or if the Expires response header field is present, use its value minus
 * the value of the Date response header field".
 *
 * @returns undefined if the response states no lifetime; 0 if the stated one is invalid: "Caches are encouraged to
 * consider responses that have invalid freshness information (e.g., a max-age directive with non-integer content) to be
 * stale."
 */
export function getExplicitLifetime({
  headers,
  cacheControl,
  responseTime,
}: FreshnessInput): number | undefined {
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = parseDirectiveSeconds(cacheControl.directives, name);
    if (seconds !== undefined) return seconds ?? 0;
  }
  const expires = cacheControl.isTargeted ? undefined : firstFieldValue(headers, 'expires');
  if (expires === undefined) return undefined;
  // §5.3: "A cache recipient MUST interpret invalid date formats, especially the value "0", as representing a time in
  // the past (i.e., "already expired")."
  const at = parseHttpDate(expires, responseTime);
  if (at === null) return 0;
  return Math.min(MAX_DELTA_SECONDS, Math.max(0, (at - parseDateField(headers, responseTime)) / 1000));
}

/**
 * §4.2.2: "A cache MUST NOT use heuristics to determine freshness when an explicit expiration time is present in the
 * stored response. Because of the requirements in Section 3, heuristics can only be used on responses without explicit
 * freshness whose status codes are defined as heuristically cacheable and those responses without explicit freshness
 * that have been marked as explicitly cacheable (e.g., with a public response directive)."
 */
function calculateHeuristicLifetime({ status, headers, cacheControl, responseTime }: FreshnessInput): number {
  if (!HEURISTICALLY_CACHEABLE_STATUSES.has(status) && !hasDirective(cacheControl.directives, 'public'))
    return 0;
  const field = firstFieldValue(headers, 'last-modified');
  const modified = field === undefined ? null : parseHttpDate(field, responseTime);
  if (modified === null) return 0;
  const unmodifiedSeconds = (parseDateField(headers, responseTime) - modified) / 1000;
  return Math.min(MAX_HEURISTIC_LIFETIME, Math.max(0, Math.floor(unmodifiedSeconds * HEURISTIC_FRACTION)));
}
