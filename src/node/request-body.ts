import { Readable } from 'node:stream';
import type { RequestBody } from '../gateway/exchange/inspected-exchange.ts';
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

/** The rate at which a request body must arrive. Without one, clients that send a byte now and then hold memory. */
export interface BodyRate {
  /** Bytes that a body must bring in each second, on average over a period; 0 allows any rate. @default 500 */
  readonly bytesPerSecond?: number;
  /** Milliseconds. A slow body is refused after one to two periods. @default 30_000 */
  readonly period?: number;
}

/** A request body whose arrival can be watched: Node's `IncomingMessage`, or one with the same members. */
type WatchedBody = Pick<
  Readable & { readonly complete: boolean; readonly socket: { readonly bytesRead: number } },
  'complete' | 'destroyed' | 'once' | 'readableHighWaterMark' | 'readableLength' | 'socket'
>;

/**
 * Watches the arrival of a request body. Time in which the client cannot send, because the site does not read, does not
 * count.
 *
 * @param onTooSlow called at most once
 * @internal
 */
export function watchBodyRate(
  incoming: WatchedBody,
  { bytesPerSecond = 500, period = 30_000 }: BodyRate,
  onTooSlow: () => void,
): void {
  if (bytesPerSecond === 0) return;
  const requiredBytes = (bytesPerSecond * period) / 1000;
  // Most bodies arrive with the head, and are complete when all callbacks of the parser have run.
  setImmediate(() => {
    if (incoming.complete || incoming.destroyed) return;
    const { socket } = incoming;
    let bytesBefore = socket.bytesRead;
    const stop = (): void => clearInterval(timer);
    const timer = setInterval(() => {
      const received = socket.bytesRead - bytesBefore;
      bytesBefore = socket.bytesRead;
      const isSiteSlow = incoming.readableLength >= incoming.readableHighWaterMark;
      const isTooSlow = received < requiredBytes && !isSiteSlow;
      if (incoming.complete || isTooSlow) stop();
      if (!incoming.complete && isTooSlow) onTooSlow();
    }, period);
    timer.unref();
    incoming.once('end', stop).once('close', stop);
  });
}
