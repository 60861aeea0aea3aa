import { isJsonObject, type JsonObject } from '../../../json.ts';
import type { ArgumentSchemas } from '../../site/declarations.ts';
import type { EntryKind } from '../model/entries.ts';
import { WRITABLE_STATUSES } from '../rules/statuses.ts';
import { createEntrySchema } from './entry-fields.ts';
import { schemaField, VIEW_CONTEXTS } from './field.ts';
import { MEDIA_SCHEMA } from './media.ts';

/** The schemas that WordPress uses for writing. */
export const WRITE_SCHEMAS: Readonly<Record<EntryKind, JsonObject>> = {
  post: createEntrySchema('post'),
  page: createEntrySchema('page'),
  attachment: MEDIA_SCHEMA,
};

/**
 * The schemas of responses. Those of WordPress describe writing only: in a response, an entry can be in the trash, a
 * media item can have the status `inherit` and no parent post, and PHP writes its empty meta as a list.
 */
export const RESPONSE_SCHEMAS: Readonly<Record<EntryKind, JsonObject>> = {
  post: withProperties(WRITE_SCHEMAS.post, { status: statusField('trash') }),
  page: withProperties(WRITE_SCHEMAS.page, { status: statusField('trash') }),
  attachment: withProperties(WRITE_SCHEMAS.attachment, {
    status: statusField('inherit', 'trash'),
    meta: schemaField('Meta fields.', ['object', 'array'], VIEW_CONTEXTS),
    post: schemaField(
      'The ID for the associated post of the attachment.',
      ['integer', 'null'],
      VIEW_CONTEXTS,
    ),
  }),
};

function statusField(...more: readonly string[]): JsonObject {
  return schemaField('A named status for the post.', 'string', VIEW_CONTEXTS, {
    enum: [...WRITABLE_STATUSES, ...more],
  });
}

function withProperties(schema: JsonObject, properties: JsonObject): JsonObject {
  const own = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return { ...schema, properties: { ...own, ...properties } };
}

/** Keywords that arguments do not have (rest_get_endpoint_args_for_schema). */
const RESPONSE_KEYWORDS = new Set(['context', 'readonly']);

/** Creates arguments from the properties of a schema that are not read-only. */
export function createWriteArgs(schema: JsonObject): ArgumentSchemas {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property['readonly'] !== true ? [[name, omitResponseKeywords(property)]] : [],
    ),
  );
}

function omitResponseKeywords(property: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(property).filter(([word]) => !RESPONSE_KEYWORDS.has(word)));
}
