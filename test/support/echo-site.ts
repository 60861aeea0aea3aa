import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll } from 'vitest';
import { closeAfterTest } from './close-after-test.ts';
import { createRoutesIndex } from './index-routes.ts';
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

const ROUTES = {
  '/core/v2/posts': 'GET POST',
  '/core/v2/posts/(?P<id>[\\d]+)': 'GET DELETE',
  '/notes/v1/notes/(?P<name>[^/]+)': 'GET',
};

function respondWithIndex(request: ReceivedRequest, response: ServerResponse, origin: string): boolean {
  // Discovery requests `context=help`; requests of clients are echoed.
  if (request.method !== 'GET' || !request.url.includes('context=help')) return false;
  response.setHeader('Content-Type', 'application/json');
  const args = { page: { type: 'integer', default: 1, minimum: 1 }, title: { type: 'string' } };
  const site = { name: 'Echo', description: 'Says what it was told', url: `${origin}/core` };
  const index = { ...createRoutesIndex(ROUTES, args), ...site, home: 'https://public.example.com' };
  response.end(JSON.stringify(index));
  return true;
}
