import { NULL_BODY_STATUSES } from '../../http/body.ts';
import { type CacheStatus, formatCacheStatus, formatFailureStatus } from '../../http/cache-status.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { BodyRewriter } from '../../upstream/rewrite-body.ts';
import type { ForwardPlan, ResponseObserver, UpstreamTimer } from '../plan/plan.ts';

/** Options of {@link ResponseRelay}. */
export interface ResponseRelayOptions {
  readonly plan: ForwardPlan;
  readonly observers: readonly ResponseObserver[];
  /** `Cache-Status` of a response that bypasses the cache; undefined if the cache states it. */
  readonly bypassStatus?: CacheStatus | undefined;
  readonly sink: ResponseSink;
}

/**
 * Relays one response of the site to a sink: filters the head, rewrites the body, and notifies the observers. The last
 * byte is withheld until every observer's `end` has settled, so that a client that has read its response to a write reads
 * nothing stale afterwards.
 */
export class ResponseRelay implements ResponseSink, Exchange {
  readonly #plan: ForwardPlan;
  readonly #observers: readonly ResponseObserver[];
  readonly #bypassStatus: CacheStatus | undefined;
  readonly #sink: ResponseSink;
  #upstream: Exchange | undefined;
  /** Undefined once it was called. */
  #timer: UpstreamTimer | undefined;
  #rewriter: BodyRewriter | undefined;
  /** Bytes of the body that are still to come, if the head states its length. */
  #remainingBytes = Number.POSITIVE_INFINITY;
  #withheldHead: ResponseHead | undefined;
  readonly #withheldChunks: Uint8Array[] = [];
  #isEnded = false;
  /** The client disconnected; the rest of the response is for the observers only. */
  #isClientGone = false;
  /** The observers were notified of the end or of the failure. */
  #areObserversDone = false;

  constructor({ bypassStatus, observers, plan, sink }: ResponseRelayOptions) {
    this.#plan = plan;
    this.#observers = observers;
    this.#bypassStatus = bypassStatus;
    this.#sink = sink;
    this.#timer = plan.startUpstreamTimer?.();
  }

  attach(upstream: Exchange): this {
    this.#upstream = upstream;
    return this;
  }

  interim(head: ResponseHead): void {
    if (this.#isClientGone) return;
    this.#sink.interim?.({ ...head, headers: this.#plan.toRelayedHead(head).headers });
  }

  head(head: ResponseHead): void {
    this.#stopTimer(head.status);
    for (const observer of this.#observers) observer.head(head);
    if (this.#isClientGone) return;
    const { headers, bodyRewriter } = this.#plan.toRelayedHead(head);
    if (this.#bypassStatus !== undefined) headers.push('Cache-Status', formatCacheStatus(this.#bypassStatus));
    this.#rewriter = bodyRewriter;
    const relayed = { status: head.status, reason: head.reason, headers };
    if (this.#observers.length > 0) {
      const hasNoBody = NULL_BODY_STATUSES.has(head.status) || this.#plan.upstreamRequest.method === 'HEAD';
      const length = hasNoBody ? '0' : fieldValue(headers, 'content-length');
      if (length !== undefined && /^\d+$/.test(length)) this.#remainingBytes = Number(length);
    }
    if (this.#remainingBytes === 0) this.#withheldHead = relayed;
    else this.#sink.head(relayed);
  }

  write(chunk: Uint8Array): boolean {
    for (const observer of this.#observers) observer.write?.(chunk);
    if (this.#isClientGone) return true;
    const relayed = this.#rewriter === undefined ? chunk : this.#rewriter.write(chunk);
    this.#remainingBytes -= relayed.byteLength;
    if (this.#remainingBytes > 0) return this.#sink.write(relayed);
    this.#withheldChunks.push(relayed);
    return true;
  }

  end(trailers: readonly string[]): void {
    const rest = this.#isClientGone ? undefined : this.#rewriter?.end();
    if (rest !== undefined && rest.byteLength > 0) this.#withheldChunks.push(rest);
    this.#areObserversDone = true;
    const pending = this.#observers.flatMap((observer) => observer.end?.() ?? []);
    if (pending.length === 0) this.#finish(trailers);
    else void Promise.allSettled(pending).then(() => this.#finish(trailers));
  }

  #finish(trailers: readonly string[]): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#isClientGone) return;
    if (this.#withheldHead !== undefined) this.#sink.head(this.#withheldHead);
    for (const chunk of this.#withheldChunks) this.#sink.write(chunk);
    this.#sink.end(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // With an open circuit nothing was sent.
    if (failure.kind !== 'circuit-open') this.#stopTimer(null);
    this.#failObservers(failure);
    if (this.#isClientGone) return;
    const status = this.#bypassStatus;
    this.#sink.fail(
      status === undefined ? failure : { ...failure, cacheStatus: formatFailureStatus(status, failure.kind) },
    );
  }

  resume(): void {
    this.#upstream?.resume();
  }

  abort(): void {
    const isObserved = this.#observers.some(({ outlivesClient }) => outlivesClient === true);
    if (!this.#isEnded && !this.#areObserversDone && isObserved) {
      this.#isClientGone = true;
      for (const observer of this.#observers) observer.clientGone?.();
      // The exchange may be paused because of the client, which does not resume it any more.
      this.#upstream?.resume();
      return;
    }
    this.#isEnded = true;
    // Lets observers release the part of the response that they buffer.
    this.#failObservers({ kind: 'client-gone' });
    this.#upstream?.abort();
  }

  #stopTimer(status: number | null): void {
    this.#timer?.(status);
    this.#timer = undefined;
  }

  #failObservers(failure: UpstreamFailure): void {
    if (this.#areObserversDone) return;
    this.#areObserversDone = true;
    for (const observer of this.#observers) observer.fail?.(failure);
  }
}
