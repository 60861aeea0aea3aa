// undici's own cache in the least of a proxy: who would take a library instead.
import http from 'node:http';
import { interceptors, Pool } from 'undici';
import { announce, option } from './shared.mjs';

const pool = new Pool(option('site'), { connections: 256 }).compose(
  // As a WordPress site says nothing of freshness.
  interceptors.cache({ cacheByDefault: 30 }),
);
const skipped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

announce(
  http.createServer((request, response) => {
    /** @type {Record<string, string>} */
    const headers = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (!skipped.has(name)) headers[name] = String(value);
    }
    pool.dispatch(
      { method: request.method ?? 'GET', path: request.url ?? '/', headers },
      {
        onRequestStart() {},
        onResponseStart(controller, status, fields) {
          response.writeHead(status, fields);
          response.on('drain', () => controller.resume());
        },
        onResponseData: (_controller, chunk) => void response.write(chunk),
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    );
  }),
);
