import type { JsonObject } from '../../../json.ts';
import type { Kind } from '../entries.ts';
import { WRITABLE } from '../rules/statuses.ts';
import { EDITORS, EVERYWHERE, field, READERS, rendered, schemaOf, shown } from './field.ts';

export const FORMATS: readonly string[] = [
  ...['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'],
];

const OPEN_CLOSED: JsonObject = { enum: ['open', 'closed'] };
const DATE_TIME: JsonObject = { format: 'date-time' };
const IDS: JsonObject = { items: { type: 'integer' } };

/** What posts, pages and media items have alike, in the order of WordPress. */
export const COMMON: Readonly<Record<string, JsonObject>> = {
  date: field(
    "The date the post was published, in the site's timezone.",
    ['string', 'null'],
    EVERYWHERE,
    DATE_TIME,
  ),
  date_gmt: field('The date the post was published, as GMT.', ['string', 'null'], READERS, DATE_TIME),
  guid: shown('The globally unique identifier for the post.', 'object', READERS, {
    properties: {
      raw: shown('GUID for the post, as it exists in the database.', 'string', EDITORS),
      rendered: shown('GUID for the post, transformed for display.', 'string', READERS),
    },
  }),
  id: shown('Unique identifier for the post.', 'integer', EVERYWHERE),
  link: shown('URL to the post.', 'string', EVERYWHERE, { format: 'uri' }),
  modified: shown(
    "The date the post was last modified, in the site's timezone.",
    'string',
    READERS,
    DATE_TIME,
  ),
  modified_gmt: shown('The date the post was last modified, as GMT.', 'string', READERS, DATE_TIME),
  slug: field('An alphanumeric identifier for the post unique to its type.', 'string', EVERYWHERE),
  status: field('A named status for the post.', 'string', READERS, { enum: [...WRITABLE] }),
  type: shown('Type of post.', 'string', EVERYWHERE),
};

export const ADDRESSING: Readonly<Record<string, JsonObject>> = {
  permalink_template: shown('Permalink template for the post.', 'string', EDITORS),
  generated_slug: shown('Slug automatically generated from the post title.', 'string', EDITORS),
  class_list: shown('An array of the class names for the post container element.', 'array', READERS, {
    items: { type: 'string' },
  }),
};

export const TITLE: JsonObject = field('The title for the post.', 'object', EVERYWHERE, {
  ...rendered('Title', 'post', EVERYWHERE),
});

export const AUTHOR: JsonObject = field('The ID for the author of the post.', 'integer', EVERYWHERE);

export const DISCUSSION: Readonly<Record<string, JsonObject>> = {
  featured_media: field('The ID of the featured media for the post.', 'integer', EVERYWHERE),
  comment_status: field('Whether or not comments are open on the post.', 'string', READERS, OPEN_CLOSED),
  ping_status: field('Whether or not the post can be pinged.', 'string', READERS, OPEN_CLOSED),
};

export const TEMPLATE: JsonObject = field('The theme file to use to display the post.', 'string', READERS);

export const META: JsonObject = field('Meta fields.', 'object', READERS, {
  properties: { footnotes: { type: 'string', title: '', description: '', default: '' } },
});

const CONTENT = field('The content for the post.', 'object', READERS, {
  ...rendered('Content', 'post', READERS, {
    block_version: shown('Version of the content block format used by the post.', 'integer', EDITORS),
    protected: shown('Whether the content is protected with a password.', 'boolean', EVERYWHERE),
  }),
});

const EXCERPT = field('The excerpt for the post.', 'object', EVERYWHERE, {
  ...rendered('Excerpt', 'post', EVERYWHERE, {
    protected: shown('Whether the excerpt is protected with a password.', 'boolean', EVERYWHERE),
  }),
});

const OF_PAGES_FIRST = { parent: field('The ID for the parent of the post.', 'integer', READERS) };
const OF_PAGES = {
  menu_order: field('The order of the post in relation to other posts.', 'integer', READERS),
};
const OF_POSTS = { format: field('The format for the post.', 'string', READERS, { enum: FORMATS }) };
const OF_POSTS_LAST: Readonly<Record<string, JsonObject>> = {
  categories: field('The terms assigned to the post in the category taxonomy.', 'array', READERS, IDS),
  tags: field('The terms assigned to the post in the post_tag taxonomy.', 'array', READERS, IDS),
};

/** The response schema of posts or pages. */
export function entrySchema(kind: Exclude<Kind, 'attachment'>): JsonObject {
  const ofPosts = kind === 'post';
  return schemaOf(kind, {
    ...COMMON,
    password: field('A password to protect access to the content and excerpt.', 'string', EDITORS),
    ...ADDRESSING,
    ...(ofPosts ? {} : OF_PAGES_FIRST),
    title: TITLE,
    content: CONTENT,
    author: AUTHOR,
    excerpt: EXCERPT,
    ...DISCUSSION,
    ...(ofPosts ? OF_POSTS : OF_PAGES),
    meta: META,
    ...(ofPosts
      ? { sticky: field('Whether or not the post should be treated as sticky.', 'boolean', READERS) }
      : {}),
    template: TEMPLATE,
    ...(ofPosts ? OF_POSTS_LAST : {}),
  });
}

/** Of revisions: some of their entry's own, under their entry's names. */
export const REVISED: Readonly<Record<string, JsonObject>> = {
  title: TITLE,
  content: CONTENT,
  excerpt: EXCERPT,
  meta: META,
};
