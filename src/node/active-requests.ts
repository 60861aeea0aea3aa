import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request, and its answer on the way. */
export interface ActiveRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The exchange that a connection is in: the last one that began, undefined where that is over. */
export type ActiveRequestLookup = (socket: Duplex) => ActiveRequest | undefined;

/** Node tells of a connection's trouble without telling what was under way on it. */
export function trackActiveRequests(server: Server): ActiveRequestLookup {
  const last = new WeakMap<Duplex, ServerResponse>();
  const remember = ({ socket }: IncomingMessage, outgoing: ServerResponse): void => {
    last.set(socket, outgoing);
  };
  server.prependListener('request', remember).prependListener('checkExpectation', remember);
  return (socket) => {
    const outgoing = last.get(socket);
    return outgoing === undefined || outgoing.closed ? undefined : { incoming: outgoing.req, outgoing };
  };
}
