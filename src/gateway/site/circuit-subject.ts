import type { CircuitSubject } from '../../upstream/site-circuits.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';

/** Methods that do not change the site (RFC 9110 §9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request may change the site: by its method, or by its effective method at a route.
 *
 * @param method the method on the wire
 */
export function mayChangeSite(method: string, resolved: RouteRequest | PageRequest): boolean {
  return (
    !SAFE_METHODS.has(method) || (resolved.kind === 'route' && !SAFE_METHODS.has(resolved.target.method))
  );
}

/** Returns what the circuit breakers of a site count a request by. */
export function toCircuitSubject(method: string, resolved: RouteRequest | PageRequest): CircuitSubject {
  return { route: describeRoute(resolved), isWrite: mayChangeSite(method, resolved) };
}

/**
 * The pattern of a known route, the namespace of an unknown one, and the first two segments of a page. A page with a query
 * counts apart: a slow search must not stop the front page.
 */
function describeRoute(resolved: RouteRequest | PageRequest): string {
  if (resolved.kind === 'page') {
    const { path, query } = resolved.target;
    return `page ${takeSegments(path)}${query === '' ? '' : '?'}`;
  }
  const { match, target } = resolved;
  return match.kind === 'found' ? match.route.pattern : `unknown ${takeSegments(target.route)}`;
}

const MAX_SEGMENTS_LENGTH = 100;

/** Returns the first two segments of a path. */
export function takeSegments(path: string): string {
  return path.slice(0, MAX_SEGMENTS_LENGTH).split('/', 3).join('/');
}
