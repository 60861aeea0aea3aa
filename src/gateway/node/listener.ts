import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { firstFieldValue } from '../../base/http/fields.ts';
import { type Log, silentLog } from '../../base/ports.ts';
import { PROBLEMS, type Problem } from '../exchange/problem.ts';
import type { AccessLogEntry } from './access-log.ts';
import { formatRefusal, NodeSender, type ServerState, toLastReply } from './send.ts';
import { findServed, type Served, type ServedApp } from './served.ts';

export interface ListenerOptions {
  /** Receives errors, and requests if `access` is not set. @default nothing is logged */
  readonly log?: Log;
  /** Called when a request is complete, with its header section, a flat list name, value. @default writes a line to `log` */
  readonly access?: (entry: AccessLogEntry) => void;
}

/** Answers the messages of a server. @internal */
export class Listener implements ServerState {
  readonly log: Log;
  readonly access: NonNullable<ListenerOptions['access']>;
  /** Replaced by a reload. Requests in flight go on with the gateway that has got them. */
  served: Served;
  activeCount = 0;
  /** By connection: a map of all messages in flight is replaced as it grows, and V8 keeps what its former tables name for long. */
  readonly #latest = new WeakMap<Duplex, NodeSender>();
  isCuttingOff = false;
  cutOffCount = 0;

  constructor(app: ServedApp, options: ListenerOptions = {}) {
    const { log = silentLog } = options;
    this.log = log;
    // Loggers add their own time.
    this.access = options.access ?? (({ time: _, ...entry }) => log.info(entry, 'request'));
    this.served = findServed(app);
  }

  readonly handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { httpVersion, rawHeaders, socket } = incoming;
    if (rawHeaders.length > 2 * MAX_HEADER_LINES)
      this.#refuse(incoming, outgoing, PROBLEMS.headersTooLarge, 'too many header lines');
    // Node parses the rest of what has arrived.
    else if (socket.destroyed) return;
    else if (!KNOWN_VERSIONS.has(httpVersion))
      this.#refuse(incoming, outgoing, PROBLEMS.badRequest, 'unknown version');
    else if (httpVersion === '1.1' && firstFieldValue(rawHeaders, 'host') === undefined)
      this.#refuse(incoming, outgoing, PROBLEMS.badRequest, 'no host');
    else {
      const sender = new NodeSender(this, incoming, outgoing);
      this.#latest.set(socket, sender);
      sender.respond();
    }
  };

  /** Refuses a message that no part of the gateway can read. */
  #refuse({ socket }: IncomingMessage, outgoing: ServerResponse, problem: Problem, cause: string): void {
    this.#latest.delete(socket);
    const requestId = this.nextRequestId();
    const client = socket.remoteAddress ?? '';
    this.log.info({ client, status: problem.status, cause, requestId }, 'invalid request');
    const { body, headers, status } = toLastReply(problem, requestId);
    outgoing.writeHead(status, [...headers]).end(body);
  }

  nextRequestId(): string {
    return this.served.gateway.context.nextRequestId();
  }

  /** Writes a response to input that Node has not handed over as a message, or to its latest message, and closes the connection. */
  refuseInput(socket: Duplex, problem: Problem, isActive: boolean, cause = ''): void {
    const sender = isActive ? this.#latest.get(socket) : undefined;
    const requestId = sender?.answer?.requestId ?? this.nextRequestId();
    const client = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
    if (!isActive) this.log.info({ client, status: problem.status, cause, requestId }, 'invalid request');
    socket.end(formatRefusal(problem, requestId), () => socket.destroy());
  }
}

/** Node's parser takes 0.9 and 2.0 too. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Maximum header lines of a request. A site or a library behind the gateway can drop more without a word. */
const MAX_HEADER_LINES = 2000;
