import http from 'node:http';
import net, { type Socket } from 'node:net';
import { startServer, type TestServer } from '../../../support/server.ts';

export function startHttpSite(
  handler: http.RequestListener,
  options: http.ServerOptions = {},
): Promise<TestServer> {
  return startServer(http.createServer({ keepAliveTimeout: 60_000, ...options }, handler));
}

/** Starts a TCP server. `onRequest` gets the text of each request when its header section is complete. */
export function startRawSite(
  onRequest: (socket: Socket, text: string, number: number) => void,
): Promise<TestServer> {
  let number = 0;
  return startServer(
    net.createServer((socket) => {
      let text = '';
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (!text.includes('\r\n\r\n')) return;
        const complete = text;
        text = '';
        onRequest(socket, complete, ++number);
      });
    }),
  );
}
