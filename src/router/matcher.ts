import type { ServedApi, ServedOperation, ServedRoute } from '../openapi/served-api.ts';
import { compileRoute, type RouteMatcher } from '../pcre/index.ts';
import { createNamespaceFinder } from './namespaces.ts';
import { createRouteTree } from './tree.ts';

/** What the site runs for a method and a route path. */
export type OperationMatch =
  | {
      readonly kind: 'found';
      readonly route: ServedRoute;
      readonly operation: ServedOperation;
      /** The route's named groups, byte strings, as PHP fills them. */
      readonly params: Readonly<Record<string, string>>;
      /** False where a pattern had to be read more widely than the site reads it, so another route may answer. */
      readonly certain: boolean;
    }
  /** Routes match the path and none has the method. `OPTIONS` ends here: it describes the first of them. */
  | { readonly kind: 'noMethod'; readonly route: ServedRoute; readonly methods: readonly string[] }
  | { readonly kind: 'none' };

export interface OperationMatcher {
  /**
   * WP_REST_Server::match_request_to_handler().
   *
   * @param method as the site runs it, upper case
   * @param path the route path as the site sees it, a byte string without trailing slash
   */
  match(method: string, path: string): OperationMatch;
  /** Whether any route matches the path, whatever the method. */
  hasRoute(path: string): boolean;
}

const NO_MATCH: OperationMatch = { kind: 'none' };

/** Patterns are sketched here for the tree; they are read and compiled when a path first comes by. */
export function createOperationMatcher(api: ServedApi): OperationMatcher {
  const { routes } = api;
  const namespaces = [...new Set(api.namespaces)];
  const findNamespaces = createNamespaceFinder(namespaces);
  const positions = new Map(namespaces.map((namespace, position) => [namespace, position]));
  const namespacePositions = routes.map((route) => positions.get(route.namespace) ?? -1);
  const compiled: (RouteMatcher | undefined)[] = [];
  const tree = createRouteTree(routes.map((route) => route.pattern));

  /** Candidates in the order in which the site tries them. */
  function listCandidates(path: string): number[] {
    const matchingNamespaces = findNamespaces(path);
    const found = tree.candidates(path);
    const eligible =
      matchingNamespaces.length === 0
        ? found
        : found.filter((index) => matchingNamespaces.includes(namespacePositions[index] ?? -1));
    if (eligible.length < 2) return eligible;
    // get_routes() of one namespace after the other, each in the order of registration.
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
      let certain = true;
      for (const index of listCandidates(path)) {
        const route = routes[index];
        if (route === undefined) continue;
        const matcher = getMatcher(index, route);
        certain &&= matcher.exact;
        const params = matcher.match(path);
        if (params === null) continue;
        const operation = findOperation(route, method);
        if (operation !== undefined) return { kind: 'found', route, operation, params, certain };
        matching.push(route);
      }
      const [route] = matching;
      if (route === undefined) return NO_MATCH;
      const methods = [...new Set(matching.flatMap((other) => [...other.operations.keys()]))];
      return { kind: 'noMethod', route, methods };
    },
    hasRoute(path) {
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
