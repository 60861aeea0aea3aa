// @ts-check
import { once } from 'node:events';
import http from 'node:http';

/**
 * @typedef {import('./exchange.mjs').SiteResponse} SiteResponse
 * @typedef {{ method: string, target: string, body: Buffer }} ForwardedRequest
 */

/** Request header with the position of the recorded response. */
export const POSITION_HEADER = 'x-fuzz-position';

/**
 * Starts a server between the gateway and the site. It replays the site's direct response to each fuzz request, so that
 * the site executes the request once and both verdicts refer to the same state, and it records the request that the
 * gateway forwards. Every other request (such as discovery) is proxied.
 *
 * @param {string} site origin of the site
 */
export async function startReplay(site) {
  const { hostname, port, host } = new URL(site);
  /** @type {Map<string, SiteResponse>} */
  const recorded = new Map();
  /** @type {Map<string, ForwardedRequest>} */
  const forwarded = new Map();

  const server = http.createServer(async (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const position = request.headers[POSITION_HEADER];
    const replayed = typeof position === 'string' ? recorded.get(position) : undefined;
    if (typeof position === 'string' && replayed !== undefined) {
      forwarded.set(position, { method: request.method ?? '', target: request.url ?? '', body });
      response.writeHead(replayed.status, withoutFraming(replayed.headers));
      response.end(replayed.body);
      return;
    }
    proxy(request, response, body);
  });

  /** @param {http.IncomingMessage} incoming @param {http.ServerResponse} response @param {Buffer} body */
  function proxy(incoming, response, body) {
    const replayHost = `127.0.0.1:${listeningPort()}`;
    const request = http.request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: { ...incoming.headers, host } },
      async (upstream) => {
        /** @type {Buffer[]} */
        const chunks = [];
        for await (const chunk of upstream) chunks.push(chunk);
        // URLs in the index must point to this server, so that the gateway keeps using it.
        const text = Buffer.concat(chunks)
          .toString()
          .replaceAll(host, replayHost)
          .replaceAll(host.replaceAll('/', '\\/'), replayHost);
        const headers = withoutFraming(upstream.rawHeaders).map((value) =>
          value.replaceAll(host, replayHost),
        );
        response.writeHead(upstream.statusCode ?? 502, headers);
        response.end(text);
      },
    );
    request.on('error', () => response.destroy());
    request.end(body);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listeningPort = () => {
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  };

  return {
    origin: `http://127.0.0.1:${listeningPort()}`,
    /** @param {number} position @param {SiteResponse} response */
    record: (position, response) => void recorded.set(String(position), response),
    /**
     * Returns the request that the gateway forwarded and drops its recording; undefined if it forwarded none.
     *
     * @param {number} position
     */
    takeForwarded(position) {
      const request = forwarded.get(String(position));
      forwarded.delete(String(position));
      recorded.delete(String(position));
      return request;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const FRAMING = new Set(['transfer-encoding', 'connection', 'keep-alive', 'content-length']);

/** @param {readonly string[]} headers */
function withoutFraming(headers) {
  return headers.filter((_, index) => !FRAMING.has((headers[index - (index % 2)] ?? '').toLowerCase()));
}
