import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ConfigurationError } from '../errors.ts';
import type { Gateway } from '../gateway/index.ts';
import { trackActiveRequests } from './active-requests.ts';
import { handleClientErrors } from './client-errors.ts';
import { closeIdleConnections } from './idle-timeout.ts';
import { createListener, type ListenerOptions } from './listener.ts';

export interface ServeOptions extends ListenerOptions {
  /** @default 8080; 0 picks a free one */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** A listener for the operations below `/-/` alone. @default none: they are reached like everything else */
  readonly admin?: { readonly port: number; readonly host?: string };
  /** Milliseconds that requests in flight may take to finish once the server stops. @default 10_000 */
  readonly shutdownGrace?: number;
  /** Milliseconds that a caller may be silent while it is their turn; half of it is for a head. @default 120_000 */
  readonly idleTimeout?: number;
}

export interface RunningServer {
  /** Where the server listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Where the operations below `/-/` are, if they have a listener of their own. */
  readonly adminUrl?: string;
  /** Takes no new requests, waits for those in flight, stops discovery, closes all connections to sites. */
  stop(): Promise<void>;
}

/**
 * Runs a gateway on a Node server: everything the Hono app answers itself comes from the app, everything that goes to
 * a site takes undici's `dispatch` and the raw response instead of `fetch`, which costs a fraction of it.
 *
 * @throws ConfigurationError where the address cannot be listened on
 */
export async function serve(gateway: Gateway, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = 8080, host = '127.0.0.1', shutdownGrace = 10_000, idleTimeout = 120_000 } = options;
  const listener = createListener(gateway, options);
  // An upload may rightly take hours: what is bounded is the head, and how long a caller may stay silent.
  const server = createServer(
    {
      requestTimeout: 0,
      // Not by default, where there is no time for the whole request.
      headersTimeout: idleTimeout / 2,
      connectionsCheckingInterval: idleTimeout / 4,
      keepAliveTimeout: 65_000,
    },
    listener.handle,
  );
  // What is expected beyond 100-continue may be ignored (RFC 9110 §10.1.1), and is not passed on.
  server.on('checkExpectation', listener.handle);
  const findActiveRequest = trackActiveRequests(server);
  closeIdleConnections(server, findActiveRequest, idleTimeout);
  handleClientErrors(server, findActiveRequest, options.log);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, port, host);
  const admin =
    options.admin && (await listenForAdmin(gateway, options.admin).catch(closeAndRethrow(server)));
  gateway.start();
  let stopping: Promise<void> | undefined;
  return {
    url: toUrl(server),
    ...(admin === undefined ? {} : { adminUrl: toUrl(admin) }),
    stop() {
      stopping ??= drain(server, sockets, shutdownGrace).then(async () => {
        // Until here it says what becomes of the requests in flight.
        admin?.close();
        admin?.closeAllConnections();
        await Promise.all([gateway.stop(), listener.close()]);
      });
      return stopping;
    },
  };
}

async function listenForAdmin(
  gateway: Gateway,
  { port, host = '127.0.0.1' }: NonNullable<ServeOptions['admin']>,
): Promise<Server> {
  const server = createServer(getRequestListener(gateway.admin, { overrideGlobalObjects: false }));
  await listen(server, port, host);
  return server;
}

/** One of two listeners alone is none. */
function closeAndRethrow(server: Server): (error: unknown) => never {
  return (error) => {
    server.close();
    throw error;
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const reason = LISTEN_ERRORS[cause.code ?? ''] ?? cause.message;
      reject(new ConfigurationError(`cannot listen on ${host}:${port}: ${reason}`, { cause }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it; choose another --port',
  EACCES: 'this user may not use it; choose a --port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; choose another --host',
  ENOTFOUND: 'the name is unknown; choose another --host',
};

function toUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Closes idle connections at once, busy ones when they are done, and what is left after the grace. */
async function drain(server: Server, sockets: ReadonlySet<Socket>, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Browsers connect before they have anything to ask. To Node, a connection without a byte is one with a request.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  // A connection whose answer ends after close() is kept alive by its caller; it is idle then, and goes.
  const sweep = setInterval(() => server.closeIdleConnections(), 25);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
