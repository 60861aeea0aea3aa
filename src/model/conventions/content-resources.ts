import type { ResourceConvention } from './resource-convention.ts';

const POST_SIGNATURE = [
  ...['id', 'date', 'date_gmt', 'guid', 'link', 'modified', 'modified_gmt', 'slug', 'status', 'type'],
];

const POST_MEMBERS = {
  guid: ['raw', 'rendered'],
  title: ['raw', 'rendered'],
  content: ['raw', 'rendered', 'protected', 'block_version'],
  excerpt: ['raw', 'rendered', 'protected'],
  meta: 'all',
} as const;

/** `prepare_date_response` returns null for a zero date only, and the controller replaces the zero dates of drafts. */
const POST_DATES = { date: { type: 'string' }, date_gmt: { type: 'string' } } as const;

/** Statuses that cannot be written: of the trash, of a new post in the editor, and of a file of another post. */
const FURTHER_STATUSES = { status: ['trash', 'auto-draft', 'inherit'] } as const;

const POST_ALWAYS = [
  ...POST_SIGNATURE,
  ...['password', 'class_list', 'title', 'content', 'excerpt', 'author', 'featured_media', 'parent'],
  ...['menu_order', 'comment_status', 'ping_status', 'sticky', 'template', 'format', 'meta'],
];

const POST_LINKS = {
  always: ['self', 'collection', 'about'],
  sometimes: ['version-history', 'predecessor-version', 'wp:attachment', 'curies'],
  embeddable: [
    { relation: 'author', target: ['user'] },
    { relation: 'replies', target: ['comment'], isCollection: true },
    { relation: 'up', target: 'same' },
    { relation: 'wp:featuredmedia', target: ['attachment'] },
    { relation: 'wp:term', target: 'terms', isCollection: true },
  ],
} as const;

const REVISION = {
  kind: 'revision',
  source:
    'WP_REST_Revisions_Controller::prepare_item_for_response; `content.protected` and `content.block_version` are ' +
    'stated by the schema and never written',
  titles: ['*-revision'],
  signature: ['author', 'date', 'date_gmt', 'id', 'modified', 'modified_gmt', 'parent', 'slug'],
  always: [
    ...['author', 'date', 'date_gmt', 'id', 'modified', 'modified_gmt', 'parent', 'slug'],
    ...['guid', 'title', 'content', 'excerpt', 'meta'],
  ],
  members: {
    guid: ['raw', 'rendered'],
    title: ['raw', 'rendered'],
    content: ['raw', 'rendered'],
    excerpt: ['raw', 'rendered'],
    meta: 'all',
  },
  isViewedAfter: ['deleted'],
  links: { always: ['parent'] },
  isDeletedForGood: true,
} as const satisfies ResourceConvention;

const AUTOSAVE: ResourceConvention = {
  ...REVISION,
  kind: 'autosave',
  source:
    'WP_REST_Autosaves_Controller::prepare_item_for_response; the autosave of a draft by its author is the draft itself, ' +
    'which has no `parent` link and no date',
  signature: [...REVISION.signature, 'preview_link'],
  always: [...REVISION.always, 'preview_link'],
  corrections: {
    preview_link: { type: ['string', 'null'] },
    date: { type: ['string', 'null'] },
    date_gmt: { type: ['string', 'null'] },
  },
  links: { always: [], sometimes: ['parent'] },
};

