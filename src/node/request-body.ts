import { Readable } from 'node:stream';
import type { RequestBody } from '../gateway/exchange/request-body.ts';
import { ChunkCollector, prependChunks, transformChunks } from '../http/chunks.ts';
import type { BodyRewriter } from '../upstream/rewrite-body.ts';

const STREAM_OPTIONS = { objectMode: false, highWaterMark: 64 * 1024 };

/**
 * Adapts the body of a Node request. Reading only a part of it leaves the client's connection open for the response.
 *
 * @param rewriter changes the body before anything else reads it
 */
export function createNodeRequestBody(request: Readable, rewriter?: BodyRewriter): RequestBody<Readable> {
  const incoming =
    rewriter === undefined
      ? request
      : Readable.from(
          transformChunks(request.iterator({ destroyOnReturn: false }), rewriter.write, rewriter.end),
          STREAM_OPTIONS,
        );
  const chunks = (): AsyncIterable<Uint8Array> => incoming.iterator({ destroyOnReturn: false });
  return {
    stream: incoming,
    buffer({ accept, maxLength }, done) {
      const collected = new ChunkCollector();
      const release = (): void => {
        incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      };
      const onData = (chunk: Uint8Array): void => {
        const hasMemory = accept(chunk);
        collected.push(chunk);
        if (hasMemory && collected.length <= maxLength) return;
        release();
        incoming.pause();
        done({
          kind: hasMemory ? 'too-long' : 'no-memory',
          stream: Readable.from(prependChunks(collected.take(), chunks()), STREAM_OPTIONS),
        });
      };
      const onEnd = (): void => {
        release();
        done({ kind: 'whole', bytes: collected.concat() });
      };
      const onClose = (): void => {
        release();
        done(null);
      };
      // 'close' follows and is handled.
      incoming.on('error', () => undefined);
      incoming.on('data', onData).on('end', onEnd).on('close', onClose);
      if (incoming.destroyed) onClose();
    },
    pipeThrough: (transform, flush) =>
      Readable.from(transformChunks(chunks(), transform, flush), STREAM_OPTIONS),
  };
}
