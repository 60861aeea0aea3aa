import type { ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import { completesPart, createCompletedHead, getPartRange } from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';

/**
 * Completes a stored part with the rest that the origin sends (RFC 9111 §3.4): the next sink gets a complete response. A
 * response that is not partial replaces the part, and passes unchanged.
 */
export class CompletingSink implements ResponseSink {
  readonly #part: StoredResponse;
  readonly #next: ResponseSink;
  readonly #reject: () => void;
  /** Bytes of the part that follow those of the origin. */
  #suffix: Uint8Array | undefined;
  #isRejected = false;

  /** @param reject called if the origin's response neither completes nor replaces the part; `next` is then not called */
  constructor(part: StoredResponse, next: ResponseSink, reject: () => void) {
    this.#part = part;
    this.#next = next;
    this.#reject = reject;
  }

  interim(head: ResponseHead): void {
    this.#next.interim?.(head);
  }

  head(head: ResponseHead): void {
    if (head.status !== 206 && head.status !== 416) {
      this.#next.head(head);
      return;
    }
    if (!completesPart(this.#part, head)) {
      this.#isRejected = true;
      this.#reject();
      return;
    }
    this.#next.head(createCompletedHead(this.#part, head));
    if (getPartRange(this.#part)?.first === 0) this.#next.write(this.#part.body);
    else this.#suffix = this.#part.body;
  }

  write(chunk: Uint8Array): boolean {
    return this.#isRejected || this.#next.write(chunk);
  }

  end(trailers: readonly string[]): void {
    if (this.#isRejected) return;
    if (this.#suffix !== undefined) this.#next.write(this.#suffix);
    this.#next.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (!this.#isRejected) this.#next.fail(failure);
  }
}
