import type { Problem } from '../plan/problem.ts';

/** One operation of the gateway itself, below `/-/`. */
export interface AdminOperation {
  /** `GET` answers `HEAD` too. */
  readonly method: 'GET' | 'POST';
  /** `/-/sites/:site/validation`: a segment that begins with a colon is a parameter. */
  readonly path: string;
  /** `nothing` shows and changes nothing of interest; `own` proves by itself who asks, such as by a signature. */
  readonly access: 'nothing' | 'token' | 'own';
  respond(call: AdminRequest): Response | Promise<Response>;
}

/** A request to one of them. */
export interface AdminRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** What an operation says: JSON, of this moment only. */
export function adminResponse(body: object, status = 200): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: HEADERS });
}

export type AdminRouteMatch =
  | { readonly kind: 'found'; readonly operation: AdminOperation; readonly params: AdminRequest['params'] }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Finds operations by method and path.
 *
 * @param operations the first that fits answers
 */
export function createAdminRouter(
  operations: readonly AdminOperation[],
): (method: string, path: string) => AdminRouteMatch {
  const rows = operations.map((operation) => ({ operation, segments: operation.path.split('/') }));
  const unknown: Problem = {
    status: 404,
    code: 'gateway_not_found',
    message: `The gateway has no such operation. It has ${operations.map(nameOf).join(', ')}.`,
  };
  return (method, path) => {
    const given = path.split('/');
    const here = rows.flatMap(({ operation, segments }) => {
      const params = paramsOf(segments, given);
      return params === null ? [] : [{ operation, params }];
    });
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = here.find(({ operation }) => operation.method === wanted);
    if (found !== undefined) return { kind: 'found', ...found };
    if (here.length === 0) return { kind: 'refused', problem: unknown };
    return { kind: 'refused', problem: wrongMethod(here.map(({ operation }) => operation)) };
  };
}

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const text = given[at] ?? '';
    if (segment.startsWith(':') && text !== '') params[segment.slice(1)] = text;
    else if (segment !== text) return null;
  }
  return params;
}

function nameOf({ method, path }: AdminOperation): string {
  return method === 'GET' ? path : `${method} ${path}`;
}

function wrongMethod(here: readonly AdminOperation[]): Problem {
  const methods = [...new Set(here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  return {
    status: 405,
    code: 'gateway_wrong_method',
    message: `This address answers ${methods.join(', ')} only.`,
    headers: { allow: methods.join(', ') },
  };
}
