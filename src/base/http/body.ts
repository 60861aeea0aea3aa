import { Readable } from 'node:stream';
import { withAbort } from '../ports.ts';

/** Shorter chunks are copied together: each as an object would take a multiple of its bytes. */
const SMALL_CHUNK = 4 * 1024;
const BLOCK_LENGTH = 64 * 1024;

export class BodyBuffer {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #block: Uint8Array | null = null;
  #used = 0;
  #length = 0;

  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** Appends a chunk, whose bytes must not change. Returns false, and adds nothing, beyond the limit. */
  add(chunk: Uint8Array): boolean {
    const { byteLength } = chunk;
    if (this.#length + byteLength > this.#limit) return false;
    this.#length += byteLength;
    if (byteLength >= SMALL_CHUNK || this.#chunks.length === 0) {
      this.#block = null;
      this.#chunks.push(chunk);
      return true;
    }
    if (this.#block === null || this.#used + byteLength > this.#block.byteLength) {
      this.#block = new Uint8Array(this.#chunks.length === 1 ? SMALL_CHUNK : BLOCK_LENGTH);
      this.#used = 0;
      this.#chunks.push(this.#block.subarray(0, 0));
    }
    this.#block.set(chunk, this.#used);
    this.#used += byteLength;
    this.#chunks[this.#chunks.length - 1] = this.#block.subarray(0, this.#used);
    return true;
  }

  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#block = null;
    this.#length = 0;
    return chunks;
  }

  bytes(): Uint8Array {
    const joined = concatChunks(this.#chunks, this.#length);
    this.#chunks = [joined];
    this.#block = null;
    return joined;
  }
}

export function concatChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}

/** Counts decompressed bytes. @param truncate whether longer content is cut @returns `null` if it is too long */
export async function readLimitedBody(
  { body }: Request | Response,
  limit: number,
  signal?: AbortSignal,
  truncate = false,
): Promise<BodyBuffer | null> {
  const collected = new BodyBuffer();
  const reader = body?.getReader();
  if (reader === undefined) return collected;
  try {
    for (;;) {
      const { done, value } = await (signal ? withAbort(reader.read(), signal) : reader.read());
      if (!done) collected.add(value);
      const isTooLarge = collected.length > limit;
      if (isTooLarge && !truncate) return null;
      if (done || isTooLarge) return collected;
    }
  } finally {
    // The body of a request has no signal: a cancelled one would close the connection before the response is written.
    if (signal) void reader.cancel().catch(() => {});
  }
}

export async function readContent(request: Request, limit: number): Promise<Uint8Array | null> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length > limit) return null;
  // A web stream costs as much as the rest of a request.
  if (length <= limit || request.body === null) return new Uint8Array(await request.arrayBuffer());
  return (await readLimitedBody(request, limit))?.bytes() ?? null;
}

const STREAM_OPTIONS = { objectMode: false, highWaterMark: 64 * 1024 };

export type BufferedBody =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-long' | 'no-memory'; readonly stream: Readable };

async function* prependChunks(
  readBefore: Uint8Array[],
  remaining: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  for (let chunk = readBefore.shift(); chunk !== undefined; chunk = readBefore.shift()) yield chunk;
  yield* remaining;
}

/** A stream that is read in part only leaves the client's connection open for the response. */
const iterate = (stream: Readable): AsyncIterable<Uint8Array> => stream.iterator({ destroyOnReturn: false });

/** @param transform returns `null` to drop a chunk. An exception breaks the body off */
export function transformBody(
  stream: Readable,
  transform: (chunk: Uint8Array) => Uint8Array | null,
  flush: () => Uint8Array | null,
): Readable {
  const transformed = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of iterate(stream)) {
      const changed = transform(chunk);
      if (changed !== null) yield changed;
    }
    const last = flush();
    if (last !== null) yield last;
  };
  return Readable.from(transformed(), STREAM_OPTIONS);
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
  stream
    .on('error', () => {})
    .on('data', onData)
    .on('end', onEnd)
    .on('close', onClose);
  if (stream.destroyed) onClose();
}

/** Average over a period at which a body must arrive: clients that send a byte now and then hold memory. */
const BYTES_PER_SECOND = 500;
const PERIOD = 30_000;

type WatchedBody = Pick<
  Readable & { readonly complete: boolean; readonly socket: { readonly bytesRead: number } },
  'complete' | 'destroyed' | 'once' | 'readableHighWaterMark' | 'readableLength' | 'socket'
>;

/** Time in which the site does not read does not count. @param onTooSlow called at most once */
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
