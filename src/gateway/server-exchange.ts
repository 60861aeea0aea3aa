import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeInterim } from '../exchange/interim-responses.ts';
import { type BodyRate, watchBodyRate } from '../exchange/request-body.ts';
import type { IncomingRequestHead, ResponseSink, UpstreamFailure } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { OuterApp, OwnResponse } from './own-response.ts';
import type { RequestContext } from './resolve-site.ts';

/** A request that a gateway has resolved: for one of its sites, or to be answered by itself. */
export type PreparedRequest = GatewayRequest | OwnResponse;

/** A request of an app as it was received. */
abstract class AppRequest {
  /** As received. */
  readonly head: IncomingRequestHead;
  readonly requestFields: readonly string[];
  /** The app's request. A middleware can replace it. */
  request: Request | null = null;
  /** Prepared by the server before the app, or by a gateway in it. */
  prepared: PreparedRequest | null = null;
  /** Of the gateway that has prepared it. */
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

/** Outcome of a site's response. */
export interface ResponseOutcome {
  /** Whether a stored response was written to its end, around Node's message. */
  readonly isWritten: boolean;
  /** Why the response is missing or incomplete. */
  failure: UpstreamFailure | undefined;
  /** The response's `Cache-Status` (RFC 9211). */
  cacheStatus: string | undefined;
  /** Bytes of the content that was written, without codings of the transfer. */
  bytes: number;
  /** The client closed the connection before the end of the response. */
  abort(): void;
}

interface ExchangeParts extends OuterApp {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly bodyRate: BodyRate;
}

/** A message of a server of this package, whose request is handed to an app. The server records the response. @internal */
export class ServerExchange extends AppRequest implements OuterApp, ResponseOutcome {
  readonly isWritten = false;
  failure: UpstreamFailure | undefined;
  cacheStatus: string | undefined;
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

  /** Ends the exchange if the content arrives too slowly for a response of the gateway's own. */
  watchContent(): void {
    const { bodyRate, incoming } = this.#parts;
    watchBodyRate(incoming, bodyRate, () => incoming.destroy());
  }

  /** Outcome of the site's response; `undefined` for responses of the app and of the gateway itself. */
  get outcome(): ResponseOutcome | undefined {
    return this.#isOfSite ? this : undefined;
  }

  /** Aborted when the client has left. */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /**
   * Returns the message as the content of a request for a site; `null` if a middleware has replaced it or has begun to read it.
   *
   * @param received the request with its content
   * @param refuse called if the content arrives too slowly
   */
  takeContent(received: Request, refuse: () => void): IncomingMessage | null {
    const { bodyRate, incoming } = this.#parts;
    // The app's request has a stream of its own, which makes the message flow.
    if (received !== this.request || incoming.readableFlowing !== null) return null;
    watchBodyRate(incoming, bodyRate, refuse);
    return incoming;
  }

  /** Notes what the log tells about a response, and forwards interim responses. */
  observe(sink: ResponseSink): ResponseSink {
    const { outgoing } = this.#parts;
    this.#isOfSite = true;
    let hasHead = false;
    return {
      interim: (head) => writeInterim(outgoing, head),
      head: (head) => {
        hasHead = true;
        this.cacheStatus = fieldValue(head.headers, 'cache-status');
        sink.head(head);
      },
      write: (chunk) => {
        this.bytes += chunk.byteLength;
        return sink.write(chunk);
      },
      end: (trailers) => sink.end(trailers),
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

/**
 * Writes a response as it is. `@hono/node-server` adds a `Content-Type`, encodes a head that it flushes as UTF-8, and prints the error of
 * content whose client has left. Resolves when the message is closed.
 */
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
    // A clean end would make an incomplete response look complete (RFC 9112 §8).
    pump().catch(() => outgoing.destroy());
  });
}

/** Hosts that a URL can have in every parser. */
export const READABLE_HOST: RegExp = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Name of the exchange in the environment of an app. @internal */
export const EXCHANGE: unique symbol = Symbol('waygate exchange');

/** Returns the exchange, if a server of this package or an agent called the app. */
export function findExchange(environment: unknown): ServerExchange | AgentExchange | null {
  if (typeof environment !== 'object' || environment === null) return null;
  const exchange: unknown = Reflect.get(environment, EXCHANGE);
  return exchange instanceof ServerExchange || exchange instanceof AgentExchange ? exchange : null;
}

/** Says that the response is written, as `RESPONSE_ALREADY_SENT` of `@hono/node-server` does. */
function createSentResponse(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // `@hono/node-server` might have replaced `Response`. It writes those whose body nobody has read, without a look at the field.
  void response.body;
  return response;
}
