import type { JsonObject } from '../../../json.ts';
import { COMMON_FIELDS, REVISED_FIELDS } from './entry-fields.ts';
import {
  ALL_CONTEXTS,
  createRecordSchema,
  EDIT_CONTEXT,
  readOnlyField,
  schemaField,
  VIEW_CONTEXTS,
} from './field.ts';

const DATE_TIME: JsonObject = { format: 'date-time' };
const { guid = {} } = COMMON_FIELDS;

const REVISION_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  author: schemaField('The ID for the author of the revision.', 'integer', ALL_CONTEXTS),
  date: schemaField(
    "The date the revision was published, in the site's timezone.",
    'string',
    ALL_CONTEXTS,
    DATE_TIME,
  ),
  date_gmt: schemaField('The date the revision was published, as GMT.', 'string', VIEW_CONTEXTS, DATE_TIME),
  guid,
  id: schemaField('Unique identifier for the revision.', 'integer', ALL_CONTEXTS),
  modified: schemaField(
    "The date the revision was last modified, in the site's timezone.",
    'string',
    VIEW_CONTEXTS,
    DATE_TIME,
  ),
  modified_gmt: schemaField(
    'The date the revision was last modified, as GMT.',
    'string',
    VIEW_CONTEXTS,
    DATE_TIME,
  ),
  parent: schemaField('The ID for the parent of the revision.', 'integer', ALL_CONTEXTS),
  slug: schemaField(
    'An alphanumeric identifier for the revision unique to its type.',
    'string',
    ALL_CONTEXTS,
  ),
  ...REVISED_FIELDS,
};

export function createRevisionSchema(kind: 'post' | 'page'): JsonObject {
  return createRecordSchema(`${kind}-revision`, REVISION_PROPERTIES);
}

export function createAutosaveSchema(kind: 'post' | 'page'): JsonObject {
  return createRecordSchema(`${kind}-revision`, {
    ...REVISION_PROPERTIES,
    preview_link: readOnlyField('Preview link for the post.', 'string', EDIT_CONTEXT, { format: 'uri' }),
  });
}
