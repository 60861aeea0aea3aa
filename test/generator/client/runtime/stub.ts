import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createRawClient } from '../../../../src/generator/client/runtime/client.ts';
import type {
  ClientEnvironment,
  ClientOptions,
  RawClient,
} from '../../../../src/generator/client/runtime/options-and-results.ts';
import { type EchoSite, type ReceivedRequest, startEchoSite } from '../../../support/echo-site.ts';

/** What the stub responds: a status, header fields, and a body (JSON if it is no string). */
export interface StubReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Creates the reply to a request; `undefined` echoes the request, `'hang'` never responds, `'break'` closes the connection. */
export type Respond = (request: ReceivedRequest) => StubReply | 'hang' | 'break' | undefined;

export interface StubApi {
  /** All requests of the running test. */
  readonly requests: readonly ReceivedRequest[];
  readonly origin: string;
  /** Method and target of each request, decoded: `GET /wp-json/wp/v2/posts?page=2`. */
  readonly targets: readonly string[];
  /** Decides the replies of the running test. */
  respond(respond: Respond): void;
  /** A client of the stub with `baseUrl` set. */
  client(options?: Partial<ClientOptions>, environment?: Partial<ClientEnvironment>): RawClient;
}

/** Starts a server for the tests of a file. It echoes requests until a test calls `respond`. */
export function useStubApi(): StubApi {
  let site: EchoSite | undefined;
  let respond: Respond = () => undefined;
  const running = (): EchoSite => {
    if (site === undefined) throw new Error('the stub is available within tests only');
    return site;
  };
  beforeAll(async () => {
    site = await startEchoSite((request, response, incoming) => {
      const reply = respond(request);
      if (reply === undefined) return false;
      if (reply === 'break') incoming.socket.destroy();
      else if (reply !== 'hang') send(response, reply);
      return true;
    });
  });
  beforeEach(() => {
    respond = () => undefined;
    running().received.length = 0;
  });
  afterAll(() => running().close());
  return {
    get requests() {
      return running().received;
    },
    get origin() {
      return running().origin;
    },
    get targets() {
      return running().received.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`);
    },
    respond(next) {
      respond = next;
    },
    client: (options, environment) =>
      createRawClient({ baseUrl: `${running().origin}/wp-json`, ...options }, environment),
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: StubReply): void {
  response.removeHeader('Link');
  const isText = typeof body === 'string';
  response.writeHead(status, { ...(isText ? {} : { 'Content-Type': 'application/json' }), ...headers });
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
}

/** A transport whose response breaks after its head. */
export async function cutAfterHead(request: Request): Promise<Response> {
  const { headers } = await fetch(request);
  const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  return new Response(body, { headers });
}

/** The echo of a request, as the result of a call has it. */
export function echoOf(data: unknown): ReceivedRequest {
  return data as ReceivedRequest;
}
