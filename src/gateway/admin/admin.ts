import { problemResponse } from '../plan/problem.ts';
import { type AdminOperation, createAdminRouter } from './admin-router.ts';
import { createTokenCheck } from './token.ts';

/** Answers what is below `/-/`. */
export type Admin = (request: Request) => Promise<Response>;

/** @param token without one, what needs it is refused */
export function createAdmin(operations: readonly AdminOperation[], token: string | undefined): Admin {
  const find = createAdminRouter(operations);
  const guard = createTokenCheck(token);
  return async (request) => {
    const { method } = request;
    const found = find(method, pathOf(request.url));
    if (found.kind === 'refused') return problemResponse(found.problem, method);
    const { operation, params } = found;
    const problem = operation.access === 'token' ? await guard(request) : null;
    if (problem !== null) return problemResponse(problem, method);
    const response = await operation.respond({ request, params });
    return method === 'HEAD' ? new Response(null, response) : response;
  };
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
