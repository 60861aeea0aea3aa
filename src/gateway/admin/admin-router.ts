import type { Problem } from '../exchange/problem.ts';

/** One operation of the gateway itself, below `/-/`. */
export interface AdminOperation {
  /** `GET` includes `HEAD`. */
  readonly method: 'GET' | 'POST';
  /** Path such as `/-/sites/:site/validation`. A segment that begins with a colon is a parameter. */
  readonly path: string;
  /** Whether a request needs no authentication, the admin token, or a signature that the operation verifies itself. */
  readonly access: 'public' | 'token' | 'signature';
  respond(request: AdminRequest): Response | Promise<Response>;
}

/** A request to an operation, with the parameters of its path. */
export interface AdminRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** States what the request is about, for the audit line of an operation that changes something. */
  noteTarget(target: string): void;
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** Creates a JSON response that no cache stores. */
export function adminResponse(body: object, status = 200): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: JSON_HEADERS });
}

/** Result of routing a request by method and path. */
export type AdminRouteMatch =
  | { readonly kind: 'found'; readonly operation: AdminOperation; readonly params: AdminRequest['params'] }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Creates a router. The first operation whose path and method match is used. */
export function createAdminRouter(
  operations: readonly AdminOperation[],
): (method: string, path: string) => AdminRouteMatch {
  const routes = operations.map((operation) => ({ operation, template: operation.path.split('/') }));
  const notFound: Problem = {
    status: 404,
    code: 'gateway_not_found',
    message: `The gateway has no such operation. It has ${operations.map(formatOperation).join(', ')}.`,
  };
  return (method, path) => {
    const segments = path.split('/');
    const candidates = routes.flatMap(({ operation, template }) => {
      const params = matchPath(template, segments);
      return params === null ? [] : [{ operation, params }];
    });
    const operationMethod = method === 'HEAD' ? 'GET' : method;
    const match = candidates.find(({ operation }) => operation.method === operationMethod);
    if (match !== undefined) return { kind: 'found', ...match };
    if (candidates.length === 0) return { kind: 'refused', problem: notFound };
    return {
      kind: 'refused',
      problem: createMethodProblem(candidates.map(({ operation }) => operation)),
    };
  };
}

/** @returns the parameters, or `null` if the path does not match */
function matchPath(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':') && segment !== '') params[expected.slice(1)] = segment;
    else if (expected !== segment) return null;
  }
  return params;
}

function formatOperation({ method, path }: AdminOperation): string {
  return method === 'GET' ? path : `${method} ${path}`;
}

function createMethodProblem(operations: readonly AdminOperation[]): Problem {
  const methods = new Set(
    operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  );
  const allow = [...methods].join(', ');
  return {
    status: 405,
    code: 'gateway_wrong_method',
    message: `This path allows ${allow} only.`,
    headers: { allow },
  };
}
