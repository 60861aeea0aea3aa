import type { Awaitable, Lease, StoredResponse } from '../store.ts';
import type { EngineContext } from './engine-context.ts';

/** The result of {@link waitForLease}. */
export type LeaseOutcome =
  /** This gateway fetches. `lease` is `null` if another gateway still has it after `leaseDuration`. */
  | { readonly kind: 'fetch'; readonly lease: Lease | null }
  /** Another gateway has stored a newer response. */
  | { readonly kind: 'stored-elsewhere' };

/** The lease that {@link waitForLease} waits for. */
export interface LeaseRequest {
  /** Cache key, which is looked up during the wait. */
  readonly key: string;
  /** Key of the lease. */
  readonly collapseKey: string;
  /** `responseTime` of the newest known response under the cache key. */
  readonly newestResponseTime: number | undefined;
}

/**
 * Waits until this gateway may fetch a key, or until another gateway has stored a response. Waits for `leaseDuration` or
 * less, and not at all if the store is not shared.
 *
 * @param done called once, possibly before this returns
 */
export function waitForLease(
  { clock, limits, store }: Pick<EngineContext, 'clock' | 'limits' | 'store'>,
  { collapseKey, key, newestResponseTime }: LeaseRequest,
  done: (outcome: LeaseOutcome) => void,
): void {
  const first = store.acquireLease(collapseKey, limits.leaseDuration);
  if (first !== null && !(first instanceof Promise)) {
    done({ kind: 'fetch', lease: first });
    return;
  }
  let isDone = false;
  const finish = (outcome: LeaseOutcome): void => {
    isDone = true;
    cancel();
    done(outcome);
  };
  const cancel = clock.after(limits.leaseDuration, () => finish({ kind: 'fetch', lease: null }));

  const isNewer = ([newest]: readonly StoredResponse[]): boolean =>
    newest !== undefined && newest.responseTime !== newestResponseTime;
  const onLease = (lease: Lease | null): void => {
    if (isDone) lease?.release();
    else if (lease === null) clock.after(limits.leasePollInterval, poll);
    else whenResolved(store.get(key), (responses) => onLookup(lease, responses));
  };
  // The previous holder may have stored its response between the lookup and the request for the lease.
  const onLookup = (lease: Lease, responses: readonly StoredResponse[]): void => {
    const isStored = isNewer(responses);
    if (isDone || isStored) lease.release();
    if (!isDone) finish(isStored ? { kind: 'stored-elsewhere' } : { kind: 'fetch', lease });
  };
  const poll = (): void => {
    if (isDone) return;
    whenResolved(store.get(key), (responses) => {
      if (isDone) return;
      if (isNewer(responses)) finish({ kind: 'stored-elsewhere' });
      else whenResolved(store.acquireLease(collapseKey, limits.leaseDuration), onLease);
    });
  };
  whenResolved(first, onLease);
}

/** Calls `next` with the value. A value that is not a promise is passed synchronously. */
export function whenResolved<T>(value: Awaitable<T>, next: (value: T) => void): void {
  if (value instanceof Promise) void value.then(next);
  else next(value);
}
