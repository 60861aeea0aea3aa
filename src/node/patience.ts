import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchanges } from './exchanges.ts';

/**
 * Closes connections that are silent for too long where it is the caller's turn: to send, or to take what stands ready.
 * How long a site may be silent is its transport's to bound, and may rightly be longer.
 *
 * @param patience milliseconds
 */
export function boundPatience(server: Server, exchanges: Exchanges, patience: number): void {
  server.setTimeout(patience);
  server.on('timeout', (socket: Socket) => {
    const exchange = exchanges(socket);
    const isSitesTurn =
      exchange?.incoming.complete === true && !exchange.outgoing.writableEnded && socket.writableLength === 0;
    if (!isSitesTurn) socket.destroy();
  });
}
