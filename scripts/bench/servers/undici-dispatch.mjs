// A minimal proxy on node:http and undici, as a baseline: hardly any header filter or error handling.
import http from 'node:http';
import { Pool } from 'undici';
import { listen, option } from './shared.mjs';

const pool = new Pool(option('site'), { connections: 256 });
const skipped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

listen(
  http.createServer((request, response) => {
    const headers = [];
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      const name = request.rawHeaders[at] ?? '';
      if (!skipped.has(name.toLowerCase())) headers.push(name, request.rawHeaders[at + 1] ?? '');
    }
    pool.dispatch(
      {
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        headers,
        body: request.method === 'GET' ? null : request,
      },
      {
        onConnect() {},
        onHeaders(status, raw, resume) {
          const list = [];
          for (let at = 0; at < raw.length; at += 2) {
            const name = raw[at]?.toString('latin1') ?? '';
            if (!skipped.has(name.toLowerCase())) list.push(name, raw[at + 1]?.toString('latin1') ?? '');
          }
          response.writeHead(status, list);
          // The rest of a response whose client has left is read, too: the connection is free again then.
          response.on('drain', resume).on('close', resume);
          return true;
        },
        onData: (chunk) => response.write(chunk) || response.destroyed,
        onComplete: () => response.end(),
        onError: () => response.destroy(),
      },
    );
  }),
);
