import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { cloneRawRequest } from 'hono/request';
import { readContent, watchBodyRate } from '../base/http/body.ts';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, toFieldPairs } from '../base/http/fields.ts';
import { toOriginForm } from './router/target.ts';

export type CallApp = (request: Request, environment: object) => Response | Promise<Response>;

export interface IncomingRequest {
  readonly head: IncomingRequestHead;
  /** The outer app that got the request; `null` if the server does not tell, or there is none. */
  readonly callApp: CallApp | null;
  /** Can be read once; `null` without content. */
  openBody(): Readable | null;
  /** Excludes {@link openBody}. */
  toFetch(): Request;
}

export interface AppServer {
  readonly callApp: CallApp;
  refuseBody(): void;
}

interface Message {
  readonly url?: unknown;
  readonly httpVersion?: unknown;
  readonly socket?: { readonly remoteAddress?: unknown } | null;
}

interface MessageSender {
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  refuseBody(): void;
}

export class NodeRequest implements IncomingRequest {
  readonly head: IncomingRequestHead;
  readonly incoming: IncomingMessage;
  /** Without an outer app, agents' requests go to the gateway's own. */
  readonly callApp = null;
  readonly #sender: MessageSender;
  #reading: AsyncIterator<Uint8Array> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isDropped = false;

  constructor(incoming: IncomingMessage, sender: MessageSender) {
    this.incoming = incoming;
    this.head = toRequestHead(incoming);
    this.#sender = sender;
  }

  /** Whether a `Request` can express it. The gateway refuses all others: their targets are no paths, or they are TRACE. */
  get isExpressible(): boolean {
    return this.head.target.startsWith('/') && this.head.method !== 'TRACE';
  }