/** Resources of a site's content. The first that matches a schema applies to it. */
export const CONTENT_RESOURCES: readonly ResourceConvention[] = [
  {
    kind: 'menu-item',
    source:
      'WP_REST_Menu_Items_Controller::prepare_item_for_response; `menus` is absent from an item without menu',
    signature: [
      'id',
      'title',
      'type_label',
      'menu_order',
      'object',
      'object_id',
      'classes',
      'xfn',
      'invalid',
    ],
    always: [
      ...['id', 'title', 'type_label', 'type', 'status', 'parent', 'attr_title', 'classes', 'description'],
      ...['menu_order', 'object', 'object_id', 'target', 'url', 'xfn', 'invalid', 'meta'],
    ],
    members: { title: ['raw', 'rendered'], meta: 'all' },
    isViewedAfter: ['deleted'],
    links: {
      always: ['self', 'collection', 'about'],
      sometimes: ['curies'],
      embeddable: [{ relation: 'wp:menu-item-object', target: ['post', 'term'] }],
    },
    isDeletedForGood: true,
  },
  {
    kind: 'attachment',
    source:
      'WP_REST_Attachments_Controller::prepare_item_for_response; the properties of images are absent from other files',
    titles: ['attachment'],
    signature: [...POST_SIGNATURE, 'media_type', 'mime_type', 'source_url', 'media_details', 'alt_text'],
    always: [
      ...POST_ALWAYS,
      ...['alt_text', 'caption', 'description', 'media_type', 'mime_type', 'media_details', 'post'],
      ...['source_url', 'missing_image_sizes'],
    ],
    hasTermLists: true,
    members: { ...POST_MEMBERS, caption: ['raw', 'rendered'], description: ['raw', 'rendered'] },
    corrections: { ...POST_DATES, post: { type: ['integer', 'null'] } },
    furtherValues: FURTHER_STATUSES,
    keepsFormat: ['link'],
    links: POST_LINKS,
  },
  {
    kind: 'post',
    source:
      'WP_REST_Posts_Controller::prepare_item_for_response (also for types of plugins); `permalink_template` and ' +
      '`generated_slug` only of public types',
    signature: POST_SIGNATURE,
    always: POST_ALWAYS,
    hasTermLists: true,
    members: POST_MEMBERS,
    corrections: POST_DATES,
    furtherValues: FURTHER_STATUSES,
    keepsFormat: ['link'],
    links: POST_LINKS,
  },
  AUTOSAVE,
  REVISION,
  {
    kind: 'global-styles-revision',
    source:
      'WP_REST_Global_Styles_Revisions_Controller::prepare_item_for_response; `settings` and `styles` are absent from ' +
      'an empty revision',
    titles: ['wp_global_styles-revision'],
    signature: [
      'author',
      'date',
      'date_gmt',
      'id',
      'modified',
      'modified_gmt',
      'parent',
      'styles',
      'settings',
    ],
    always: ['author', 'date', 'date_gmt', 'id', 'modified', 'modified_gmt', 'parent'],
    links: 'none',
  },
  {
    kind: 'menu',
    source: 'WP_REST_Menus_Controller::prepare_item_for_response',
    signature: ['id', 'description', 'name', 'slug', 'locations', 'auto_add'],
    always: ['id', 'description', 'name', 'slug', 'meta', 'locations', 'auto_add'],
    members: { meta: 'all' },
    links: {
      always: ['self', 'collection', 'about'],
      sometimes: ['wp:post_type', 'curies'],
      embeddable: [{ relation: 'wp:menu-location', target: ['menu-location'] }],
    },
    isDeletedForGood: true,
  },
  {
    kind: 'term',
    source: 'WP_REST_Terms_Controller::prepare_item_for_response',
    signature: ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy'],
    always: ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy', 'parent', 'meta'],
    members: { meta: 'all' },
    keepsFormat: ['link'],
    links: {
      always: ['self', 'collection', 'about'],
      sometimes: ['wp:post_type', 'curies'],
      embeddable: [{ relation: 'up', target: 'same' }],
    },
    isDeletedForGood: true,
  },
  {
    kind: 'user',
    source:
      'WP_REST_Users_Controller::prepare_item_for_response; `roles` only for who may list or edit the user, which the ' +
      'context `edit` requires',
    titles: ['user'],
    signature: ['id', 'username', 'name', 'first_name', 'last_name', 'email', 'slug', 'extra_capabilities'],
    always: [
      ...['id', 'username', 'name', 'first_name', 'last_name', 'email', 'url', 'description', 'link'],
      ...['locale', 'nickname', 'slug', 'roles', 'registered_date', 'capabilities', 'extra_capabilities'],
      ...['avatar_urls', 'meta'],
    ],
    members: { avatar_urls: 'all', meta: 'all' },
    keepsFormat: ['link', 'registered_date'],
    links: { always: ['self', 'collection'] },
    isDeletedForGood: true,
  },
  {
    kind: 'comment',
    source: 'WP_REST_Comments_Controller::prepare_item_for_response',
    titles: ['comment'],
    signature: ['id', 'author', 'author_email', 'author_ip', 'author_name', 'author_user_agent', 'content'],
    always: [
      ...['id', 'author', 'author_email', 'author_ip', 'author_name', 'author_url', 'author_user_agent'],
      ...['content', 'date', 'date_gmt', 'link', 'parent', 'post', 'status', 'type', 'author_avatar_urls'],
      'meta',
    ],
    members: { content: ['raw', 'rendered'], author_avatar_urls: 'all', meta: 'all' },
    keepsFormat: ['link'],
    links: {
      always: ['self', 'collection'],
      embeddable: [
        { relation: 'author', target: ['user'] },
        { relation: 'up', target: ['post', 'attachment'] },
        { relation: 'in-reply-to', target: 'same' },
        { relation: 'children', target: 'same', isCollection: true },
      ],
    },
  },
  {
    kind: 'search-result',
    source: 'WP_REST_Search_Handler::prepare_item; `subtype` only of posts',
    titles: ['search-result'],
    signature: ['id', 'title', 'url', 'type', 'subtype'],
    always: ['id', 'title', 'url', 'type'],
    links: {
      always: ['collection'],
      sometimes: ['about'],
      embeddable: [{ relation: 'self', target: ['post', 'attachment', 'term'] }],
    },
  },
  {
    kind: 'application-password',
    source:
      'WP_REST_Application_Passwords_Controller::prepare_item_for_response; `password` only in the response to its creation',
    titles: ['application-password'],
    signature: ['uuid', 'app_id', 'name', 'password', 'created', 'last_used', 'last_ip'],
    always: ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip'],
    corrections: { app_id: { format: null } },
    links: { always: ['self'] },
    isDeletedForGood: true,
  },
];
