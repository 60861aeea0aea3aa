import { type BasicCredentials, formatBasicCredentials } from '../../base/http/basic-credentials.ts';
import {
  type Dispatch,
  type Exchange,
  NULL_BODY_STATUSES,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
} from '../../base/http/exchange.ts';
import { hasField, removeFields, toFieldPairs } from '../../base/http/fields.ts';
import {
  CONNECTION_FIELDS,
  FIELDS_PROTECTED_FROM_CONNECTION,
  findRequestField,
} from '../../base/http/request-fields.ts';
import { memoizeByString } from '../../base/memoize.ts';

interface SiteFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly transportFetch?: TransportFetch | undefined;
  readonly findServer: (origin: string) => UpstreamServer;
  readonly host: string | undefined;
  readonly addedFields: AddedFields | null;
}

export interface UpstreamServer {
  readonly origin: string;
  readonly host: string;
  /** Only the configured server gets credentials. */
  readonly isConfigured: boolean;
}

export function createServerLookup(
  configuredOrigin: string,
  host: string | undefined,
): (origin: string) => UpstreamServer {
  return memoizeByString((origin) => {
    const url = new URL(origin);
    const hosts = host === undefined ? [] : [host.toLowerCase(), new URL(`${url.protocol}//${host}`).host];
    if (origin !== configuredOrigin && !hosts.includes(url.host))
      return { origin, host: url.host, isConfigured: false };
    return { origin: configuredOrigin, host: host ?? url.host, isConfigured: true };
  });
}

/** A request to the site gets the added fields; credentials never reach another origin. */
export function createSiteFetch(options: SiteFetchOptions): typeof globalThis.fetch {
  const { addedFields, fetch, findServer, host } = options;
  return (input, init = {}) => {
    if (input instanceof Request) return fetch(input, init);
    const url = new URL(input);
    const server = findServer(url.origin);
    if (!server.isConfigured) return fetch(input, init);
    const headers = new Headers(init.headers);
    for (const [name, value] of toFieldPairs(addedFields?.fields ?? [])) headers.set(name, value);
    const authorization = addedFields?.authorization;
    if (authorization !== undefined && !headers.has('authorization')) {
      headers.set('authorization', authorization);
    }
    if (options.transportFetch !== undefined) headers.set('host', server.host);
    if (host !== undefined) {
      headers.set('x-forwarded-host', host);
      headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
    }
    const { method = 'GET', redirect, signal } = init;
    const { transportFetch = (target, sent) => fetch(server.origin + target, sent as RequestInit) } = options;
    return transportFetch(url.pathname + url.search, {
      method,
      headers,
      redirect,
      signal: signal ?? undefined,
    });
  };
}

export type TransportFetch = (
  target: string,
  init: {
    readonly method?: string;
    readonly headers: Headers;
    readonly signal?: AbortSignal | undefined;
    readonly redirect?: RequestRedirect | undefined;
  },
) => Promise<Response>;

/** Sends the given `Host`. A redirect is an error with any mode but `manual`. */
export function createTransportFetch(transport: Dispatch): TransportFetch {
  return async (target, { headers, method = 'GET', redirect, signal }) => {
    const list = [...headers].flat();
    list.push('accept-encoding', 'gzip, deflate');
    const request = { method, target, headers: list, body: null, retryable: true };
    const outcome = await collectFetchOutcome((sink) => transport(request, sink), method === 'HEAD', signal);
    if (outcome.kind === 'failure') {
      signal?.throwIfAborted();
      throw new TypeError(`fetch failed: ${outcome.failure.kind}`, { cause: outcome.failure.cause });
    }
    const { head } = outcome;
    if (head.status >= 300 && head.status < 400 && head.status !== 304 && redirect !== 'manual') {
      throw new TypeError('the site redirects');
    }
    const fields = new Headers(toFieldPairs(head.headers));
    const body = NULL_BODY_STATUSES.has(head.status) ? null : outcome.body;
    return new Response(decode(body, fields), { status: head.status, headers: fields });
  };
}

