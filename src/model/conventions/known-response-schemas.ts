import type { Json, JsonObject } from '../../json.ts';

/** PHP has one array type, so an object without members is encoded as an empty list. */
function mapOf(values: JsonObject): JsonObject {
  return {
    anyOf: [
      { type: 'object', additionalProperties: values },
      { type: 'array', items: {}, maxItems: 0 },
    ],
  };
}

function objectOf(
  description: string,
  properties: { readonly [name: string]: Json },
  required: readonly string[],
): JsonObject {
  return { description, type: 'object', properties, required };
}

const STRING: JsonObject = { type: 'string' };
const STRINGS: JsonObject = { type: 'array', items: STRING };
const INTEGER: JsonObject = { type: 'integer' };

/** One link, as WP_REST_Server::get_response_links() writes it. */
export const LINK_SCHEMA: JsonObject = objectOf(
  'A link to a resource.',
  {
    href: { type: 'string', description: 'URL of the resource.' },
    embeddable: { type: 'boolean', description: 'Whether `_embed` adds the resource.' },
    templated: { type: 'boolean', description: 'Whether `href` is a URI template.' },
    name: STRING,
    title: STRING,
    type: STRING,
    taxonomy: { type: 'string', description: 'The taxonomy whose terms the link leads to.' },
    post_type: STRING,
    count: { type: 'integer', description: 'Number of resources that the link leads to.' },
    id: { type: ['integer', 'string'] },
    targetHints: {
      type: 'object',
      properties: {
        allow: { ...STRINGS, description: 'The methods that the client may use with the resource.' },
      },
    },
  },
  ['href'],
);

const LINKS_OF_ROUTE: JsonObject = {
  type: 'object',
  description: 'Links to the route, if its pattern is a path.',
  properties: {
    self: { anyOf: [{ type: 'array', items: LINK_SCHEMA }, STRING] },
  },
};

/** WP_REST_Server::get_data_for_route() */
const ROUTE_SCHEMA: JsonObject = objectOf(
  'A route of the site.',
  {
    namespace: STRING,
    methods: STRINGS,
    endpoints: {
      type: 'array',
      items: objectOf(
        'Methods that share their arguments.',
        {
          methods: STRINGS,
          args: mapOf({ type: 'object', additionalProperties: true }),
          allow_batch: mapOf({ type: 'boolean' }),
        },
        ['methods', 'args'],
      ),
    },
    schema: { type: 'object', additionalProperties: true, description: 'Present with `context=help`.' },
    _links: LINKS_OF_ROUTE,
  },
  ['namespace', 'methods', 'endpoints'],
);

const ROUTES: JsonObject = { ...mapOf(ROUTE_SCHEMA), description: 'The routes by their patterns.' };

/** WP_REST_Server::get_index() of WordPress 6.1 and 7.1, and the index of the seed documents. */
export const ROOT_INDEX_SCHEMA: JsonObject = objectOf(
  'The root index: the site, its namespaces and its routes.',
  {
    name: { type: 'string', description: 'Name of the site.' },
    description: { type: 'string', description: 'Tagline of the site.' },
    url: { type: 'string', description: 'URL of WordPress.' },
    home: { type: 'string', description: 'URL of the front page.' },
    gmt_offset: {
      type: ['string', 'number'],
      description: "Hours that the site's time zone is ahead of UTC.",
    },
    timezone_string: {
      type: 'string',
      description: 'Name of the time zone; empty if only the offset is set.',
    },
    page_for_posts: INTEGER,
    page_on_front: INTEGER,
    show_on_front: STRING,
    namespaces: STRINGS,
    authentication: {
      ...mapOf({ type: 'object', additionalProperties: true }),
      description: 'The authentication schemes by name.',
    },
    routes: ROUTES,
    site_logo: { type: 'integer', description: 'Media item of the logo; 0 if there is none.' },
    site_icon: { type: 'integer', description: 'Media item of the icon; 0 if there is none.' },
    site_icon_url: STRING,
    _links: { type: 'object', additionalProperties: { type: 'array', items: LINK_SCHEMA } },
  },
  [
    ...['name', 'description', 'url', 'home', 'gmt_offset', 'timezone_string', 'namespaces'],
    ...['authentication', 'routes'],
  ],
);

/** WP_REST_Server::get_namespace_index() */
export const NAMESPACE_INDEX_SCHEMA: JsonObject = objectOf(
  'The routes of a namespace.',
  {
    namespace: STRING,
    routes: ROUTES,
    _links: { type: 'object', additionalProperties: { type: 'array', items: LINK_SCHEMA } },
  },
  ['namespace', 'routes'],
);

const PIXELS: JsonObject = { type: ['integer', 'string', 'null'], description: 'Pixels.' };

/** The response format of oEmbed 1.0 (oembed.com §2.3.4). The proxy returns what any provider sends. */
export const OEMBED_SCHEMA: JsonObject = objectOf(
  'How to embed a resource (oEmbed 1.0).',
  {
    type: { type: 'string', description: '`rich`, `photo`, `video` or `link`.' },
    version: { type: ['string', 'number'] },
    title: STRING,
    author_name: STRING,
    author_url: { type: ['string', 'null'] },
    provider_name: STRING,
    provider_url: STRING,
    cache_age: { type: ['integer', 'string', 'null'] },
    url: { type: 'string', description: 'URL of a photo.' },
    html: { type: 'string', description: 'Markup of a video or of rich content.' },
    width: PIXELS,
    height: PIXELS,
    thumbnail_url: { type: ['string', 'null'] },
    thumbnail_width: PIXELS,
    thumbnail_height: PIXELS,
  },
  ['type', 'version'],
);

