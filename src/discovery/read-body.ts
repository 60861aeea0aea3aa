import { withAbort } from './deadline.ts';

/** The body of a response, or the fact that it exceeds the limit. */
export type BodyReadResult =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  /** `declaredBytes`: the `Content-Length`, if the body was rejected because of it. */
  | { readonly kind: 'too-large'; readonly declaredBytes: number | undefined };

interface BodyLimit {
  readonly maxBytes: number;
  /** Whether the start of a longer body is returned instead of `too-large`. */
  readonly truncate: boolean;
}

/**
 * Reads the body of a response up to a limit, which counts decompressed bytes.
 */
export async function readLimitedBody(
  response: Response,
  limit: BodyLimit,
  signal: AbortSignal,
): Promise<BodyReadResult> {
  const declaredBytes = declaredLength(response);
  if (!limit.truncate && declaredBytes !== undefined && declaredBytes > limit.maxBytes) {
    await discardBody(response);
    return { kind: 'too-large', declaredBytes };
  }
  const reader = response.body?.getReader();
  if (reader === undefined) return { kind: 'read', bytes: new Uint8Array() };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await withAbort(reader.read(), signal);
      if (done) return { kind: 'read', bytes: concatenate(chunks, length) };
      chunks.push(value);
      length += value.length;
      if (length <= limit.maxBytes) continue;
      if (limit.truncate) return { kind: 'read', bytes: concatenate(chunks, length) };
      return { kind: 'too-large', declaredBytes: undefined };
    }
  } finally {
    // Releases the connection. Has no effect on a body that was read completely.
    void reader.cancel().catch(() => {});
  }
}

/** Cancels an unread body, which releases its connection. */
export async function discardBody(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/** Reads `Content-Length` (RFC 9110 §8.6). It counts bytes on the wire, so it is ignored for compressed bodies. */
function declaredLength(response: Response): number | undefined {
  const header = response.headers.get('content-length');
  if (header === null || response.headers.has('content-encoding')) return undefined;
  return /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
