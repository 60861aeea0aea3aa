import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyPlan } from '../gateway/plan.ts';
import { problemBody, problemHeaders } from '../gateway/problem.ts';
import { fieldValue } from '../http/fields.ts';
import type { DispatchTransport } from '../upstream/dispatch.ts';
import type { AnswerHead, AnswerSink, Exchange, UpstreamFailure } from '../upstream/exchange.ts';
import type { BodyRewriter } from '../upstream/rewrite.ts';

/** Links as `writeEarlyHints` accepts them; it throws for others. */
const HINT = /^<[^<>]*>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[^\s"<>,;]+))?)*$/;

/** One answer of a site on its way to the caller, written to the raw response as it arrives. */
export class Relay implements AnswerSink {
  readonly #plan: ProxyPlan;
  readonly #outgoing: ServerResponse;
  #exchange: Exchange | undefined;
  #rewrite: BodyRewriter | undefined;
  #failure: UpstreamFailure | undefined;

  private constructor(plan: ProxyPlan, outgoing: ServerResponse) {
    this.#plan = plan;
    this.#outgoing = outgoing;
  }

  /** Sends the request; `close()` is to be called when the caller's side of it is over, in whatever way. */
  static start(
    plan: ProxyPlan,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    transport: DispatchTransport,
  ): Relay {
    // Named one by one: a rest and a spread cost more here than all of the header filters.
    const { hasBody, headers, method, repeatable, target } = plan.request;
    const body = hasBody ? incoming : null;
    const relay = new Relay(plan, outgoing);
    relay.#exchange = transport.send({ method, target, headers, body, repeatable }, relay);
    return relay;
  }

  /** Why there was no answer, or only a part of one. */
  get failure(): UpstreamFailure | undefined {
    return this.#failure;
  }

  /** Where the caller left before the end, the site is told. */
  close(): void {
    if (!this.#outgoing.writableFinished) this.#exchange?.abort();
  }

  /** A proxy passes interim answers on (RFC 9110 §15.2). Of 103, Node takes links alone, and only well-formed ones. */
  interim(head: AnswerHead): void {
    if (this.#outgoing.headersSent) return;
    if (head.status === 102) this.#outgoing.writeProcessing();
    if (head.status !== 103) return;
    const link = fieldValue(this.#plan.answer(head).headers, 'link') ?? '';
    if (HINT.test(link)) this.#outgoing.writeEarlyHints({ link });
  }

  head(head: AnswerHead): void {
    const { headers, rewrite } = this.#plan.answer(head);
    this.#rewrite = rewrite;
    this.#outgoing.writeHead(head.status, headers);
  }

  write(chunk: Uint8Array): boolean {
    const taken = this.#outgoing.write(this.#rewrite === undefined ? chunk : this.#rewrite.write(chunk));
    if (!taken) this.#outgoing.once('drain', () => this.#exchange?.resume());
    return taken;
  }

  end(): void {
    const rest = this.#rewrite?.end();
    if (rest === undefined || rest.byteLength === 0) this.#outgoing.end();
    else this.#outgoing.end(rest);
  }

  fail(failure: UpstreamFailure): void {
    this.#failure = failure;
    if (this.#outgoing.headersSent) {
      // A clean end would make half an answer look whole (RFC 9112 §8).
      this.#outgoing.destroy();
      return;
    }
    const problem = this.#plan.failure(failure);
    this.#outgoing.writeHead(problem.status, problemHeaders(problem));
    this.#outgoing.end(problemBody(problem));
  }
}
