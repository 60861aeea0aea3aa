import { NULL_BODY_STATUSES } from '../../http/body.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { BodyRewriter } from '../../upstream/rewrite-body.ts';
import type { ForwardPlan, ResponseObserver } from '../plan/plan.ts';

/**
 * The site's answer on its way out: filtered and rewritten as the plan says, seen by its observers. Where an observer has
 * something to finish first, the caller does not have the last byte before that is done.
 */
export class ResponseRelay implements ResponseSink, Exchange {
  readonly #plan: ForwardPlan;
  readonly #observers: readonly ResponseObserver[];
  readonly #stamps: readonly string[];
  readonly #sink: ResponseSink;
  #exchange: Exchange | undefined;
  #rewrite: BodyRewriter | undefined;
  /** Bytes of the body that have not come yet, where the head says how many there are. */
  #remaining = Number.POSITIVE_INFINITY;
  #heldHead: ResponseHead | undefined;
  readonly #heldChunks: Uint8Array[] = [];
  #over = false;
  /** The caller has left: what still comes is for the observers alone. */
  #left = false;
  /** Observers have heard of the end, or of what came instead. */
  #told = false;

  /** @param stamps fields, a flat list, that are added to the head */
  constructor(
    plan: ForwardPlan,
    observers: readonly ResponseObserver[],
    stamps: readonly string[],
    sink: ResponseSink,
  ) {
    this.#plan = plan;
    this.#observers = observers;
    this.#stamps = stamps;
    this.#sink = sink;
  }

  begin(exchange: Exchange): this {
    this.#exchange = exchange;
    return this;
  }

  interim(head: ResponseHead): void {
    if (!this.#left) this.#sink.interim?.({ ...head, headers: this.#plan.answer(head).headers });
  }

  head(head: ResponseHead): void {
    for (const observer of this.#observers) observer.head(head);
    if (this.#left) return;
    const { headers, rewrite } = this.#plan.answer(head);
    headers.push(...this.#stamps);
    this.#rewrite = rewrite;
    const out = { status: head.status, reason: head.reason, headers };
    if (this.#observers.length > 0) {
      const bodiless = NULL_BODY_STATUSES.has(head.status) || this.#plan.request.method === 'HEAD';
      const length = bodiless ? '0' : fieldValue(headers, 'content-length');
      if (length !== undefined && /^\d+$/.test(length)) this.#remaining = Number(length);
    }
    if (this.#remaining === 0) this.#heldHead = out;
    else this.#sink.head(out);
  }

  write(chunk: Uint8Array): boolean {
    for (const observer of this.#observers) observer.write?.(chunk);
    if (this.#left) return true;
    const out = this.#rewrite === undefined ? chunk : this.#rewrite.write(chunk);
    this.#remaining -= out.byteLength;
    if (this.#remaining > 0) return this.#sink.write(out);
    this.#heldChunks.push(out);
    return true;
  }

  end(trailers: readonly string[]): void {
    const rest = this.#left ? undefined : this.#rewrite?.end();
    if (rest !== undefined && rest.byteLength > 0) this.#heldChunks.push(rest);
    this.#told = true;
    const waits = this.#observers.flatMap((observer) => observer.end?.() ?? []);
    if (waits.length === 0) this.#finish(trailers);
    else void Promise.allSettled(waits).then(() => this.#finish(trailers));
  }

  #finish(trailers: readonly string[]): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#left) return;
    if (this.#heldHead !== undefined) this.#sink.head(this.#heldHead);
    for (const chunk of this.#heldChunks) this.#sink.write(chunk);
    this.#sink.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#over) return;
    this.#over = true;
    this.#tellOf(failure);
    if (!this.#left) this.#sink.fail(failure);
  }

  resume(): void {
    this.#exchange?.resume();
  }

  abort(): void {
    if (!this.#over && !this.#told && this.#observers.some(({ outlives }) => outlives === true)) {
      this.#left = true;
      // The site may be waiting for room, which the caller does not make any more.
      this.#exchange?.resume();
      return;
    }
    this.#over = true;
    // What an observer holds of the answer would otherwise be held for ever.
    this.#tellOf({ kind: 'client-gone' });
    this.#exchange?.abort();
  }

  #tellOf(failure: UpstreamFailure): void {
    if (this.#told) return;
    this.#told = true;
    for (const observer of this.#observers) observer.fail?.(failure);
  }
}
