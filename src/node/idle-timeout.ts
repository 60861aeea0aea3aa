import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ActiveRequestLookup } from './active-requests.ts';

/**
 * Closes connections that are idle because of the client: it sends no request, or does not read the response.
 * A connection that waits for the site stays open; the transport's timeouts limit that time and may be longer.
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
