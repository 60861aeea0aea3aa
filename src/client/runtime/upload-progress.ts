import type { RequestSender, UploadProgress } from './options-and-results.ts';

interface ProgressRequest {
  readonly upload: { onprogress: ((event: UploadProgress) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly responseURL?: string;
  readonly response: ArrayBuffer | null;
  responseType: string;
  withCredentials: boolean;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

const CHUNK_SIZE = 65_536;

/**
 * Reports sent bytes of a call's body: `client.POST('/wp/v2/media', { file, send: withProgress(report) })`.
 * Browsers send no streams over HTTP/1.1, so they use `XMLHttpRequest`.
 */
export function withProgress(report: (progress: UploadProgress) => void): RequestSender {
  return async (request, next, content) => {
    if (request.body === null) return next(request);
    const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => ProgressRequest };
    const body = content instanceof Blob ? content : await request.blob();
    return XMLHttpRequest === undefined
      ? next(countBytes(request, body, report))
      : sendByXhr(new XMLHttpRequest(), request, body, report);
  };
}

function countBytes(request: Request, body: Blob, report: (progress: UploadProgress) => void): Request {
  const total = body.size;
  let loaded = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await body.slice(loaded, loaded + CHUNK_SIZE).arrayBuffer();
        if (chunk.byteLength === 0) return controller.close();
        controller.enqueue(new Uint8Array(chunk));
        loaded += chunk.byteLength;
        report({ loaded, total });
      },
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers(request.headers);
  // PHP servers can refuse a body of unknown length. Browsers ignore the field.
  headers.set('Content-Length', String(total));
  return new Request(request, { headers, body: stream, duplex: 'half' } as RequestInit);
}

function sendByXhr(
  xhr: ProgressRequest,
  request: Request,
  body: Blob,
  report: (progress: UploadProgress) => void,
): Promise<Response> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const abort = () => xhr.abort();
    const settle = (action: () => void) => () => {
      signal.removeEventListener('abort', abort);
      action();
    };
    xhr.open(request.method, request.url);
    request.headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value);
    });
    xhr.withCredentials = request.credentials === 'include';
    xhr.responseType = 'arraybuffer';
    xhr.upload.onprogress = ({ loaded, total }) => report({ loaded, total });
    xhr.onload = settle(() => {
      const { responseURL: url } = xhr;
      // `XMLHttpRequest` follows redirects, which turn a POST into a GET.
      resolve(url && url !== request.url ? Response.redirect(url) : toResponse(xhr));
    });
    xhr.onerror = settle(() => reject(new TypeError('The network request failed.')));
    xhr.onabort = settle(() => reject(signal.reason as unknown));
    if (signal.aborted) {
      reject(signal.reason as unknown);
      return;
    }
    signal.addEventListener('abort', abort);
    xhr.send(body);
  });
}

function toResponse(xhr: ProgressRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  // A response with one of these statuses must not have a body, not even an empty one.
  const body = [204, 205, 304].includes(xhr.status) ? null : xhr.response;
  return new Response(body, { status: xhr.status, statusText: xhr.statusText, headers });
}
