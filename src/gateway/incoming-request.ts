import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { cloneRawRequest } from 'hono/request';
import { readContent, watchBodyRate } from '../base/http/body.ts';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, READABLE_HOST, toFieldPairs } from '../base/http/fields.ts';
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

interface MessageSender {
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

  /** Whether a `Request` can express it. The gateway refuses all others: their targets aren't paths, or they are TRACE. */
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

function toRequestHead(
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
  return target.startsWith('/') && !target.includes('#') ? head : toOriginForm(head);
}

/** Adds a `Host` from the local address: HTTP/1.0 requests can have none, and URL rewriting needs one. */
function withHost(headers: readonly string[], { localAddress = '', localPort }: Socket): readonly string[] {
  if ((fieldValue(headers, 'host') ?? '') !== '' || localAddress === '') return headers;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return [...headers, 'Host', `${name}:${localPort}`];
}

/** Reads a request as middleware left it. @returns `null` if it has read more content than {@link MAX_RESTORED_BYTES} */
export async function readFetchRequest(
  call: Context,
  callApp: CallApp | null,
): Promise<IncomingRequest | null> {
  const { req } = call;
  const request = req.raw.bodyUsed ? await restoreContent(req) : req.raw;
  if (request === null) return null;
  return {
    head: readFetchHead(call, request),
    callApp,
    openBody: () => (request.body === null ? null : Readable.from(request.body, { objectMode: false })),
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

/** @param mount path of the app that mounts the gateway: `/`, `/api`, or with parameters */
export function readFetchHead(
  call: Context,
  request: Request,
  mount: string = findMount(call),
): IncomingRequestHead {
  const { body, method, url } = request;
  const headers = [...request.headers].flat();
  const isUnframed = body !== null && !hasField(headers, 'content-length');
  if (isUnframed && !hasField(headers, 'transfer-encoding')) headers.push('transfer-encoding', 'chunked');
  const { host, protocol } = new URL(url);
  if (!hasField(headers, 'host')) headers.push('host', host);
  const target = url.replace(/^\w+:\/\/[^/?#]*|#.*$/g, '');
  const depth = mount.split('/').filter((segment) => segment !== '').length;
  const [sent = ''] = depth === 0 ? [] : (new RegExp(`^(?:/[^/?]*){${depth}}`).exec(target) ?? []);
  const rest = target.slice(sent.length);
  // Hono finds the mount in the decoded path: `/%61pi` is `/api`.
  const prefix = toPlainPath(sent);
  const bindings: Partial<HttpBindings> | undefined = call.env;
  return {
    method,
    target: rest.startsWith('/') ? rest : `/${rest}`,
    headers,
    // Hono's `getConnInfo` reads it there too, and throws without a server.
    peerAddress: bindings?.incoming?.socket.remoteAddress ?? '',
    protocol: protocol === 'https:' ? 'https' : 'http',
    httpVersion: '1.1',
    ...(prefix !== '' && { prefix }),
  };
}

function toPlainPath(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}

/** `hono/route` knows it too, but not in an app of another copy of Hono. */
export const findMount = ({ req }: Context): string => req.matchedRoutes[req.routeIndex]?.basePath ?? '/';

/** The URL of a request for an app. The `Host` field as received decides what the request means. */
export function toFetchUrl({ headers, target }: Pick<IncomingRequestHead, 'headers' | 'target'>): string {
  const host = fieldValue(headers, 'host') ?? '';
  const url = `http://${host}${target}`;
  return READABLE_HOST.test(host) && URL.canParse(url) ? url : `http://localhost${target}`;
}
