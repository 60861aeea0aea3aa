import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CacheStatus } from '../base/http/cache-status.ts';
import type {
  IncomingRequestHead,
  ResponseHead,
  ResponseSink,
  UpstreamFailure,
} from '../base/http/exchange.ts';
import { watchBodyRate } from './exchange/request-body.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { OuterApp, OwnResponse } from './own-response.ts';
import type { RequestContext } from './resolve-site.ts';

export type PreparedRequest = GatewayRequest | OwnResponse;

abstract class AppRequest {
  readonly head: IncomingRequestHead;
  readonly requestFields: readonly string[];
  request: Request | null = null;
  /** Prepared by the server before the app, or by a gateway in it. */
  prepared: PreparedRequest | null = null;
  context: RequestContext | null = null;

  constructor(head: IncomingRequestHead, requestFields: readonly string[]) {
    this.head = head;
    this.requestFields = requestFields;
  }

  begin(context: RequestContext, prepared: PreparedRequest | null): void {
    this.context = context;
    this.prepared = prepared;
  }
}

/** A request that a tool of an agent sends. @internal */
export class AgentExchange extends AppRequest {
  constructor(head: IncomingRequestHead, request: Request) {
    super(head, head.headers);
    this.request = request;
  }
}

export interface ResponseOutcome {
  /** Around Node's message, to its end. */
  readonly isWritten: boolean;
  failure: UpstreamFailure | undefined;
  cacheStatus: CacheStatus | undefined;
  /** Bytes of the content, without codings of the transfer. */
  bytes: number;
  /** The client closed the connection before the end of the response. */
  abort(): void;
}

interface ExchangeParts extends OuterApp {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A message of a server of this package, handed to an app. The server records the response. @internal */
export class ServerExchange extends AppRequest implements OuterApp, ResponseOutcome {
  readonly isWritten = false;
  failure: UpstreamFailure | undefined;
  cacheStatus: CacheStatus | undefined;
  bytes = 0;
  readonly #parts: ExchangeParts;
  readonly #left = new AbortController();
  #isOfSite = false;

  constructor(head: IncomingRequestHead, parts: ExchangeParts) {
    super(head, parts.incoming.rawHeaders);
    this.#parts = parts;
  }

  callApp(request: Request, environment: object): Response | Promise<Response> {
    return this.#parts.callApp(request, environment);
  }

  abort(): void {
    this.#left.abort();
  }

  watchContent(): void {
    const { incoming } = this.#parts;
    watchBodyRate(incoming, () => incoming.destroy());
  }

  /** `undefined` for responses that are not of a site. */
  get outcome(): ResponseOutcome | undefined {
    return this.#isOfSite ? this : undefined;
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** The message as content; `null` if a middleware has replaced it or begun to read it. */
  takeContent(received: Request, refuse: () => void): IncomingMessage | null {
    const { incoming } = this.#parts;
    // The app's request has a stream of its own, which makes the message flow.
    if (received !== this.request || incoming.readableFlowing !== null) return null;
    watchBodyRate(incoming, refuse);
    return incoming;
  }

  observe(sink: ResponseSink): ResponseSink {
    const { outgoing } = this.#parts;
    this.#isOfSite = true;
    let hasHead = false;
    const noteHead = (head: ResponseHead): void => {
      hasHead = true;
      this.cacheStatus = head.cacheStatus;
    };
    return {
      head: (head) => {
        noteHead(head);
        sink.head(head);
      },
      complete: (head, body) => {
        noteHead(head);
        this.bytes += body.byteLength;
        sink.complete(head, body);
      },
      write: (chunk) => {
        this.bytes += chunk.byteLength;
        return sink.write(chunk);
      },
      end: () => sink.end(),
      fail: (failure) => {
        this.failure = failure;
        this.cacheStatus = failure.cacheStatus ?? this.cacheStatus;
        // A clean end would make an incomplete response look complete (RFC 9112 §8).
        if (hasHead) outgoing.destroy();
        sink.fail(failure);
      },
    };
  }

  /** Writes the app's response if it is of a site; `@hono/node-server` writes others. */
  async finish(response: Response): Promise<Response> {
    if (!this.#isOfSite) return response;
    await writeResponse(response, this.#parts.outgoing);
    return createSentResponse();
  }
}

/** `@hono/node-server` adds a `Content-Type`, and encodes a head as UTF-8. Resolves at the close. */
function writeResponse({ body, headers, status }: Response, outgoing: ServerResponse): Promise<void> {
  const reader = body?.getReader();
  const pump = async (): Promise<void> => {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      if (!outgoing.write(read.value)) await new Promise<void>((resolve) => outgoing.once('drain', resolve));
    }
    outgoing.end();
  };
  return new Promise((resolve) => {
    outgoing.on('close', () => {
      reader?.cancel().catch(() => {});
      resolve();
    });
    outgoing.writeHead(status, [...headers].flat());
    pump().catch(() => outgoing.destroy());
  });
}

/** Hosts that a URL can have in every parser. */
export const READABLE_HOST: RegExp = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** In the environment of an app. @internal */
export const EXCHANGE: unique symbol = Symbol('waygate exchange');

/** `null` if neither a server of this package nor an agent called the app. */
export function findExchange(environment: unknown): ServerExchange | AgentExchange | null {
  if (typeof environment !== 'object' || environment === null) return null;
  const exchange: unknown = Reflect.get(environment, EXCHANGE);
  return exchange instanceof ServerExchange || exchange instanceof AgentExchange ? exchange : null;
}

function createSentResponse(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // `@hono/node-server` might have replaced `Response`. It writes those whose body nobody has read, whatever
  // the field.
  void response.body;
  return response;
}
