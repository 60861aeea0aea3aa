import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { RequestBody } from '../gateway/plan/body-inspection.ts';
import { concatChunks, prependChunks, transformChunks } from '../http/chunks.ts';

const STREAM_OPTIONS = { objectMode: false, highWaterMark: 64 * 1024 };

/** Adapts the body of a Node request. Reading only a part of it leaves the client's connection open for the response. */
export function createNodeRequestBody(incoming: IncomingMessage): RequestBody<Readable> {
  const chunks = (): AsyncIterable<Uint8Array> => incoming.iterator({ destroyOnReturn: false });
  return {
    stream: incoming,
    buffer(limit, done) {
      const buffered: Uint8Array[] = [];
      let length = 0;
      const release = (): void => {
        incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      };
      const onData = (chunk: Uint8Array): void => {
        buffered.push(chunk);
        length += chunk.byteLength;
        if (length <= limit) return;
        release();
        incoming.pause();
        done({
          kind: 'over-limit',
          stream: Readable.from(prependChunks(buffered, chunks()), STREAM_OPTIONS),
        });
      };
      const onEnd = (): void => {
        release();
        done({ kind: 'whole', bytes: concatChunks(buffered, length) });
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
