import {
  createSchemaValidator,
  type SchemaValidator,
} from '../../generator/validation/wordpress/validate.ts';
import type {
  ArgumentSchemas,
  EndpointDeclaration,
  NamespaceDeclaration,
  RouteDeclaration,
} from './declarations.ts';
import { compileRoutePattern, matchRoutePattern, namespacesOf } from './matcher.ts';

export interface RegisteredEndpoint<State> extends EndpointDeclaration<State> {
  readonly args: ArgumentSchemas;
  readonly validators: ReadonlyMap<string, SchemaValidator>;
}

export interface RegisteredRoute<State> extends Omit<RouteDeclaration<State>, 'route' | 'endpoints'> {
  /** With its namespace: `/core/v2/posts/(?P<id>[\d]+)`. */
  readonly pattern: string;
  readonly namespace: string;
  readonly endpoints: readonly RegisteredEndpoint<State>[];
  readonly expression: RegExp;
}

export interface RouteMatch<State> {
  readonly route: RegisteredRoute<State>;
  readonly endpoint: RegisteredEndpoint<State>;
  readonly groups: Readonly<Record<string, string>>;
}

export class RouteRegistry<State> {
  readonly routes: readonly RegisteredRoute<State>[];
  private readonly namespaces: readonly string[];

  constructor(namespaces: readonly string[], declarations: readonly NamespaceDeclaration<State>[]) {
    this.routes = declarations.flatMap(({ namespace, routes }) =>
      routes.map((route) => registerRoute(namespace, route)),
    );
    this.namespaces = namespaces;
  }

  /** `WP_REST_Server::match_request_to_handler()` */
  match(method: string, path: string): RouteMatch<State> | null {
    const own = namespacesOf(path, this.namespaces);
    const routesOf = (name: string) => this.routes.filter(({ namespace }) => namespace === name);
    const candidates = own.length === 0 ? this.routes : own.flatMap(routesOf);
    for (const route of candidates) {
      const groups = matchRoutePattern(route.expression, path);
      const endpoint = groups === null ? undefined : findEndpoint(route, method);
      if (groups !== null && endpoint !== undefined) return { route, endpoint, groups };
    }
    return null;
  }

  findByPath(path: string): RegisteredRoute<State> | undefined {
    return this.routes.find(({ expression }) => expression.test(path));
  }
}

/** `GET` endpoints also serve `HEAD`. */
function findEndpoint<State>(
  route: RegisteredRoute<State>,
  method: string,
): RegisteredEndpoint<State> | undefined {
  const handlerMethod = method === 'HEAD' ? 'GET' : method;
  return route.endpoints.find(({ methods }) => methods.some((each) => each === handlerMethod));
}

function registerRoute<State>(
  namespace: string,
  { route, endpoints, ...others }: RouteDeclaration<State>,
): RegisteredRoute<State> {
  const pattern = namespace === '' ? route : `/${namespace}${route}`;
  return {
    ...others,
    pattern,
    namespace,
    endpoints: endpoints.map(registerEndpoint),
    expression: compileRoutePattern(pattern),
  };
}

function registerEndpoint<State>(endpoint: EndpointDeclaration<State>): RegisteredEndpoint<State> {
  const { args = {}, sanitize = {}, validate = {} } = endpoint;
  const validated = Object.entries(args).filter(
    ([name, { type = '' }]) =>
      type !== '' && !Object.hasOwn(sanitize, name) && !Object.hasOwn(validate, name),
  );
  const validators = validated.map(([name, schema]) => [name, createSchemaValidator(schema)] as const);
  return { ...endpoint, args, validators: new Map(validators) };
}
