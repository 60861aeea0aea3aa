import type { JsonObject } from '../../../json.ts';
import { COMMON, REVISED } from './entry.ts';
import { EDITORS, EVERYWHERE, field, READERS, schemaOf, shown } from './field.ts';

const DATE_TIME: JsonObject = { format: 'date-time' };
const { guid = {} } = COMMON;

const PROPERTIES: Readonly<Record<string, JsonObject>> = {
  author: field('The ID for the author of the revision.', 'integer', EVERYWHERE),
  date: field(
    "The date the revision was published, in the site's timezone.",
    'string',
    EVERYWHERE,
    DATE_TIME,
  ),
  date_gmt: field('The date the revision was published, as GMT.', 'string', READERS, DATE_TIME),
  guid,
  id: field('Unique identifier for the revision.', 'integer', EVERYWHERE),
  modified: field(
    "The date the revision was last modified, in the site's timezone.",
    'string',
    READERS,
    DATE_TIME,
  ),
  modified_gmt: field('The date the revision was last modified, as GMT.', 'string', READERS, DATE_TIME),
  parent: field('The ID for the parent of the revision.', 'integer', EVERYWHERE),
  slug: field('An alphanumeric identifier for the revision unique to its type.', 'string', EVERYWHERE),
  ...REVISED,
};

export function revisionSchema(kind: 'post' | 'page'): JsonObject {
  return schemaOf(`${kind}-revision`, PROPERTIES);
}

export function autosaveSchema(kind: 'post' | 'page'): JsonObject {
  return schemaOf(`${kind}-revision`, {
    ...PROPERTIES,
    preview_link: shown('Preview link for the post.', 'string', EDITORS, { format: 'uri' }),
  });
}
