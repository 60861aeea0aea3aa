import type { Clock } from '../../ports.ts';
import { type Awaitable, type CacheStore, type Lease, type StoredResponse, whenResolved } from '../store.ts';
import type { CacheEngineLimits, FetchPlan } from './fetch-plan.ts';

/**
 * Waits until this gateway may fetch a key, or until another gateway has stored a response. Waits for `leaseDuration` or
 * less.
 *
 * @param collapseKey key of the lease
 * @param first the first response of the store to a request for the lease
 * @param done called once, possibly before this returns, with the lease: `null` if another gateway still has it after
 * `leaseDuration`; `stored-elsewhere` if another gateway has stored a newer response
 */
export function waitForLease(
  { newestResponseTime, request }: FetchPlan,
  collapseKey: string,
  {
    clock,
    limits,
    store,
  }: { readonly clock: Clock; readonly limits: CacheEngineLimits; readonly store: CacheStore },
  first: Awaitable<Lease | null>,
  done: (lease: Lease | null | 'stored-elsewhere') => void,
): void {
  const acquire = (): Awaitable<Lease | null> =>
    store.acquireLease?.(collapseKey, limits.leaseDuration) ?? null;
  let isDone = false;
  const finish = (lease: Lease | null | 'stored-elsewhere'): void => {
    isDone = true;
    cancel();
    done(lease);
  };
  const cancel = clock.after(limits.leaseDuration, () => finish(null));

  const isNewer = ([newest]: readonly StoredResponse[]): boolean =>
    newest !== undefined && newest.responseTime !== newestResponseTime;
  const onLease = (lease: Lease | null): void => {
    if (isDone) lease?.release();
    else if (lease === null) clock.after(limits.leasePollInterval, poll);
    else whenResolved(store.get(request.key), (responses) => onLookup(lease, responses));
  };
  // The previous holder may have stored its response between the lookup and the request for the lease.
  const onLookup = (lease: Lease, responses: readonly StoredResponse[]): void => {
    const isStored = isNewer(responses);
    if (isDone || isStored) lease.release();
    if (!isDone) finish(isStored ? 'stored-elsewhere' : lease);
  };
  const poll = (): void => {
    if (isDone) return;
    whenResolved(store.get(request.key), (responses) => {
      if (isDone) return;
      if (isNewer(responses)) finish('stored-elsewhere');
      else whenResolved(acquire(), onLease);
    });
  };
  whenResolved(first, onLease);
}
