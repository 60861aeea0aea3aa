import { ownMember } from '../../discovery/index-values.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';

/**
 * What WordPress' own code does with one kind of resource, and where that can be read. An index states the properties of
 * a resource and the contexts that show them. It does not state which properties are always there.
 */
export interface ResourceConvention {
  readonly kind: string;
  /** The code that the entry was read from, or the observation that proves it. */
  readonly source: string;
  /** The titles of its schemas. `*-revision` stands for every title with this end. Absent: any title. */
  readonly titles?: readonly string[];
  /** Properties that the schema of every such resource has. With the title they identify it in a renamed namespace. */
  readonly signature: readonly string[];
  /** Properties that are in every response whose context shows them. `all`: each one of the schema. */
  readonly always: readonly string[] | 'all';
  /** Whether lists of integers are always there too: the terms of a post, by taxonomy, whose names a site chooses. */
  readonly hasTermLists?: boolean;
  /** Members of properties that are objects, which are there whenever the property is. `all`: each one of the schema. */
  readonly members?: { readonly [property: string]: readonly string[] | 'all' };
  /**
   * Keywords that replace those of a property, because the schema states what may be written, or is wrong. A keyword of
   * null is removed.
   */
  readonly corrections?: { readonly [property: string]: JsonObject };
  /** Values that responses have beside those of the property's `enum`, which lists what may be written. */
  readonly furtherValues?: { readonly [property: string]: readonly string[] };
  /** Properties whose value is an empty list if it has no members: PHP has one array type. */
  readonly maybeEmpty?: readonly string[];
  /** Properties whose values keep the format that the schema states. */
  readonly keepsFormat?: readonly string[];
  readonly links: LinkConvention | 'none';
  /** Writes whose response is in the context `view`. The controllers return all others in `edit`. */
  readonly isViewedAfter?: readonly ('created' | 'updated' | 'deleted')[];
  /** Whether the resource has no trash, so that each deletion is final. */
  readonly isDeletedForGood?: boolean;
}

/** The links of a resource by relation, as they are in `_links`: `wp:term` for `https://api.w.org/term`. */
export interface LinkConvention {
  readonly always: readonly string[];
  readonly sometimes?: readonly string[];
  readonly embeddable?: readonly EmbeddableRelation[];
}

