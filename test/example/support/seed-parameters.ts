import type { JsonObject } from '../../../src/json.ts';
import type { SeedOperation } from './seed-operations.ts';

/** The documented schemas of parameters, by name. A parameter without default has the default `null`. */
type StatedArguments = Readonly<Record<string, JsonObject>>;

const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };
const yesNo: JsonObject = { type: 'boolean' };
const address: JsonObject = { type: 'string', format: 'uri', required: true };
const dateTime: JsonObject = { type: 'string', format: 'date-time' };
const date: JsonObject = { type: ['string', 'null'], format: 'date-time' };
const numbers: JsonObject = { type: 'array', items: whole };
const numbersOrNone: JsonObject = { ...numbers, default: [] };
const one = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
const some = (...values: string[]): JsonObject => ({ type: 'array', items: one(...values) });

const FORMATS = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const;
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;
const HIDDEN = [
  'trash',
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'any',
] as const;
const ORDERS = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'] as const;
const BY = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
];

const context: JsonObject = { ...one('view', 'embed', 'edit'), default: 'view' };
const force: JsonObject = { ...yesNo, default: false };
const ID: StatedArguments = { id: whole };
const PARENT: StatedArguments = { parent: whole };
const NAMESPACE = (name: string): StatedArguments => ({
  namespace: { default: name },
  context: { default: 'view' },
});

/** The schema of an object with documented members: `{ raw: string }`. */
const members = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const title = members({ raw: text, rendered: text });

/** The fields of section 2.2, without those that only posts have. */
const FIELDS: StatedArguments = {
  date,
  date_gmt: date,
  slug: text,
  status: one(...STATUSES),
  password: text,
  title,
  content: members({ raw: text, rendered: text, block_version: whole, protected: yesNo }),
  author: whole,
  excerpt: members({ raw: text, rendered: text, protected: yesNo }),
  featured_media: whole,
  comment_status: one('open', 'closed'),
  ping_status: one('open', 'closed'),
  meta: members({ footnotes: { ...text, default: '' } }),
  template: text,
};
const POST_FIELDS: StatedArguments = {
  ...FIELDS,
  format: one(...FORMATS),
  sticky: yesNo,
  categories: numbers,
  tags: numbers,
};
const PAGE_FIELDS: StatedArguments = { ...FIELDS, parent: whole, menu_order: whole };
const { password: _password, content: _content, excerpt: _excerpt, meta: _meta, ...ATTACHED } = FIELDS;
const MEDIA_FIELDS: StatedArguments = {
  ...ATTACHED,
  meta: { type: 'object' },
  alt_text: text,
  caption: title,
  description: title,
  post: whole,
};

const LIST: StatedArguments = {
  context,
  page: { ...whole, default: 1, minimum: 1 },
  per_page: { ...whole, default: 10, minimum: 1, maximum: 100 },
  search: text,
  after: dateTime,
  before: dateTime,
  modified_after: dateTime,
  modified_before: dateTime,
  author: numbersOrNone,
  author_exclude: numbersOrNone,
  exclude: numbersOrNone,
  include: numbersOrNone,
  search_semantics: one('exact'),
  offset: whole,
  order: { ...one('asc', 'desc'), default: 'desc' },
  orderby: { ...one(...BY), default: 'date' },
  search_columns: { ...some('post_title', 'post_content', 'post_excerpt'), default: [] },
  slug: { type: 'array', items: text },
};
const statuses: JsonObject = { ...some(...STATUSES, ...HIDDEN), default: 'publish' };

const terms: JsonObject = { ...numbers, default: [] };
const operator: JsonObject = { ...one('AND', 'OR'), default: 'OR' };
const include_children = force;
const taxonomy = (properties: JsonObject): JsonObject => ({
  type: ['object', 'array'],
  oneOf: [numbers, { type: 'object', properties }],
});
const POST_LIST: StatedArguments = {
  ...LIST,
  status: statuses,
  tax_relation: one('AND', 'OR'),
  categories: taxonomy({ terms, include_children, operator }),
  categories_exclude: taxonomy({ terms, include_children }),
  tags: taxonomy({ terms, operator }),
  tags_exclude: taxonomy({ terms }),
  sticky: yesNo,
  ignore_sticky: { ...yesNo, default: true },
  format: { ...some(...FORMATS), uniqueItems: true },
};
const PARENTS: StatedArguments = { parent: numbersOrNone, parent_exclude: numbersOrNone };
const PAGE_LIST: StatedArguments = {
  ...LIST,
  ...PARENTS,
  status: statuses,
  orderby: { ...one(...BY, 'menu_order'), default: 'date' },
  menu_order: whole,
};
const MEDIA_LIST: StatedArguments = {
  ...LIST,
  ...PARENTS,
  status: { ...some('inherit', 'private', 'trash'), default: 'inherit' },
  media_type: { ...some('image', 'video', 'text', 'application', 'audio'), default: null },
  mime_type: { type: 'array', items: text, default: null },
};
const REVISION_LIST: StatedArguments = {
  ...PARENT,
  context,
  page: { ...whole, default: 1, minimum: 1 },
  per_page: { ...whole, minimum: 1, maximum: 100, default: null },
  search: text,
  exclude: numbersOrNone,
  include: numbersOrNone,
  offset: whole,
  order: { ...one('asc', 'desc'), default: 'desc' },
  orderby: { ...one(...ORDERS), default: 'date' },
};

