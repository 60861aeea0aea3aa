import { type Json, type JsonObject, mapMembers } from '../../base/json.ts';
import type { ArgumentSchemas } from './declarations.ts';

export interface IndexedRoute {
  /** With its namespace: `/core/v2/posts/(?P<id>[\d]+)`. */
  readonly pattern: string;
  readonly namespace: string;
  readonly schema?: JsonObject | undefined;
  readonly endpoints: readonly {
    readonly methods: readonly string[];
    readonly args: ArgumentSchemas;
    readonly allowBatch?: boolean | undefined;
  }[];
}

export interface SiteIdentity {
  readonly name: string;
  readonly description: string;
  readonly namespaces: readonly string[];
  /** Whether routes with parameters have `_links.self` too, unlike WordPress's. */
  readonly linksPatterns?: boolean;
}

/** `WP_REST_Server::get_index()` */
export function createRootIndex(
  { name, description, namespaces }: SiteIdentity,
  home: string,
  others: Readonly<Record<'authentication' | 'routes' | '_links', Json>>,
): JsonObject {
  return {
    name,
    description,
    url: home,
    home,
    gmt_offset: '0',
    timezone_string: 'UTC',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces,
    authentication: others.authentication,
    routes: others.routes,
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
    _links: others._links,
  };
}

/** `WP_REST_Server::get_data_for_routes()` */
export function describeRoutes(
  routes: readonly IndexedRoute[],
  toUrl: (route: string) => string,
  context?: Json,
  linksPatterns = false,
): Json {
  return emptyAsList(
    Object.fromEntries(
      routes.map((route) => [route.pattern, describeRoute(route, toUrl, context, linksPatterns)]),
    ),
  );
}

/** `WP_REST_Server::get_data_for_route()` */
export function describeRoute(
  { pattern, namespace, endpoints, schema }: IndexedRoute,
  toUrl: (route: string) => string,
  context?: Json,
  linksPatterns = false,
): JsonObject {
  const isVariable = pattern.includes('(?P<') || pattern.includes('{');
  return {
    namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints: endpoints.map(({ methods, args, allowBatch }) => ({
      methods,
      ...(allowBatch === true ? { allow_batch: { v1: true } } : {}),
      args: emptyAsList(mapMembers(args, (_, schema) => describeArgument(schema))),
    })),
    ...(context === 'help' && schema !== undefined ? { schema: emptyMembersAsLists(schema) } : {}),
    ...(isVariable && !linksPatterns ? {} : { _links: { self: [{ href: toUrl(pattern) }] } }),
  };
}

/** `rest_get_allowed_schema_keywords()` */
const INDEXED_KEYWORDS: ReadonlySet<string> = new Set(
  `title description default type format enum items properties additionalProperties
  patternProperties minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum
  multipleOf minLength maxLength pattern minItems maxItems uniqueItems anyOf oneOf`.split(/\s+/),
);

function describeArgument({ required, ...schema }: JsonObject): JsonObject {
  const shown = Object.entries(schema).filter(([keyword]) => INDEXED_KEYWORDS.has(keyword));
  return {
    ...Object.fromEntries(shown.map(([keyword, value]) => [keyword, emptyMembersAsLists(value)])),
    required: required === true,
  };
}

function emptyMembersAsLists(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(emptyMembersAsLists);
  const members = Object.entries<Json>(value).map(([name, member]) => [name, emptyMembersAsLists(member)]);
  return emptyAsList(Object.fromEntries(members));
}

function emptyAsList(members: JsonObject): JsonObject | readonly [] {
  return Object.keys(members).length === 0 ? [] : members;
}
