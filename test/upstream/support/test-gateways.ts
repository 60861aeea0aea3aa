import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { DEFAULT_UPSTREAM_TIMEOUTS, type Dispatch } from '../../../src/http/exchange.ts';
import { nodeTransport } from '../../../src/node/index.ts';
import { DispatchTransport } from '../../../src/upstream/dispatch-transport.ts';
import { collectFetchOutcome } from '../../../src/upstream/fetch-outcome-sink.ts';
import { createFetchTransport } from '../../../src/upstream/fetch-transport.ts';
import { createForwardingListener } from './forwarding-listener.ts';
import { createWebStream } from './test-transports.ts';

export interface TestGateway {
  readonly listener: RequestListener;
  readonly close: () => Promise<unknown>;
}

/** All transports behind a Node server, without a gateway. */
export const TEST_GATEWAYS: Readonly<Record<string, (origin: string) => TestGateway>> = {
  dispatch: (origin) => {
    const transport = new DispatchTransport({ origin });
    return { listener: createForwardingListener(transport), close: () => transport.destroy() };
  },
  'dispatch as fetch': (origin) => ({
    listener: webListener(nodeTransport(origin, DEFAULT_UPSTREAM_TIMEOUTS, undefined)),
    close: async () => undefined,
  }),
  fetch: (origin) => ({
    listener: webListener(createFetchTransport(origin, fetch)),
    close: async () => undefined,
  }),
};

function webListener(transport: Dispatch<ReadableStream<Uint8Array>>): RequestListener {
  const listener = getRequestListener(async (request, { incoming }) => {
    const { pathname, search } = new URL(request.url);
    const length = request.headers.get('content-length');
    const sent = {
      method: request.method,
      target: pathname + search,
      headers: length === null ? [] : ['Content-Length', length],
      // Not `request.body`: on Node 20, Readable.toWeb reads a whole upload into memory.
      body: request.method === 'POST' ? createWebStream(incoming) : null,
      retryable: false,
    };
    const outcome = await collectFetchOutcome(
      (sink) => transport(sent, sink),
      request.method === 'HEAD',
      request.signal,
    );
    if (outcome.kind === 'failure') return new Response(null, { status: 502 });
    const index = outcome.head.headers.findIndex((text) => text.toLowerCase() === 'content-length');
    const headers = index < 0 ? {} : { 'Content-Length': outcome.head.headers[index + 1] ?? '0' };
    return new Response(outcome.body, { status: outcome.head.status, headers });
  });
  return (request, response) => void listener(request, response);
}
