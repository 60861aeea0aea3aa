import type { JsonObject } from '../../json.ts';
import type {
  ArgumentSchemas,
  EndpointDeclaration,
  NamespaceDeclaration,
} from '../../rest-server/declarations.ts';
import { requireRole } from '../../rest-server/responses.ts';
import { joinOperations, memberOf, SchemaNotation } from '../schema-notation.ts';
import declarations from './declarations.json' with { type: 'json' };
import type { ContentState, EntryKind } from './model.ts';
import { LISTABLE_STATUSES, MEDIA_STATUSES, WRITABLE_STATUSES } from './rules.ts';

const DATA: JsonObject = declarations;
const SCHEMAS = memberOf(DATA, 'schemas');

const notation = new SchemaNotation({
  groups: memberOf(DATA, 'groups'),
  schemas: {},
  lists: { ...memberOf(DATA, 'lists'), LISTABLE_STATUSES, MEDIA_STATUSES, WRITABLE_STATUSES },
});

/** Creates the response schema of a name. An autosave has the title of a revision. */
export function contentSchema(name: string): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: name.replace('-autosave', '-revision'),
    type: 'object',
    properties: notation.members(SCHEMAS[name]),
  };
}

/**
 * The schemas of responses. Those of WordPress describe writing only: in a response, an entry can be in the trash, a
 * media item can have the status `inherit` and no parent post, and PHP writes its empty meta as a list.
 */
export const RESPONSE_SCHEMAS: Readonly<Record<EntryKind, JsonObject>> = {
  post: responseSchemaOf('post'),
  page: responseSchemaOf('page'),
  attachment: responseSchemaOf('attachment'),
};

function responseSchemaOf(kind: EntryKind): JsonObject {
  const schema = contentSchema(kind);
  const properties = { ...memberOf(schema, 'properties'), ...notation.members(SCHEMAS[`${kind} response`]) };
  return { ...schema, properties };
}

/** Creates arguments from the properties of a schema that are not read-only (rest_get_endpoint_args_for_schema). */
function createWriteArgs(name: string): ArgumentSchemas {
  const writable = Object.entries(notation.members(SCHEMAS[name])).filter(
    ([, { readonly }]) => readonly !== true,
  );
  return Object.fromEntries(writable.map(([argument, { context: _, ...property }]) => [argument, property]));
}

/** What an endpoint does, and what of it the data file does not state. */
export type ContentOperation = Omit<EndpointDeclaration<ContentState>, 'methods' | 'args' | 'allowBatch'>;

/** Operations by methods and route: `POST PUT PATCH /media/(?P<id>[\d]+)`. */
export type ContentOperations = Readonly<Record<string, ContentOperation | ContentOperation['handle']>>;

/** Declares the routes of a namespace in the order of the data file. */
export function declareNamespace(
  namespace: string,
  operations: ContentOperations,
): NamespaceDeclaration<ContentState> {
  const routes = joinOperations(
    memberOf(memberOf(DATA, 'routes'), namespace),
    operations,
    (route, schema, all) => ({
      route,
      ...(schema === undefined
        ? {}
        : { schema: isEntryKind(schema) ? RESPONSE_SCHEMAS[schema] : contentSchema(schema) }),
      endpoints: all.map(({ methods, stated: { batch, role, args, write }, operation }) => ({
        methods,
        ...(batch === true ? { allowBatch: true } : {}),
        args: { ...notation.members(args), ...(typeof write === 'string' ? createWriteArgs(write) : {}) },
        ...(role === 'editor' || role === 'administrator' ? { permission: requireRole(role) } : {}),
        ...(typeof operation === 'function' ? { handle: operation } : operation),
      })),
    }),
  );
  return { namespace, routes };
}

function isEntryKind(name: string): name is EntryKind {
  return Object.hasOwn(RESPONSE_SCHEMAS, name);
}
