import type { Lease } from '../store.ts';
import type { EngineContext } from './engine-context.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { waitForLease } from './wait-for-lease.ts';

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
