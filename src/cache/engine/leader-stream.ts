import type { ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import type { CollectedBody } from './collected-body.ts';

/**
 * The caller who gets an answer while it comes in. Where they are slow, it waits for them: in the body that is being
 * collected for others, so that these don't wait too, and else in as little as the site had already sent.
 */
export class LeaderStream {
  readonly #sink: ResponseSink;
  readonly #onRoom: () => void;
  #collected: CollectedBody | undefined;
  #begun = false;
  /** How much of what is collected they have. */
  #position = 0;
  readonly #held: Uint8Array[] = [];
  #trailers: readonly string[] | undefined;
  #full = false;
  #pouring = false;
  #over = false;

  /** @param onDrain called when they have all there is and can take more */
  constructor(sink: ResponseSink, onDrain: () => void) {
    this.#sink = sink;
    this.#onRoom = onDrain;
  }

  /** Whether they have the head. */
  get started(): boolean {
    return this.#begun;
  }

  interim(head: ResponseHead): void {
    this.#sink.interim?.(head);
  }

  /** @param collected grows with the answer, until {@link detach} */
  start(head: ResponseHead, collected: CollectedBody | undefined): void {
    this.#begun = true;
    this.#collected = collected;
    this.#sink.head(head);
  }

  /** There is more in what is collected. */
  flush(): void {
    this.#pour();
  }

  /** The rest is not collected: it comes by {@link write}. */
  detach(): void {
    const rest = this.#collected?.since(this.#position);
    this.#collected = undefined;
    if (rest !== undefined && rest.byteLength > 0) this.#held.push(rest);
  }

  /** @returns false where no more should come before `onRoom` */
  write(chunk: Uint8Array): boolean {
    this.#held.push(chunk);
    this.#pour();
    return !this.#full;
  }

  end(trailers: readonly string[]): void {
    this.#trailers = trailers;
    this.#pour();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.fail(failure);
  }

  resume(): void {
    this.#full = false;
    this.#pour();
    if (!this.#full && !this.#over && !this.#pouring) this.#onRoom();
  }

  abort(): void {
    this.#over = true;
  }

  #pour(): void {
    // A sink may call `resume` while it is written to: the loop below goes on then.
    if (this.#pouring) return;
    this.#pouring = true;
    while (!this.#full && !this.#over) {
      const chunk = this.#next();
      if (chunk === undefined) break;
      // Set before the sink is asked, and left alone after it: it may have room again by then.
      this.#full = true;
      if (this.#sink.write(chunk)) this.#full = false;
    }
    this.#pouring = false;
    if (this.#full || this.#over || this.#trailers === undefined) return;
    this.#over = true;
    this.#sink.end(this.#trailers);
  }

  #next(): Uint8Array | undefined {
    if (this.#collected === undefined) return this.#held.shift();
    const chunk = this.#collected.since(this.#position);
    this.#position += chunk.byteLength;
    return chunk.byteLength === 0 ? undefined : chunk;
  }
}
