import type { Json, JsonObject } from '../../json.ts';
import { compileRoute, type RouteMatcher } from '../../pcre/index.ts';
import { createNamespaceFinder } from '../../router/matcher.ts';
import { createSchemaValidator, type SchemaValidator } from '../../validation/wordpress/index.ts';
import type { EndpointDeclaration, NamespaceDeclaration, RouteDeclaration } from './declare.ts';

/** An argument of an endpoint, ready for values. */
export interface Argument {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  /** Undefined where there is none: a default of null is none. */
  readonly default: Json | undefined;
  /** Undefined where WordPress does not judge by the schema: without a type, or with a sanitiser of its own. */
  readonly judge: SchemaValidator | undefined;
}

export interface Endpoint<State> {
  readonly declaration: EndpointDeclaration<State>;
  readonly args: readonly Argument[];
}

export interface Route<State> {
  /** The whole pattern: `/core/v2/posts/(?P<id>[\d]+)`. */
  readonly pattern: string;
  /** Empty for the routes of the server itself. */
  readonly namespace: string;
  readonly schema: JsonObject | undefined;
  readonly endpoints: readonly Endpoint<State>[];
  readonly matcher: RouteMatcher;
}

export interface Found<State> {
  readonly route: Route<State>;
  readonly endpoint: Endpoint<State>;
  /** The pattern's groups, byte strings. */
  readonly groups: Readonly<Record<string, string>>;
}

export interface Registry<State> {
  /** All routes in the order of the index. */
  readonly routes: readonly Route<State>[];
  /** WP_REST_Server::match_request_to_handler() */
  match(method: string, path: string): Found<State> | null;
  /** The first route that matches, whatever the method or namespace: what `OPTIONS` describes. */
  find(path: string): Route<State> | undefined;
}

/** @param server the routes of the server itself, which belong to no namespace */
export function createRegistry<State>(
  namespaces: readonly string[],
  server: readonly RouteDeclaration<State>[],
  declarations: readonly NamespaceDeclaration<State>[],
): Registry<State> {
  const routes = [
    ...server.map((route) => register('', route)),
    ...declarations.flatMap(({ namespace, routes: own }) => own.map((route) => register(namespace, route))),
  ];
  const namespacesOf = createNamespaceFinder(namespaces);
  const byNamespace = namespaces.map((name) => routes.filter(({ namespace }) => namespace === name));

  function candidates(path: string): readonly Route<State>[] {
    const alone = namespacesOf(path);
    if (alone.length === 0) return routes;
    return [...alone].sort((a, b) => a - b).flatMap((position) => byNamespace[position] ?? []);
  }

  return {
    routes,
    match(method, path) {
      for (const route of candidates(path)) {
        const groups = route.matcher.match(path);
        const endpoint = groups === null ? undefined : endpointOf(route, method);
        if (groups !== null && endpoint !== undefined) return { route, endpoint, groups };
      }
      return null;
    },
    find: (path) => routes.find(({ matcher }) => matcher.match(path) !== null),
  };
}

/** `HEAD` is answered by `GET`. */
function endpointOf<State>(route: Route<State>, method: string): Endpoint<State> | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return route.endpoints.find(({ declaration }) => declaration.methods.some((own) => own === wanted));
}

function register<State>(
  namespace: string,
  { route, endpoints, schema }: RouteDeclaration<State>,
): Route<State> {
  const pattern = namespace === '' ? route : `/${namespace}${route}`;
  return {
    pattern,
    namespace,
    schema,
    endpoints: endpoints.map((declaration) => ({ declaration, args: readArguments(declaration) })),
    matcher: compileRoute(pattern),
  };
}

function readArguments<State>({
  args = {},
  sanitize = {},
  validate = {},
}: EndpointDeclaration<State>): Argument[] {
  return Object.entries(args).map(([name, schema]) => {
    const own = Object.hasOwn(sanitize, name) || Object.hasOwn(validate, name);
    const typed = (schema['type'] ?? '') !== '';
    return {
      name,
      schema,
      required: schema['required'] === true,
      default: schema['default'] ?? undefined,
      judge: typed && !own ? createSchemaValidator(schema) : undefined,
    };
  });
}
