import type { ConnInfo } from 'hono/conninfo';
import { BodyBuffer, prependChunks, transformChunks } from '../http/chunks.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import { createPullStream, readChunks } from '../http/web-streams.ts';
import type { BufferedBody, BufferLimits, RequestBody } from './request-body-validator.ts';

/** For a `Response` with a coded body, which Workers would encode once more. */
export const ENCODED: object = { encodeBody: 'manual' };

/** @param hasContent perhaps of unknown length */
export function readRequestHead(
  request: Request,
  connection?: ConnInfo,
  hasContent: boolean = request.body !== null,
): IncomingRequestHead {
  const origin = /^(https?):\/\/[^/?#]*/i.exec(request.url);
  const headers: string[] = [];
  for (const [name, value] of request.headers) headers.push(name, value);
  const isUnframed = hasContent && !request.headers.has('content-length');
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

type ByteStream = ReadableStream<Uint8Array>;

export function createWebRequestBody(stream: ByteStream): RequestBody<ByteStream> {
  return {
    stream,
    buffer: (limits, done) => void bufferChunks(readChunks(stream), limits).then(done, () => done(null)),
    pipeThrough: (transform, flush) =>
      createPullStream(transformChunks(readChunks(stream), transform, flush)),
  };
}

async function bufferChunks(
  chunks: AsyncGenerator<Uint8Array>,
  { accept, maxLength }: BufferLimits,
): Promise<BufferedBody<ByteStream>> {
  const collected = new BodyBuffer();
  for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
    const hasMemory = accept(step.value);
    collected.add(step.value);
    if (!hasMemory || collected.length > maxLength) {
      const stream = createPullStream(prependChunks(collected.take(), chunks));
      return { kind: hasMemory ? 'too-long' : 'no-memory', body: createWebRequestBody(stream) };
    }
  }
  return { kind: 'whole', bytes: collected.bytes() };
}