/** get_oembed_response_data() and get_oembed_response_data_rich(), a filter that WordPress adds itself */
export const OEMBED_OF_POST_SCHEMA: JsonObject = objectOf(
  'How to embed a post of the site (oEmbed 1.0).',
  {
    version: STRING,
    provider_name: STRING,
    provider_url: STRING,
    author_name: STRING,
    author_url: STRING,
    title: STRING,
    type: STRING,
    width: INTEGER,
    height: INTEGER,
    html: STRING,
    thumbnail_url: STRING,
    thumbnail_width: INTEGER,
    thumbnail_height: INTEGER,
  },
  [
    ...['version', 'provider_name', 'provider_url', 'author_name', 'author_url', 'title', 'type'],
    ...['width', 'height', 'html'],
  ],
);

/** WP_REST_Search_Controller, for a site whose index states no schema. */
export const SEARCH_RESULT_SCHEMA: JsonObject = objectOf(
  'A post, term or post format that was found.',
  {
    id: { type: ['integer', 'string'], description: 'Identifier; the name of a post format.' },
    title: STRING,
    url: STRING,
    type: { type: 'string', description: '`post`, the taxonomy of a term, or `post-format`.' },
    subtype: { type: 'string', description: 'The type of a post.' },
    _links: { type: 'object', additionalProperties: { type: 'array', items: LINK_SCHEMA } },
  },
  ['id', 'title', 'url', 'type'],
);

/** WP_REST_Application_Passwords_Controller::delete_items() */
export const DELETED_PASSWORDS_SCHEMA: JsonObject = objectOf(
  'Confirms that all application passwords of the user were deleted.',
  { deleted: { type: 'boolean', const: true }, count: { type: 'integer', minimum: 0 } },
  ['deleted', 'count'],
);

/** WP_REST_URL_Details_Controller::parse_url_details() */
export const URL_DETAILS_SCHEMA: JsonObject = objectOf(
  'What a page says about itself.',
  { title: STRING, icon: STRING, description: STRING, image: STRING },
  ['title', 'icon', 'description', 'image'],
);

/** WP_REST_Widget_Types_Controller::encode_form_data() */
export const ENCODED_WIDGET_SCHEMA: JsonObject = objectOf(
  'An instance of a widget, its form and its preview.',
  {
    form: STRING,
    preview: { type: ['string', 'null'] },
    instance: objectOf(
      'The instance, signed by the site.',
      { encoded: STRING, hash: STRING, raw: { type: 'object', additionalProperties: true } },
      ['encoded', 'hash'],
    ),
  },
  ['form', 'preview', 'instance'],
);

/** WP_REST_Widget_Types_Controller::render() */
export const WIDGET_PREVIEW_SCHEMA: JsonObject = objectOf('The markup of a widget.', { preview: STRING }, [
  'preview',
]);

/** WP_Site_Health: each `get_test_*()` sets all members, and plugins may add tests with further badges. */
export const SITE_HEALTH_TEST_SCHEMA: JsonObject = objectOf(
  'The result of a site health test.',
  {
    test: { type: 'string', description: 'The name of the test.' },
    label: STRING,
    status: { type: 'string', enum: ['good', 'recommended', 'critical'] },
    badge: objectOf('The category of the test.', { label: STRING, color: STRING }, ['label', 'color']),
    description: { type: 'string', description: 'HTML.' },
    actions: { type: 'string', description: 'HTML of links to what resolves the issue.' },
  },
  ['test', 'label', 'status', 'badge', 'description', 'actions'],
);

const DIRECTORY_SIZE: JsonObject = objectOf(
  'The size of a directory or of the database.',
  {
    size: { type: ['string', 'integer'], description: 'With its unit, or why it is unknown.' },
    debug: { type: ['string', 'integer'], description: 'With its bytes, or why it is unknown.' },
    raw: { type: 'integer', description: 'Bytes; absent if unknown or 0.' },
  },
  ['size', 'debug'],
);

/** WP_REST_Site_Health_Controller::get_directory_sizes() */
export const DIRECTORY_SIZES_SCHEMA: JsonObject = objectOf(
  'The sizes of the directories of the site and of its database.',
  {
    raw: { type: 'integer', description: 'Always 0.' },
    wordpress_size: DIRECTORY_SIZE,
    themes_size: DIRECTORY_SIZE,
    plugins_size: DIRECTORY_SIZE,
    uploads_size: DIRECTORY_SIZE,
    fonts_size: { ...DIRECTORY_SIZE, description: 'Present since WordPress 6.5.' },
    database_size: DIRECTORY_SIZE,
    total_size: DIRECTORY_SIZE,
  },
  ['raw', 'wordpress_size', 'themes_size', 'plugins_size', 'uploads_size', 'database_size', 'total_size'],
);

/** WP_REST_Edit_Site_Export_Controller::export() */
export const THEME_EXPORT_SCHEMA: JsonObject = {
  description: 'A ZIP file with the theme, its templates and template parts.',
  contentMediaType: 'application/zip',
};
