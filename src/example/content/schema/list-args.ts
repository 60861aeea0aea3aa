import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas } from '../../site/declarations.ts';
import type { EntryKind } from '../model/entries.ts';
import { LISTABLE_STATUSES, MEDIA_STATUSES } from '../rules/statuses.ts';
import { POST_FORMATS } from './entry-fields.ts';
import { TAXONOMY_ARGS } from './taxonomy-args.ts';

export const CONTEXT_ARG: JsonObject = {
  description: 'Scope under which the request is made; determines fields present in response.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
};

const IDS: JsonObject = { type: 'array', items: { type: 'integer' }, default: [] };
const DATE_TIME: JsonObject = { type: 'string', format: 'date-time' };

const PAGE: JsonObject = {
  description: 'Current page of the collection.',
  type: 'integer',
  default: 1,
  minimum: 1,
};
const PER_PAGE: JsonObject = {
  description: 'Maximum number of items to be returned in result set.',
  type: 'integer',
  minimum: 1,
  maximum: 100,
};
const SEARCH: JsonObject = { description: 'Limit results to those matching a string.', type: 'string' };
const EXCLUDE: JsonObject = { description: 'Ensure result set excludes specific IDs.', ...IDS };
const INCLUDE: JsonObject = { description: 'Limit result set to specific IDs.', ...IDS };
const OFFSET: JsonObject = {
  description: 'Offset the result set by a specific number of items.',
  type: 'integer',
};
const ORDER: JsonObject = {
  description: 'Order sort attribute ascending or descending.',
  type: 'string',
  default: 'desc',
  enum: ['asc', 'desc'],
};

const ORDER_BY_VALUES = [
  ...['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'],
];

function createOrderByArg(values: readonly string[]): JsonObject {
  return { description: 'Sort collection by post attribute.', type: 'string', default: 'date', enum: values };
}

const COMMON_ARGS: ArgumentSchemas = {
  context: CONTEXT_ARG,
  page: PAGE,
  per_page: { ...PER_PAGE, default: 10 },
  search: SEARCH,
  after: {
    description: 'Limit response to posts published after a given ISO8601 compliant date.',
    ...DATE_TIME,
  },
  modified_after: {
    description: 'Limit response to posts modified after a given ISO8601 compliant date.',
    ...DATE_TIME,
  },
  author: { description: 'Limit result set to posts assigned to specific authors.', ...IDS },
  author_exclude: { description: 'Ensure result set excludes posts assigned to specific authors.', ...IDS },
  before: {
    description: 'Limit response to posts published before a given ISO8601 compliant date.',
    ...DATE_TIME,
  },
  modified_before: {
    description: 'Limit response to posts modified before a given ISO8601 compliant date.',
    ...DATE_TIME,
  },
  exclude: EXCLUDE,
  include: INCLUDE,
};

const MENU_ORDER_ARGS: ArgumentSchemas = {
  menu_order: { description: 'Limit result set to posts with a specific menu_order value.', type: 'integer' },
};

const ORDER_ARGS: ArgumentSchemas = {
  search_semantics: { description: 'How to interpret the search input.', type: 'string', enum: ['exact'] },
  offset: OFFSET,
  order: ORDER,
};

const PARENT_ARGS: ArgumentSchemas = {
  parent: { description: 'Limit result set to items with particular parent IDs.', ...IDS },
  parent_exclude: {
    description: 'Limit result set to all items except those of a particular parent ID.',
    ...IDS,
  },
};

function createFilterArgs(statuses: readonly string[], status: string): ArgumentSchemas {
  return {
    search_columns: {
      default: [],
      description: 'Array of column names to be searched.',
      type: 'array',
      items: { enum: ['post_title', 'post_content', 'post_excerpt'], type: 'string' },
    },
    slug: {
      description: 'Limit result set to posts with one or more specific slugs.',
      type: 'array',
      items: { type: 'string' },
    },
    status: {
      default: status,
      description: 'Limit result set to posts assigned one or more statuses.',
      type: 'array',
      items: { enum: statuses, type: 'string' },
    },
  };
}

const POST_ARGS: ArgumentSchemas = {
  sticky: { description: 'Limit result set to items that are sticky.', type: 'boolean' },
  ignore_sticky: { description: 'Whether to ignore sticky posts or not.', type: 'boolean', default: true },
  format: {
    description: 'Limit result set to items assigned one or more given formats.',
    type: 'array',
    uniqueItems: true,
    items: { enum: POST_FORMATS, type: 'string' },
  },
};

const MEDIA_ARGS: ArgumentSchemas = {
  media_type: {
    default: null,
    description: 'Limit result set to attachments of a particular media type or media types.',
    type: 'array',
    items: { type: 'string', enum: ['image', 'video', 'text', 'application', 'audio'] },
  },
  mime_type: {
    default: null,
    description: 'Limit result set to attachments of a particular MIME type or MIME types.',
    type: 'array',
    items: { type: 'string' },
  },
};

/** The arguments of the list endpoints, in the order of WordPress. */
export const LIST_ARGS: Readonly<Record<EntryKind, ArgumentSchemas>> = {
  post: {
    ...COMMON_ARGS,
    ...ORDER_ARGS,
    orderby: createOrderByArg(ORDER_BY_VALUES),
    ...createFilterArgs(LISTABLE_STATUSES, 'publish'),
    ...TAXONOMY_ARGS,
    ...POST_ARGS,
  },
  page: {
    ...COMMON_ARGS,
    ...MENU_ORDER_ARGS,
    ...ORDER_ARGS,
    orderby: createOrderByArg([...ORDER_BY_VALUES, 'menu_order']),
    ...PARENT_ARGS,
    ...createFilterArgs(LISTABLE_STATUSES, 'publish'),
  },
  attachment: {
    ...COMMON_ARGS,
    ...ORDER_ARGS,
    orderby: createOrderByArg(ORDER_BY_VALUES),
    ...PARENT_ARGS,
    ...createFilterArgs(MEDIA_STATUSES, 'inherit'),
    ...MEDIA_ARGS,
  },
};

export const REVISION_LIST_ARGS: ArgumentSchemas = {
  parent: { description: 'The ID for the parent of the revision.', type: 'integer' },
  context: CONTEXT_ARG,
  page: PAGE,
  per_page: PER_PAGE,
  search: SEARCH,
  exclude: EXCLUDE,
  include: INCLUDE,
  offset: OFFSET,
  order: ORDER,
  orderby: {
    description: 'Sort collection by object attribute.',
    type: 'string',
    default: 'date',
    enum: ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'],
  },
};
