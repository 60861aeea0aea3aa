import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRawClient } from '../../../src/client/runtime/client.ts';
import { cookieAuth } from '../../../src/client/runtime/cookie-auth.ts';
import type { UploadProgress } from '../../../src/client/runtime/options-and-results.ts';
import { withProgress } from '../../../src/client/runtime/upload-progress.ts';

/** A stub of the browser's `XMLHttpRequest`. A test drives the last one that was created. */
class StubXhr {
  static last: StubXhr;
  readonly upload: { onprogress?: (event: UploadProgress & { readonly type: string }) => void } = {};
  readonly headers: Record<string, string> = {};
  sent?: Blob;
  opened?: readonly [method: string, url: string];
  aborted = false;
  withCredentials = false;
  responseType = '';
  status = 0;
  statusText = '';
  responseURL = '';
  response: ArrayBuffer | null = null;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  responseHeaders = '';

  constructor() {
    StubXhr.last = this;
  }
  open(method: string, url: string): void {
    this.opened = [method, url];
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getAllResponseHeaders(): string {
    return this.responseHeaders;
  }
  send(body: Blob): void {
    this.sent = body;
  }
  abort(): void {
    this.aborted = true;
    this.onabort?.();
  }
  respond(status: number, headers: string, body: string): void {
    const { buffer } = new Uint8Array(new TextEncoder().encode(body));
    Object.assign(this, { status, statusText: 'Status', responseHeaders: headers, response: buffer });
    this.onload?.();
  }
}

beforeEach(() => {
  Object.assign(globalThis, { XMLHttpRequest: StubXhr });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
});

const file = { name: 'a.png', content: new Uint8Array(1000), type: 'image/png' };
const events: UploadProgress[] = [];
const report = (event: UploadProgress) => void events.push(event);

/** Starts an upload and waits until the request was sent. */
async function upload(options: Partial<Parameters<typeof createRawClient>[0]> = {}, signal?: AbortSignal) {
  events.length = 0;
  const client = createRawClient({ baseUrl: 'https://example.com/wp-json', ...options });
  const call = client.POST('/wp/v2/media', {
    file,
    send: withProgress(report),
    ...(signal === undefined ? {} : { signal }),
  });
  call.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  return { call, xhr: StubXhr.last };
}

describe('in a browser an upload with progress', () => {
  test('is sent by XMLHttpRequest, with the header fields of the request', async () => {
    const { call, xhr } = await upload({ auth: { username: 'a', password: 'b' } });
    expect(xhr.opened).toEqual(['POST', 'https://example.com/wp-json/wp/v2/media']);
    expect(xhr.headers).toMatchObject({
      authorization: `Basic ${btoa('a:b')}`,
      accept: 'application/json, */*;q=0.1',
    });
    expect(xhr.headers['content-type']).toMatch(/^multipart\/form-data; boundary=form-/);
    expect(xhr).toMatchObject({ withCredentials: false, responseType: 'arraybuffer' });
    expect(await xhr.sent?.text()).toContain('filename="a.png"\r\nContent-Type: image/png\r\n');
    xhr.upload.onprogress?.({ loaded: 10, total: 1200, type: 'progress' });
    xhr.respond(
      201,
      'content-type: application/json\r\nx-wp-total: 1\r\nlink: <a:b>; rel="x"\r\n\r\n',
      '{"id":5}',
    );
    const { data, response, total } = await call;
    expect({ data, total, status: response?.status, link: response?.headers.get('link') }).toEqual({
      data: { id: 5 },
      total: 1,
      status: 201,
      link: '<a:b>; rel="x"',
    });
    expect(events).toEqual([{ loaded: 10, total: 1200 }]);
  });

  test('sends cookies with a nonce', async () => {
    const { call, xhr } = await upload({ auth: cookieAuth({ nonce: 'n' }) });
    expect(xhr.withCredentials).toBe(true);
    expect(xhr.headers['x-wp-nonce']).toBe('n');
    xhr.respond(204, '', '');
    expect((await call).response?.status).toBe(204);
  });

  test('that the browser has redirected is an error, because a GET has taken its place', async () => {
    const { call, xhr } = await upload();
    xhr.responseURL = 'https://example.com/de/wp-json/wp/v2/media';
    xhr.respond(200, 'content-type: application/json', '[]');
    const { error } = await call;
    expect(error).toMatchObject({ code: 'client_redirected', data: { excerpt: xhr.responseURL } });
    const { call: other, xhr: same } = await upload();
    same.responseURL = 'https://example.com/wp-json/wp/v2/media';
    same.respond(201, 'content-type: application/json', '{"id":5}');
    expect((await other).data).toEqual({ id: 5 });
  });

  test('that fails is a failure of the network', async () => {
    const { call, xhr } = await upload();
    xhr.onerror?.();
    expect((await call).error).toMatchObject({
      source: 'network',
      cause: new TypeError('The network request failed.'),
    });
  });

  test('is aborted by the signal', async () => {
    const abort = new AbortController();
    const { call, xhr } = await upload({}, abort.signal);
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(xhr.aborted).toBe(true);
    const { call: late, xhr: unsent } = await upload({}, abort.signal);
    await expect(late).rejects.toThrow('enough');
    expect(unsent.sent).toBeUndefined();
  });
});
