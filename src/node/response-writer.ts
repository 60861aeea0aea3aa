import type { ServerResponse } from 'node:http';
import type { ForwardPlan } from '../gateway/plan/plan.ts';
import { problemBody, problemHeaders } from '../gateway/plan/problem.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';

/** Links as `writeEarlyHints` accepts them; it throws for others. */
const WELL_FORMED_LINK = /^<[^<>]*>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[^\s"<>,;]+))?)*$/;

/** An answer on its way to the caller, written to the raw response as it arrives. */
export class ResponseWriter implements ResponseSink {
  readonly #plan: ForwardPlan;
  readonly #outgoing: ServerResponse;
  #exchange: Exchange | undefined;
  #failure: UpstreamFailure | undefined;
  #headers: readonly string[] = [];

  constructor(plan: ForwardPlan, outgoing: ServerResponse) {
    this.#plan = plan;
    this.#outgoing = outgoing;
  }

  /** What brings the answer; `close()` is to be called when the caller's side of it is over, in whatever way. */
  attach(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  /** Why there was no answer, or only a part of one. */
  get failure(): UpstreamFailure | undefined {
    return this.#failure;
  }

  /** What the cache did with the request (RFC 9211). */
  get cacheStatus(): string | undefined {
    return fieldValue(this.#headers, 'cache-status');
  }

  /** Where the caller left before the end, the site is told. */
  onConnectionClose(): void {
    if (!this.#outgoing.writableFinished) this.#exchange?.abort();
  }

  /** A proxy passes interim answers on (RFC 9110 §15.2). Of 103, Node takes links alone, and only well-formed ones. */
  interim({ headers, status }: ResponseHead): void {
    if (this.#outgoing.headersSent) return;
    if (status === 102) this.#outgoing.writeProcessing();
    if (status !== 103) return;
    const link = fieldValue(headers, 'link') ?? '';
    if (WELL_FORMED_LINK.test(link)) this.#outgoing.writeEarlyHints({ link });
  }

  head({ headers, status }: ResponseHead): void {
    this.#headers = headers;
    const fields = headers.slice();
    fields.push('X-Request-Id', this.#plan.facts.requestId);
    this.#outgoing.writeHead(status, fields);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.#outgoing.end(body);
  }

  write(chunk: Uint8Array): boolean {
    const taken = this.#outgoing.write(chunk);
    if (!taken) this.#outgoing.once('drain', () => this.#exchange?.resume());
    return taken;
  }

  end(): void {
    this.#outgoing.end();
  }

  fail(failure: UpstreamFailure): void {
    this.#failure = failure;
    if (this.#outgoing.headersSent) {
      // A clean end would make half an answer look whole (RFC 9112 §8).
      this.#outgoing.destroy();
      return;
    }
    const problem = this.#plan.failure(failure);
    this.#outgoing.writeHead(problem.status, {
      ...problemHeaders(problem),
      'x-request-id': this.#plan.facts.requestId,
    });
    this.#outgoing.end(problemBody(problem));
  }
}
