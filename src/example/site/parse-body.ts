import { type BodyParameters, planBody } from '../../validation/request/index.ts';
import { acceptsForm } from '../../validation/request/parameters.ts';
import type { SiteError, UploadedFile } from './declarations.ts';
import { restError } from './responses.ts';
import { NO_VALUES, type RequestValues } from './rest-request.ts';
import { toSiteError } from './rest-response.ts';

/** The body of a request with the values and files that it contains. */
interface ParsedBody {
  readonly body: Uint8Array | null;
  readonly form: RequestValues;
  readonly json: RequestValues | SiteError;
  readonly files: readonly UploadedFile[];
}

const EMPTY_BODY: ParsedBody = { body: null, form: NO_VALUES, json: NO_VALUES, files: [] };

/** Reads all bytes of a request, or returns a 413 error if there are more than `limit`. */
export async function readRequestBytes(request: Request, limit: number): Promise<Uint8Array | SiteError> {
  const tooLarge = restError(
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
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/**
 * Parses a body as PHP and WordPress do, and the files of a form.
 *
 * @param options the HTTP method, and the method after overrides
 */
export async function parseRequestBody(
  bytes: Uint8Array,
  contentType: string | null,
  { requestMethod, method }: { readonly requestMethod: string; readonly method: string },
): Promise<ParsedBody> {
  if (bytes.length === 0) return EMPTY_BODY;
  // A form can name the route even if the method that runs accepts no form.
  const plan = planBody(
    { requestMethod, method: acceptsForm(method) ? method : requestMethod, contentType },
    bytes.length,
  );
  if (plan.kind === 'ignored') return { ...EMPTY_BODY, body: bytes };
  if (plan.kind === 'buffered') return toParsedBody(plan.parse(bytes), { body: bytes, files: [] });
  const reader = plan.createReader();
  reader.write(bytes);
  // PHP consumes the body of a form, so the raw body is empty.
  return toParsedBody(reader.end(), { body: null, files: await parseFormFiles(bytes, contentType ?? '') });
}

function toParsedBody(values: BodyParameters, rest: Pick<ParsedBody, 'body' | 'files'>): ParsedBody {
  if (values.kind === 'invalid') return { ...EMPTY_BODY, ...rest, json: toSiteError(values) };
  // Values beyond PHP's input limits are dropped.
  return { ...rest, json: values.json, form: values.form };
}

async function parseFormFiles(bytes: Uint8Array, contentType: string): Promise<readonly UploadedFile[]> {
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
