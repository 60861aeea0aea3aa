import { readFileSync } from 'node:fs';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/ports.ts';

interface CutOff {
  begin(): void;
  refuse(socket: Duplex): void;
}

interface ActiveRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const ACCEPT_QUEUE_LENGTH = 511;

/** Requests of a connection that can wait for the response before. Node has no limit. */
const MAX_PIPELINED = 128;

/** Milliseconds in which clients can read the last bytes of requests cut off. */
const LAST_WRITE_TIME = 250;

/** File descriptors left for connections to sites and for files, at most three quarters of all. */
const RESERVED_DESCRIPTORS = 300;

const LOG_INTERVAL = 10_000;

/** The connections of a server, and the latest request of each: Node's connection events do not name it. */
export class Connections {
  readonly #server: HttpServer;
  readonly #sockets = new Set<Socket>();
  readonly #latestResponse = new WeakMap<Duplex, ServerResponse>();
  /** Pipelined requests whose response waits for the one before. */
  readonly #waiting = new WeakMap<Duplex, number>();
  #accepted = 0;
  readonly #cutOff: CutOff;
  readonly #maxDescriptors = readDescriptorLimit();
  #refused = 0;
  readonly #log: Log;
  #loggedAt = Number.NEGATIVE_INFINITY;
  readonly #closedBytes = { bytesRead: 0, bytesWritten: 0 };
  #isDraining = false;

  constructor(server: HttpServer, idleTimeout: number, log: Log, cutOff: CutOff) {
    this.#server = server;
    this.#log = log;
    this.#cutOff = cutOff;
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        addBytes(this.#closedBytes, socket);
      });
      // Node writes what is left before it closes the connection, but a client that left doesn't read.
      socket.once('end', () => {
        if (this.findActiveRequest(socket)?.outgoing.writableEnded === false) socket.destroy();
      });
    });
    if (Number.isFinite(this.#maxDescriptors)) {
      const reserved = Math.min(RESERVED_DESCRIPTORS, (this.#maxDescriptors * 3) / 4);
      server.maxConnections = Math.floor(this.#maxDescriptors - reserved);
    }
    server.on('drop', () => {
      this.#refused += 1;
      this.#logRefusal();
    });
    const begin = ({ socket }: IncomingMessage, outgoing: ServerResponse): void => {
      const before = this.#latestResponse.get(socket);
      this.#latestResponse.set(socket, outgoing);
      // Before Node 24, the first of several pipelined responses is closed with the connection; the next has it after this event.
      if (outgoing.socket === null) {
        const waiting = (this.#waiting.get(socket) ?? 0) + 1;
        this.#waiting.set(socket, waiting);
        if (waiting > MAX_PIPELINED) socket.destroy();
        before?.once('close', () => {
          this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
          setImmediate(() => {
            if (outgoing.socket === null && !outgoing.closed) outgoing.emit('close');
          });
        });
      }
      // Another request on this connection would be closed under its client.
      if (this.#isDraining) outgoing.shouldKeepAlive = false;
    };
    server.prependListener('request', begin).prependListener('checkExpectation', begin);
    this.#closeIdle(idleTimeout);
  }

  report(): readonly (readonly [series: string, value: number])[] {
    const bytes = { ...this.#closedBytes };
    for (const socket of this.#sockets) addBytes(bytes, socket);
    return [
      ['waygate_connections_open', this.#sockets.size],
      ['waygate_connections_accepted_total', this.#accepted],
      ['waygate_connections_refused_total{reason="descriptors"}', this.#refused],
      ['waygate_network_bytes_total{direction="received"}', bytes.bytesRead],
      ['waygate_network_bytes_total{direction="sent"}', bytes.bytesWritten],
    ];
  }

  #logRefusal(): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_INTERVAL) return;
    this.#loggedAt = now;
    const fields = { reason: 'descriptors', limit: this.#maxDescriptors, refused: this.#refused };
    this.#log.error(
      fields,
      'connections are refused: the process has no file descriptors left for them. Raise its limit (ulimit -n)',
    );
  }

  readonly findActiveRequest = (socket: Duplex): ActiveRequest | undefined => {
    const outgoing = this.#latestResponse.get(socket);
    return outgoing === undefined || outgoing.closed ? undefined : { incoming: outgoing.req, outgoing };
  };

  /** Closes connections that wait for the client. The transport's timeouts limit waiting for the site. */
  #closeIdle(idleTimeout: number): void {
    this.#server.setTimeout(idleTimeout);
    this.#server.on('timeout', (socket: unknown) => {
      if (!(socket instanceof Socket)) return;
      const active = this.findActiveRequest(socket);
      const isWaitingForSite =
        active?.incoming.complete === true && !active.outgoing.writableEnded && socket.writableLength === 0;
      if (!isWaitingForSite) socket.destroy();
    });
  }

  /** Serves what has arrived, then accepts no more. @returns whether the rest was cut off after `grace` */
  async drain(grace: number, idleGrace: number): Promise<boolean> {
    await this.#handleArrivedBytes();
    this.#isDraining = true;
    for (const socket of this.#sockets) {
      // The latest of several pipelined requests: earlier responses leave the connection open.
      const active = this.findActiveRequest(socket);
      if (active !== undefined) active.outgoing.shouldKeepAlive = false;
    }
    // `close()` of a server of HTTP would close idle connections at once.
    const closed = new Promise<void>((resolve) => {
      Reflect.apply(NetServer.prototype.close, this.#server, [() => resolve()]);
    });
    let cutOff: Promise<void> | undefined;
    const timer = setTimeout(() => {
      cutOff = this.cutOff();
    }, grace);
    if (idleGrace > 0) {
      await Promise.race([closed, sleep(idleGrace, undefined, { ref: false })]);
      // On a busy machine, bytes that arrived in time can still be unread.
      await this.#handleArrivedBytes();
    }
    // Browsers open connections in advance. Node counts a connection without a byte as busy.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    // A keep-alive connection whose response ends after close() becomes idle later.
    this.#server.closeIdleConnections();
    const sweep = setInterval(() => this.#server.closeIdleConnections(), 25);
    await closed;
    await cutOff;
    await nextTurn();
    clearInterval(sweep);
    clearTimeout(timer);
    this.#server.close(() => {});
    return cutOff !== undefined;
  }

  /** With 503 if nothing was sent, otherwise so that the response isn't taken for complete. */
  async cutOff(): Promise<void> {
    this.#cutOff.begin();
    for (const socket of this.#sockets) {
      const active = this.findActiveRequest(socket);
      if (active?.outgoing.headersSent === false) this.#cutOff.refuse(socket);
      else if (active !== undefined) socket.destroy();
    }
    const deadline = performance.now() + LAST_WRITE_TIME;
    while (this.#sockets.size > 0 && performance.now() < deadline) await sleep(10);
    for (const socket of this.#sockets) socket.destroy();
    await nextTurn();
  }

  /** Node accepts one connection in each turn, the oldest first, so further ones have arrived later. */
  async #handleArrivedBytes(): Promise<void> {
    const lastCount = this.#accepted + ACCEPT_QUEUE_LENGTH;
    let counted: number;
    do {
      counted = this.#accepted;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (this.#accepted > counted && this.#accepted < lastCount);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

function addBytes(sums: Pick<Socket, 'bytesRead' | 'bytesWritten'>, socket: Socket): void {
  Object.assign(sums, {
    bytesRead: sums.bytesRead + socket.bytesRead,
    bytesWritten: sums.bytesWritten + socket.bytesWritten,
  });
}

export function readDescriptorLimit(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