/** A relation that `_embed` adds to `_embedded`. */
export interface EmbeddableRelation {
  readonly relation: string;
  /**
   * The kinds of resources that the links lead to. `same`: a resource of the same schema. `terms`: the terms of the
   * taxonomies that the resource has a property for.
   */
  readonly target: readonly string[] | 'same' | 'terms';
  /** Whether each link leads to a collection, so that each embedded value is a list. */
  readonly isCollection?: boolean;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const RAW_AND_RENDERED = ['raw', 'rendered'] as const;

const POST_SIGNATURE = words(`id date date_gmt guid link modified modified_gmt slug status type`);

const POST_MEMBERS = {
  guid: RAW_AND_RENDERED,
  title: RAW_AND_RENDERED,
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
  signature: words(`author date date_gmt id modified modified_gmt parent slug`),
  always: words(`author date date_gmt id modified modified_gmt parent slug guid title content excerpt meta`),
  members: {
    guid: RAW_AND_RENDERED,
    title: RAW_AND_RENDERED,
    content: RAW_AND_RENDERED,
    excerpt: RAW_AND_RENDERED,
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
const CONTENT_RESOURCES: readonly ResourceConvention[] = [
  {
    kind: 'menu-item',
    source:
      'WP_REST_Menu_Items_Controller::prepare_item_for_response; `menus` is absent from an item without menu',
    signature: words(`id title type_label menu_order object object_id classes xfn invalid`),
    always: words(`id title type_label type status parent attr_title classes description menu_order object
      object_id target url xfn invalid meta`),
    members: { title: RAW_AND_RENDERED, meta: 'all' },
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
    members: { ...POST_MEMBERS, caption: RAW_AND_RENDERED, description: RAW_AND_RENDERED },
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
    signature: words(`author date date_gmt id modified modified_gmt parent styles settings`),
    always: words(`author date date_gmt id modified modified_gmt parent`),
    links: 'none',
  },
  {
    kind: 'menu',
    source: 'WP_REST_Menus_Controller::prepare_item_for_response',
    signature: ['id', 'description', 'name', 'slug', 'locations', 'auto_add'],
    always: words(`id description name slug meta locations auto_add`),
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
    signature: words(`id count description link name slug taxonomy`),
    always: words(`id count description link name slug taxonomy parent meta`),
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
    signature: words(`id username name first_name last_name email slug extra_capabilities`),
    always: words(`id username name first_name last_name email url description link locale nickname slug
      roles registered_date capabilities extra_capabilities avatar_urls meta`),
    members: { avatar_urls: 'all', meta: 'all' },
    keepsFormat: ['link', 'registered_date'],
    links: { always: ['self', 'collection'] },
    isDeletedForGood: true,
  },
  {
    kind: 'comment',
    source: 'WP_REST_Comments_Controller::prepare_item_for_response',
    titles: ['comment'],
    signature: words(`id author author_email author_ip author_name author_user_agent content`),
    always: words(`id author author_email author_ip author_name author_url author_user_agent content date
      date_gmt link parent post status type author_avatar_urls meta`),
    members: { content: RAW_AND_RENDERED, author_avatar_urls: 'all', meta: 'all' },
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
    signature: words(`uuid app_id name password created last_used last_ip`),
    always: ['uuid', 'app_id', 'name', 'created', 'last_used', 'last_ip'],
    corrections: { app_id: { format: null } },
    links: { always: ['self'] },
    isDeletedForGood: true,
  },
];

/** Resources that describe a site. The first that matches a schema applies to it. */
const SITE_RESOURCES: readonly ResourceConvention[] = [
  {
    kind: 'type',
    source: 'WP_REST_Post_Types_Controller::prepare_item_for_response',
    titles: ['type'],
    signature: words(`capabilities hierarchical viewable labels name slug supports rest_base`),
    always: words(`capabilities description hierarchical has_archive visibility viewable labels name slug
      icon supports taxonomies rest_base rest_namespace template template_lock`),
    members: { visibility: 'all' },
    links: { always: ['collection'], sometimes: ['wp:items', 'curies'] },
  },
  {
    kind: 'status',
    source: 'WP_REST_Post_Statuses_Controller::prepare_item_for_response',
    titles: ['status'],
    signature: words(`name private protected public queryable show_in_list slug`),
    always: words(`name private protected public queryable show_in_list slug date_floating`),
    links: { always: ['archives'] },
  },
  {
    kind: 'taxonomy',
    source: 'WP_REST_Taxonomies_Controller::prepare_item_for_response',
    titles: ['taxonomy'],
    signature: words(`capabilities hierarchical labels name slug show_cloud types rest_base`),
    always: words(`name slug capabilities description labels types show_cloud hierarchical rest_base
      rest_namespace visibility`),
    members: { visibility: 'all' },
    links: { always: ['collection'], sometimes: ['wp:items', 'curies'] },
  },
  {
    kind: 'settings',
    source:
      'WP_REST_Settings_Controller::get_item returns every registered option; null if the stored value breaks its schema',
    titles: ['settings'],
    signature: ['title', 'description', 'timezone', 'date_format', 'start_of_week', 'posts_per_page'],
    always: 'all',
    corrections: { site_logo: { type: ['integer', 'null'] } },
    links: 'none',
  },
  {
    kind: 'menu-location',
    source: 'WP_REST_Menu_Locations_Controller::prepare_item_for_response',
    titles: ['menu-location'],
    signature: ['name', 'description', 'menu'],
    always: ['name', 'description', 'menu'],
    links: {
      always: ['self', 'collection'],
      sometimes: ['curies'],
      embeddable: [{ relation: 'wp:menu', target: ['menu'] }],
    },
  },
  {
    kind: 'theme',
    source:
      'WP_REST_Themes_Controller::prepare_item_for_response; `theme_supports` and `default_template_…` only of the ' +
      'active theme',
    titles: ['theme'],
    signature: words(`stylesheet template author requires_php screenshot theme_uri version`),
    always: words(`stylesheet template requires_php requires_wp textdomain version screenshot author
      author_uri description name tags theme_uri status is_block_theme stylesheet_uri template_uri`),
    members: {
      author: RAW_AND_RENDERED,
      author_uri: RAW_AND_RENDERED,
      description: RAW_AND_RENDERED,
      name: RAW_AND_RENDERED,
      tags: RAW_AND_RENDERED,
      theme_uri: RAW_AND_RENDERED,
    },
    links: { always: ['self', 'collection'], sometimes: ['wp:user-global-styles', 'curies'] },
  },
  {
    kind: 'plugin',
    source: 'WP_REST_Plugins_Controller::prepare_item_for_response',
    titles: ['plugin'],
    signature: words(`plugin status name plugin_uri network_only requires_wp textdomain`),
    always: words(`plugin status name plugin_uri author author_uri description version network_only
      requires_wp requires_php textdomain`),
    members: { description: RAW_AND_RENDERED },
    corrections: { author: { type: 'string' } },
    links: { always: ['self'] },
    isDeletedForGood: true,
  },
  {
    kind: 'site-health-test',
    source: 'WP_REST_Site_Health_Controller returns the results of WP_Site_Health',
    titles: ['wp-site-health-test'],
    signature: ['test', 'label', 'status', 'badge', 'description', 'actions'],
    always: ['test', 'label', 'status', 'badge', 'description', 'actions'],
    members: { badge: ['label', 'color'] },
    links: 'none',
  },
  {
    kind: 'ability',
    source: 'WP_REST_Abilities_V1_List_Controller::prepare_item_for_response',
    titles: ['ability'],
    signature: ['name', 'label', 'category', 'input_schema', 'output_schema'],
    always: words(`name label description category input_schema output_schema meta`),
    links: { always: ['self', 'collection', 'wp:action-run'] },
  },
];

const TEMPLATE_ALWAYS = words(`id slug theme type source origin content title description status wp_id
  has_theme_file author modified author_text original_source is_custom area`);

const SELF_AND_COLLECTION = { always: ['self', 'collection'] } as const;

/** Resources of a site's design: templates, blocks, widgets, fonts. The first that matches a schema applies to it. */
const DESIGN_RESOURCES: readonly ResourceConvention[] = [
  {
    kind: 'template',
    source: 'WP_REST_Templates_Controller::prepare_item_for_response; `plugin` only of templates of plugins',
    titles: ['wp_template', 'wp_template_part'],
    signature: words(`id slug theme type source content title wp_id has_theme_file`),
    always: TEMPLATE_ALWAYS,
    members: { content: ['raw', 'block_version'], title: RAW_AND_RENDERED },
    corrections: { origin: { type: ['string', 'null'] } },
    isViewedAfter: ['created'],
    links: { always: ['self', 'collection', 'about'], sometimes: ['curies'] },
  },
  {
    kind: 'global-styles',
    source: 'WP_REST_Global_Styles_Controller::prepare_item_for_response',
    titles: ['wp_global_styles'],
    signature: ['id', 'styles', 'settings', 'title'],
    always: ['id', 'styles', 'settings', 'title'],
    members: { title: RAW_AND_RENDERED },
    isViewedAfter: ['updated'],
    links: { always: ['self'], sometimes: ['about', 'version-history', 'curies'] },
  },
  {
    kind: 'block-type',
    source:
      'WP_REST_Block_Types_Controller::prepare_item_for_response writes a default for each absent field',
    titles: ['block-type'],
    signature: words(`api_version title name icon attributes is_dynamic supports example`),
    always: words(`attributes is_dynamic api_version name title description icon category keywords parent
      ancestor allowed_blocks provides_context uses_context selectors supports styles textdomain example
      editor_script_handles script_handles view_script_handles view_script_module_ids editor_style_handles
      style_handles view_style_handles variations block_hooks editor_script script view_script editor_style
      style`),
    maybeEmpty: ['attributes', 'provides_context', 'supports', 'selectors', 'block_hooks'],
    links: { always: ['self', 'collection', 'up'], sometimes: ['wp:render-block', 'curies'] },
  },
  {
    kind: 'block-pattern',
    source:
      'WP_REST_Block_Patterns_Controller::prepare_item_for_response leaves out what a pattern does not state',
    titles: ['block-pattern'],
    signature: ['name', 'title', 'content', 'viewport_width', 'block_types'],
    always: ['name', 'title', 'content'],
    links: 'none',
  },
  {
    kind: 'block-pattern-category',
    source: 'WP_REST_Block_Pattern_Categories_Controller::prepare_item_for_response',
    titles: ['block-pattern-category'],
    signature: ['name', 'label'],
    always: ['name', 'label'],
    links: 'none',
  },
  {
    kind: 'rendered-block',
    source: 'WP_REST_Block_Renderer_Controller::get_item',
    titles: ['rendered-block'],
    signature: ['rendered'],
    always: ['rendered'],
    links: 'none',
  },
  {
    kind: 'block-directory-item',
    source: 'WP_REST_Block_Directory_Controller::prepare_item_for_response',
    titles: ['block-directory-item'],
    signature: ['name', 'title', 'rating', 'rating_count', 'active_installs', 'humanized_updated'],
    always: 'all',
    links: {
      always: ['wp:install-plugin', 'curies'],
      embeddable: [{ relation: 'wp:plugin', target: ['plugin'] }],
    },
  },
  {
    kind: 'pattern-directory-item',
    source: 'WP_REST_Pattern_Directory_Controller::prepare_item_for_response',
    titles: ['pattern-directory-item'],
    signature: ['id', 'title', 'content', 'categories', 'keywords', 'viewport_width'],
    always: words(`id title content categories keywords description viewport_width`),
    links: 'none',
  },
  {
    kind: 'sidebar',
    source: 'WP_REST_Sidebars_Controller::prepare_item_for_response; the markup has defaults in the schema',
    titles: ['sidebar'],
    signature: words(`id name description before_widget after_widget status widgets`),
    always: words(`id name description class before_widget after_widget before_title after_title status
      widgets`),
    links: {
      always: ['self', 'collection', 'wp:widget', 'curies'],
      embeddable: [{ relation: 'wp:widget', target: ['widget'], isCollection: true }],
    },
  },
  {
    kind: 'widget-type',
    source: 'WP_REST_Widget_Types_Controller::prepare_item_for_response',
    titles: ['widget-type'],
    signature: ['id', 'name', 'description', 'is_multi', 'classname'],
    always: ['id', 'name', 'description', 'is_multi', 'classname'],
    links: SELF_AND_COLLECTION,
  },
  {
    kind: 'widget',
    source: 'WP_REST_Widgets_Controller::prepare_item_for_response; the form and the instance can be null',
    titles: ['widget'],
    signature: ['id', 'id_base', 'sidebar', 'rendered', 'rendered_form', 'instance'],
    always: ['id', 'id_base', 'sidebar', 'rendered', 'rendered_form', 'instance'],
    members: { instance: ['encoded', 'hash'] },
    corrections: { rendered_form: { type: ['string', 'null'] }, instance: { type: ['object', 'null'] } },
    links: {
      always: ['self', 'collection', 'about', 'wp:sidebar', 'curies'],
      embeddable: [{ relation: 'about', target: ['widget-type'] }],
    },
  },
  {
    kind: 'navigation-fallback',
    source: 'WP_REST_Navigation_Fallback_Controller::prepare_item_for_response',
    titles: ['navigation-fallback'],
    signature: ['id'],
    always: ['id'],
    links: { always: [], embeddable: [{ relation: 'self', target: ['post'] }] },
  },
  {
    kind: 'font-family',
    source: 'WP_REST_Font_Families_Controller::prepare_item_for_response',
    titles: ['wp_font_family'],
    signature: ['id', 'theme_json_version', 'font_faces', 'font_family_settings'],
    always: ['id', 'theme_json_version', 'font_faces', 'font_family_settings'],
    links: {
      always: ['self', 'collection'],
      sometimes: ['about'],
      embeddable: [{ relation: 'font_faces', target: ['font-face'] }],
    },
    isDeletedForGood: true,
  },
  {
    kind: 'font-face',
    source: 'WP_REST_Font_Faces_Controller::prepare_item_for_response',
    titles: ['wp_font_face'],
    signature: ['id', 'theme_json_version', 'parent', 'font_face_settings'],
    always: ['id', 'theme_json_version', 'parent', 'font_face_settings'],
    links: { always: ['self', 'collection'], sometimes: ['parent', 'about'] },
    isDeletedForGood: true,
  },
  {
    kind: 'font-collection',
    source: 'WP_REST_Font_Collections_Controller::prepare_item_for_response',
    titles: ['font-collection'],
    signature: ['slug', 'name', 'description', 'font_families', 'categories'],
    always: ['slug', 'name', 'description', 'font_families', 'categories'],
    links: SELF_AND_COLLECTION,
  },
];

/** Every convention about a resource, in the order in which they are tried. */
export const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = [
  ...CONTENT_RESOURCES,
  ...SITE_RESOURCES,
  ...DESIGN_RESOURCES,
];

/**
 * Finds the convention of a resource by the title and the properties of its schema, so that it is found in a renamed
 * namespace too.
 *
 * @param schema the schema as the site states it
 */
export function findResourceConvention(schema: JsonObject): ResourceConvention | undefined {
  const { properties, title } = schema;
  if (!isJsonObject(properties)) return undefined;
  return RESOURCE_CONVENTIONS.find(
    ({ titles, signature }) =>
      (titles === undefined || (typeof title === 'string' && titles.some((each) => hasTitle(title, each)))) &&
      signature.every((name) => ownMember(properties, name) !== undefined),
  );
}

function hasTitle(title: string, expected: string): boolean {
  return expected.startsWith('*') ? title.endsWith(expected.slice(1)) : title === expected;
}
