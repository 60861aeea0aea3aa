import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { cloneRawRequest } from 'hono/request';
import { readContent } from '../base/http/chunks.ts';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField } from '../base/http/fields.ts';
import { watchBodyRate } from '../base/http/request-body.ts';

export type CallApp = (request: Request, environment: object) => Response | Promise<Response>;

export interface IncomingRequest {
  readonly head: IncomingRequestHead;
  /** The outer app that got the request; `null` if the server does not tell, or there is none. */
  readonly callApp: CallApp | null;
  /** Returns the content, which can be read once; `null` without content. */
  openBody(): Readable | null;
  /** For handlers that read a `Request`. Excludes {@link openBody}. */
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

/**
 * Reads a request that an app has got, as the last middleware left it.
 * @param server `null` if it is not one of this package
 * @returns `null` if a middleware has read more content than {@link MAX_RESTORED_BYTES}
 */
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

/** A middleware that has read the content leaves it with the context: as text, the content can have another length. */
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

/** Whether a head announces content (RFC 9112 §6). */
export const isFramed = (headers: readonly string[]): boolean =>
  hasField(headers, 'transfer-encoding') || Number(firstFieldValue(headers, 'content-length') ?? 0) > 0;

/**
 * Reads the head of a request that an app has got. Its URL is normalised; the server tells the target as received.
 * @param basePath path of the app that the gateway is mounted in
 */
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

/** Reads the head of a `Request`. Content of unknown length counts as sent in chunks. */
export function readRequestHead(request: Request, peerAddress = ''): IncomingRequestHead {
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

/** The URL of a request for an app. The field `Host`, which it has as received, decides what the request means. */
export function toFetchUrl({ headers, target }: Pick<IncomingRequestHead, 'headers' | 'target'>): string {
  const host = fieldValue(headers, 'host') ?? '';
  const url = `http://${host}${target}`;
  return READABLE_HOST.test(host) && URL.canParse(url) ? url : `http://localhost${target}`;
}
