import type { Lease } from '../store.ts';
import type { FetchSpec } from './fetch-spec.ts';
import type { EngineContext } from './engine-context.ts';
import { acquireLease } from './acquire-lease.ts';

/** Under what others find a flight, here and in other gateways, for as long as they may share its answer. */
export class CollapseSlot {
  readonly #errand: FetchSpec;
  readonly #around: EngineContext;
  #id: string | null;
  #lease: Lease | null = null;
  #forgetPatience: (() => void) | undefined;

  constructor(errand: FetchSpec, around: EngineContext) {
    this.#errand = errand;
    this.#around = around;
    this.#id = errand.collapseKey;
  }

  get isOpen(): boolean {
    return this.#id !== null;
  }

  /** @param take called with true when it is for us to ask the site, with false when another has */
  acquireLease(take: (ours: boolean) => void): void {
    const id = this.#id;
    if (id === null) {
      take(true);
      return;
    }
    const { newestResponseTime, request } = this.#errand;
    acquireLease(this.#around, { key: request.key, id, newest: newestResponseTime }, (turn) => {
      if (turn.kind === 'look') take(false);
      else {
        this.#lease = turn.lease;
        take(true);
      }
      // It may have been given up while it waited.
      if (this.#id === null) this.#release();
    });
  }

  /** Somebody waits, and not for ever. */
  startCollapseTimeout(onImpatience: () => void): void {
    const { clock, limits } = this.#around;
    this.#forgetPatience ??= clock.after(limits.collapseTimeout, onImpatience);
  }

  /** From here on it is found by what the answer varies by, and not by whose answer it is not. */
  narrowToVariant(vary: readonly string[]): void {
    const id = this.#id;
    if (id === null) return;
    const variantId = this.#around.vary(id, this.#errand.request, vary);
    if (variantId === id) this.close();
    else this.#id = variantId;
  }

  close(): void {
    if (this.#id !== null) this.#around.unregister(this.#id);
    this.#id = null;
    this.#forgetPatience?.();
    this.#release();
  }

  /** …and whoever comes soon is to ask alone. */
  closeAsHitForPass(): void {
    const id = this.#id ?? this.#errand.collapseKey;
    if (id !== null) this.#around.markHitForPass(id);
    this.close();
  }

  #release(): void {
    this.#lease?.release();
    this.#lease = null;
  }
}
