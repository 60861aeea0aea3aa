import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ActiveRequestLookup } from './active-requests.ts';

/** Ends a server without a break in the requests that have arrived. */
export interface Drain {
  /**
   * Handles the requests whose bytes have arrived, the first bytes included, and then accepts no more. Closes idle
   * connections, busy ones after their response, and the rest after `grace` milliseconds.
   */
  run(grace: number): Promise<void>;
}

/** Default length of the queue of connections that are not accepted yet: `backlog` of `server.listen()`. */
const ACCEPT_QUEUE_LENGTH = 511;

/** Prepares the drain of a server. Called before it listens. */
export function createDrain(server: Server, findActiveRequest: ActiveRequestLookup): Drain {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  let isDraining = false;
  server.on('connection', (socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_, outgoing) => {
    // The client must not send another request on this connection: it would be closed under it.
    if (isDraining) outgoing.shouldKeepAlive = false;
  });

  /**
   * Reads what the kernel has received. Node accepts one connection in each turn of the event loop, the oldest first, so
   * further ones have arrived later.
   */
  async function handleArrivedBytes(): Promise<void> {
    const lastCount = connectionCount + ACCEPT_QUEUE_LENGTH;
    let counted: number;
    do {
      counted = connectionCount;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (connectionCount > counted && connectionCount < lastCount);
  }

  return {
    async run(grace) {
      await handleArrivedBytes();
      isDraining = true;
      for (const socket of sockets) {
        // The latest of several pipelined requests: the responses before it leave the connection open.
        const active = findActiveRequest(socket);
        if (active !== undefined) active.outgoing.shouldKeepAlive = false;
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Browsers open connections in advance. Node counts a connection without a byte as busy.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      // A keep-alive connection whose response ends after close() becomes idle later.
      const sweep = setInterval(() => server.closeIdleConnections(), 25);
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearInterval(sweep);
      clearTimeout(timer);
    },
  };
}
