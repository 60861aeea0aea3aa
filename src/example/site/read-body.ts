import { parseMediaType } from '../../http/media-type.ts';
import type { Json } from '../../json.ts';
import { bytesOf, decodeVariables } from '../../php/decode.ts';
import { parseQuery } from '../../php/variables.ts';
import { refuse } from './answers.ts';
import type { SiteError, UploadedFile } from './declare.ts';
import { NO_SOURCE, type Source } from './incoming.ts';
import { readJson } from './read-json.ts';

/** A body with what can be read from it. */
export interface ReadBody {
  readonly body: Uint8Array | null;
  readonly form: Source;
  readonly json: Source | SiteError;
  readonly files: readonly UploadedFile[];
}

const NOTHING: ReadBody = { body: null, form: NO_SOURCE, json: NO_SOURCE, files: [] };
const URLENCODED = 'application/x-www-form-urlencoded';

/** All bytes of a request; a refusal where they are more than `limit`. */
export async function takeBytes(request: Request, limit: number): Promise<Uint8Array | SiteError> {
  const tooLarge = refuse(
    413,
    'rest_content_too_large',
    `The body is larger than the ${limit} bytes that this site takes.`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > limit) {
      await reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * Reads a body as PHP and WordPress do: JSON by its media type, whatever the method; forms into `$_POST` for POST, and
 * urlencoded ones, or those of no type, for the other methods too.
 *
 * @param sent the method as the web server saw it
 * @param method the method after overrides
 */
export async function readBody(
  bytes: Uint8Array,
  contentType: string | null,
  { sent, method }: { readonly sent: string; readonly method: string },
): Promise<ReadBody> {
  if (bytes.length === 0) return NOTHING;
  if (isJsonType(contentType)) return { ...NOTHING, body: bytes, json: readJson(bytes) };
  const { essence } = parseMediaType(contentType);
  if (sent === 'POST' && essence === 'multipart/form-data') return readMultipart(bytes, contentType ?? '');
  const untyped = contentType === null || contentType === '';
  if (essence === URLENCODED ? sent === 'POST' || method !== 'POST' : untyped && method !== 'POST') {
    return { ...NOTHING, body: bytes, form: decodeVariables(parseQuery(bytesOf(bytes))) };
  }
  return { ...NOTHING, body: bytes };
}

/** `wp_is_json_media_type()` */
export function isJsonType(contentType: string | null): boolean {
  return /^\s*application\/(?:[\w!#$&\-^.+]+\+)?json\s*(?:$|;|,)/i.test(contentType ?? '');
}

/** A form of parts: its fields are PHP's variables. A malformed one holds nothing, and its body is gone (php://input). */
async function readMultipart(bytes: Uint8Array, contentType: string): Promise<ReadBody> {
  let parts: FormData;
  try {
    parts = await new Response(bytes.slice().buffer, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return NOTHING;
  }
  const pairs: string[] = [];
  const files: UploadedFile[] = [];
  for (const [name, part] of parts.entries()) {
    if (typeof part === 'string') {
      // What stands in a query is read by the same rules.
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(part)}`);
      continue;
    }
    const type = part.type === '' ? 'application/octet-stream' : part.type;
    files.push({ field: name, name: part.name, type, bytes: new Uint8Array(await part.arrayBuffer()) });
  }
  const form: ReadonlyMap<string, Json> = decodeVariables(parseQuery(pairs.join('&')));
  return { ...NOTHING, form, files };
}
