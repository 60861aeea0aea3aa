import { chunksOf, streamOf } from '../upstream/web-stream.ts';
import { concatenated, continued, passThrough } from './body-through.ts';
import type { RequestBody, Taken } from './inspection.ts';

type Stream = ReadableStream<Uint8Array>;

/** The body of a web request. */
export function webBody(stream: Stream): RequestBody<Stream> {
  return {
    stream,
    take(limit, done) {
      void take(chunksOf(stream), limit).then(done, () => done(null));
    },
    through: (each, last) => streamOf(passThrough(chunksOf(stream), each, last)),
  };
}

async function take(chunks: AsyncGenerator<Uint8Array>, limit: number): Promise<Taken<Stream>> {
  const taken: Uint8Array[] = [];
  let length = 0;
  for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
    taken.push(step.value);
    length += step.value.byteLength;
    if (length > limit) return { kind: 'more', stream: streamOf(continued(taken, chunks)) };
  }
  return { kind: 'whole', bytes: concatenated(taken, length) };
}
