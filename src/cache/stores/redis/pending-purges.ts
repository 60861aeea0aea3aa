import type { Purge } from './codec.ts';

/** More than this many undelivered purges become one of everything. */
const MOST = 1000;
/** So do purges of more names than this in all. */
const MOST_NAMES = 20_000;

/** Purges that the others have not been told of yet, in their order. */
export class PendingPurges {
  #purges: Purge[] = [];
  #names = 0;

  get all(): readonly Purge[] {
    return this.#purges;
  }

  add(purge: Purge): void {
    this.#purges.push(purge);
    this.#names += namesIn(purge);
    if (this.#purges.length <= MOST && this.#names <= MOST_NAMES) return;
    this.#purges = [{ selection: { kind: 'all' }, mode: 'hard' }];
    this.#names = 0;
  }

  delivered(purge: Purge): void {
    const at = this.#purges.indexOf(purge);
    // It may have become a part of another.
    if (at === -1) return;
    this.#purges.splice(at, 1);
    this.#names -= namesIn(purge);
  }
}

function namesIn({ selection }: Purge): number {
  if (selection.kind === 'all') return 0;
  return selection.kind === 'tags' ? selection.tags.length : selection.keys.length;
}
