import { concatChunks } from '../../http/chunks.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { readChunks } from '../../upstream/web-streams.ts';

/** Maximum length of a request body to an operation below `/-/`, in bytes. */
export const MAX_BODY_BYTES: number = 1024 * 1024;

/**
 * Reads the body of a request to an operation below `/-/`.
 *
 * @returns `null` when the body exceeds {@link MAX_BODY_BYTES}; the rest is not read
 */
export async function readAdminBody({ body }: Request): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readChunks(body)) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return concatChunks(chunks, length);
}

/** Parses a body as a JSON object; `null` for anything else. */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  try {
    const value: Json = JSON.parse(new TextDecoder().decode(body));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
