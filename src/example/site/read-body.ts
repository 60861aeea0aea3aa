import { type BodyParameters, planBody } from '../../validation/request/index.ts';
import { acceptsForm } from '../../validation/request/parameters.ts';
import { refuse } from './answers.ts';
import type { SiteError, UploadedFile } from './declare.ts';
import { NO_SOURCE, type Source } from './incoming.ts';
import { siteError } from './outcome.ts';

/** A body with what can be read from it. */
export interface ReadBody {
  readonly body: Uint8Array | null;
  readonly form: Source;
  readonly json: Source | SiteError;
  readonly files: readonly UploadedFile[];
}

const NOTHING: ReadBody = { body: null, form: NO_SOURCE, json: NO_SOURCE, files: [] };

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
 * Reads a body as PHP and WordPress do, and keeps the files of a form, which they keep elsewhere.
 *
 * @param sent the method as the web server saw it
 * @param method the method after overrides
 */
export async function readBody(
  bytes: Uint8Array,
  contentType: string | null,
  { sent: requestMethod, method }: { readonly sent: string; readonly method: string },
): Promise<ReadBody> {
  if (bytes.length === 0) return NOTHING;
  // A form may name the route, whatever runs.
  const reading = planBody({ requestMethod, method: acceptsForm(method) ? method : requestMethod, contentType }, bytes.length);
  if (reading.kind === 'ignored') return { ...NOTHING, body: bytes };
  if (reading.kind === 'buffered') return readValues(reading.parse(bytes), { body: bytes, files: [] });
  const reader = reading.createReader();
  reader.write(bytes);
  // PHP has read it: there is no body left.
  return readValues(reader.end(), { body: null, files: await readFiles(bytes, contentType ?? '') });
}

function readValues(values: BodyParameters, rest: Pick<ReadBody, 'body' | 'files'>): ReadBody {
  if (values.kind === 'invalid') return { ...NOTHING, ...rest, json: siteError(values) };
  // Of more than PHP reads by default, the rest is not there.
  return { ...rest, json: values.json, form: values.form };
}

async function readFiles(bytes: Uint8Array, contentType: string): Promise<readonly UploadedFile[]> {
  let parts: FormData;
  try {
    parts = await new Response(bytes.slice().buffer, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return [];
  }
  const files: UploadedFile[] = [];
  for (const [field, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const type = part.type === '' ? 'application/octet-stream' : part.type;
    files.push({ field, name: part.name, type, bytes: new Uint8Array(await part.arrayBuffer()) });
  }
  return files;
}
