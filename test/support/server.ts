import { randomInt } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/** A server of a test, on a free port of the loopback interface. */
export interface TestServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly origin: string;
  /** Number of connections since the start. */
  readonly connections: () => number;
  /** Stops listening, and ends all connections. */
  readonly close: () => Promise<void>;
}

/**
 * Starts an HTTP server with a listener, or a server of any kind: HTTP with options, TLS, TCP.
 *
 * @param at loopback address and port. @default a free port of 127.0.0.1
 */
export async function startServer(
  of: RequestListener | Server,
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<TestServer> {
  const server = typeof of === 'function' ? createServer(of) : of;
  const open = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const { host = '127.0.0.1', port: requestedPort = 0 } = at;
  await new Promise<void>((resolve) => server.listen(requestedPort, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://${host}:${port}`,
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/**
 * Returns a port without a listener. It is below the range from which the system takes the ports of connections and of listeners
 * that name none (RFC 6335 §6: from 49152; Linux: from 32768): one of them could be opened before the port is used.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/**
 * Returns an origin without a listener. Its port is one that no system gives to a listener that names none, whatever its range,
 * and that `fetch` does not refuse (Fetch §2.9).
 */
export async function unreachableOrigin(): Promise<string> {
  for (;;) {
    const port = randomInt(700, 980);
    const isRefused = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket
        .once('error', () => resolve(true))
        .once('connect', () => {
          socket.destroy();
          resolve(false);
        });
    });
    if (isRefused) return `http://127.0.0.1:${port}`;
  }
}
