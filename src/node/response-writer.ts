import type { ServerResponse } from 'node:http';
import type { ForwardPlan } from '../gateway/plan/plan.ts';
import { problemBody, problemHeaders } from '../gateway/plan/problem.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';

/** Links that `writeEarlyHints` accepts; it throws for others. */
const WELL_FORMED_LINK = /^<[^<>]*>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[^\s"<>,;]+))?)*$/;

/** A sink that writes a response to Node's `ServerResponse` as it arrives. */
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

  /** Sets the exchange that the response comes from. */
  attach(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  /** Why the response is missing or incomplete. */
  get failure(): UpstreamFailure | undefined {
    return this.#failure;
  }

  /** The response's `Cache-Status` (RFC 9211). */
  get cacheStatus(): string | undefined {
    return fieldValue(this.#headers, 'cache-status');
  }

  /** Aborts the exchange if the client closed the connection before the end of the response. */
  onConnectionClose(): void {
    if (!this.#outgoing.writableFinished) this.#exchange?.abort();
  }

  /** Forwards interim responses, as a proxy must (RFC 9110 §15.2). Of a 103, Node sends only well-formed links. */
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
    fields.push('X-Request-Id', this.#plan.attributes.requestId);
    this.#outgoing.writeHead(status, fields);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.#outgoing.end(body);
  }

  write(chunk: Uint8Array): boolean {
    const hasCapacity = this.#outgoing.write(chunk);
    if (!hasCapacity) this.#outgoing.once('drain', () => this.#exchange?.resume());
    return hasCapacity;
  }

  end(): void {
    this.#outgoing.end();
  }

  fail(failure: UpstreamFailure): void {
    this.#failure = failure;
    if (this.#outgoing.headersSent) {
      // A clean end would make an incomplete response look complete (RFC 9112 §8).
      this.#outgoing.destroy();
      return;
    }
    const problem = this.#plan.toFailureProblem(failure);
    this.#outgoing.writeHead(problem.status, {
      ...problemHeaders(problem),
      'x-request-id': this.#plan.attributes.requestId,
    });
    this.#outgoing.end(problemBody(problem));
  }
}
