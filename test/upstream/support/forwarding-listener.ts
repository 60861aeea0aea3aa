import type { RequestListener } from 'node:http';
import type { DispatchTransport } from '../../../src/upstream/dispatch-transport.ts';

/** Connects a Node server to a dispatch transport, without any policy. */
export function createForwardingListener(transport: DispatchTransport): RequestListener {
  return (request, response) => {
    const length = request.headers['content-length'];
    const body = length === undefined && request.headers['transfer-encoding'] === undefined ? null : request;
    const exchange = transport.send(
      {
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        headers: length === undefined ? [] : ['Content-Length', length],
        body,
        retryable: request.method === 'GET',
      },
      {
        head: ({ status, headers }) => {
          const index = headers.findIndex((text) => text.toLowerCase() === 'content-length');
          response.writeHead(status, index < 0 ? [] : ['Content-Length', headers[index + 1] ?? '0']);
        },
        complete() {
          throw new TypeError('a transport sends parts');
        },
        write: (chunk) => response.write(chunk),
        end: () => response.end(),
        fail: () => {
          if (response.headersSent) response.destroy();
          else response.writeHead(502).end();
        },
      },
    );
    response.on('drain', () => exchange.resume());
    response.on('close', () => exchange.abort());
  };
}
