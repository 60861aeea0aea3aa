import type { JsonObject } from '../../../json.ts';
import type { EntryKind } from '../model/entries.ts';
import { WRITABLE_STATUSES } from '../rules/statuses.ts';
import {
  ALL_CONTEXTS,
  createRecordSchema,
  EDIT_CONTEXT,
  readOnlyField,
  renderedTextField,
  schemaField,
  VIEW_CONTEXTS,
} from './field.ts';

export const POST_FORMATS: readonly string[] = [
  ...['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'],
];

const OPEN_CLOSED: JsonObject = { enum: ['open', 'closed'] };
const DATE_TIME: JsonObject = { format: 'date-time' };
const IDS: JsonObject = { items: { type: 'integer' } };

/** The fields that posts, pages and media items share, in the order of WordPress. */
export const COMMON_FIELDS: Readonly<Record<string, JsonObject>> = {
  date: schemaField(
    "The date the post was published, in the site's timezone.",
    ['string', 'null'],
    ALL_CONTEXTS,
    DATE_TIME,
  ),
  date_gmt: schemaField(
    'The date the post was published, as GMT.',
    ['string', 'null'],
    VIEW_CONTEXTS,
    DATE_TIME,
  ),
  guid: readOnlyField('The globally unique identifier for the post.', 'object', VIEW_CONTEXTS, {
    properties: {
      raw: readOnlyField('GUID for the post, as it exists in the database.', 'string', EDIT_CONTEXT),
      rendered: readOnlyField('GUID for the post, transformed for display.', 'string', VIEW_CONTEXTS),
    },
  }),
  id: readOnlyField('Unique identifier for the post.', 'integer', ALL_CONTEXTS),
  link: readOnlyField('URL to the post.', 'string', ALL_CONTEXTS, { format: 'uri' }),
  modified: readOnlyField(
    "The date the post was last modified, in the site's timezone.",
    'string',
    VIEW_CONTEXTS,
    DATE_TIME,
  ),
  modified_gmt: readOnlyField(
    'The date the post was last modified, as GMT.',
    'string',
    VIEW_CONTEXTS,
    DATE_TIME,
  ),
  slug: schemaField('An alphanumeric identifier for the post unique to its type.', 'string', ALL_CONTEXTS),
  status: schemaField('A named status for the post.', 'string', VIEW_CONTEXTS, {
    enum: [...WRITABLE_STATUSES],
  }),
  type: readOnlyField('Type of post.', 'string', ALL_CONTEXTS),
};

export const PERMALINK_FIELDS: Readonly<Record<string, JsonObject>> = {
  permalink_template: readOnlyField('Permalink template for the post.', 'string', EDIT_CONTEXT),
  generated_slug: readOnlyField('Slug automatically generated from the post title.', 'string', EDIT_CONTEXT),
  class_list: readOnlyField(
    'An array of the class names for the post container element.',
    'array',
    VIEW_CONTEXTS,
    {
      items: { type: 'string' },
    },
  ),
};

export const TITLE_FIELD: JsonObject = schemaField('The title for the post.', 'object', ALL_CONTEXTS, {
  ...renderedTextField('Title', 'post', ALL_CONTEXTS),
});

export const AUTHOR_FIELD: JsonObject = schemaField(
  'The ID for the author of the post.',
  'integer',
  ALL_CONTEXTS,
);

export const DISCUSSION_FIELDS: Readonly<Record<string, JsonObject>> = {
  featured_media: schemaField('The ID of the featured media for the post.', 'integer', ALL_CONTEXTS),
  comment_status: schemaField(
    'Whether or not comments are open on the post.',
    'string',
    VIEW_CONTEXTS,
    OPEN_CLOSED,
  ),
  ping_status: schemaField('Whether or not the post can be pinged.', 'string', VIEW_CONTEXTS, OPEN_CLOSED),
};

export const TEMPLATE_FIELD: JsonObject = schemaField(
  'The theme file to use to display the post.',
  'string',
  VIEW_CONTEXTS,
);

const META_FIELD: JsonObject = schemaField('Meta fields.', 'object', VIEW_CONTEXTS, {
  properties: { footnotes: { type: 'string', title: '', description: '', default: '' } },
});

const CONTENT_FIELD = schemaField('The content for the post.', 'object', VIEW_CONTEXTS, {
  ...renderedTextField('Content', 'post', VIEW_CONTEXTS, {
    block_version: readOnlyField(
      'Version of the content block format used by the post.',
      'integer',
      EDIT_CONTEXT,
    ),
    protected: readOnlyField('Whether the content is protected with a password.', 'boolean', ALL_CONTEXTS),
  }),
});

const EXCERPT_FIELD = schemaField('The excerpt for the post.', 'object', ALL_CONTEXTS, {
  ...renderedTextField('Excerpt', 'post', ALL_CONTEXTS, {
    protected: readOnlyField('Whether the excerpt is protected with a password.', 'boolean', ALL_CONTEXTS),
  }),
});

const PAGE_PARENT_FIELD = {
  parent: schemaField('The ID for the parent of the post.', 'integer', VIEW_CONTEXTS),
};
const PAGE_ORDER_FIELD = {
  menu_order: schemaField('The order of the post in relation to other posts.', 'integer', VIEW_CONTEXTS),
};
const POST_FORMAT_FIELD = {
  format: schemaField('The format for the post.', 'string', VIEW_CONTEXTS, { enum: POST_FORMATS }),
};
const POST_TERM_FIELDS: Readonly<Record<string, JsonObject>> = {
  categories: schemaField(
    'The terms assigned to the post in the category taxonomy.',
    'array',
    VIEW_CONTEXTS,
    IDS,
  ),
  tags: schemaField('The terms assigned to the post in the post_tag taxonomy.', 'array', VIEW_CONTEXTS, IDS),
};

/** Creates the schema of posts or pages, in the field order of WordPress. */
export function createEntrySchema(kind: Exclude<EntryKind, 'attachment'>): JsonObject {
  const isPost = kind === 'post';
  return createRecordSchema(kind, {
    ...COMMON_FIELDS,
    password: schemaField('A password to protect access to the content and excerpt.', 'string', EDIT_CONTEXT),
    ...PERMALINK_FIELDS,
    ...(isPost ? {} : PAGE_PARENT_FIELD),
    title: TITLE_FIELD,
    content: CONTENT_FIELD,
    author: AUTHOR_FIELD,
    excerpt: EXCERPT_FIELD,
    ...DISCUSSION_FIELDS,
    ...(isPost ? POST_FORMAT_FIELD : PAGE_ORDER_FIELD),
    meta: META_FIELD,
    ...(isPost
      ? {
          sticky: schemaField(
            'Whether or not the post should be treated as sticky.',
            'boolean',
            VIEW_CONTEXTS,
          ),
        }
      : {}),
    template: TEMPLATE_FIELD,
    ...(isPost ? POST_TERM_FIELDS : {}),
  });
}

/** The fields of revisions whose schemas equal those of their entry. */
export const REVISED_FIELDS: Readonly<Record<string, JsonObject>> = {
  title: TITLE_FIELD,
  content: CONTENT_FIELD,
  excerpt: EXCERPT_FIELD,
  meta: META_FIELD,
};
