import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ActiveRequestLookup } from './active-requests.ts';

/**
 * Closes connections that are silent for too long where it is the caller's turn: to send, or to take what stands ready.
 * How long a site may be silent is its transport's to bound, and may rightly be longer.
 *
 * @param idleTimeout milliseconds
 */
export function closeIdleConnections(
  server: Server,
  findActiveRequest: ActiveRequestLookup,
  idleTimeout: number,
): void {
  server.setTimeout(idleTimeout);
  server.on('timeout', (socket: Socket) => {
    const active = findActiveRequest(socket);
    const isWaitingForSite =
      active?.incoming.complete === true && !active.outgoing.writableEnded && socket.writableLength === 0;
    if (!isWaitingForSite) socket.destroy();
  });
}
