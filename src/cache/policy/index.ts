/**
 * What a shared cache may do, by the RFCs: pure functions, with the times as arguments.
 *
 *     wishes = wishesOf(request.headers)
 *     bypasses(wishes)                    → forward as it came, keep nothing
 *     stored = select(answers, request, now)
 *     assess(stored, wishes, now)         → fresh | stale | stale-while-revalidate: respond(stored, …)
 *                                         → revalidate: ask with revalidationConditions(stored)
 *       304 that confirms(head, stored)   → freshened(stored, received): put it back, respond(answer, …)
 *       304 that does not                 → ask again without conditions
 *       isError(status) or no answer      → servesOnError(stored, wishes, now)? respond(stored, …)
 *     storable(received)                  → draft; when the body is whole, completed(draft, body, tags)
 *     a HEAD that went forward            → afterHead(stored, received)
 *     onlyIfCached(wishes) and no answer  → 504
 */
export { ageField, currentAge } from './age.ts';
export { assess, isFresh, servesOnError, timeToLive, type Use } from './assess.ts';
export { completed } from './complete.ts';
export { afterHead } from './head.ts';
export { invalidated, isSafe } from './invalidation.ts';
export type { Received } from './received.ts';
export { type Reply, respond } from './respond.ts';
export { confirms, type Freshened, freshened, revalidationConditions } from './revalidation.ts';
export { isError } from './status.ts';
export { type Draft, type NotStored, type Storability, storable } from './storable.ts';
export { select, variantOf, varyNames } from './variants.ts';
export { bypasses, NO_WISHES, onlyIfCached, type Wishes, wishesOf } from './wishes.ts';
