import type { StoredResponse } from '../store.ts';

type Aging = Pick<StoredResponse, 'initialAge' | 'responseTime' | 'lifetime' | 'purged'>;

/** RFC 9111 §4.2.3: `current_age`, in seconds. */
export function ageOf({ initialAge, responseTime }: Aging, now: number): number {
  return initialAge + Math.max(0, now - responseTime) / 1000;
}

/** RFC 9111 §4.2: `response_is_fresh`. */
export function isFresh(answer: Aging, now: number): boolean {
  return !answer.purged && ageOf(answer, now) < answer.lifetime;
}

/** Stale from now on, so that it may be served for as long as its windows are while it is fetched again. */
export function expired(answer: StoredResponse, now: number): StoredResponse {
  return { ...answer, lifetime: Math.min(answer.lifetime, ageOf(answer, now)), purged: true };
}
