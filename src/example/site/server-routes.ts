import type { Json, JsonObject } from '../../json.ts';
import { ok, refuse } from './answers.ts';
import type { NamespaceDeclaration, RouteDeclaration, SiteRequest } from './declare.ts';
import type { SiteDefinition } from './definition.ts';
import { describeRoutes } from './describe.ts';
import type { Registry, Route } from './registry.ts';

/** Where the index finds the routes that it describes. */
export type RegistryOf<State> = () => Registry<State>;

/** `/`: the root index. */
export function rootIndex<State>(
  definition: SiteDefinition<State>,
  registry: RegistryOf<State>,
): RouteDeclaration<State> {
  return {
    route: '/',
    endpoints: [
      {
        methods: ['GET'],
        args: { context: { default: 'view' } },
        handle: (request) => ok(indexBody(definition, registry().routes, request)),
      },
    ],
  };
}

function indexBody<State>(
  { name, description, namespaces }: SiteDefinition<State>,
  routes: readonly Route<State>[],
  request: SiteRequest<State>,
): JsonObject {
  return {
    name,
    description,
    url: request.address(''),
    home: request.address(''),
    gmt_offset: '0',
    timezone_string: 'UTC',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces,
    authentication: {
      'application-passwords': {
        endpoints: { authorization: request.address('/wp-admin/authorize-application.php') },
      },
    },
    routes: describeRoutes(routes, context(request), request.address('')),
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
    _links: { help: [{ href: 'https://example.com/rest-api/' }] },
  };
}

/** A namespace's own index, which WordPress registers before its routes. */
export function namespaceIndex<State>(
  { namespaces }: SiteDefinition<State>,
  registry: RegistryOf<State>,
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
              const asked = request.params.string('namespace', namespace);
              if (!namespaces.includes(asked)) {
                return refuse(404, 'rest_invalid_namespace', 'The specified namespace could not be found.');
              }
              const own = registry().routes.filter((route) => route.namespace === asked);
              return ok({
                namespace: asked,
                routes: describeRoutes(own, context(request), request.address('')),
                _links: { up: [{ href: request.link('/') }] },
              });
            },
          },
        ],
      },
      ...routes,
    ],
  });
}

function context<State>(request: SiteRequest<State>): Json | undefined {
  return request.params.get('context');
}
