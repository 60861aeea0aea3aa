import type { DiagnosticReporter } from '../diagnostics.ts';
import type { IndexEndpoint, IndexRoute } from '../discovery/site.ts';
import { toPointerSegment } from '../json.ts';

/** An endpoint with the methods that reach it, in the site's order. At least one. */
export interface ReachableEndpoint {
  readonly endpoint: IndexEndpoint;
  readonly methods: readonly string[];
}

/**
 * Lists the endpoints of a route that can be reached. WordPress calls the first endpoint that has the request's method
 * (`WP_REST_Server::match_request_to_handler`), so later endpoints for that method are unreachable and are reported. An
 * endpoint with GET also handles HEAD, so a later endpoint for HEAD is unreachable too.
 */
export function listReachableEndpoints(
  route: IndexRoute,
  report: DiagnosticReporter,
): readonly ReachableEndpoint[] {
  const handlers = new Map<string, IndexEndpoint>();
  const reachable: { endpoint: IndexEndpoint; methods: string[] }[] = [];
  for (const endpoint of route.endpoints) {
    const methods: string[] = [];
    for (const method of endpoint.methods) {
      const handler = handlers.get(method) ?? (method === 'HEAD' ? handlers.get('GET') : undefined);
      if (handler === undefined || handler === endpoint) {
        methods.push(method);
        handlers.set(method, endpoint);
        continue;
      }
      report({
        rule: 'dead-endpoint',
        severity: 'warning',
        route: route.pattern,
        pointer: rootIndexPointer(route, endpoint),
        message: `Endpoint ${handler.listIndex} of the same route comes first and handles ${method}.`,
        action: 'Left this endpoint out for the method: the site never calls it.',
      });
      if (method === 'HEAD' && !handlers.has('HEAD')) {
        reachable.find((each) => each.endpoint === handler)?.methods.push(method);
        handlers.set(method, handler);
      }
    }
    if (methods.length > 0) reachable.push({ endpoint, methods });
  }
  return reachable;
}

/** Returns the JSON pointer of a route, or of one of its endpoints, in the root index. */
export function rootIndexPointer(route: IndexRoute, endpoint?: IndexEndpoint): string {
  const routePointer = `/routes${toPointerSegment(route.pattern)}`;
  return endpoint === undefined ? routePointer : `${routePointer}/endpoints/${endpoint.listIndex}`;
}
