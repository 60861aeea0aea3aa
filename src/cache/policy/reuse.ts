import { hasDirective, hasUnqualifiedDirective, parseDirectiveSeconds } from '../../http/cache-directives.ts';
import type { StoredResponse } from '../store.ts';
import { parseEffectiveCacheControl } from './effective-cache-control.ts';
import { calculateCurrentAge, calculateTimeToLive, isFresh } from './freshness.ts';
import type { RequestDirectives } from './request-directives.ts';
import { forbidsStale } from './stale-windows.ts';
import { FORWARD_DETAILS } from './status-details.ts';

/**
 * How a stored response may be used for a request (RFC 9111 §4):
 *
 * - `fresh`: serve it.
 * - `stale`: serve it although it is stale, because the request allows it (`max-stale`).
 * - `stale-while-revalidate`: serve it, and refresh it from the origin in the background.
 * - `revalidate`: forward the request first. If the origin fails, {@link canServeOnFailure} decides.
 */
export type ReuseDecision = 'fresh' | 'stale' | 'stale-while-revalidate' | 'revalidate';

/** Decides how a stored response may be used for a request. */
export function evaluateReuse(
  stored: StoredResponse,
  directives: RequestDirectives,
  now: number,
): ReuseDecision {
  const fresh = isFresh(stored, now);
  const { cacheControl } = directives;
  if (cacheControl.length === 0) {
    if (fresh) return 'fresh';
    return isWithinStaleWindow(stored, stored.staleWhileRevalidate, now)
      ? 'stale-while-revalidate'
      : 'revalidate';
  }

  if (findRequestObjection(stored, directives, now) !== undefined) return 'revalidate';
  if (fresh) return 'fresh';

  if (isWithinStaleWindow(stored, stored.staleWhileRevalidate, now)) return 'stale-while-revalidate';
  return acceptsStale(stored, directives, now) ? 'stale' : 'revalidate';
}

/**
 * §5.2.1.2, `max-stale`: "the client will accept a response that has exceeded its freshness lifetime. If a value is
 * present, then the client is willing to accept a response that has exceeded its freshness lifetime by no more than the
 * specified number of seconds. If no value is assigned to max-stale, then the client will accept a stale response of
 * any age."
 */
function acceptsStale(stored: StoredResponse, { cacheControl }: RequestDirectives, now: number): boolean {
  if (!hasDirective(cacheControl, 'max-stale') || stored.markedStale) return false;
  if (forbidsStale(parseEffectiveCacheControl(stored.headers).directives)) return false;
  if (hasUnqualifiedDirective(cacheControl, 'max-stale')) return true;
  const seconds = parseDirectiveSeconds(cacheControl, 'max-stale') ?? 0;
  return -calculateTimeToLive(stored, now) <= seconds;
}

/** `error`: the origin responded with an error. `unreachable`: it did not respond. */
export type OriginFailure = 'error' | 'unreachable';

/**
 * Whether a stored response may replace an error of the origin, or a response that an unreachable origin does not send.
 * RFC 5861 §4: "when an error is encountered, a cached stale response MAY be used to satisfy the request, regardless of
 * other freshness information". Both the response and the request may have `stale-if-error`.
 */
export function canServeOnFailure(
  stored: StoredResponse,
  { cacheControl }: RequestDirectives,
  now: number,
  failure: OriginFailure,
): boolean {
  if (hasDirective(cacheControl, 'no-cache') || hasDirective(cacheControl, 'no-store')) return false;
  if (isFresh(stored, now)) return true;
  const { staleIfError, staleIfUnreachable } = stored;
  const window = failure === 'error' ? staleIfError : Math.max(staleIfError, staleIfUnreachable);
  if (isWithinStaleWindow(stored, window, now)) return true;
  const allowed = parseDirectiveSeconds(cacheControl, 'stale-if-error') ?? 0;
  return (
    allowed > 0 &&
    !stored.markedStale &&
    isWithinStaleWindow(stored, allowed, now) &&
    !forbidsStale(parseEffectiveCacheControl(stored.headers).directives)
  );
}

/**
 * Finds the reason why a request does not accept a stored response that is fresh, as the `detail` of `Cache-Status`.
 * Returns undefined if it accepts the response.
 */
export function findRequestObjection(
  stored: StoredResponse,
  { cacheControl }: RequestDirectives,
  now: number,
): string | undefined {
  // §5.2.1.4, `no-cache`: "the client prefers a stored response not be used to satisfy the request without successful
  // validation on the origin server."
  if (hasDirective(cacheControl, 'no-cache')) return FORWARD_DETAILS.noCache;
  if (hasDirective(cacheControl, 'no-store')) return FORWARD_DETAILS.noStore;
  // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number of seconds".
  // RFC 8246: an immutable response is not revalidated while it is fresh, although a reload sends `max-age=0`.
  const maxAge = parseDirectiveSeconds(cacheControl, 'max-age') ?? undefined;
  if (maxAge !== undefined && calculateCurrentAge(stored, now) > maxAge) {
    if (!isFresh(stored, now) || !isImmutable(stored)) return FORWARD_DETAILS.maxAge;
  }
  // §5.2.1.3: "the client prefers a response whose freshness lifetime is no less than its current age plus the
  // specified time in seconds."
  const minFresh = parseDirectiveSeconds(cacheControl, 'min-fresh') ?? undefined;
  const isTooShort = minFresh !== undefined && calculateTimeToLive(stored, now) < minFresh;
  return isTooShort ? FORWARD_DETAILS.minFresh : undefined;
}

/** Whether fewer than `seconds` have passed since the end of the freshness lifetime. */
function isWithinStaleWindow(stored: StoredResponse, seconds: number, now: number): boolean {
  return seconds > 0 && -calculateTimeToLive(stored, now) < seconds;
}

function isImmutable(stored: StoredResponse): boolean {
  return hasDirective(parseEffectiveCacheControl(stored.headers).directives, 'immutable');
}
