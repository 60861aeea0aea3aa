import type { BodyMemory } from '../exchange/request-body-validator.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { OuterApp, OwnResponse } from './own-response.ts';
import type { RequestContext } from './resolve-site.ts';

/** A request that a gateway has resolved: for one of its sites, or to be answered by itself. */
export type PreparedRequest = GatewayRequest | OwnResponse;

/** The parts of a gateway that a server needs for its requests. */
export interface RequestHandling {
  /** For the functions of `handle.ts`. */
  readonly context: RequestContext;
  readonly bodyMemory: BodyMemory;
}

/** A request of an app as it was received. */
abstract class AppRequest {
  /** As received. */
  readonly head: IncomingRequestHead;
  readonly requestFields: readonly string[];
  /** The app's request. A middleware can replace it. */
  request: Request | null = null;
  /** Prepared by the server before the app, or by a gateway in it. */
  prepared: PreparedRequest | null = null;
  gateway: RequestHandling | null = null;

  constructor(head: IncomingRequestHead, requestFields: readonly string[]) {
    this.head = head;
    this.requestFields = requestFields;
  }

  begin(gateway: RequestHandling, prepared: PreparedRequest | null): void {
    this.gateway = gateway;
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

/** A message of a server of this package, whose request is handed to an app. The server records the response. @internal */
export abstract class ServerExchange extends AppRequest implements OuterApp {
  abstract callApp(request: Request, environment: object): Response | Promise<Response>;
  /** Writes the response of the site to the message. Resolves when that is closed. */
  abstract write(request: GatewayRequest): Promise<void>;
  /** Returns the response of the site. @param received the request with its content, which a middleware might have replaced */
  abstract fetch(request: GatewayRequest, received: Request): Promise<Response>;
  /** Ends the exchange if the content arrives too slowly for a response of the gateway's own. */
  abstract watchContent(): void;
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
export function createSentResponse(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // `@hono/node-server` might have replaced `Response`. It writes those whose body nobody has read, without a look at the field.
  void response.body;
  return response;
}
