import { Readable } from 'node:stream';
import { BodyBuffer, prependChunks, transformChunks } from './chunks.ts';

const STREAM_OPTIONS = { objectMode: false, highWaterMark: 64 * 1024 };

export type BufferedBody =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-long' | 'no-memory'; readonly stream: Readable };

/** A stream that is read in part only leaves the client's connection open for the response. */
const iterate = (stream: Readable): AsyncIterable<Uint8Array> => stream.iterator({ destroyOnReturn: false });

/** @param transform returns `null` to drop a chunk. An exception breaks the body off */
export function transformBody(
  stream: Readable,
  transform: (chunk: Uint8Array) => Uint8Array | null,
  flush: () => Uint8Array | null,
): Readable {
  return Readable.from(transformChunks(iterate(stream), transform, flush), STREAM_OPTIONS);
}

/**
 * @param accept gets each chunk, which must not change; `false` if there is no memory for it
 * @param done gets `null` if the client disconnected before the end
 */
export function bufferBody(
  stream: Readable,
  maxLength: number,
  accept: (chunk: Uint8Array) => boolean,
  done: (body: BufferedBody | null) => void,
): void {
  const collected = new BodyBuffer();
  let isDone = false;
  const finish = (read: () => BufferedBody | null): void => {
    if (isDone) return;
    isDone = true;
    done(read());
  };
  const onData = (chunk: Uint8Array): void => {
    const hasMemory = accept(chunk);
    collected.add(chunk);
    if (hasMemory && collected.length <= maxLength) return;
    stream.off('data', onData).pause();
    const rest = Readable.from(prependChunks(collected.take(), iterate(stream)), STREAM_OPTIONS);
    finish(() => ({ kind: hasMemory ? 'too-long' : 'no-memory', stream: rest }));
  };
  const onEnd = (): void => finish(() => ({ kind: 'whole', bytes: collected.bytes() }));
  const onClose = (): void => finish(() => null);
  // 'close' follows and is handled. It also follows the end.
  stream.on('error', ignore).on('data', onData).on('end', onEnd).on('close', onClose);
  if (stream.destroyed) onClose();
}

function ignore(): void {}

/** Average over a period at which a body must arrive: clients that send a byte now and then hold memory. */
const BYTES_PER_SECOND = 500;
/** Milliseconds. */
const PERIOD = 30_000;

type WatchedBody = Pick<
  Readable & { readonly complete: boolean; readonly socket: { readonly bytesRead: number } },
  'complete' | 'destroyed' | 'once' | 'readableHighWaterMark' | 'readableLength' | 'socket'
>;

/** Time in which the site does not read does not count. @param onTooSlow called at most once @internal */
export function watchBodyRate(incoming: WatchedBody, onTooSlow: () => void): void {
  const requiredBytes = (BYTES_PER_SECOND * PERIOD) / 1000;
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
    }, PERIOD);
    timer.unref();
    incoming.once('end', stop).once('close', stop);
  });
}
