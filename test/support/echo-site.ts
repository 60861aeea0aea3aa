import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll } from 'vitest';
import { closeAfterTest } from './close-after-test.ts';
import { startServer } from './server.ts';

type Intercept = (request: ReceivedRequest, response: ServerResponse, incoming: IncomingMessage) => boolean;

/** A request as the site received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface EchoSite {
  readonly origin: string;
  /** All requests but those of discovery. */
  readonly received: ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * Starts a small site with an index of a few routes. It responds to every other request with a copy of that request.
 *
 * @param intercept called first; returns true if it has responded
 */
export async function startEchoSite(intercept: Intercept = () => false): Promise<EchoSite> {
  const received: ReceivedRequest[] = [];
  const { close, origin } = await startServer(async (incoming, response) => {
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
    const ownOrigin = `http://${incoming.headers.host}`;
    const isIndex = url.startsWith('/wp-json/?') || url === '/wp-json/';
    response.setHeader('Link', `<${ownOrigin}/wp-json/>; rel="https://api.w.org/"`);
    if (isIndex && respondWithIndex(request, response, ownOrigin)) return;
    // Discovery may run again at any time.
    if (!headers['user-agent']?.includes('(compatible; waygate)')) received.push(request);
    if (intercept(request, response, incoming)) return;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request));
  });
  return { origin, received, close };
}

export function useEchoSite(intercept?: Intercept): Omit<EchoSite, 'close'> {
  let site: EchoSite;
  beforeAll(async () => {
    site = await startEchoSite(intercept);
    closeAfterTest(site.close);
  });
  return {
    get origin() {
      return site.origin;
    },
    get received() {
      return site.received;
    },
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
