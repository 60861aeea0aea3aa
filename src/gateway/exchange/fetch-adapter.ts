import type { ConnInfo } from 'hono/conninfo';
import { ChunkCollector, prependChunks, transformChunks } from '../../http/chunks.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { collectFetchOutcome } from '../../upstream/fetch-outcome-sink.ts';
import { adaptFetchToDispatch } from '../../upstream/fetch-to-dispatch.ts';
import type { BodyRewriter } from '../../upstream/rewrite-body.ts';
import { TransportMap } from '../../upstream/transport-map.ts';
import { createPullStream, readChunks } from '../../upstream/web-streams.ts';
import type { TransportFactory } from '../options/gateway-options.ts';
import type { BufferedBody, BufferLimits, RequestBody } from '../plan/body-inspection.ts';
import type { ForwardPlan, RequestPlan } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import type { BodyMemory } from './body-memory.ts';
import { type ExecutionContext, executePlan } from './execute-plan.ts';

type ByteStream = ReadableStream<Uint8Array>;

/** Executes plans on every platform: on `Request`, `Response` and web streams. */
export function createFetchAdapter(
  createTransport: TransportFactory,
  bodyMemory: BodyMemory,
): (plan: RequestPlan, request: Request) => Promise<Response> {
  const transports = new TransportMap(({ origin, timeouts, tls }) =>
    adaptFetchToDispatch(createTransport(origin, timeouts, tls)),
  );
  return async (plan, request) => {
    const response = await (plan.kind === 'forward'
      ? forward(plan, request, { dispatch: transports.get(plan), bodyMemory })
      : plan.respond(request));
    response.headers.set('x-request-id', plan.attributes.requestId);
    return response;
  };
}

/** Reads the head of a web request. Its URL was normalized when the request was created. */
export function readRequestHead(request: Request, connection?: ConnInfo): IncomingRequestHead {
  const origin = /^(https?):\/\/[^/?#]*/i.exec(request.url);
  const headers: string[] = [];
  for (const [name, value] of request.headers) headers.push(name, value);
  // A `Request` whose body has no known length has no framing field.
  const isUnframed = request.body !== null && !request.headers.has('content-length');
  if (isUnframed && !request.headers.has('transfer-encoding')) headers.push('transfer-encoding', 'chunked');
  if (!request.headers.has('host')) headers.push('host', new URL(request.url).host);
  const target = request.url.slice(origin?.[0].length ?? 0).split('#', 1)[0] ?? '';
  return {
    method: request.method,
    target: target.startsWith('/') ? target : `/${target}`,
    headers,
    peerAddress: connection?.remote.address ?? '',
    protocol: origin?.[1]?.toLowerCase() === 'https' ? 'https' : 'http',
    httpVersion: '1.1',
  };
}

async function forward(
  plan: ForwardPlan,
  request: Request,
  context: ExecutionContext<ByteStream>,
): Promise<Response> {
  const rewriter = plan.createRequestBodyRewriter?.();
  const body =
    plan.upstreamRequest.hasBody && request.body !== null
      ? createWebRequestBody(rewriter === undefined ? request.body : rewriteWebStream(request.body, rewriter))
      : null;
  const outcome = await collectFetchOutcome(
    (sink) => executePlan(plan, body, context, sink),
    request.method === 'HEAD',
    request.signal,
  );
  if (outcome.kind === 'failure') return problemResponse(plan.toFailureProblem(outcome.failure));
  const { headers, reason, status } = outcome.head;
  const fields = new Headers();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    fields.append(headers[index] ?? '', headers[index + 1] ?? '');
  }
  return new Response(outcome.body, { status, statusText: reason, headers: fields });
}

function rewriteWebStream(stream: ByteStream, { end, write }: BodyRewriter): ByteStream {
  return createPullStream(transformChunks(readChunks(stream), write, end));
}

/** Wraps the body of a `Request`. */
export function createWebRequestBody(stream: ByteStream): RequestBody<ByteStream> {
  return {
    stream,
    buffer(limits, done) {
      void bufferChunks(readChunks(stream), limits).then(done, () => done(null));
    },
    pipeThrough: (transform, flush) =>
      createPullStream(transformChunks(readChunks(stream), transform, flush)),
  };
}

async function bufferChunks(
  chunks: AsyncGenerator<Uint8Array>,
  { accept, maxLength }: BufferLimits,
): Promise<BufferedBody<ByteStream>> {
  const collected = new ChunkCollector();
  for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
    const hasMemory = accept(step.value);
    collected.push(step.value);
    if (!hasMemory || collected.length > maxLength) {
      const stream = createPullStream(prependChunks(collected.take(), chunks));
      return { kind: hasMemory ? 'too-long' : 'no-memory', stream };
    }
  }
  return { kind: 'whole', bytes: collected.concat() };
}
