import http from 'node:http';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';

export interface TestSite {
  readonly origin: string;
  readonly port: number;
  /** Number of connections since the start. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Starts an HTTP server on a free loopback port. */
export function startHttpSite(
  handler: http.RequestListener,
  options: http.ServerOptions = {},
): Promise<TestSite> {
  return listen(http.createServer({ keepAliveTimeout: 60_000, ...options }, handler));
}

/** Starts a TCP server. `onRequest` gets the text of each request when its header section is complete. */
export function startRawSite(
  onRequest: (socket: Socket, text: string, number: number) => void,
): Promise<TestSite> {
  let number = 0;
  return listen(
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

function listen(server: Server): Promise<TestSite> {
  const open = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        origin: `http://127.0.0.1:${port}`,
        port,
        connections: () => count,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of open) socket.destroy();
          }),
      });
    });
  });
}
