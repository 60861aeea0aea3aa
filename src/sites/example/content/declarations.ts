import { splitNames } from '../../../base/glob.ts';
import { type JsonObject, jsonMembers, mapMembers, toJsonObject } from '../../../base/json.ts';
import type { ExtendedOperation } from '../../../base/option-types.ts';
import type { ArgumentSchemas } from '../../rest-server/declarations.ts';
import { SchemaNotation } from '../schema-notation.ts';
import declarations from './declarations.json' with { type: 'json' };

const DATA: JsonObject = declarations;
const SCHEMAS = toJsonObject(DATA['schemas']);

export const LISTABLE_STATUSES: readonly string[] = splitNames(declarations.lists.LISTABLE_STATUSES);
export const MEDIA_STATUSES: readonly string[] = splitNames(declarations.lists.MEDIA_STATUSES);
export const WRITABLE_STATUSES: readonly string[] = splitNames(declarations.lists.WRITABLE_STATUSES);

export const NAMESPACES: readonly string[] = splitNames(declarations.namespaces);

export const ROUTES: JsonObject = toJsonObject(DATA['routes']);

/** `WP_REST_Posts_Controller::prepare_taxonomy_limit_schema()` */
function createTermQueries(): JsonObject {
  const create = (taxonomy: string, isExcluded: boolean): JsonObject => ({
    description: `Limit result set to items ${isExcluded ? 'except those ' : ''}with specific terms assigned in the ${taxonomy} taxonomy.`,
    type: ['object', 'array'],
    oneOf: [
      'termIds',
      {
        title: 'Term ID Taxonomy Query',
        description: 'Perform an advanced term query.',
        type: 'object',
        properties: {
          terms: 'terms',
          ...(taxonomy === 'categories' ? { include_children: 'includeChildren' } : {}),
          ...(isExcluded ? {} : { operator: 'operator' }),
        },
        additionalProperties: false,
      },
    ],
  });
  return Object.fromEntries(
    ['categories', 'tags'].flatMap((taxonomy) => [
      [taxonomy, create(taxonomy, false)],
      [`${taxonomy}_exclude`, create(taxonomy, true)],
    ]),
  );
}

export const notation: SchemaNotation = new SchemaNotation({
  groups: { ...toJsonObject(DATA['groups']), termQueries: createTermQueries() },
  lists: mapMembers(declarations.lists, (_, names) => splitNames(names)),
});

export const BODIES: Readonly<Record<string, ExtendedOperation>> = Object.fromEntries(
  jsonMembers(DATA['bodies']).map(([route, members]) => [route, { body: notation.members(members) }]),
);

/**
 * WordPress's schemas describe writing only: in a response, an entry can be in the trash, a media item can
 * have the status `inherit` and no parent post, and PHP writes empty meta as a list.
 */
export function contentSchema(name: string): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: name.replace('-autosave', '-revision'),
    type: 'object',
    properties: { ...notation.members(SCHEMAS[name]), ...notation.members(SCHEMAS[`${name} response`]) },
  };
}

/** `rest_get_endpoint_args_for_schema()` */
export function createWriteArgs(name: string): ArgumentSchemas {
  const writable = Object.entries(notation.members(SCHEMAS[name])).filter(
    ([, { readonly }]) => readonly !== true,
  );
  return Object.fromEntries(writable.map(([argument, { context: _, ...property }]) => [argument, property]));
}
