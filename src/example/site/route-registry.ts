import type { Json, JsonObject } from '../../json.ts';
import { compileRoute, type RouteMatcher } from '../../pcre/index.ts';
import { createNamespaceFinder } from '../../router/matcher.ts';
import { createSchemaValidator, type SchemaValidator } from '../../validation/wordpress/index.ts';
import type { EndpointDeclaration, NamespaceDeclaration, RouteDeclaration } from './declarations.ts';

/** An argument of an endpoint with its compiled validator. */
export interface RegisteredArgument {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  /** `undefined` if the schema has no default or the default `null`. */
  readonly default: Json | undefined;
  /** `undefined` if WordPress skips the schema: it has no type, or the argument has its own callback. */
  readonly validator: SchemaValidator | undefined;
}

export interface RegisteredEndpoint<State> {
  readonly declaration: EndpointDeclaration<State>;
  readonly args: readonly RegisteredArgument[];
}

export interface RegisteredRoute<State> {
  /** The pattern with its namespace: `/core/v2/posts/(?P<id>[\d]+)`. */
  readonly pattern: string;
  /** Empty for the routes of the REST server itself. */
  readonly namespace: string;
  readonly schema: JsonObject | undefined;
  readonly endpoints: readonly RegisteredEndpoint<State>[];
  readonly matcher: RouteMatcher;
}

export interface RouteMatch<State> {
  readonly route: RegisteredRoute<State>;
  readonly endpoint: RegisteredEndpoint<State>;
  /** The named groups of the pattern, as byte strings. */
  readonly groups: Readonly<Record<string, string>>;
}

export interface RouteRegistry<State> {
  /** All routes, in the order of the index. */
  readonly routes: readonly RegisteredRoute<State>[];
  /** WP_REST_Server::match_request_to_handler() */
  match(method: string, path: string): RouteMatch<State> | null;
  /** Finds the first route that matches a path, regardless of method and namespace. `OPTIONS` describes it. */
  findByPath(path: string): RegisteredRoute<State> | undefined;
}

/** @param serverRoutes the routes of the REST server itself, which have no namespace */
export function createRouteRegistry<State>(
  namespaces: readonly string[],
  serverRoutes: readonly RouteDeclaration<State>[],
  declarations: readonly NamespaceDeclaration<State>[],
): RouteRegistry<State> {
  const registered = [
    ...serverRoutes.map((route) => registerRoute('', route)),
    ...declarations.flatMap(({ namespace, routes }) =>
      routes.map((route) => registerRoute(namespace, route)),
    ),
  ];
  const findNamespaces = createNamespaceFinder(namespaces);
  const byNamespace = namespaces.map((name) => registered.filter(({ namespace }) => namespace === name));

  function candidates(path: string): readonly RegisteredRoute<State>[] {
    const matchingNamespaces = findNamespaces(path);
    if (matchingNamespaces.length === 0) return registered;
    return [...matchingNamespaces].sort((a, b) => a - b).flatMap((position) => byNamespace[position] ?? []);
  }

  return {
    routes: registered,
    match(method, path) {
      for (const route of candidates(path)) {
        const groups = route.matcher.match(path);
        const endpoint = groups === null ? undefined : findEndpoint(route, method);
        if (groups !== null && endpoint !== undefined) return { route, endpoint, groups };
      }
      return null;
    },
    findByPath: (path) => registered.find(({ matcher }) => matcher.match(path) !== null),
  };
}

/** `GET` endpoints also serve `HEAD`. */
function findEndpoint<State>(
  route: RegisteredRoute<State>,
  method: string,
): RegisteredEndpoint<State> | undefined {
  const handlerMethod = method === 'HEAD' ? 'GET' : method;
  return route.endpoints.find(({ declaration }) =>
    declaration.methods.some((each) => each === handlerMethod),
  );
}

function registerRoute<State>(
  namespace: string,
  { route, endpoints, schema }: RouteDeclaration<State>,
): RegisteredRoute<State> {
  const pattern = namespace === '' ? route : `/${namespace}${route}`;
  return {
    pattern,
    namespace,
    schema,
    endpoints: endpoints.map((declaration) => ({ declaration, args: registerArguments(declaration) })),
    matcher: compileRoute(pattern),
  };
}

function registerArguments<State>({
  args = {},
  sanitize = {},
  validate = {},
}: EndpointDeclaration<State>): RegisteredArgument[] {
  return Object.entries(args).map(([name, schema]) => {
    const hasCallback = Object.hasOwn(sanitize, name) || Object.hasOwn(validate, name);
    const hasType = (schema['type'] ?? '') !== '';
    return {
      name,
      schema,
      required: schema['required'] === true,
      default: schema['default'] ?? undefined,
      validator: hasType && !hasCallback ? createSchemaValidator(schema) : undefined,
    };
  });
}
