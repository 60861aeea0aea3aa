import {
  type ClientHttp2Session,
  connect,
  constants,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { Readable } from 'node:stream';

/** A client of HTTP/2 with the interface of `fetch`, on one connection. It trusts any certificate. */
export interface Http2Client {
  /** Requests a path; redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  readonly session: ClientHttp2Session;
  close(): void;
}

export function createHttp2Client(origin: string, options: SecureClientSessionOptions = {}): Http2Client {
  const session = connect(origin, { rejectUnauthorized: false, ...options });
  // Each request fails for itself.
  session.on('error', () => {});
  return {
    session,
    request: (path, init) => send(session, new Request(origin + path, init)),
    close: () => session.destroy(),
  };
}

/** Fields that `fetch` adds, so that the site receives the same over both versions. */
const FETCH_FIELDS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
};

async function send(session: ClientHttp2Session, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const fields: OutgoingHttpHeaders = { ...FETCH_FIELDS, ...Object.fromEntries(request.headers) };
  const body = request.body === null ? null : Readable.from(request.body);
  const stream = session.request(
    { ...fields, ':method': request.method, ':path': pathname + search },
    { endStream: body === null },
  );
  if (body !== null) body.on('error', () => stream.close(constants.NGHTTP2_CANCEL)).pipe(stream);
  request.signal.addEventListener('abort', () => stream.close(constants.NGHTTP2_CANCEL));
  const response = await new Promise<Record<string, string | string[] | undefined>>((resolve, reject) => {
    stream.once('response', (headers) => resolve(headers as Record<string, string | string[] | undefined>));
    stream.once('error', reject);
    stream.once('close', () => reject(new TypeError(`the stream was closed: ${stream.rstCode}`)));
  });
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(response)) {
    if (!name.startsWith(':')) for (const each of [value].flat()) headers.append(name, each);
  }
  const status = Number(response[':status']);
  const hasBody = request.method !== 'HEAD' && ![204, 205, 304].includes(status);
  if (!hasBody) stream.resume();
  return new Response(hasBody ? toWebStream(stream) : null, { status, headers });
}

/** A stream that is reset is an error, as a connection that breaks is. */
function toWebStream(
  stream: Readable & { readonly rstCode?: number | undefined },
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      stream.on('data', (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
      stream.once('end', () => {
        // 'end' follows a reset too.
        stream.once('close', () => {
          if ((stream.rstCode ?? 0) === 0) controller.close();
          else controller.error(new TypeError(`the stream was reset: ${stream.rstCode}`));
        });
      });
      stream.once('error', (error) => controller.error(error));
    },
    cancel() {
      stream.destroy();
    },
  });
}
