import { problemResponse } from '../plan/problem.ts';
import { type AdminOperation, createAdminRouter } from './admin-router.ts';
import { createTokenCheck } from './token-check.ts';

/** Serves the gateway's own operations, below `/-/`. */
export type AdminHandler = (request: Request) => Promise<Response>;

/**
 * Creates the handler of these operations.
 *
 * @param token the admin token; without it every operation that needs it is refused
 */
export function createAdminHandler(
  operations: readonly AdminOperation[],
  token: string | undefined,
): AdminHandler {
  const route = createAdminRouter(operations);
  const checkToken = createTokenCheck(token);
  return async (request) => {
    const { method } = request;
    const match = route(method, new URL(request.url).pathname);
    if (match.kind === 'refused') return problemResponse(match.problem, method);
    const { operation, params } = match;
    const problem = operation.access === 'token' ? await checkToken(request) : null;
    if (problem !== null) return problemResponse(problem, method);
    const response = await operation.respond({ request, params });
    return method === 'HEAD' ? new Response(null, response) : response;
  };
}
