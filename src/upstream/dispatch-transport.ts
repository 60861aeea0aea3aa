import type { Readable } from 'node:stream';
import {
  DEFAULT_UPSTREAM_TIMEOUTS,
  type Exchange,
  type ResponseSink,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from '../http/exchange.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { DispatchExchange } from './dispatch-exchange.ts';
import { createUndiciPool } from './undici-pool.ts';

/** Settings of {@link createDispatchTransport}. */
export interface DispatchTransportOptions {
  /** Scheme, host and port of the site: `https://example.com`. */
  readonly origin: string;
  readonly timeouts?: UpstreamTimeouts;
  /** Maximum number of open connections to the site; further requests wait for one. @default 256 */
  readonly maxConnections?: number;
  /** Milliseconds for which an idle connection is kept if the site does not state a time. @default 4000 */
  readonly keepAliveTimeout?: number;
  /** TLS settings for the site's certificate, such as a private `ca`. */
  readonly tls?: {
    readonly ca?: string;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

/** Sends requests to one site through undici's connection pool. Node only. */
export interface DispatchTransport {
  /**
   * Sends a request and writes the response into the sink as it arrives. The sink may be called before this returns.
   *
   * @param request if its `body` is a stream, only the transport may read it; the transport does not destroy it
   */
  send(request: UpstreamRequest<Readable>, sink: ResponseSink): Exchange;
  /** Stops accepting requests, and waits for the requests in flight. */
  close(): Promise<void>;
  /** Closes all connections at once. Requests in flight fail with `shutting-down`. */
  destroy(): Promise<void>;
}

/** Creates a transport with a new connection pool. */
export function createDispatchTransport(options: DispatchTransportOptions): DispatchTransport {
  const timeouts = options.timeouts ?? DEFAULT_UPSTREAM_TIMEOUTS;
  const pool = createUndiciPool(options.origin, {
    connections: options.maxConnections ?? 256,
    pipelining: 1,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    connectTimeout: timeouts.connect,
    ...omitUndefined({ keepAliveTimeout: options.keepAliveTimeout, connect: options.tls }),
  });
  return {
    send(request, sink) {
      const exchange = new DispatchExchange(pool, request, sink, timeouts);
      exchange.start();
      return exchange;
    },
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  };
}
