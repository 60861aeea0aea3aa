import { directiveSeconds, hasDirective, isUnqualified } from '../../http/directives.ts';
import type { StoredResponse } from '../store.ts';
import { currentAge } from './age.ts';
import { governing } from './governing.ts';
import { forbidsStale } from './stale.ts';
import type { Wishes } from './wishes.ts';

/**
 * What may be done with a stored answer (RFC 9111 §4):
 *
 * - `fresh`: it is served.
 * - `stale`: it is served although it is stale, because the request says so (`max-stale`).
 * - `stale-while-revalidate`: it is served, and the site asked behind the caller's back.
 * - `revalidate`: the site is asked first. Where it fails, {@link servesOnError} says whether this may be served.
 */
export type Use = 'fresh' | 'stale' | 'stale-while-revalidate' | 'revalidate';

/** §4.2: "response_is_fresh = (freshness_lifetime > current_age)". */
export function isFresh(stored: StoredResponse, now: number): boolean {
  return !stored.purged && stored.lifetime > currentAge(stored, now);
}

/** Seconds until the answer is stale; negative after. A purge has no seconds: it is stale from then on. */
export function timeToLive(stored: StoredResponse, now: number): number {
  const left = stored.lifetime - currentAge(stored, now);
  return stored.purged ? Math.min(0, left) : left;
}

export function assess(stored: StoredResponse, wishes: Wishes, now: number): Use {
  const fresh = isFresh(stored, now);
  const { directives } = wishes;
  if (directives.length === 0) {
    if (fresh) return 'fresh';
    return withinWindow(stored, stored.staleWhileRevalidate, now) ? 'stale-while-revalidate' : 'revalidate';
  }

  // §5.2.1.4, `no-cache`: "the client prefers a stored response not be used to satisfy the request without successful
  // validation on the origin server."
  if (hasDirective(directives, 'no-cache') || hasDirective(directives, 'no-store')) return 'revalidate';

  const age = currentAge(stored, now);
  // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number of seconds".
  // RFC 8246: what is immutable is not validated while it is fresh, though a reload asks for it by `max-age=0`.
  const maxAge = directiveSeconds(directives, 'max-age') ?? undefined;
  if (maxAge !== undefined && age > maxAge && !(fresh && isImmutable(stored))) return 'revalidate';

  // §5.2.1.3: "the client prefers a response whose freshness lifetime is no less than its current age plus the
  // specified time in seconds."
  const minFresh = directiveSeconds(directives, 'min-fresh') ?? undefined;
  if (minFresh !== undefined && timeToLive(stored, now) < minFresh) return 'revalidate';
  if (fresh) return 'fresh';

  if (withinWindow(stored, stored.staleWhileRevalidate, now)) return 'stale-while-revalidate';
  return acceptsStale(stored, wishes, now) ? 'stale' : 'revalidate';
}

/**
 * §5.2.1.2, `max-stale`: "the client will accept a response that has exceeded its freshness lifetime. If a value is
 * present, then the client is willing to accept a response that has exceeded its freshness lifetime by no more than the
 * specified number of seconds. If no value is assigned to max-stale, then the client will accept a stale response of
 * any age."
 */
function acceptsStale(stored: StoredResponse, { directives }: Wishes, now: number): boolean {
  if (!hasDirective(directives, 'max-stale') || stored.purged) return false;
  if (forbidsStale(governing(stored.headers).directives)) return false;
  if (isUnqualified(directives, 'max-stale')) return true;
  const seconds = directiveSeconds(directives, 'max-stale') ?? 0;
  return -timeToLive(stored, now) <= seconds;
}

/**
 * Whether a stored answer stands in for a site that fails: RFC 5861 §4, "when an error is encountered, a cached stale
 * response MAY be used to satisfy the request, regardless of other freshness information". Requests may say it too.
 */
export function servesOnError(stored: StoredResponse, wishes: Wishes, now: number): boolean {
  const { directives } = wishes;
  if (hasDirective(directives, 'no-cache') || hasDirective(directives, 'no-store')) return false;
  if (isFresh(stored, now)) return true;
  if (withinWindow(stored, stored.staleIfError, now)) return true;
  const asked = directiveSeconds(directives, 'stale-if-error') ?? 0;
  return (
    asked > 0 &&
    !stored.purged &&
    withinWindow(stored, asked, now) &&
    !forbidsStale(governing(stored.headers).directives)
  );
}

/** A soft purge gives no seconds back: the window is counted from when the answer would have become stale anyway. */
function withinWindow(stored: StoredResponse, seconds: number, now: number): boolean {
  return seconds > 0 && -timeToLive(stored, now) < seconds;
}

function isImmutable(stored: StoredResponse): boolean {
  return hasDirective(governing(stored.headers).directives, 'immutable');
}
