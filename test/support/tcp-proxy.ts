import { connect, createServer, type Socket } from 'node:net';
import { startServer } from './server.ts';

/** A TCP proxy in front of a server whose traffic a test can block. Data that arrives while it is blocked is lost. */
export interface TcpProxy {
  readonly port: number;
  block(): void;
  /** Forwards traffic again, over new connections. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy for a port of the loopback interface. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const listener = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => !isBlocked && to.write(chunk));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const { close, port } = await startServer(listener);
  return {
    port,
    block() {
      isBlocked = true;
    },
    restore() {
      isBlocked = false;
      // The data that was lost would be missing from the middle of these connections.
      for (const socket of sockets) socket.destroy();
    },
    close,
  };
}
