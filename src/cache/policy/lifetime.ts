import { parseHttpDate } from '../../http/date.ts';
import { directiveSeconds, hasDirective, isUnqualified, MAX_SECONDS } from '../../http/directives.ts';
import { firstValue } from '../../http/fields.ts';
import type { CacheRule } from '../cache.ts';
import { dateValue } from './age.ts';
import type { Governing } from './governing.ts';
import { HEURISTICALLY_CACHEABLE } from './status.ts';

/** An answer as it is when it arrives. */
export interface Arrived {
  readonly status: number;
  readonly headers: readonly string[];
  readonly governing: Governing;
  readonly responseTime: number;
}

/** RFC 9111 §4.2.2: "A typical setting of this fraction might be 10%." */
const HEURISTIC_FRACTION = 0.1;
/** A heuristic is a guess: never for longer than a day. */
const HEURISTIC_BOUND = 24 * 3600;

/** RFC 9111 §4.2.1, with the rule in its place: the lifetime in seconds, 0 where the answer is born stale. */
export function freshnessLifetime(arrived: Arrived, rule: CacheRule): number {
  const ruled = rule.ttl(arrived.status);
  if (rule.override && ruled !== undefined) return Math.min(ruled, MAX_SECONDS);
  // §5.2.2.4: "no-cache […] MUST NOT be used to satisfy any other request without forwarding it for validation".
  if (isUnqualified(arrived.governing.directives, 'no-cache')) return 0;
  return (
    explicitLifetime(arrived) ??
    (ruled === undefined ? heuristicLifetime(arrived) : Math.min(ruled, MAX_SECONDS))
  );
}

/**
 * §4.2.1: "If the cache is shared and the s-maxage response directive is present, use its value, or if the max-age
 * response directive is present, use its value, or if the Expires response header field is present, use its value minus
 * the value of the Date response header field".
 *
 * @returns undefined where there is none. What cannot be read is 0: "Caches are encouraged to consider responses that
 * have invalid freshness information (e.g., a max-age directive with non-integer content) to be stale."
 */
export function explicitLifetime({ headers, governing, responseTime }: Arrived): number | undefined {
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = directiveSeconds(governing.directives, name);
    if (seconds !== undefined) return seconds ?? 0;
  }
  const expires = governing.targeted ? undefined : firstValue(headers, 'expires');
  if (expires === undefined) return undefined;
  // §5.3: "A cache recipient MUST interpret invalid date formats, especially the value "0", as representing a time in
  // the past (i.e., "already expired")."
  const at = parseHttpDate(expires, responseTime);
  if (at === null) return 0;
  return Math.min(MAX_SECONDS, Math.max(0, (at - dateValue(headers, responseTime)) / 1000));
}

/**
 * §4.2.2: "A cache MUST NOT use heuristics to determine freshness when an explicit expiration time is present in the
 * stored response. Because of the requirements in Section 3, heuristics can only be used on responses without explicit
 * freshness whose status codes are defined as heuristically cacheable and those responses without explicit freshness
 * that have been marked as explicitly cacheable (e.g., with a public response directive)."
 */
function heuristicLifetime({ status, headers, governing, responseTime }: Arrived): number {
  if (!HEURISTICALLY_CACHEABLE.has(status) && !hasDirective(governing.directives, 'public')) return 0;
  const field = firstValue(headers, 'last-modified');
  const modified = field === undefined ? null : parseHttpDate(field, responseTime);
  if (modified === null) return 0;
  const unchanged = (dateValue(headers, responseTime) - modified) / 1000;
  return Math.min(HEURISTIC_BOUND, Math.max(0, Math.floor(unchanged * HEURISTIC_FRACTION)));
}
