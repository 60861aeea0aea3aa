import type { ServedApi, ServedOperation, ServedRoute } from '../openapi/served-api.ts';
import { compileRoute, type RouteMatcher } from '../pcre/index.ts';
import { trimTrailingSlashes } from '../php/route-spelling.ts';
import { createRouteTree } from './route-tree.ts';

/** The operation that a site runs for a method and a route path. */
export type OperationMatch =
  | {
      readonly kind: 'found';
      readonly route: ServedRoute;
      readonly operation: ServedOperation;
      /** Values of the pattern's named groups, as byte strings, as `preg_match` fills them. */
      readonly params: Readonly<Record<string, string>>;
      /** `false` if a tried pattern could only be approximated, so the site may run another route. */
      readonly isCertain: boolean;
    }
  /** Routes match the path, but none has the method. `OPTIONS` also gives this: WordPress describes the first route. */
  | { readonly kind: 'method-not-allowed'; readonly route: ServedRoute; readonly methods: readonly string[] }
  | { readonly kind: 'none' };

/** Finds operations as WordPress does. */
export interface OperationMatcher {
  /**
   * Finds the operation for a request, as `WP_REST_Server::match_request_to_handler()` does.
   *
   * @param method the effective method, upper case
   * @param path the route path as WordPress matches it: a byte string without trailing slash
   */
  match(method: string, path: string): OperationMatch;
  /**
   * Whether the path is one of the REST API and not of a page: a route matches it with any method, or it is below a
   * namespace with a version, such as `/wp/v2/posts/none`. A namespace of one segment may also be the path of a page.
   */
  isRestPath(path: string): boolean;
}

const NO_MATCH: OperationMatch = { kind: 'none' };

/** Creates a matcher. It reads the leading segments of all patterns at once, and compiles a pattern on first use. */
export function createOperationMatcher(api: ServedApi): OperationMatcher {
  const { routes } = api;
  const namespaces = [...new Set(api.namespaces)];
  const findNamespaces = createNamespaceFinder(namespaces);
  const positions = new Map(namespaces.map((namespace, position) => [namespace, position]));
  const namespacePositions = routes.map((route) => positions.get(route.namespace) ?? -1);
  const versioned = new Set(
    routes.map((route) => `/${route.namespace}`).filter((path) => path.split('/').length === 3),
  );
  const compiled: (RouteMatcher | undefined)[] = [];
  const tree = createRouteTree(routes.map((route) => route.pattern));

  /** Routes that may match a path, in the order in which WordPress tries them. */
  function listCandidates(path: string): number[] {
    const matchingNamespaces = findNamespaces(path);
    const treeCandidates = tree.findCandidates(path);
    const eligible =
      matchingNamespaces.length === 0
        ? treeCandidates
        : treeCandidates.filter((index) => matchingNamespaces.includes(namespacePositions[index] ?? -1));
    if (eligible.length < 2) return eligible;
    // WordPress merges get_routes() of one namespace after another, each in registration order.
    return matchingNamespaces.length < 2
      ? eligible.sort((a, b) => a - b)
      : eligible.sort((a, b) => (namespacePositions[a] ?? 0) - (namespacePositions[b] ?? 0) || a - b);
  }

  function getMatcher(index: number, route: ServedRoute): RouteMatcher {
    const known = compiled[index];
    if (known !== undefined) return known;
    const matcher = compileRoute(route.pattern);
    compiled[index] = matcher;
    return matcher;
  }

  return {
    match(method, path) {
      const matching: ServedRoute[] = [];
      let isCertain = true;
      for (const index of listCandidates(path)) {
        const route = routes[index];
        if (route === undefined) continue;
        const matcher = getMatcher(index, route);
        isCertain &&= matcher.exact;
        const params = matcher.match(path);
        if (params === null) continue;
        const operation = findOperation(route, method);
        if (operation !== undefined) return { kind: 'found', route, operation, params, isCertain };
        matching.push(route);
      }
      const [route] = matching;
      if (route === undefined) return NO_MATCH;
      const methods = [...new Set(matching.flatMap((other) => [...other.operations.keys()]))];
      return { kind: 'method-not-allowed', route, methods };
    },
    isRestPath(path) {
      if (versioned.has(path.split('/', 3).join('/'))) return true;
      return listCandidates(path).some((index) => {
        const route = routes[index];
        return route !== undefined && getMatcher(index, route).match(path) !== null;
      });
    },
  };
}

function findOperation(route: ServedRoute, method: string): ServedOperation | undefined {
  const operation = route.operations.get(method);
  return operation === undefined && method === 'HEAD' ? route.operations.get('GET') : operation;
}

/**
 * Creates a function that returns the positions of the namespaces whose routes WordPress tries exclusively: those that
 * are a byte prefix of the path (`0 === strpos( trailingslashit( ltrim( $path, '/' ) ), $namespace )`). Segment
 * boundaries are ignored: `wp/v2` is a prefix of `/wp/v20/x`. The lookup is by length, so its cost does not grow with
 * the number of namespaces.
 */
export function createNamespaceFinder(namespaces: readonly string[]): (path: string) => readonly number[] {
  const positions = new Map(namespaces.map((namespace, position) => [namespace, position]));
  const lengths = [...new Set(namespaces.map((namespace) => namespace.length))].sort((a, b) => a - b);

  return (path) => {
    const slashed = `${trimTrailingSlashes(path.replace(/^\/+/, ''))}/`;
    const matching: number[] = [];
    for (const length of lengths) {
      if (length > slashed.length) break;
      const position = positions.get(slashed.slice(0, length));
      if (position !== undefined) matching.push(position);
    }
    return matching;
  };
}
