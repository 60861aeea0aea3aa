import type { ResourceConvention } from './resource-convention.ts';

const TEMPLATE_ALWAYS = [
  ...[
    'id',
    'slug',
    'theme',
    'type',
    'source',
    'origin',
    'content',
    'title',
    'description',
    'status',
    'wp_id',
  ],
  ...['has_theme_file', 'author', 'modified', 'author_text', 'original_source', 'is_custom', 'area'],
];

const SELF_AND_COLLECTION = { always: ['self', 'collection'] } as const;

const RAW_AND_RENDERED = ['raw', 'rendered'] as const;

/** Resources of a site's design: templates, blocks, widgets, fonts. The first that matches a schema applies to it. */
export const DESIGN_RESOURCES: readonly ResourceConvention[] = [
  {
    kind: 'template',
    source: 'WP_REST_Templates_Controller::prepare_item_for_response; `plugin` only of templates of plugins',
    titles: ['wp_template', 'wp_template_part'],
    signature: ['id', 'slug', 'theme', 'type', 'source', 'content', 'title', 'wp_id', 'has_theme_file'],
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
    signature: ['api_version', 'title', 'name', 'icon', 'attributes', 'is_dynamic', 'supports', 'example'],
    always: [
      ...['attributes', 'is_dynamic', 'api_version', 'name', 'title', 'description', 'icon', 'category'],
      ...[
        'keywords',
        'parent',
        'ancestor',
        'allowed_blocks',
        'provides_context',
        'uses_context',
        'selectors',
      ],
      ...['supports', 'styles', 'textdomain', 'example', 'editor_script_handles', 'script_handles'],
      ...['view_script_handles', 'view_script_module_ids', 'editor_style_handles', 'style_handles'],
      ...['view_style_handles', 'variations', 'block_hooks', 'editor_script', 'script', 'view_script'],
      ...['editor_style', 'style'],
    ],
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
    always: ['id', 'title', 'content', 'categories', 'keywords', 'description', 'viewport_width'],
    links: 'none',
  },
  {
    kind: 'sidebar',
    source: 'WP_REST_Sidebars_Controller::prepare_item_for_response; the markup has defaults in the schema',
    titles: ['sidebar'],
    signature: ['id', 'name', 'description', 'before_widget', 'after_widget', 'status', 'widgets'],
    always: [
      ...['id', 'name', 'description', 'class', 'before_widget', 'after_widget', 'before_title'],
      ...['after_title', 'status', 'widgets'],
    ],
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
