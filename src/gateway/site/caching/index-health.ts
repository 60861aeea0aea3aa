import type { ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue } from '../../../base/http/fields.ts';
import type { Clock } from '../../../base/ports.ts';

/** Milliseconds for which a readable index counts, and between two reads. */
const READABLE_FOR = 60_000;
const READ_EVERY = 5_000;

/** `rest_output_link_header()`: each page of WordPress links the index. */
const linksIndex = (headers: readonly string[]): boolean =>
  fieldValue(headers, 'link')?.includes('https://api.w.org/') === true;

/** Tells pages that no longer are WordPress's, e.g. of a drop-in while the database is away, from those that lack the link. */
export class IndexHealth {
  /** Whether the index can be read; `null` if nothing is known of it. */
  read: (() => Promise<boolean>) | null = null;
  readonly #clock: Clock;
  #isLinked = false;
  #readableUntil = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param stored the page that this one would replace */
  isLost({ headers }: ResponseHead, stored: Pick<ResponseHead, 'headers'> | undefined): boolean {
    if (linksIndex(headers)) {
      this.#isLinked = true;
      return false;
    }
    const now = this.#clock.now();
    const wasLinked = stored === undefined ? this.#isLinked : linksIndex(stored.headers);
    if (!wasLinked || this.read === null || now < this.#readableUntil) return false;
    if (now < this.#readAt + READ_EVERY) return true;
    this.#readAt = now;
    void this.read().then((isReadable) => {
      if (isReadable) this.#readableUntil = now + READABLE_FOR;
    });
    return true;
  }
}
