import { untilAborted } from './deadline.ts';

export type Body =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large'; readonly stated: number | undefined };

/**
 * Reads the body of an answer up to a limit. Bytes are counted as they come out of the decompression, so that a
 * small answer that grows is stopped as early as a large one. With `clip`, the start is enough and the rest is left.
 */
export async function readBody(
  response: Response,
  limit: { readonly bytes: number; readonly clip: boolean },
  signal: AbortSignal,
): Promise<Body> {
  const stated = statedLength(response);
  if (!limit.clip && stated !== undefined && stated > limit.bytes) {
    await discard(response);
    return { kind: 'too-large', stated };
  }
  const reader = response.body?.getReader();
  if (reader === undefined) return { kind: 'read', bytes: new Uint8Array() };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return { kind: 'read', bytes: joined(chunks, length) };
      chunks.push(value);
      length += value.length;
      if (length <= limit.bytes) continue;
      if (limit.clip) return { kind: 'read', bytes: joined(chunks, length) };
      return { kind: 'too-large', stated: undefined };
    }
  } finally {
    // Where the body has been read whole this does nothing; its failure would say nothing new.
    void reader.cancel().catch(() => {});
  }
}

/** Lets go of a body that nobody wants, and of its connection. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/** RFC 9110 §8.6, of the body as it is on the wire: it tells nothing of a compressed one. */
function statedLength(response: Response): number | undefined {
  const header = response.headers.get('content-length');
  if (header === null || response.headers.has('content-encoding')) return undefined;
  return /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