  openBody(): IncomingMessage {
    watchBodyRate(this.incoming, () => this.#sender.refuseBody());
    return this.incoming;
  }

  toFetch(): Request {
    const { headers, method } = this.head;
    const hasBody = isFramed(headers) && method !== 'GET' && method !== 'HEAD';
    return new Request(toFetchUrl(this.head), {
      method,
      headers: toFieldPairs(headers),
      signal: this.#sender.signal,
      ...(hasBody ? { body: this.#stream(), duplex: 'half' } : {}),
    });
  }

  /** Node drops the rest of a message that nobody began to read, so the first read begins it. */
  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          this.#reading ??= this.openBody().iterator({ destroyOnReturn: false });
          const { done, value } = await this.#reading.next();
          if (this.#isDropped) return;
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => this.#drop(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Drops content that a handler left unread, after the response: the next request is behind it. */
  dropBody(): void {
    const { complete, readableHighWaterMark, readableLength } = this.incoming;
    if (this.#reading === undefined || (complete && readableLength < readableHighWaterMark)) return;
    // A late reader must not take the beginning for the whole.
    if (!this.#isDropped) this.#controller?.error(new Error('the response ended before the body was read'));
    this.#drop();
  }

  /** While an iterator waits for content, a stream does not flow. */
  #drop(): void {
    this.#isDropped = true;
    const resume = (): void => void this.incoming.resume();
    if (this.#reading === undefined) resume();
    else this.#reading.return?.().then(resume, resume);
  }
}

export function toRequestHead(
  incoming: Pick<IncomingMessage, 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'>,
): IncomingRequestHead {
  const { httpVersion, method = 'GET', rawHeaders, socket, url: target = '/' } = incoming;
  const head: IncomingRequestHead = {
    method,
    target,
    headers: httpVersion === '1.0' ? withHost(rawHeaders, socket) : rawHeaders,
    peerAddress: socket.remoteAddress ?? '',
    protocol: 'http',
    httpVersion,
  };
  return target.startsWith('/') ? head : toOriginForm(head);
}

/** Adds a `Host` from the local address: HTTP/1.0 requests can have none, and URL rewriting needs one. */
function withHost(headers: readonly string[], { localAddress = '', localPort }: Socket): readonly string[] {
  if ((fieldValue(headers, 'host') ?? '') !== '' || localAddress === '') return headers;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return [...headers, 'Host', `${name}:${localPort}`];
}

/** Reads a request as middleware left it. @returns `null` if it has read more content than {@link MAX_RESTORED_BYTES} */
export async function readFetchRequest(
  context: Context,
  server: AppServer | null,
): Promise<IncomingRequest | null> {
  const { req } = context;
  const request = req.raw.bodyUsed ? await restoreContent(req) : req.raw;
  if (request === null) return null;
  const head = readFetchHead(context, request);
  return {
    head,
    callApp: server?.callApp ?? null,
    openBody() {
      if (request.body !== null) return Readable.from(request.body, { objectMode: false });
      // A `Request` cannot have the content of a GET.
      const message = findMessage(context);
      if (!(message instanceof Readable && isFramed(head.headers))) return null;
      if (message instanceof IncomingMessage)
        watchBodyRate(message, () => (server === null ? message.destroy() : server.refuseBody()));
      return message;
    },
    toFetch: () => request,
  };
}

/** A middleware that read the content leaves it with the context: as text, it can have another length. */
async function restoreContent(req: Context['req']): Promise<Request | null> {
  const read = await cloneRawRequest(req);
  const headers = new Headers(read.headers);
  headers.delete('transfer-encoding');
  headers.delete('content-length');
  const body = await readContent(new Request(read, { headers }), MAX_RESTORED_BYTES);
  if (body === null) return null;
  headers.set('content-length', String(body.byteLength));
  return new Request(read, { headers, body: new Uint8Array(body) });
}

const MAX_RESTORED_BYTES = 64 * 1024 * 1024;

const isFramed = (headers: readonly string[]): boolean =>
  hasField(headers, 'transfer-encoding') || Number(firstFieldValue(headers, 'content-length') ?? 0) > 0;

/** The server tells the target as received: the URL's is normalised. @param basePath of the app that mounts the gateway */
export function readFetchHead(
  context: Context,
  request: Request,
  basePath: string = context.req.matchedRoutes[context.req.routeIndex]?.basePath ?? '/',
): IncomingRequestHead {
  const message = findMessage(context);
  const { httpVersion, socket } = message ?? {};
  const peerAddress = typeof socket?.remoteAddress === 'string' ? socket.remoteAddress : '';
  const seen = readRequestHead(request, peerAddress);
  const version = httpVersion === '1.0' ? httpVersion : seen.httpVersion;
  const target = findReceivedTarget(message, request) ?? seen.target;
  const prefix =
    basePath === '/' || basePath === ''
      ? ''
      : context.req.path.split('/', basePath.split('/').length).join('/');
  if (prefix === '') return { ...seen, httpVersion: version, target };
  return { ...seen, httpVersion: version, target: dropPrefix(target, prefix, seen.target), prefix };
}

function readRequestHead(request: Request, peerAddress = ''): IncomingRequestHead {
  const origin = /^(https?):\/\/[^/?#]*/i.exec(request.url);
  const headers: string[] = [];
  for (const [name, value] of request.headers) headers.push(name, value);
  const isUnframed = request.body !== null && !request.headers.has('content-length');
  if (isUnframed && !request.headers.has('transfer-encoding')) headers.push('transfer-encoding', 'chunked');
  if (!request.headers.has('host')) headers.push('host', new URL(request.url).host);
  const target = request.url.slice(origin?.[0].length ?? 0).split('#', 1)[0] ?? '';
  return {
    method: request.method,
    target: target.startsWith('/') ? target : `/${target}`,
    headers,
    peerAddress,
    protocol: origin?.[1]?.toLowerCase() === 'https' ? 'https' : 'http',
    httpVersion: '1.1',
  };
}

function findMessage({ env }: Context): Message | null {
  const incoming: unknown = typeof env === 'object' && env !== null ? Reflect.get(env, 'incoming') : null;
  return typeof incoming === 'object' ? incoming : null;
}

/** The target that the server has received, with dot segments; `null` if it is another request's. */
function findReceivedTarget(message: Message | null, { url }: Request): string | null {
  const received = message?.url;
  if (typeof received !== 'string') return null;
  const target = received.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
  if (!target.startsWith('/')) return null;
  const absolute = new URL(url).origin + target;
  return URL.canParse(absolute) && new URL(absolute).href === new URL(url).href ? target : null;
}

function dropPrefix(target: string, prefix: string, normalised: string): string {
  const end = target.charAt(prefix.length);
  const isLiteral = target.startsWith(prefix) && (end === '' || end === '/' || end === '?');
  const segments = prefix.split('/').length - 1;
  const rest = isLiteral
    ? target.slice(prefix.length)
    : normalised.replace(new RegExp(`^(?:/[^/?]*){${segments}}`), '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Hosts that a URL can have in every parser. */
const READABLE_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The URL of a request for an app. The `Host` field as received decides what the request means. */
export function toFetchUrl({ headers, target }: Pick<IncomingRequestHead, 'headers' | 'target'>): string {
  const host = fieldValue(headers, 'host') ?? '';
  const url = `http://${host}${target}`;
  return READABLE_HOST.test(host) && URL.canParse(url) ? url : `http://localhost${target}`;
}
