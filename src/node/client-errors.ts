import { type Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Problem } from '../gateway/exchange/problem.ts';
import { PROBLEMS } from '../gateway/exchange/problems.ts';
import { type Log, silentLog } from '../ports.ts';
import type { Connections } from './connections.ts';
import { formatProblem } from './problems.ts';

/** Problem responses by error code of Node's HTTP parser. All other parser errors are bad requests. */
const PROBLEMS_BY_ERROR_CODE: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: PROBLEMS.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: PROBLEMS.chunksTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: PROBLEMS.requestTimeout,
};

/**
 * Responds to input that Node could not parse as a request with a problem document, logs it, and closes the connection:
 * later input on it cannot be told from the rest of the invalid message (RFC 9112 §9.3).
 */
export function handleClientErrors(server: Server, connections: Connections, log: Log = silentLog): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { code = '' } = error;
    const active = connections.findActiveRequest(socket);
    // A socket error, or an end of input within a request (HPE_INVALID_EOF_STATE), means that the client has gone away.
    const isParserError = code.startsWith('HPE_') || Object.hasOwn(PROBLEMS_BY_ERROR_CODE, code);
    const isClientMistake = isParserError && code !== 'HPE_INVALID_EOF_STATE';
    // After the start of a response, the client would read a second response as a part of the first.
    if (!isClientMistake || !socket.writable || active?.outgoing.headersSent === true) {
      socket.destroy();
      return;
    }
    const problem = PROBLEMS_BY_ERROR_CODE[code] ?? PROBLEMS.badRequest;
    const client = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
    if (active === undefined) log.info({ client, status: problem.status, cause: code }, 'invalid request');
    socket.end(formatProblem(problem), () => socket.destroy());
  });
}
