import type { Json, JsonObject } from '../../json.ts';
import type { NamespaceDeclaration, RouteDeclaration, SiteRequest } from './declarations.ts';
import type { SiteDefinition } from './definition.ts';
import { describeRoutes } from './describe-routes.ts';
import { ok, restError } from './responses.ts';
import type { RegisteredRoute, RouteRegistry } from './route-registry.ts';

/** Returns the registry. The index routes are part of it, so they get it lazily. */
type RegistryGetter<State> = () => RouteRegistry<State>;

/** Creates `/`, the root index. */
export function createRootIndexRoute<State>(
  definition: SiteDefinition<State>,
  getRegistry: RegistryGetter<State>,
): RouteDeclaration<State> {
  return {
    route: '/',
    endpoints: [
      {
        methods: ['GET'],
        args: { context: { default: 'view' } },
        handle: (request) => ok(createRootIndex(definition, getRegistry().routes, request)),
      },
    ],
  };
}

function createRootIndex<State>(
  { name, description, namespaces }: SiteDefinition<State>,
  routes: readonly RegisteredRoute<State>[],
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
    routes: describeRoutes(routes, getContext(request), request.address('')),
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
    _links: { help: [{ href: 'https://example.com/rest-api/' }] },
  };
}

/** Adds the index of a namespace before its routes, where WordPress registers it. */
export function createNamespaceIndexAdder<State>(
  { namespaces }: SiteDefinition<State>,
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
                return restError(
                  404,
                  'rest_invalid_namespace',
                  'The specified namespace could not be found.',
                );
              }
              const namespaceRoutes = getRegistry().routes.filter((route) => route.namespace === requested);
              return ok({
                namespace: requested,
                routes: describeRoutes(namespaceRoutes, getContext(request), request.address('')),
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

function getContext<State>(request: SiteRequest<State>): Json | undefined {
  return request.params.get('context');
}
