import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { PROBLEMS } from '../exchange/problem.ts';
import { fieldValue } from '../http/fields.ts';
import type { Connections } from './connections.ts';
import { formatProblem } from './problems.ts';

/**
 * Creates the listener for requests with `Upgrade`. A server can ignore it (RFC 9110 §7.8), and clients that
 * offer `h2c` with each request rely on that. Node has given up its parser here, with the content unread, so
 * these requests are put back without `Upgrade`, and the connection goes on. WebSocket handshakes are refused,
 * because their client needs nothing else.
 *
 * @param server of the connections
 * @param findActiveRequest finds the request before, if it was pipelined and its response is not complete
 */
export function createUpgradeListener(
  server: EventEmitter,
  findActiveRequest: Connections['findActiveRequest'],
): (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const putBack = new WeakSet<Socket>();
  const listen = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // From Node 26 on, a request with content has a stream of its own here.
    if (!(socket instanceof Socket)) {
      socket.on('error', () => {}).end(formatProblem(PROBLEMS.badRequest), () => socket.destroy());
      return;
    }
    socket.on('error', () => socket.destroy());
    const before = findActiveRequest(socket);
    if (before !== undefined) {
      before.outgoing.once('close', () => {
        if (socket.writable) listen(incoming, socket, head);
      });
      return;
    }
    if (isHandshake(incoming)) {
      server.emit('clientError', { code: 'UPGRADE' }, socket);
      return;
    }
    // Clients offer it once. Node leaves some of its listeners on the socket, so one that does so again is the last on it.
    socket.unshift(Buffer.concat([formatWithoutUpgrade(incoming, putBack.has(socket)), head]));
    putBack.add(socket);
    server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
  };
  return listen;
}

/**
 * Options of a server whose Node asks, from 22.21 and 24.9 on, which requests to give up its parser for. Older versions ignore the
 * option.
 */
export const UPGRADE_OPTIONS: { readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
  shouldUpgradeCallback: isHandshake,
};

function isHandshake({ method, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET') return false;
  const protocols = (fieldValue(rawHeaders, 'upgrade') ?? '').toLowerCase().split(',');
  return protocols.some((name) => name.trim() === 'websocket');
}

/** Formats a head as Node has parsed it, so it is read in the same way again. */
function formatWithoutUpgrade(message: IncomingMessage, isLast: boolean): Buffer {
  const { httpVersion, method, rawHeaders, url } = message;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${text}${isLast ? 'Connection: close\r\n' : ''}\r\n`, 'latin1');
}
