import { toFieldPairs } from '../base/http/fields.ts';
import { PROBLEMS, toProblemReply } from './exchange/problem.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { FAULT, type FetchExchange, type Reply, toSentFields } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { respond, startExchange } from './respond.ts';
import { collectFetchOutcome } from './upstream/site-fetch.ts';

/**
 * Answers a request with a `Response`, as every app does. Never rejects.
 * @param exchange of the server, which records the response at its end; `null` to record it when it begins
 */
export async function sendFetch(
  context: RequestContext,
  request: IncomingRequest,
  signal: AbortSignal,
  exchange: FetchExchange | null,
): Promise<Response> {
  const { parts } = context;
  const started = parts.clock.now();
  let answer = respond(context, request.head);
  let reply: Reply;
  try {
    while (answer.kind === 'own' && answer.answerLater !== null) answer = await answer.answerLater();
    if (exchange !== null) exchange.answer = answer;
    reply =
      answer.kind === 'own'
        ? await answer.createReply(request)
        : await askForReply(parts, request, answer, signal, exchange);
  } catch (err) {
    parts.log.error({ err, requestId: answer.requestId }, FAULT);
    reply = toProblemReply(PROBLEMS.internalError);
  }
  if (exchange === null) {
    const { body, status } = reply;
    const bytes = body instanceof Uint8Array ? body.byteLength : 0;
    answer.record(reply.cacheStatus, {
      ...{ status, sent: status, end: 'complete', duration: parts.clock.now() - started, bytes },
    });
  }
  return new Response(request.head.method === 'HEAD' ? null : reply.body, {
    // Statuses above 599 count as one of the class 5xx (RFC 9110 §15).
    status: reply.status > 599 ? 500 : reply.status,
    // A site's phrase can have any encoding, and `Response` refuses what RFC 9112 §4 does.
    statusText: /^[\t\x20-\x7e\x80-\xff]*$/.test(reply.reason) ? reply.reason : '',
    headers: toFieldPairs(toSentFields(answer, reply)),
  });
}

/** Asks the store and the site. */
async function askForReply(
  parts: RequestContext['parts'],
  request: IncomingRequest,
  answer: GatewayRequest,
  signal: AbortSignal,
  exchange: FetchExchange | null,
): Promise<Reply> {
  const body = answer.hasBody ? request.openBody() : null;
  const outcome = await collectFetchOutcome(
    (sink) => startExchange(answer, body, parts, exchange?.observe(sink) ?? sink),
    request.head.method === 'HEAD',
    signal,
  );
  if (outcome.kind === 'response') return { ...outcome.head, body: outcome.body };
  const { failure } = outcome;
  if (signal.aborted) return toProblemReply(PROBLEMS.internalError);
  return { ...toProblemReply(answer.recordFailure(failure)), cacheStatus: failure.cacheStatus };
}
