import type { ResourceConvention } from './resource-convention.ts';

const RAW_AND_RENDERED = ['raw', 'rendered'] as const;

/** Resources that describe a site. The first that matches a schema applies to it. */
export const SITE_RESOURCES: readonly ResourceConvention[] = [
  {
    kind: 'type',
    source: 'WP_REST_Post_Types_Controller::prepare_item_for_response',
    titles: ['type'],
    signature: [
      'capabilities',
      'hierarchical',
      'viewable',
      'labels',
      'name',
      'slug',
      'supports',
      'rest_base',
    ],
    always: [
      ...['capabilities', 'description', 'hierarchical', 'has_archive', 'visibility', 'viewable', 'labels'],
      ...['name', 'slug', 'icon', 'supports', 'taxonomies', 'rest_base', 'rest_namespace', 'template'],
      'template_lock',
    ],
    members: { visibility: 'all' },
    links: { always: ['collection'], sometimes: ['wp:items', 'curies'] },
  },
  {
    kind: 'status',
    source: 'WP_REST_Post_Statuses_Controller::prepare_item_for_response',
    titles: ['status'],
    signature: ['name', 'private', 'protected', 'public', 'queryable', 'show_in_list', 'slug'],
    always: ['name', 'private', 'protected', 'public', 'queryable', 'show_in_list', 'slug', 'date_floating'],
    links: { always: ['archives'] },
  },
  {
    kind: 'taxonomy',
    source: 'WP_REST_Taxonomies_Controller::prepare_item_for_response',
    titles: ['taxonomy'],
    signature: ['capabilities', 'hierarchical', 'labels', 'name', 'slug', 'show_cloud', 'types', 'rest_base'],
    always: [
      ...['name', 'slug', 'capabilities', 'description', 'labels', 'types', 'show_cloud', 'hierarchical'],
      ...['rest_base', 'rest_namespace', 'visibility'],
    ],
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
    signature: ['stylesheet', 'template', 'author', 'requires_php', 'screenshot', 'theme_uri', 'version'],
    always: [
      ...['stylesheet', 'template', 'requires_php', 'requires_wp', 'textdomain', 'version', 'screenshot'],
      ...['author', 'author_uri', 'description', 'name', 'tags', 'theme_uri', 'status', 'is_block_theme'],
      ...['stylesheet_uri', 'template_uri'],
    ],
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
    signature: ['plugin', 'status', 'name', 'plugin_uri', 'network_only', 'requires_wp', 'textdomain'],
    always: [
      ...['plugin', 'status', 'name', 'plugin_uri', 'author', 'author_uri', 'description', 'version'],
      ...['network_only', 'requires_wp', 'requires_php', 'textdomain'],
    ],
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
    always: ['name', 'label', 'description', 'category', 'input_schema', 'output_schema', 'meta'],
    links: { always: ['self', 'collection', 'wp:action-run'] },
  },
];
