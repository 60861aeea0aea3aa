import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { startServer } from '../support/server.ts';

/** What a client does with the site when it is interrupted. */
export type Activity =
  | 'upload'
  | 'wait'
  | 'download'
  | 'unread download'
  | 'event stream'
  | 'event stream of a write'
  | 'WebSocket';
export const ACTIVITIES: readonly Activity[] = [
  'upload',
  'wait',
  'download',
  'unread download',
  'event stream',
  'WebSocket',
];

const PATHS: Readonly<Record<Activity, string>> = {
  upload: '/upload',
  wait: '/wait',
  download: '/download',
  'unread download': '/download',
  'event stream': '/events',
  'event stream of a write': '/events?write',
  WebSocket: '/chat',
};

/** A site whose responses have no end. */
export interface EndlessSite {
  readonly origin: string;
  /** Requests that it works on, by path. */
  countOpen(activity: Activity): number;
  /** Bytes of downloads so far. */
  countWritten(): number;
  /** Requests to confirm a stored response, which are never answered. */
  countRefreshes(): number;
  /** Ends all responses as they should end. */
  finish(): void;
  close(): Promise<void>;
}

const CHUNK = Buffer.alloc(300_000);

export async function startEndlessSite(): Promise<EndlessSite> {
  const open = new Map<Socket | ServerResponse, string>();
  let written = 0;
  let refreshes = 0;
  const download = (response: ServerResponse): void => {
    const send = (): void => {
      written += CHUNK.length;
      response.write(CHUNK);
      response.once('drain', () => setTimeout(send, 10));
    };
    send();
  };
  const server = createServer((request, response) => {
    const { url = '' } = request;
    open.set(response, url);
    if (request.headers['if-none-match'] !== undefined) refreshes += 1;
    response.on('close', () => open.delete(response));
    if (url === PATHS.upload) request.resume();
    else if (url === '/quick') response.end('quick');
    else if (url === '/stored') {
      if (request.headers['if-none-match'] === undefined)
        response
          .writeHead(200, { 'cache-control': 'max-age=0, stale-while-revalidate=600', etag: '"1"' })
          .end('stored');
    } else if (url === PATHS.download) download(response);
    else if (url.startsWith(PATHS['event stream']))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
  });
  server.on('upgrade', ({ url = '' }: IncomingMessage, socket: Socket) => {
    open.set(socket, url);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello',
    );
    socket.pipe(socket);
  });
  const { close, origin } = await startServer(server);
  return {
    origin,
    close,
    countOpen: (activity) => [...open.values()].filter((path) => path === PATHS[activity]).length,
    countWritten: () => written,
    countRefreshes: () => refreshes,
    finish() {
      for (const each of open.keys()) each.end();
    },
  };
}

/** A client that has begun an activity. */
export interface ActiveClient {
  received(): string;
  isClosed(): boolean;
  /** The client goes away. */
  readonly leave: Readonly<Record<Way, () => void>>;
}

/** How a client goes away: TCP resets, an orderly end, a killed process, and no more reading. */
export type Way = 'RST' | 'FIN' | 'kill' | 'silence';

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

function formatRequest(activity: Activity): string {
  const path = PATHS[activity];
  const rest =
    activity === 'upload'
      ? 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'
      : `${activity === 'WebSocket' ? UPGRADE : ''}\r\n`;
  return `${methodOf(activity)} ${path} HTTP/1.1\r\nHost: a\r\n${rest}`;
}

const methodOf = (activity: Activity): string =>
  activity === 'upload' || activity === 'event stream of a write' ? 'POST' : 'GET';

export function beginActivity(url: string, activity: Activity): ActiveClient {
  const { port, protocol } = new URL(url);
  const tcp = connect(Number(port), '127.0.0.1');
  const socket = protocol === 'https:' ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
  let received = '';
  let isClosed = false;
  tcp.on('error', () => {});
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (activity === 'unread download') socket.pause();
    })
    .on('close', () => {
      isClosed = true;
    });
  socket.write(formatRequest(activity));
  return {
    received: () => received,
    isClosed: () => isClosed,
    leave: {
      RST: () => void tcp.resetAndDestroy(),
      FIN: () => void socket.end(),
      // The system closes the sockets of a process, whatever they have received.
      kill: () => {
        tcp.pause();
        setTimeout(() => tcp.destroy(), 50);
      },
      silence: () => void socket.pause(),
    },
  };
}
