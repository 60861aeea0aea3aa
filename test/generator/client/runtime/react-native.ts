import { request as nodeRequest } from 'node:http';
import { URL as NodeUrl } from 'node:url';
import { onTestFinished, vi } from 'vitest';

/** Requests as the native side gets them. */
export interface NativeRequests {
  readonly credentials: (string | undefined)[];
  readonly parts: (readonly unknown[])[];
}

/**
 * Replaces the globals of a test by those of React Native 0.79: its `URL`, `FormData` and `AbortController`, and whatwg-fetch 3.6
 * over an `XMLHttpRequest` that follows redirects. @param reportsUrl whether `responseURL` is the last address
 */
export function stubReactNative({ reportsUrl = true } = {}): NativeRequests {
  const native: NativeRequests = { credentials: [], parts: [] };
  const nativeFetch = (input: string | NativeRequest, given?: RequestInit): Promise<NativeResponse> => {
    const request = new NativeRequest(input, given);
    native.credentials.push(request.credentials);
    if (request.body instanceof NativeFormData) native.parts.push(...request.body.parts);
    return send(request, reportsUrl);
  };
  onTestFinished(() => void vi.unstubAllGlobals());
  const globals = {
    ...{ AbortController: NativeAbortController, AbortSignal: NativeAbortSignal, FormData: NativeFormData },
    ...{ Request: NativeRequest, Response: NativeResponse, fetch: nativeFetch },
    ...{ URL: NativeUrl, URLSearchParams: NativeSearchParams, crypto: undefined, DOMException: undefined },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  return native;
}

/** `XMLHttpRequest`, which redirects a `POST` with 301 as `GET`. */
async function send(request: NativeRequest, reportsUrl: boolean): Promise<NativeResponse> {
  const bytes = request.body instanceof Blob ? await request.body.text() : request.body;
  return new Promise((resolve, reject) => {
    const open = (url: NodeUrl, method: string, body?: string): void => {
      const sent = nodeRequest(url, { method, headers: Object.fromEntries(request.headers) }, (received) => {
        const { headers, statusCode: status = 0 } = received;
        const chunks: Buffer[] = [];
        received.on('data', (chunk: Buffer) => chunks.push(chunk));
        received.on('end', () => {
          if (status === 301 && headers.location) return open(new NodeUrl(headers.location, url), 'GET');
          const fields = new Headers(headers as Record<string, string>);
          const shown = reportsUrl ? url.href : request.url;
          resolve(new NativeResponse(String(Buffer.concat(chunks)), { headers: fields, status, url: shown }));
        });
      });
      sent.on('error', () => reject(new TypeError('Network request failed')));
      request.signal?.addEventListener('abort', () => {
        reject(Object.assign(new Error('Aborted'), { name: 'AbortError' }));
        sent.destroy();
      });
      sent.end(body);
    };
    open(new NodeUrl(request.url), request.method, typeof bytes === 'string' ? bytes : undefined);
  });
}

interface NativeInit {
  readonly headers?: HeadersInit;
  readonly method?: string;
  readonly credentials?: string;
  readonly mode?: string;
  readonly signal?: AbortSignal | null;
  readonly body?: unknown;
}

/** All members are the instance's own. */
class NativeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly credentials: string;
  readonly mode: string | null;
  readonly signal: AbortSignal | undefined;
  readonly body: unknown;

  constructor(input: string | NativeRequest, init: NativeInit = {}) {
    const from = input instanceof NativeRequest ? input : undefined;
    this.url = from?.url ?? String(input);
    this.method = init.method ?? from?.method ?? 'GET';
    this.headers = new Headers(init.headers ?? from?.headers);
    this.credentials = init.credentials ?? from?.credentials ?? 'same-origin';
    this.mode = init.mode ?? from?.mode ?? null;
    this.signal = init.signal ?? from?.signal;
    this.body = init.body ?? from?.body;
  }
}

/** Has neither `redirected` nor a stream. */
class NativeResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly url: string;
  readonly type = 'default';
  readonly bodyUsed = false;
  readonly #body: string;

  constructor(
    body: string | null,
    { headers, status = 200, url = '' }: { headers?: HeadersInit; status?: number; url?: string } = {},
  ) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = new Headers(headers);
    this.url = url;
    this.#body = body ?? '';
  }
  async text(): Promise<string> {
    return this.#body;
  }
}

/** abort-controller 3.0 has no reason. */
class NativeAbortController {
  readonly signal = new NativeAbortSignal();
  abort(): void {
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event('abort'));
  }
}

class NativeAbortSignal extends EventTarget {
  aborted = false;
  override addEventListener(
    type: string,
    listener: EventListener,
    options?: { readonly once?: boolean },
  ): void {
    super.addEventListener(type, listener, { once: options?.once === true });
  }
}

class NativeFormData {
  readonly parts: (readonly unknown[])[] = [];
  append(...part: readonly unknown[]): void {
    this.parts.push(part);
  }
}

/** `Libraries/Blob/URL.js` of React Native 0.79: every other member throws. */
class NativeUrl {
  readonly href: string;
  constructor(url: string) {
    this.href = url.endsWith('/') ? url : `${url}/`;
    Object.freeze(this);
  }
  get origin(): string {
    throw new Error('URL.origin is not implemented');
  }
}

class NativeSearchParams {
  readonly #fields: string[] = [];
  constructor(given: object | string) {
    if (typeof given === 'object') this.#fields = Object.entries(given).map((field) => field.join('='));
  }
  get(): never {
    throw new Error('URLSearchParams.get is not implemented');
  }
  toString(): string {
    return this.#fields.join('&');
  }
}
