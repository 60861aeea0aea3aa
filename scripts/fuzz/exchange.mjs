// @ts-check
import http from 'node:http';

/**
 * @typedef {object} SiteResponse
 * @property {number} status
 * @property {readonly string[]} headers flat list name, value, name, value
 * @property {Buffer} body
 */

/** Creates a client that sends path, headers and body unchanged, over persistent connections. */
export function createClient() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  return {
    /**
     * @param {string} origin
     * @param {{ method: string, path: string, headers: readonly string[], body: Buffer | null }} request
     * @returns {Promise<SiteResponse>}
     */
    send(origin, { method, path, headers, body }) {
      const { hostname, port, host } = new URL(origin);
      const length =
        body === null && !['POST', 'PUT', 'PATCH'].includes(method)
          ? []
          : ['Content-Length', String(body?.length ?? 0)];
      return new Promise((resolve, reject) => {
        const request = http.request(
          {
            agent,
            hostname,
            port,
            method,
            path,
            headers: ['Host', host, ...headers, ...length],
            // A plugin that runs until PHP's memory is exhausted takes more than a minute on a loaded machine.
            timeout: 300_000,
          },
          (response) => {
            /** @type {Buffer[]} */
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.rawHeaders,
                body: Buffer.concat(chunks),
              }),
            );
          },
        );
        request.on('timeout', () =>
          request.destroy(new Error(`no response to ${method} ${path} within five minutes`)),
        );
        request.on('error', reject);
        request.end(body ?? undefined);
      });
    },
    close: () => agent.destroy(),
  };
}
