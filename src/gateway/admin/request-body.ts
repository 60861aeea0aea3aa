import { concatChunks } from '../../http/chunks.ts';
import { readChunks } from '../../upstream/web-streams.ts';

/** Longer bodies say nothing to the gateway. */
const MOST_BYTES = 1024 * 1024;

/** The body of a request to the gateway itself; null for one that is too long, of which no more than that is read. */
export async function readAdminBody({ body }: Request): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readChunks(body)) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return concatChunks(chunks, length);
}
