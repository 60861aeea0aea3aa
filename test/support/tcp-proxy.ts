import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './server.ts';

/** A TCP proxy in front of a server whose traffic a test can block. Data that arrives while it is blocked is lost. */
export interface TcpProxy {
  readonly port: number;
  block(): void;
  /** Delays what the server sends from now on by this many milliseconds. */
  delay(milliseconds: number): void;
  /** Forwards traffic again, over new connections. */
  restore(): void;
  /** Forwards traffic to another port, over new connections. */
  redirect(port: number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(firstTarget: number): Promise<TcpProxy> {
  let targetPort = firstTarget;
  const sockets = new Set<Socket>();
  let isBlocked = false;
  let delay = 0;
  const listener = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      // In order, also when the delay shrinks meanwhile.
      let written: Promise<unknown> = Promise.resolve();
      from.on('data', (chunk) => {
        if (isBlocked) return;
        const wait = sleep(from === client ? 0 : delay);
        written = written.then(() => wait).then(() => to.write(chunk));
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const { close, port } = await startServer(listener);
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    block() {
      isBlocked = true;
    },
    delay(milliseconds) {
      delay = milliseconds;
    },
    restore() {
      isBlocked = false;
      // The data that was lost would be missing from the middle of these connections.
      disconnect();
    },
    redirect(next) {
      targetPort = next;
      disconnect();
    },
    close,
  };
}