function decode(body: ReadableStream<Uint8Array> | null, fields: Headers): ReadableStream<Uint8Array> | null {
  const coding = fields.get('content-encoding')?.toLowerCase();
  if (body === null || (coding !== 'gzip' && coding !== 'x-gzip' && coding !== 'deflate')) return body;
  const format: ReadableWritablePair = new DecompressionStream(coding === 'deflate' ? 'deflate' : 'gzip');
  return body.pipeThrough(format);
}

type FetchOutcome =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  | { readonly kind: 'failure'; readonly failure: UpstreamFailure };

/** Never rejects. @param start can call the sink before it returns */
export function collectFetchOutcome(
  start: (sink: ResponseSink) => Exchange,
  headOnly: boolean,
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  return new Promise((resolve) => {
    let exchange: Exchange | undefined;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const leave = (): void => {
      exchange?.abort();
      sink.fail({ kind: 'client-gone', cause: signal?.reason });
    };
    const release = (): void => signal?.removeEventListener('abort', leave);
    const createBody = (): ReadableStream<Uint8Array> =>
      new ReadableStream<Uint8Array>(
        {
          start(created) {
            controller = created;
          },
          pull: () => exchange?.resume(),
          // On Node 20, a call of the controller after a cancel ends the process (Readable.toWeb).
          cancel() {
            release();
            exchange?.abort();
            controller = undefined;
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
      );
    const sink: ResponseSink = {
      head(head) {
        const hasNoBody = headOnly || NULL_BODY_STATUSES.has(head.status);
        resolve({ kind: 'response', head, body: hasNoBody ? null : createBody() });
      },
      complete(head, body) {
        this.head(head);
        this.write(body);
        this.end();
      },
      write(chunk) {
        if (controller === undefined) return true;
        // Readers of web streams can keep the chunk or transfer its buffer.
        controller.enqueue(new Uint8Array(chunk));
        return (controller.desiredSize ?? 0) > 0;
      },
      end() {
        release();
        controller?.close();
        controller = undefined;
      },
      fail(failure) {
        release();
        // After the head, only the controller call has an effect.
        resolve({ kind: 'failure', failure });
        controller?.error(failure.cause ?? new DOMException('the response was aborted', 'AbortError'));
        controller = undefined;
      },
    };
    exchange = start(sink);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted === true) leave();
  });
}

/** Being the same for all clients, they do not make a response private (RFC 9111 §3.5). */
export interface AddedFields {
  readonly fields: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly authorization: string | undefined;
}

export function createAddedFields(
  headers: Readonly<Record<string, string>>,
  auth: BasicCredentials | undefined,
): AddedFields | null {
  const entries = Object.entries(headers);
  if (entries.length === 0 && auth === undefined) return null;
  return {
    fields: entries.flat(),
    names: new Set(entries.map(([name]) => name.toLowerCase())),
    authorization: auth === undefined ? undefined : formatBasicCredentials(auth),
  };
}

const ADDED: ReadonlySet<string> = new Set('pass drop proxy scheme jsonScheme secure secureFlag'.split(' '));

/** Whether an operator can add a field to requests: the gateway sets all others itself. */
export function isAddable(name: string): boolean {
  const lower = name.toLowerCase();
  const { forwarding = 'pass' } = findRequestField(lower) ?? {};
  return (
    !FIELDS_PROTECTED_FROM_CONNECTION.has(lower) &&
    !CONNECTION_FIELDS.includes(lower) &&
    ADDED.has(forwarding)
  );
}

export function addFields(headers: string[], added: AddedFields): void {
  const { authorization, fields, names } = added;
  if (names.size > 0) removeFields(headers, names);
  headers.push(...fields);
  if (authorization !== undefined && !hasField(headers, 'authorization')) {
    headers.push('Authorization', authorization);
  }
}

/** @default the authorities that the platform trusts */
export interface UpstreamTls {
  /** File of certificates in PEM, in place of the platform's authorities. It is read for each connection. */
  readonly ca?: string | undefined;
  /** Name of the certificate. @default the host of the request */
  readonly serverName?: string | undefined;
  /** Whether any certificate is accepted: the server is then not authenticated. */
  readonly insecure?: boolean | undefined;
}
