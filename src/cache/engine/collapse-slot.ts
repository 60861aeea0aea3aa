import type { Awaitable, Lease, StoredResponse } from '../store.ts';
import type { EngineContext, FetchSpec } from './fetch-plan.ts';

/**
 * The registration of a fetch under its collapse key: in `InFlightFetches` for this gateway, and by a lease for others.
 * While the slot is open, requests with the same key join the fetch.
 */
export class CollapseSlot {
  readonly #spec: FetchSpec;
  readonly #context: EngineContext;
  #collapseKey: string | null;
  #lease: Lease | null = null;
  #cancelTimeout: (() => void) | undefined;

  constructor(spec: FetchSpec, context: EngineContext) {
    this.#spec = spec;
    this.#context = context;
    this.#collapseKey = spec.collapseKey;
  }

  get isOpen(): boolean {
    return this.#collapseKey !== null;
  }

  /** @param done called once: with true if this fetch may start, with false if another gateway has stored a response */
  acquireLease(done: (isAcquired: boolean) => void): void {
    const collapseKey = this.#collapseKey;
    if (collapseKey === null) {
      done(true);
      return;
    }
    const { newestResponseTime, request } = this.#spec;
    waitForLease(this.#context, { key: request.key, collapseKey, newestResponseTime }, (outcome) => {
      if (outcome.kind === 'stored-elsewhere') done(false);
      else {
        this.#lease = outcome.lease;
        done(true);
      }
      // The slot may have been closed in the meantime.
      if (this.#collapseKey === null) this.#releaseLease();
    });
  }

  /** Starts the collapse timeout, unless it has been started. */
  startTimeout(onTimeout: () => void): void {
    const { clock, limits } = this.#context;
    this.#cancelTimeout ??= clock.after(limits.collapseTimeout, onTimeout);
  }

  /**
   * Restricts the slot to requests for one variant. Closes it if it is restricted to that variant already.
   *
   * @param vary undefined if other requests cannot share the response; the slot is then closed
   */
  narrowToVariant(vary: readonly string[] | undefined): void {
    if (vary === undefined) {
      this.close();
      return;
    }
    const collapseKey = this.#collapseKey;
    if (collapseKey === null) return;
    const variantKey = this.#context.narrowFetchToVariant(collapseKey, this.#spec.request, vary);
    if (variantKey === collapseKey) this.close();
    else this.#collapseKey = variantKey;
  }

  close(): void {
    if (this.#collapseKey !== null) this.#context.unregisterFetch(this.#collapseKey);
    this.#collapseKey = null;
    this.#cancelTimeout?.();
    this.#releaseLease();
  }

  /** Closes the slot. Requests with its key are not collapsed for `hitForPassDuration`. */
  closeAsHitForPass(): void {
    const collapseKey = this.#collapseKey ?? this.#spec.collapseKey;
    if (collapseKey !== null) this.#context.keyMemos.hitForPass.set(collapseKey, true);
    this.close();
  }

  #releaseLease(): void {
    this.#lease?.release();
    this.#lease = null;
  }
}

/** The result of {@link waitForLease}. */
type LeaseOutcome =
  /** This gateway fetches. `lease` is `null` if another gateway still has it after `leaseDuration`. */
  | { readonly kind: 'fetch'; readonly lease: Lease | null }
  /** Another gateway has stored a newer response. */
  | { readonly kind: 'stored-elsewhere' };

/** The lease that {@link waitForLease} waits for. */
interface LeaseRequest {
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
function waitForLease(
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
