import type { Json, JsonObject } from '../json.ts';
import { createSchemaValidator, type SchemaValidator } from '../validation/wordpress/validate.ts';
import type { EndpointDeclaration, NamespaceDeclaration, RouteDeclaration } from './declarations.ts';
import {
  createRootIndex,
  describeArgument,
  describeRoutes,
  type IndexedRoute,
  type SiteIdentity,
} from './index-document.ts';
import { compileRoutePattern, matchRoutePattern, namespacesOf } from './matcher.ts';
import { ok, refuse } from './responses.ts';

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
  readonly expression: RegExp;
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
  const byNamespace = new Map(
    namespaces.map((name) => [name, registered.filter(({ namespace }) => namespace === name)]),
  );

  function candidates(path: string): readonly RegisteredRoute<State>[] {
    const own = namespacesOf(path, namespaces);
    return own.length === 0 ? registered : own.flatMap((name) => byNamespace.get(name) ?? []);
  }

  return {
    routes: registered,
    match(method, path) {
      for (const route of candidates(path)) {
        const groups = matchRoutePattern(route.expression, path);
        const endpoint = groups === null ? undefined : findEndpoint(route, method);
        if (groups !== null && endpoint !== undefined) return { route, endpoint, groups };
      }
      return null;
    },
    findByPath: (path) => registered.find(({ expression }) => expression.test(path)),
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
    expression: compileRoutePattern(pattern),
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

/** Returns the registry. The index routes are part of it, so they get it lazily. */
type RegistryGetter<State> = () => RouteRegistry<State>;

/** Creates `/`, the root index. */
export function createRootIndexRoute<State>(
  site: SiteIdentity,
  getRegistry: RegistryGetter<State>,
): RouteDeclaration<State> {
  return {
    route: '/',
    endpoints: [
      {
        methods: ['GET'],
        args: { context: { default: 'view' } },
        handle: ({ address, link, params }) =>
          ok(
            createRootIndex(site, address(''), {
              authentication: {
                'application-passwords': {
                  endpoints: { authorization: address('/wp-admin/authorize-application.php') },
                },
              },
              routes: describeRoutes(getRegistry().routes.map(toIndexedRoute), link, params.get('context')),
              _links: { help: [{ href: 'https://example.com/rest-api/' }] },
            }),
          ),
      },
    ],
  };
}

/** Adds the index of a namespace before its routes, where WordPress registers it. */
export function createNamespaceIndexAdder<State>(
  { namespaces }: SiteIdentity,
  getRegistry: RegistryGetter<State>,
): (declaration: NamespaceDeclaration<State>) => NamespaceDeclaration<State> {
  return ({ namespace, routes }) => ({
    namespace,
    routes: [
      {
        route: '',
        endpoints: [
          {
            methods: ['GET'],
            args: { namespace: { default: namespace }, context: { default: 'view' } },
            handle(request) {
              const requested = request.params.string('namespace', namespace);
              if (!namespaces.includes(requested)) {
                refuse(404, 'rest_invalid_namespace', 'The specified namespace could not be found.');
              }
              const { link, params } = request;
              const own = getRegistry().routes.filter((route) => route.namespace === requested);
              return ok({
                namespace: requested,
                routes: describeRoutes(own.map(toIndexedRoute), link, params.get('context')),
                _links: { up: [{ href: link('/') }] },
              });
            },
          },
        ],
      },
      ...routes,
    ],
  });
}

export function toIndexedRoute<State>(route: RegisteredRoute<State>): IndexedRoute {
  return {
    ...route,
    endpoints: route.endpoints.map(({ declaration: { methods, allowBatch }, args }) => ({
      methods,
      allowBatch,
      args: Object.fromEntries(
        args.map(({ name, schema, required }) => [name, describeArgument(schema, required)]),
      ),
    })),
  };
}
