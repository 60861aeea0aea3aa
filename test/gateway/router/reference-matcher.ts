import { compileRoute, type RouteMatcher } from '../../../src/base/pcre/index.ts';
import type { ServedApi } from '../../../src/generator/openapi/served-api.ts';

/** A line-by-line copy of WP_REST_Server::match_request_to_handler(): tries all patterns in the site's order. */
export function createReferenceMatcher(api: ServedApi): (method: string, path: string) => string | null {
  const compiled = new Map<string, RouteMatcher>();
  const matches = (pattern: string, path: string): boolean => {
    const matcher = compiled.get(pattern) ?? compileRoute(pattern);
    compiled.set(pattern, matcher);
    return matcher.match(path) !== null;
  };
  return (method, path) => {
    const withSlash = `${path.replace(/^\/+/, '').replace(/[/\\]+$/, '')}/`;
    const alone = api.namespaces.filter((namespace) => withSlash.startsWith(namespace));
    const routes =
      alone.length > 0
        ? alone.flatMap((namespace) => api.routes.filter((route) => route.namespace === namespace))
        : api.routes;
    for (const route of routes) {
      if (!matches(route.pattern, path)) continue;
      const checked = method === 'HEAD' && !route.operations.has('HEAD') ? 'GET' : method;
      const operation = route.operations.get(checked);
      if (operation !== undefined) return operation.id;
    }
    return null;
  };
}
