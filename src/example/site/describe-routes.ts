import type { Json, JsonObject } from '../../json.ts';
import { restUrl } from './links.ts';
import type { RegisteredEndpoint, RegisteredRoute } from './route-registry.ts';

/** `rest_get_allowed_schema_keywords()`: the keywords of an argument that the index shows. */
const INDEXED_KEYWORDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'type',
  'format',
  'enum',
  'items',
  'properties',
  'additionalProperties',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'anyOf',
  'oneOf',
]);

/** `WP_REST_Server::get_data_for_routes()` */
export function describeRoutes<State>(
  routes: readonly RegisteredRoute<State>[],
  context: Json | undefined,
  base: string,
): JsonObject | readonly [] {
  return emptyAsList(
    Object.fromEntries(routes.map((route) => [route.pattern, describeRoute(route, context, base)])),
  );
}

/** `WP_REST_Server::get_data_for_route()` */
export function describeRoute<State>(
  route: RegisteredRoute<State>,
  context: Json | undefined,
  base: string,
): JsonObject {
  const { pattern, namespace, endpoints, schema } = route;
  return {
    namespace,
    methods: endpoints.flatMap(({ declaration }) => declaration.methods),
    endpoints: endpoints.map(describeEndpoint),
    ...(context === 'help' && schema !== undefined ? { schema: emptyMembersAsLists(schema) } : {}),
    ...(isVariable(pattern) ? {} : { _links: { self: [{ href: restUrl(base, pattern) }] } }),
  };
}

function isVariable(pattern: string): boolean {
  return pattern.includes('(?P<') || pattern.includes('{');
}

function describeEndpoint<State>({ declaration, args }: RegisteredEndpoint<State>): JsonObject {
  return {
    methods: declaration.methods,
    ...(declaration.allowBatch === true ? { allow_batch: { v1: true } } : {}),
    args: emptyAsList(
      Object.fromEntries(
        args.map(({ name, schema, required }) => [name, describeArgument(schema, required)]),
      ),
    ),
  };
}

function describeArgument(schema: JsonObject, required: boolean): JsonObject {
  const shown = Object.entries(schema).filter(([keyword]) => INDEXED_KEYWORDS.has(keyword));
  return {
    ...Object.fromEntries(shown.map(([keyword, value]) => [keyword, emptyMembersAsLists(value)])),
    required,
  };
}

/** PHP writes empty objects as lists. */
function emptyMembersAsLists(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(emptyMembersAsLists);
  const members = Object.entries<Json>(value).map(([name, member]): [string, Json] => [
    name,
    emptyMembersAsLists(member),
  ]);
  return members.length === 0 ? [] : Object.fromEntries(members);
}

function emptyAsList(members: JsonObject): JsonObject | readonly [] {
  return Object.keys(members).length === 0 ? [] : members;
}
