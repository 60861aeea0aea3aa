import { type AuditEntry, writeAuditLine } from '../../console/index.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { Log } from '../../ports.ts';
import type { BodyMemory } from '../exchange/body-memory.ts';
import { NO_MEMORY } from '../exchange/inspected-exchange.ts';
import { type Problem, problemResponse } from '../exchange/problem.ts';
import { readRequestHead } from '../exchange/web-request.ts';
import { MAX_BODY_BYTES } from './admin-request-body.ts';
import { type AdminOperation, createAdminRouter } from './admin-router.ts';
import { createTokenCheck } from './token-check.ts';

/**
 * Serves the gateway's own operations and its console, below `/-/`.
 *
 * @param head the request as it was received, with the address of the client. @default that of the request, without address
 */
export type AdminHandler = (request: Request, head?: IncomingRequestHead) => Promise<Response>;

/** Options of {@link createAdminHandler}. */
export interface AdminHandlerOptions {
  readonly operations: readonly AdminOperation[];
  /** The admin token; without it every operation that needs it is refused. */
  readonly token?: string | undefined;
  /** Serves the console: `null` for a request that is not for it. */
  readonly respondToConsole?: (request: Request, head: IncomingRequestHead) => Promise<Response> | null;
  /** Receives a line for each request that changes something. */
  readonly log: Log;
  /** Reads the IP address of the client. */
  readonly readClientAddress: (head: IncomingRequestHead) => string;
  /** Memory for the bodies of requests, which anybody may send to a webhook. */
  readonly bodyMemory: BodyMemory;
}

/** Creates the handler of the paths below `/-/`. */
export function createAdminHandler(options: AdminHandlerOptions): AdminHandler {
  const { bodyMemory, log, operations, readClientAddress, respondToConsole } = options;
  const route = createAdminRouter(operations);
  const checkToken = createTokenCheck(options.token);

  async function respondToOperation(request: Request, head: IncomingRequestHead): Promise<Response> {
    const { method } = request;
    const match = route(method, new URL(request.url).pathname);
    if (match.kind === 'refused') return problemResponse(match.problem, method);
    const { operation, params } = match;
    const problem = operation.access === 'token' ? await checkToken(request) : null;
    const audit = (target: string, result: AuditEntry['result'], who: string): void => {
      // The log of requests has the reads, and a site that signs a notice is no operator.
      if (operation.method !== 'POST' || operation.access !== 'token') return;
      const action = operation.path.replace(/^\/-\//, '');
      writeAuditLine(log, { who, client: readClientAddress(head), action, target, result });
    };
    if (problem !== null) {
      audit('', 'refused', 'nobody');
      return problemResponse(problem, method);
    }
    const noted: string[] = [];
    const response = await operation.respond({ request, params, noteTarget: (target) => noted.push(target) });
    audit(noted.join(', '), toResult(response.status), 'bearer');
    return method === 'HEAD' ? new Response(null, response) : response;
  }

  const respond = async (request: Request, head: IncomingRequestHead): Promise<Response> =>
    (await respondToConsole?.(request, head)) ?? respondToOperation(request, head);

  return async (request, head = readRequestHead(request)) => {
    if (request.body === null) return respond(request, head);
    const { grow, release } = bodyMemory.open(readClientAddress(head));
    try {
      return grow(maxBodyBytes(request)) ? await respond(request, head) : problemResponse(NO_MEMORY);
    } finally {
      release();
    }
  };
}

/** Bytes of the body that are read into memory at most. */
function maxBodyBytes({ headers }: Request): number {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Math.min(MAX_BODY_BYTES, Number(length)) : MAX_BODY_BYTES;
}

function toResult(status: Problem['status']): AuditEntry['result'] {
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}
