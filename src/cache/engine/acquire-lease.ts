import type { Awaitable, Lease, StoredResponse } from '../store.ts';
import type { EngineContext } from './engine-context.ts';

/** How a key stands among all the gateways that share a store. */
export type LeaseOutcome =
  /** It is for us to ask the site; `lease` is `null` where another has had it for too long. */
  | { readonly kind: 'ask'; readonly lease: Lease | null }
  /** Another has asked meanwhile: the store has what was not there before. */
  | { readonly kind: 'look' };

export interface LeaseRequest {
  readonly key: string;
  /** What is leased: the key, or one variant of it. */
  readonly id: string;
  /** `responseTime` of the newest answer that is known under the key. */
  readonly newest: number | undefined;
}

/**
 * Waits for the turn to ask the site: not at all where the store is not shared, and never longer than a lease lasts.
 *
 * @param take called once, perhaps before this returns
 */
export function acquireLease(
  { clock, limits, store }: Pick<EngineContext, 'clock' | 'limits' | 'store'>,
  { id, key, newest }: LeaseRequest,
  take: (turn: LeaseOutcome) => void,
): void {
  const first = store.lease(id, limits.leaseDuration);
  if (first !== null && !(first instanceof Promise)) {
    take({ kind: 'ask', lease: first });
    return;
  }
  let taken = false;
  const finish = (turn: LeaseOutcome): void => {
    taken = true;
    cancel();
    take(turn);
  };
  const cancel = clock.after(limits.leaseDuration, () => finish({ kind: 'ask', lease: null }));

  const isNews = ([found]: readonly StoredResponse[]): boolean =>
    found !== undefined && found.responseTime !== newest;
  const onLease = (lease: Lease | null): void => {
    if (taken) lease?.release();
    else if (lease === null) clock.after(limits.leasePollInterval, look);
    else whenKnown(store.get(key), (answers) => onTurn(lease, answers));
  };
  // Whoever had the lease before may have stored its answer after we looked and before we asked for the lease.
  const onTurn = (lease: Lease, answers: readonly StoredResponse[]): void => {
    const found = isNews(answers);
    if (taken || found) lease.release();
    if (!taken) finish(found ? { kind: 'look' } : { kind: 'ask', lease });
  };
  const look = (): void => {
    if (taken) return;
    whenKnown(store.get(key), (answers) => {
      if (taken) return;
      if (isNews(answers)) finish({ kind: 'look' });
      else whenKnown(store.lease(id, limits.leaseDuration), onLease);
    });
  };
  whenKnown(first, onLease);
}

/** Goes on in the same turn of the event loop where it can. */
export function whenKnown<T>(value: Awaitable<T>, next: (value: T) => void): void {
  if (value instanceof Promise) void value.then(next);
  else next(value);
}