function entries(
  type: 'posts' | 'pages',
  fields: StatedArguments,
  list: StatedArguments,
): Readonly<Record<SeedOperation, StatedArguments>> {
  const base = `/core/v2/${type}`;
  const update = { ...fields, ...ID };
  return {
    [`GET ${base}`]: list,
    [`POST ${base}`]: fields,
    [`GET ${base}/{id}`]: { ...ID, context, excerpt_length: whole, password: text },
    [`POST ${base}/{id}`]: update,
    [`PUT ${base}/{id}`]: update,
    [`PATCH ${base}/{id}`]: update,
    [`DELETE ${base}/{id}`]: { ...ID, force },
    [`GET ${base}/{parent}/revisions`]: REVISION_LIST,
    [`GET ${base}/{parent}/revisions/{id}`]: { ...PARENT, ...ID, context },
    [`DELETE ${base}/{parent}/revisions/{id}`]: { ...PARENT, ...ID, force },
    [`GET ${base}/{id}/autosaves`]: { ...PARENT, context },
    [`POST ${base}/{id}/autosaves`]: { ...fields, ...PARENT },
    [`GET ${base}/{parent}/autosaves/{id}`]: { ...PARENT, ...ID, context },
  };
}

const BATCH: StatedArguments = {
  validation: { ...one('require-all-validate', 'normal'), default: 'normal' },
  requests: {
    type: 'array',
    required: true,
    maxItems: 25,
    items: members({
      method: { ...one('POST', 'PUT', 'PATCH', 'DELETE'), default: 'POST' },
      path: text,
      body: { type: 'object', additionalProperties: true },
      headers: { type: 'object', additionalProperties: { type: ['string', 'array'], items: text } },
    }),
  },
};

/** The routes of the REST server and of oEmbed, which both sites have. */
const SERVER: Readonly<Record<SeedOperation, StatedArguments>> = {
  'GET /': { context: { default: 'view' } },
  'POST /batch/v1': BATCH,
  'GET /oembed/1.0': NAMESPACE('oembed/1.0'),
  'GET /oembed/1.0/embed': { url: address, format: { default: 'json' }, maxwidth: { default: 600 } },
  'GET /oembed/1.0/proxy': {
    url: address,
    format: { ...one('json', 'xml'), default: 'json' },
    maxwidth: { ...whole, default: 600 },
    maxheight: { ...whole, default: null },
    discover: { ...yesNo, default: true },
  },
};

const mediaUpdate = { ...MEDIA_FIELDS, ...ID };

/** The documented parameters of the content site, by operation. Operations without parameters are missing. */
export const CONTENT_PARAMETERS: Readonly<Record<SeedOperation, StatedArguments>> = {
  ...SERVER,
  'GET /ext-a/v1': NAMESPACE('ext-a/v1'),
  'GET /v1': NAMESPACE('v1'),
  'GET /ai/v1': NAMESPACE('ai/v1'),
  'GET /core/v2': NAMESPACE('core/v2'),
  'GET /ai/v1/providers': {
    capability: { ...one('text_generation', 'image_generation', 'vision'), required: true },
  },
  ...entries('posts', POST_FIELDS, POST_LIST),
  ...entries('pages', PAGE_FIELDS, PAGE_LIST),
  'GET /core/v2/media': MEDIA_LIST,
  'POST /core/v2/media': MEDIA_FIELDS,
  'GET /core/v2/media/{id}': { ...ID, context },
  'POST /core/v2/media/{id}': mediaUpdate,
  'PUT /core/v2/media/{id}': mediaUpdate,
  'PATCH /core/v2/media/{id}': mediaUpdate,
  'DELETE /core/v2/media/{id}': { ...ID, force },
  'POST /core/v2/media/{id}/post-process': {
    ...ID,
    action: { ...one('create-image-subsizes'), required: true },
  },
  'POST /core/v2/media/{id}/edit': { src: address, modifiers: { type: 'array' } },
};

/** The documented parameters of the board site. Its own routes document only their path parameters. */
export const BOARD_PARAMETERS: Readonly<Record<SeedOperation, StatedArguments>> = {
  ...SERVER,
  'GET /boards/v2': NAMESPACE('boards/v2'),
};
