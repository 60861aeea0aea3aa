import type { Report } from '../diagnostics.ts';
import type { IndexEndpoint, IndexRoute } from '../discovery/site.ts';
import { pointerToken } from '../json.ts';

/** An endpoint with the methods that reach it, in the site's order. At least one. */
export interface LiveEndpoint {
  readonly endpoint: IndexEndpoint;
  readonly methods: readonly string[];
}

/**
 * The endpoints of a route that can answer. The site asks them in their order and takes the first that has the method
 * (`WP_REST_Server::match_request_to_handler`), so that a second one for the same method is never asked. One that has
 * GET answers HEAD as well: a HEAD that is declared after it is answered by it.
 */
export function liveEndpoints(route: IndexRoute, report: Report): readonly LiveEndpoint[] {
  const answers = new Map<string, IndexEndpoint>();
  const live: { endpoint: IndexEndpoint; methods: string[] }[] = [];
  for (const endpoint of route.endpoints) {
    const methods: string[] = [];
    for (const method of endpoint.methods) {
      const first = answers.get(method) ?? (method === 'HEAD' ? answers.get('GET') : undefined);
      if (first === undefined || first === endpoint) {
        methods.push(method);
        answers.set(method, endpoint);
        continue;
      }
      report({
        rule: 'dead-endpoint',
        severity: 'warning',
        route: route.pattern,
        pointer: pointerOf(route, endpoint),
        message: `${method} is answered by endpoint ${first.position} of the same route, which comes first.`,
        action: 'This endpoint is left out for the method: the site never asks it.',
      });
      if (method === 'HEAD' && !answers.has('HEAD')) {
        live.find((each) => each.endpoint === first)?.methods.push(method);
        answers.set(method, first);
      }
    }
    if (methods.length > 0) live.push({ endpoint, methods });
  }
  return live;
}

/** The JSON pointer of an endpoint in the root index. */
export function pointerOf(route: IndexRoute, endpoint?: IndexEndpoint): string {
  const own = `/routes${pointerToken(route.pattern)}`;
  return endpoint === undefined ? own : `${own}/endpoints/${endpoint.position}`;
}
