// A minimal proxy with undici's cache interceptor: the alternative that is a library.
import http from 'node:http';
import { interceptors, Pool } from 'undici';
import { announce, option } from './shared.mjs';

const pool = new Pool(option('site'), { connections: 256 }).compose(
  // Responses of WordPress have no explicit freshness.
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
