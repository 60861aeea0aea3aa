import type { Lease } from '../store.ts';
import type { Errand } from './errand.ts';
import type { Surroundings } from './surroundings.ts';
import { awaitTurn } from './turn.ts';

/** Under what others find a flight, here and in other gateways, for as long as they may share its answer. */
export class Registration {
  readonly #errand: Errand;
  readonly #around: Surroundings;
  #id: string | null;
  #lease: Lease | null = null;
  #forgetPatience: (() => void) | undefined;

  constructor(errand: Errand, around: Surroundings) {
    this.#errand = errand;
    this.#around = around;
    this.#id = errand.id;
  }

  get isOpen(): boolean {
    return this.#id !== null;
  }

  /** @param take called with true when it is for us to ask the site, with false when another has */
  awaitTurn(take: (ours: boolean) => void): void {
    const id = this.#id;
    if (id === null) {
      take(true);
      return;
    }
    const { newest, request } = this.#errand;
    awaitTurn(this.#around, { key: request.key, id, newest }, (turn) => {
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
  bound(onImpatience: () => void): void {
    const { clock, limits } = this.#around;
    this.#forgetPatience ??= clock.after(limits.patience, onImpatience);
  }

  /** From here on it is found by what the answer varies by, and not by whose answer it is not. */
  narrow(vary: readonly string[]): void {
    const id = this.#id;
    if (id === null) return;
    const variantId = this.#around.vary(id, this.#errand.request, vary);
    if (variantId === id) this.close();
    else this.#id = variantId;
  }

  close(): void {
    if (this.#id !== null) this.#around.close(this.#id);
    this.#id = null;
    this.#forgetPatience?.();
    this.#release();
  }

  /** …and whoever comes soon is to ask alone. */
  closeApart(): void {
    const id = this.#id ?? this.#errand.id;
    if (id !== null) this.#around.keepApart(id);
    this.close();
  }

  #release(): void {
    this.#lease?.release();
    this.#lease = null;
  }
}
