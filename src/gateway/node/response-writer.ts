import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CacheStatus, formatCacheStatus } from '../../base/http/cache-status.ts';
import type {
  Exchange,
  RepeatedResponse,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, withoutFields } from '../../base/http/fields.ts';
import type { Log } from '../../base/ports.ts';
import { PROBLEMS, type Problem } from '../exchange/problem.ts';
import { RequestBody, watchBodyRate } from '../exchange/request-body.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { respondFromSite } from '../handle.ts';
import type { OwnResponse } from '../own-response.ts';
import type { RequestContext } from '../resolve-site.ts';
import type { ResponseOutcome } from '../server-exchange.ts';
import { writeStored } from './stored-response.ts';
import { writeProblem } from './write-problem.ts';

export const FAULT = 'the gateway failed to respond';

export class ResponseWriter implements ResponseSink, ResponseOutcome {
  readonly request: GatewayRequest;
  readonly #outgoing: ServerResponse;
  readonly #log: Log;
  #exchange: Exchange | undefined;
  failure: UpstreamFailure | undefined;
  cacheStatus: CacheStatus | undefined;
  bytes = 0;
  isWritten = false;
  #head: ResponseHead | undefined;
  #isHeadWritten = false;

  constructor(request: GatewayRequest, outgoing: ServerResponse, log: Log) {
    this.request = request;
    this.#outgoing = outgoing;
    this.#log = log;
  }

  respond(incoming: IncomingMessage, context: RequestContext): void {
    const { request } = this;
    let body: RequestBody | null = null;
    try {
      if (request.hasBody) {
        body = new RequestBody(incoming, request.createBodyRewriter());
        watchBodyRate(incoming, () => this.refuse(PROBLEMS.bodyTooSlow));
      }
      this.#exchange = respondFromSite(request, body, context, this);
    } catch (cause) {
      this.fail({ kind: 'internal', cause });
    }
  }

  abort(): void {
    try {
      this.#exchange?.abort();
    } catch (err) {
      this.#log.error({ err, requestId: this.request.requestId }, FAULT);
    }
  }

  /** The head is written with the first bytes of the body, as Node does, so that until then a failure gets a response. */
  head(head: ResponseHead): void {
    this.#head = head;
    this.cacheStatus = head.cacheStatus;
  }

  #writeHead(): void {
    if (this.#head === undefined || this.#isHeadWritten) return;
    this.#isHeadWritten = true;
    const { cacheStatus, headers: received, status } = this.#head;
    const headers =
      cacheStatus === undefined ? received : [...received, 'Cache-Status', formatCacheStatus(cacheStatus)];
    const { head, requestId, site } = this.request;
    const fields =
      site.cors === null ? headers : site.cors.replace(headers, fieldValue(head.headers, 'origin'));
    this.#outgoing.writeHead(status, [...toNodeOrder(fields), 'X-Request-Id', requestId]);
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.#writeHead();
    if (!this.request.isHead) this.bytes = body.byteLength;
    this.#outgoing.end(body);
  }

  completeStored(status: number, response: RepeatedResponse, age: string, cacheStatus: CacheStatus): boolean {
    const { head, requestId, site } = this.request;
    if (site.cors !== null) return false;
    const fields = ['Age', age, 'Cache-Status', formatCacheStatus(cacheStatus), 'X-Request-Id', requestId];
    if (!writeStored(this, this.#outgoing, head.httpVersion, status, response, fields)) return false;
    this.#isHeadWritten = true;
    this.bytes = response.body.byteLength;
    this.cacheStatus = cacheStatus;
    return true;
  }

  write(chunk: Uint8Array): boolean {
    this.#writeHead();
    this.bytes += chunk.byteLength;
    const hasCapacity = this.#outgoing.write(chunk);
    if (!hasCapacity) this.#outgoing.once('drain', () => this.#exchange?.resume());
    return hasCapacity;
  }

  end(): void {
    this.#writeHead();
    this.#outgoing.end();
  }

  fail(failure: UpstreamFailure): void {
    if (this.failure !== undefined) return;
    this.failure = failure;
    this.cacheStatus = failure.cacheStatus ?? this.cacheStatus;
    const { requestId } = this.request;
    if (failure.kind === 'internal') this.#log.error({ err: failure.cause, requestId }, FAULT);
    // A clean end would make an incomplete response look complete (RFC 9112 §8).
    if (this.#isHeadWritten) this.#outgoing.destroy();
    else {
      try {
        this.#writeProblem(this.request.recordFailure(failure), {});
      } catch (err) {
        this.#log.error({ err, requestId }, FAULT);
        this.#outgoing.destroy();
      }
    }
  }

  /** Ends the exchange, and the connection: the client can still be sending its request. */
  refuse(problem: Problem): void {
    this.#exchange?.abort();
    const shown = this.request.recordRefusal(problem);
    if (this.#isHeadWritten) this.#outgoing.destroy();
    else this.#writeProblem(shown, { connection: 'close' });
  }

  #writeProblem(problem: Problem, fields: Readonly<Record<string, string>>): void {
    this.#isHeadWritten = true;
    this.#head = undefined;
    const { head, site } = this.request;
    const shown = site.cors?.replaceInProblem(problem, fieldValue(head.headers, 'origin')) ?? problem;
    const bytes = writeProblem(this.#outgoing, shown, { ...fields, ...toAddedFields(this.request) });
    if (!this.request.isHead) this.bytes = bytes;
  }
}

/** Node decodes a disposition after a length from UTF-8, or throws (nodejs/node#46528). */
function toNodeOrder(fields: readonly string[]): readonly string[] {
  const length = firstFieldValue(fields, 'content-length');
  if (length === undefined || !hasField(fields, 'content-disposition')) return fields;
  return [...withoutFields(fields, LENGTH_FIELD), 'Content-Length', length];
}

const LENGTH_FIELD: ReadonlySet<string> = new Set(['content-length']);

/** Writes the problem that a request is refused with, at less cost than through the app: floods are refused so. */
export function writeOwnProblem(
  request: OwnResponse,
  { rawHeaders }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { cors, problem } = request;
  if (problem === undefined) return;
  const origin = cors === undefined ? undefined : fieldValue(rawHeaders, 'origin');
  writeProblem(outgoing, cors?.replaceInProblem(problem, origin) ?? problem, toAddedFields(request));
}

function toAddedFields({ requestId }: GatewayRequest | OwnResponse): Record<string, string> {
  return { 'x-request-id': requestId };
}
