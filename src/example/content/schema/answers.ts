import { isJsonObject, type JsonObject } from '../../../json.ts';
import type { Kind } from '../entries.ts';
import { WRITABLE } from '../rules/statuses.ts';
import { entrySchema } from './entry.ts';
import { field, READERS } from './field.ts';
import { MEDIA_SCHEMA } from './media.ts';

/** What records are written with: the schemas as WordPress has them. */
export const WRITTEN: Readonly<Record<Kind, JsonObject>> = {
  post: entrySchema('post'),
  page: entrySchema('page'),
  attachment: MEDIA_SCHEMA,
};

/**
 * What is answered. WordPress's schemas speak of what may be written alone; an answer may be in the trash, a media item
 * has the status of what it hangs on, if it hangs on anything, and PHP writes its empty meta as a list.
 */
export const ANSWERED: Readonly<Record<Kind, JsonObject>> = {
  post: corrected(WRITTEN.post, { status: status('trash') }),
  page: corrected(WRITTEN.page, { status: status('trash') }),
  attachment: corrected(WRITTEN.attachment, {
    status: status('inherit', 'trash'),
    meta: field('Meta fields.', ['object', 'array'], READERS),
    post: field('The ID for the associated post of the attachment.', ['integer', 'null'], READERS),
  }),
};

function status(...more: readonly string[]): JsonObject {
  return field('A named status for the post.', 'string', READERS, { enum: [...WRITABLE, ...more] });
}

function corrected(schema: JsonObject, properties: JsonObject): JsonObject {
  const own = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return { ...schema, properties: { ...own, ...properties } };
}
