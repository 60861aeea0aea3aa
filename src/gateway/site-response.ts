import { Readable } from 'node:stream';
import { formatCacheStatus } from '../base/http/cache-status.ts';
import type { ResponseHead } from '../base/http/exchange.ts';
import { toFieldPairs } from '../base/http/fields.ts';
import { PROBLEMS, problemBody, problemResponse } from './exchange/problem.ts';
import { RequestBody } from './exchange/request-body.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { respondFromSite } from './handle.ts';
import type { RequestContext } from './resolve-site.ts';
import type { ServerExchange } from './server-exchange.ts';
import { collectFetchOutcome } from './upstream/fetch-outcome-sink.ts';

/** @param received can be a middleware's @param exchange `null` without a server of this package */
export function fetchFromSite(
  request: GatewayRequest,
  received: Request,
  exchange: ServerExchange | null,
  context: RequestContext,
): Promise<Response> {
  return new Promise((resolve) => {
    const message = request.hasBody
      ? exchange?.takeContent(received, () => {
          request.recordRefusal(PROBLEMS.bodyTooSlow);
          resolve(problemResponse({ ...PROBLEMS.bodyTooSlow, headers: { connection: 'close' } }));
          exchange.abort();
        })
      : null;
    const stream = request.hasBody ? received.body : null;
    const content = message ?? (stream && Readable.from(stream, { objectMode: false }));
    const body = content && new RequestBody(content, request.createBodyRewriter());
    const signal = exchange?.signal ?? received.signal;
    void collectFetchOutcome(
      (sink) => respondFromSite(request, body, context, exchange?.observe(sink) ?? sink),
      request.isHead,
      signal,
    ).then((outcome) => {
      if (outcome.kind === 'response') {
        request.cacheStatus = outcome.head.cacheStatus;
        resolve(toWebResponse(outcome.head, outcome.body));
      } else if (exchange !== null && signal.aborted) resolve(problemResponse(PROBLEMS.internalError));
      else {
        const problem = request.recordFailure(outcome.failure);
        if (exchange !== null && !request.isHead) exchange.bytes = Buffer.byteLength(problemBody(problem));
        resolve(problemResponse(problem));
      }
    });
  });
}

/** Statuses above 599 count as one of the class 5xx (RFC 9110 §15). */
function toWebResponse(
  { cacheStatus, headers: received, reason, status }: ResponseHead,
  body: ReadableStream<Uint8Array> | null,
): Response {
  const headers =
    cacheStatus === undefined ? received : [...received, 'Cache-Status', formatCacheStatus(cacheStatus)];
  const init = { status: status > 599 ? 500 : status, statusText: reason, headers: toFieldPairs(headers) };
  return new Response(body, init);
}
