import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request whose response is not complete. */
export interface ActiveRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Finds the latest request on a connection; `undefined` if its response is complete. */
export type ActiveRequestLookup = (socket: Duplex) => ActiveRequest | undefined;

/** Records the latest request of each connection: Node's connection events do not name it. */
export function trackActiveRequests(server: Server): ActiveRequestLookup {
  const latestResponse = new WeakMap<Duplex, ServerResponse>();
  const remember = ({ socket }: IncomingMessage, outgoing: ServerResponse): void => {
    latestResponse.set(socket, outgoing);
  };
  server.prependListener('request', remember).prependListener('checkExpectation', remember);
  return (socket) => {
    const outgoing = latestResponse.get(socket);
    return outgoing === undefined || outgoing.closed ? undefined : { incoming: outgoing.req, outgoing };
  };
}
