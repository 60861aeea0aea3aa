import type { ServerResponse } from 'node:http';
import { type Problem, problemBody, problemHeaders } from '../gateway/exchange/problem.ts';
import type { GatewayRequest } from '../gateway/gateway-request.ts';
import { recordRefusal, toFailureProblem } from '../gateway/handle.ts';
import type { Exchange, ResponseHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';

/** Links that `writeEarlyHints` accepts; it throws for others. */
const WELL_FORMED_LINK = /^<[^<>]*>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[^\s"<>,;]+))?)*$/;
/** Other fields of a 103. `writeEarlyHints` writes them unchecked, in ASCII. */
const ASCII_NAME = /^[\w-]+$/;
const ASCII_VALUE = /^[\t -~]*$/;

/**
 * Converts the fields of a 103 to the argument of `writeEarlyHints`.
 *
 * @returns undefined if the 103 cannot be sent: Node needs a well-formed link
 */
function toEarlyHints(headers: readonly string[]): Record<string, string> | undefined {
  const link = fieldValue(headers, 'link') ?? '';
  if (!WELL_FORMED_LINK.test(link)) return undefined;
  const hints: Record<string, string> = { link };
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = fieldValue(headers, name) ?? '';
    if (name !== 'link' && ASCII_NAME.test(name) && ASCII_VALUE.test(value)) hints[name] = value;
  }
  return hints;
}

/** A sink that writes a response to Node's `ServerResponse` as it arrives. */
export class ResponseWriter implements ResponseSink {
  readonly #request: GatewayRequest;
  readonly #outgoing: ServerResponse;
  #exchange: Exchange | undefined;
  #failure: UpstreamFailure | undefined;
  #head: ResponseHead | undefined;
  #isHeadWritten = false;

  constructor(request: GatewayRequest, outgoing: ServerResponse) {
    this.#request = request;
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
    return this.#failure?.cacheStatus ?? fieldValue(this.#head?.headers ?? [], 'cache-status');
  }

  /** Aborts the exchange if the client closed the connection before the end of the response. */
  onConnectionClose(): void {
    if (!this.#outgoing.writableFinished) this.#exchange?.abort();
  }

  /** Forwards interim responses, as a proxy must (RFC 9110 §15.2). Node sends a 103 only if it has well-formed links. */
  interim({ headers, status }: ResponseHead): void {
    if (this.#head !== undefined) return;
    if (status === 102) this.#outgoing.writeProcessing();
    if (status !== 103) return;
    const hints = toEarlyHints(headers);
    if (hints !== undefined) this.#outgoing.writeEarlyHints(hints);
  }

  /** The head is written with the first bytes of the body, as Node does, so that until then a failure gets a response. */
  head(head: ResponseHead): void {
    this.#head = head;
  }

  #writeHead(): void {
    if (this.#head === undefined || this.#isHeadWritten) return;
    this.#isHeadWritten = true;
    const { headers, status } = this.#head;
    const fields = headers.slice();
    fields.push('X-Request-Id', this.#request.requestId);
    this.#outgoing.writeHead(status, fields);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.#head = head;
    this.#writeHead();
    this.#outgoing.end(body);
  }

  write(chunk: Uint8Array): boolean {
    this.#writeHead();
    const hasCapacity = this.#outgoing.write(chunk);
    if (!hasCapacity) this.#outgoing.once('drain', () => this.#exchange?.resume());
    return hasCapacity;
  }

  end(): void {
    this.#writeHead();
    this.#outgoing.end();
  }

  fail(failure: UpstreamFailure): void {
    this.#failure = failure;
    if (this.#isHeadWritten) {
      // A clean end would make an incomplete response look complete (RFC 9112 §8).
      this.#outgoing.destroy();
    } else this.#writeProblem(toFailureProblem(this.#request, failure), {});
  }

  /** Ends the exchange, and the connection: the client may still be sending its request. */
  reject(problem: Problem): void {
    this.#exchange?.abort();
    recordRefusal(this.#request, problem);
    if (this.#isHeadWritten) this.#outgoing.destroy();
    else this.#writeProblem(problem, { connection: 'close' });
  }

  #writeProblem(problem: Problem, fields: Readonly<Record<string, string>>): void {
    this.#isHeadWritten = true;
    this.#head = undefined;
    const body = problemBody(problem);
    this.#outgoing.writeHead(problem.status, {
      ...problemHeaders(problem),
      ...fields,
      'content-length': Buffer.byteLength(body),
      'x-request-id': this.#request.requestId,
    });
    this.#outgoing.end(body);
  }
}
