import { concatChunks, prependChunks, transformChunks } from '../../http/chunks.ts';
import { createPullStream, readChunks } from '../../upstream/web-streams.ts';
import type { RequestBody, Taken } from '../plan/body-inspection.ts';

type Stream = ReadableStream<Uint8Array>;

/** The body of a web request. */
export function createWebRequestBody(stream: Stream): RequestBody<Stream> {
  return {
    stream,
    take(limit, done) {
      void take(readChunks(stream), limit).then(done, () => done(null));
    },
    through: (each, last) => createPullStream(transformChunks(readChunks(stream), each, last)),
  };
}

async function take(chunks: AsyncGenerator<Uint8Array>, limit: number): Promise<Taken<Stream>> {
  const taken: Uint8Array[] = [];
  let length = 0;
  for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
    taken.push(step.value);
    length += step.value.byteLength;
    if (length > limit) return { kind: 'more', stream: createPullStream(prependChunks(taken, chunks)) };
  }
  return { kind: 'whole', bytes: concatChunks(taken, length) };
}
