import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { RequestBody } from '../gateway/plan/body-inspection.ts';
import { concatChunks, prependChunks, transformChunks } from '../http/chunks.ts';

const STREAM_OPTIONS = { objectMode: false, highWaterMark: 64 * 1024 };

/** The body of a request to a Node server. However far it is read, the caller's connection is left for the answer. */
export function createNodeRequestBody(incoming: IncomingMessage): RequestBody<Readable> {
  const chunks = (): AsyncIterable<Uint8Array> => incoming.iterator({ destroyOnReturn: false });
  return {
    stream: incoming,
    take(limit, done) {
      const taken: Uint8Array[] = [];
      let length = 0;
      const release = (): void => {
        incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      };
      const onData = (chunk: Uint8Array): void => {
        taken.push(chunk);
        length += chunk.byteLength;
        if (length <= limit) return;
        release();
        incoming.pause();
        done({ kind: 'more', stream: Readable.from(prependChunks(taken, chunks()), STREAM_OPTIONS) });
      };
      const onEnd = (): void => {
        release();
        done({ kind: 'whole', bytes: concatChunks(taken, length) });
      };
      const onClose = (): void => {
        release();
        done(null);
      };
      // A connection that breaks says so by its close.
      incoming.on('error', () => undefined);
      incoming.on('data', onData).on('end', onEnd).on('close', onClose);
      if (incoming.destroyed) onClose();
    },
    through: (each, last) => Readable.from(transformChunks(chunks(), each, last), STREAM_OPTIONS),
  };
}
