import http from 'node:http';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';

export interface TestSite {
  readonly origin: string;
  readonly port: number;
  /** Connections that were ever made. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** A real HTTP server on a free port of the loopback. */
export function httpSite(handler: http.RequestListener, options: http.ServerOptions = {}): Promise<TestSite> {
  return listening(http.createServer({ keepAliveTimeout: 60_000, ...options }, handler));
}

/** A server that says on the wire exactly what it is told to; `heard` gets each request's text once its head is whole. */
export function rawSite(heard: (socket: Socket, text: string, number: number) => void): Promise<TestSite> {
  let number = 0;
  return listening(
    net.createServer((socket) => {
      let text = '';
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (!text.includes('\r\n\r\n')) return;
        const whole = text;
        text = '';
        heard(socket, whole, ++number);
      });
    }),
  );
}

function listening(server: Server): Promise<TestSite> {
  const open = new Set<Socket>();
  let made = 0;
  server.on('connection', (socket: Socket) => {
    made++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        origin: `http://127.0.0.1:${port}`,
        port,
        connections: () => made,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of open) socket.destroy();
          }),
      });
    });
  });
}
