// @ts-check
import { once } from 'node:events';
import http from 'node:http';

/**
 * @typedef {import('./exchange.mjs').Answer} Answer
 * @typedef {{ method: string, target: string, body: Buffer }} Arrived
 */

/** Names the request among those that the site has answered already. */
export const POSITION = 'x-fuzz-position';

/**
 * Stands between the gateway and the site, and answers what the site has been asked directly with what it said then: so
 * both are judged in one state of the site, which is asked once, and it shows what the gateway asked at all. Everything
 * else (the reading of the index) passes.
 *
 * @param {string} site the origin
 */
export async function startReplay(site) {
  const { hostname, port, host } = new URL(site);
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  /** @type {Map<string, Arrived>} */
  const arrived = new Map();

  const server = http.createServer(async (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const position = request.headers[POSITION];
    const answer = typeof position === 'string' ? answers.get(position) : undefined;
    if (typeof position === 'string' && answer !== undefined) {
      arrived.set(position, { method: request.method ?? '', target: request.url ?? '', body });
      response.writeHead(answer.status, withoutFraming(answer.headers));
      response.end(answer.body);
      return;
    }
    pass(request, response, body);
  });

  /** @param {http.IncomingMessage} incoming @param {http.ServerResponse} response @param {Buffer} body */
  function pass(incoming, response, body) {
    const own = `127.0.0.1:${port_()}`;
    const request = http.request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: { ...incoming.headers, host } },
      async (answer) => {
        /** @type {Buffer[]} */
        const chunks = [];
        for await (const chunk of answer) chunks.push(chunk);
        // Whoever reads the index is to stay here.
        const text = Buffer.concat(chunks)
          .toString()
          .replaceAll(host, own)
          .replaceAll(host.replaceAll('/', '\\/'), own);
        const headers = withoutFraming(answer.rawHeaders).map((value) => value.replaceAll(host, own));
        response.writeHead(answer.statusCode ?? 502, headers);
        response.end(text);
      },
    );
    request.on('error', () => response.destroy());
    request.end(body);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port_ = () => {
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  };

  return {
    origin: `http://127.0.0.1:${port_()}`,
    /** @param {number} position @param {Answer} answer */
    remember: (position, answer) => void answers.set(String(position), answer),
    /** What the gateway sent of a request; undefined where it did not ask. @param {number} position */
    arrived(position) {
      const found = arrived.get(String(position));
      arrived.delete(String(position));
      answers.delete(String(position));
      return found;
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
  return headers.filter((_, at) => !FRAMING.has((headers[at - (at % 2)] ?? '').toLowerCase()));
}
