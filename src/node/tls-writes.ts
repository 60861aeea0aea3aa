import type { Writable } from 'node:stream';

/** Bytes that are encrypted at once. */
const SLICE = 64 * 1024;

interface Chunk {
  readonly chunk: string | Uint8Array;
  readonly encoding: BufferEncoding;
}

/**
 * Makes a connection of TLS write in slices. OpenSSL encrypts all that it gets, so each client that reads slowly would have its own
 * copy of a large body in memory, which without TLS is there once. A connection that is slicing already stays as it is: Node reports
 * one again after a part of it was put back (`createUpgradeListener`).
 */
export function writeInSlices(socket: Writable): void {
  if (Object.hasOwn(socket, '_write')) return;
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  const writeSlices = (chunks: readonly Chunk[], done: (error?: Error | null) => void): void => {
    const slices = chunks.flatMap(({ chunk, encoding }) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
      const count = Math.ceil(bytes.byteLength / SLICE);
      return Array.from({ length: count }, (_, at) => bytes.subarray(at * SLICE, (at + 1) * SLICE));
    });
    // A write may be done at once, so the next one starts in a turn of its own: there may be thousands.
    const next = (at: number): void =>
      write(slices[at], 'buffer' as BufferEncoding, (error) => {
        if (at + 1 < slices.length && !error) process.nextTick(next, at + 1);
        else done(error);
      });
    next(0);
  };
  socket._write = (chunk: string | Uint8Array, encoding, done) => {
    if (chunk.length <= SLICE) write(chunk, encoding, done);
    else writeSlices([{ chunk, encoding }], done);
  };
  // What is written while the connection is corked, such as the head and the body of a response.
  socket._writev = (chunks: Chunk[], done) => {
    if (writeAll !== undefined && chunks.every(({ chunk }) => chunk.length <= SLICE)) writeAll(chunks, done);
    else writeSlices(chunks, done);
  };
}
