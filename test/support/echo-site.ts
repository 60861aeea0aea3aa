import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the site received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface EchoSite {
  readonly origin: string;
  readonly received: ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * Starts a small site with an index of a few routes. It responds to every other request with a copy of that request.
 *
 * @param intercept called first; returns true if it has responded
 */
export async function startEchoSite(
  intercept: (
    request: ReceivedRequest,
    response: ServerResponse,
    incoming: IncomingMessage,
  ) => boolean = () => false,
): Promise<EchoSite> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '' } = incoming;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    const { origin } = new URL(`http://${incoming.headers.host}`);
    const isIndex = url.startsWith('/wp-json/?') || url === '/wp-json/';
    response.setHeader('Link', `<${origin}/wp-json/>; rel="https://api.w.org/"`);
    if (isIndex && respondWithIndex(request, response, origin)) return;
    received.push(request);
    if (intercept(request, response, incoming)) return;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respondWithIndex(request: ReceivedRequest, response: ServerResponse, origin: string): boolean {
  // Discovery requests `context=help`; requests of clients are echoed.
  if (request.method !== 'GET' || !request.url.includes('context=help')) return false;
  const endpoint = (methods: readonly string[], args: object = {}): object => ({ methods, args });
  const page = { type: 'integer', default: 1, minimum: 1 };
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      name: 'Echo',
      description: 'Says what it was told',
      url: `${origin}/core`,
      home: 'https://public.example.com',
      namespaces: ['core/v2', 'notes/v1'],
      authentication: [],
      routes: {
        '/': { namespace: '', methods: ['GET'], endpoints: [endpoint(['GET'])] },
        '/core/v2/posts': {
          namespace: 'core/v2',
          methods: ['GET', 'POST'],
          endpoints: [endpoint(['GET'], { page }), endpoint(['POST'], { title: { type: 'string' } })],
        },
        '/core/v2/posts/(?P<id>[\\d]+)': {
          namespace: 'core/v2',
          methods: ['GET', 'DELETE'],
          endpoints: [endpoint(['GET'], { id: { type: 'integer' } }), endpoint(['DELETE'])],
        },
        '/notes/v1/notes/(?P<name>[^/]+)': {
          namespace: 'notes/v1',
          methods: ['GET'],
          endpoints: [endpoint(['GET'])],
        },
      },
    }),
  );
  return true;
}

/** Returns an origin without a listener: a port that was free a moment ago. */
export async function unreachableOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
