import type { CallOptions, UploadFile } from './types.ts';
import { phpVariables } from './url.ts';

/** A request body that can be sent repeatedly, and its media type if the platform does not set it. */
export interface RequestContent {
  readonly body: Blob | ArrayBuffer | ArrayBufferView | FormData | URLSearchParams | ReadableStream | string;
  readonly type?: string;
}

/** Creates the body of a call; `undefined` if the call has none. */
export function createContent({ body, bodyType, file }: CallOptions): RequestContent | undefined {
  if (file !== undefined) return createMultipart(fieldsOf(body), file);
  if (body === undefined) return undefined;
  if (isContent(body)) return { body };
  if (bodyType === 'form') return { body: new URLSearchParams([...phpVariables(fieldsOf(body))]) };
  return { body: JSON.stringify(body), type: 'application/json' };
}

function fieldsOf(body: unknown): [name: string, value: unknown][] {
  return Object.entries((body ?? {}) as object);
}

/** Whether a body is sent as it is. */
function isContent(body: unknown): body is RequestContent['body'] {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof ReadableStream
  );
}

/**
 * Creates a `multipart/form-data` body (RFC 7578). Unlike a `FormData` it has a length before it is sent, can be sent again,
 * and a quote in a file name is no `%22`, which PHP would not decode.
 */
function createMultipart(fields: readonly [string, unknown][], file: UploadFile): RequestContent {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const boundary = `form-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const head = (parameters: string) => `--${boundary}\r\nContent-Disposition: form-data; ${parameters}\r\n`;
  const content = file instanceof Blob ? file : file.content;
  const type = (file.type ?? '').replace(/[\r\n]/g, '') || 'application/octet-stream';
  const body = new Blob([
    ...[...phpVariables(fields)].map(([name, value]) => `${head(`name=${quote(name)}`)}\r\n${value}\r\n`),
    `${head(`name="file"; filename=${quote(file.name)}`)}Content-Type: ${type}\r\n\r\n`,
    content as Blob | ArrayBuffer,
    `\r\n--${boundary}--\r\n`,
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** A quoted string. PHP and Fetch escape quotes and backslashes in it differently, so other characters replace them. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "'").replace(/[\\\r\n]/g, '_')}"`;
}
