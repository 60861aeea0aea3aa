/*
 * The arguments of WordPress's own endpoints, as `node scripts/core-rules/main.mjs <site-url>` prints them for a WordPress
 * without plugins. Their rules were held against that WordPress: test/validation/differential.real.test.ts compares the
 * refusals of a gateway with those of the site, and core-rules.real.test.ts this table with the running site.
 */

/** Versions of WordPress whose rules were compared with a running site. */
export const CORE_VERSIONS: readonly string[] = ['6.1'];

/** The usual definition of each argument: a definition (`describeDefinition`), and the arguments that have it. */
export const CORE_DEFINITIONS: string = `
any maxwidth namespace
array<integer> author_exclude categories exclude include parent_exclude tags
array<object,(object|object)>,minItems=1 modifiers
array<object>,maxItems=25 requests
array<object|string> widgets
array<string> capabilities classes locations roles xfn
array<string~> subtype
boolean auto_add discover force hide_empty is_custom sticky use_smilies
boolean|array<string~> has_published_posts
integer author default_category featured_media id maxheight menu_order menus offset page_for_posts page_on_front parent post post_id posts_per_page reassign site_icon site_logo start_of_week wp_id
integer,exclusiveMinimum=0,exclusiveMaximum=360 rotation
integer,minimum=0 object_id
integer,minimum=1 category keyword page
integer,minimum=1,maximum=100 per_page
number,minimum=0,maximum=100 height width x y
object attributes caption content excerpt instance meta settings styles title
object|array,(array<integer>|object) categories_exclude menus_exclude tags_exclude
string alt_text area attr_title author_name author_user_agent date_format default_post_format description first_name form_data id_base language last_name location mime_type name nickname object password plugin post_type search show_on_front sidebar slug stylesheet taxonomy template template_prefix theme time_format timezone type user_id username uuid
string,minLength=1 term
string:date-time after before modified_after modified_before
string:email author_email email
string:ip author_ip
string:uri author_url src url
string:uuid app_id
string|null:date-time date date_gmt
string~ action comment_status context default_comment_status default_ping_status format locale media_type order orderby ping_status status target tax_relation validation who
`;

/**
 * Endpoints with their arguments: a line with methods and routes, and a line with names. `!` marks a required argument, and
 * `=` precedes a definition that differs from the usual one. `{id}` is the group `(?P<id>[\d]+)`.
 */
export const CORE_ENDPOINTS: string = String.raw`
GET /
  context=any
POST /batch/v1
  requests! validation
GET /oembed/1.0 /wp/v2 /wp-site-health/v1 /wp-block-editor/v1
  context=any namespace
GET /oembed/1.0/embed
  format=any maxwidth url!
GET /oembed/1.0/proxy
  discover format maxheight maxwidth=integer url!
GET /wp/v2/posts
  after author=array<integer> author_exclude before categories=object|array,(array<integer>|object) categories_exclude context exclude include modified_after modified_before offset order orderby page per_page search slug=array<string> status=array<string~> sticky tags=object|array,(array<integer>|object) tags_exclude tax_relation
POST /wp/v2/posts
  author categories comment_status content date date_gmt excerpt featured_media format meta password ping_status slug status sticky tags template title
GET /wp/v2/posts/{id} /wp/v2/pages/{id} /wp/v2/blocks/{id} /wp/v2/navigation/{id} /wp/v2/comments/{id}
  context id password
PATCH,POST,PUT /wp/v2/posts/{id}
  author categories comment_status content date date_gmt excerpt featured_media format id meta password ping_status slug status sticky tags template title
DELETE /wp/v2/posts/{id} /wp/v2/pages/{id} /wp/v2/media/{id} /wp/v2/menu-items/{id} /wp/v2/blocks/{id} /wp/v2/navigation/{id} /wp/v2/categories/{id} /wp/v2/tags/{id} /wp/v2/menus/{id}
  force id
GET /wp/v2/posts/{parent}/revisions /wp/v2/pages/{parent}/revisions /wp/v2/blocks/{parent}/revisions /wp/v2/templates/{parent}/revisions /wp/v2/template-parts/{parent}/revisions /wp/v2/navigation/{parent}/revisions
  context exclude include offset order orderby page parent per_page search
GET /wp/v2/posts/{parent}/revisions/{id} /wp/v2/posts/{parent}/autosaves/{id} /wp/v2/pages/{parent}/revisions/{id} /wp/v2/pages/{parent}/autosaves/{id} /wp/v2/menu-items/{parent}/autosaves/{id} /wp/v2/blocks/{parent}/revisions/{id} /wp/v2/blocks/{parent}/autosaves/{id} /wp/v2/templates/{parent}/revisions/{id} /wp/v2/templates/{parent}/autosaves/{id} /wp/v2/template-parts/{parent}/revisions/{id} /wp/v2/template-parts/{parent}/autosaves/{id} /wp/v2/navigation/{parent}/revisions/{id} /wp/v2/navigation/{parent}/autosaves/{id}
  context id parent
DELETE /wp/v2/posts/{parent}/revisions/{id} /wp/v2/pages/{parent}/revisions/{id} /wp/v2/blocks/{parent}/revisions/{id} /wp/v2/templates/{parent}/revisions/{id} /wp/v2/template-parts/{parent}/revisions/{id} /wp/v2/navigation/{parent}/revisions/{id}
  force id parent
GET /wp/v2/posts/{id}/autosaves /wp/v2/pages/{id}/autosaves /wp/v2/menu-items/{id}/autosaves /wp/v2/blocks/{id}/autosaves /wp/v2/templates/{id}/autosaves /wp/v2/template-parts/{id}/autosaves /wp/v2/navigation/{id}/autosaves
  context id=integer|string,minimum=0 parent
POST /wp/v2/posts/{id}/autosaves
  author categories comment_status content date date_gmt excerpt featured_media format id=integer|string,minimum=0 meta parent password ping_status slug status sticky tags template title
GET /wp/v2/pages
  after author=array<integer> author_exclude before context exclude include menu_order modified_after modified_before offset order orderby page parent=array<integer> parent_exclude per_page search slug=array<string> status=array<string~>
POST /wp/v2/pages
  author comment_status content date date_gmt excerpt featured_media menu_order meta parent password ping_status slug status template title
PATCH,POST,PUT /wp/v2/pages/{id}
  author comment_status content date date_gmt excerpt featured_media id menu_order meta parent password ping_status slug status template title
POST /wp/v2/pages/{id}/autosaves
  author comment_status content date date_gmt excerpt featured_media id=integer|string,minimum=0 menu_order meta parent password ping_status slug status template title
GET /wp/v2/media
  after author=array<integer> author_exclude before context exclude include media_type mime_type modified_after modified_before offset order orderby page parent=array<integer> parent_exclude per_page search slug=array<string> status=array<string~>
POST /wp/v2/media
  alt_text author caption comment_status date date_gmt description=object meta ping_status post slug status template title
GET /wp/v2/media/{id} /wp/v2/menu-items/{id} /wp/v2/categories/{id} /wp/v2/tags/{id} /wp/v2/menus/{id} /wp/v2/users/{id}
  context id
PATCH,POST,PUT /wp/v2/media/{id}
  alt_text author caption comment_status date date_gmt description=object id meta ping_status post slug status template title
POST /wp/v2/media/{id}/post-process
  action! id
POST /wp/v2/media/{id}/edit
  height id=integer|string,minimum=0 modifiers rotation src! width x y
GET /wp/v2/menu-items
  after before context exclude include menu_order menus=object|array,(array<integer>|object) menus_exclude modified_after modified_before offset order orderby page per_page search slug=array<string> status=array<string~> tax_relation
POST /wp/v2/menu-items
  attr_title classes description menu_order=integer,minimum=1 menus meta object object_id parent=integer,minimum=0 status target title=string|object type=string~ url xfn
PATCH,POST,PUT /wp/v2/menu-items/{id}
  attr_title classes description id menu_order=integer,minimum=1 menus meta object object_id parent=integer,minimum=0 status target title=string|object type=string~ url xfn
POST /wp/v2/menu-items/{id}/autosaves
  attr_title classes description id=integer|string,minimum=0 menu_order=integer,minimum=1 menus meta object object_id parent=integer,minimum=0 status target title=string|object type=string~ url xfn
GET /wp/v2/blocks /wp/v2/navigation
  after before context exclude include modified_after modified_before offset order orderby page per_page search slug=array<string> status=array<string~>
POST /wp/v2/blocks /wp/v2/navigation
  content date date_gmt password slug status template title
PATCH,POST,PUT /wp/v2/blocks/{id} /wp/v2/navigation/{id}
  content date date_gmt id password slug status template title
POST /wp/v2/blocks/{id}/autosaves /wp/v2/navigation/{id}/autosaves
  content date date_gmt id=integer|string,minimum=0 parent password slug status template title
GET /wp/v2/templates /wp/v2/template-parts
  area context post_type wp_id
POST /wp/v2/templates
  author content=object|string description slug!=string,minLength=1 status theme title=object|string type
GET /wp/v2/templates/lookup /wp/v2/template-parts/lookup
  is_custom slug! template_prefix
GET /wp/v2/templates/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w-]+) /wp/v2/template-parts/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w-]+) /wp/v2/sidebars/(?P<id>[\w-]+) /wp/v2/widget-types/(?P<id>[a-zA-Z0-9_-]+) /wp/v2/widgets/(?P<id>[\w\-]+)
  context id=string
PATCH,POST,PUT /wp/v2/templates/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w-]+)
  author content=object|string description id=string slug=string,minLength=1 status theme title=object|string type
DELETE /wp/v2/templates/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w-]+) /wp/v2/template-parts/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w-]+) /wp/v2/widgets/(?P<id>[\w\-]+)
  force id=string
POST /wp/v2/templates/{id}/autosaves
  author content=object|string description id=integer|string,minimum=0 parent slug=string,minLength=1 status theme title=object|string type
POST /wp/v2/template-parts
  area author content=object|string description slug!=string,minLength=1 status theme title=object|string type
PATCH,POST,PUT /wp/v2/template-parts/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w-]+)
  area author content=object|string description id=string slug=string,minLength=1 status theme title=object|string type
POST /wp/v2/template-parts/{id}/autosaves
  area author content=object|string description id=integer|string,minimum=0 parent slug=string,minLength=1 status theme title=object|string type
GET /wp/v2/types /wp/v2/statuses /wp/v2/users/me /wp/v2/sidebars /wp/v2/widget-types /wp/v2/menu-locations
  context
GET /wp/v2/types/(?P<type>[\w-]+) /wp/v2/taxonomies
  context type
GET /wp/v2/statuses/(?P<status>[\w-]+)
  context status=string
GET /wp/v2/taxonomies/(?P<taxonomy>[\w-]+)
  context taxonomy
GET /wp/v2/categories
  context exclude hide_empty include order orderby page parent per_page post search slug=array<string>
POST /wp/v2/categories
  description meta name! parent slug
PATCH,POST,PUT /wp/v2/categories/{id}
  description id meta name parent slug
GET /wp/v2/tags /wp/v2/menus
  context exclude hide_empty include offset order orderby page per_page post search slug=array<string>
POST /wp/v2/tags
  description meta name! slug
PATCH,POST,PUT /wp/v2/tags/{id}
  description id meta name slug
POST /wp/v2/menus
  auto_add description locations meta name! slug
PATCH,POST,PUT /wp/v2/menus/{id}
  auto_add description id locations meta name slug
GET /wp/v2/users
  capabilities context exclude has_published_posts include offset order orderby page per_page roles search slug=array<string> who
POST /wp/v2/users
  description email! first_name last_name locale meta name nickname password! roles slug url username!
PATCH,POST,PUT /wp/v2/users/{id}
  description email first_name id last_name locale meta name nickname password roles slug url username
DELETE /wp/v2/users/{id}
  force id reassign!
PATCH,POST,PUT /wp/v2/users/me
  description email first_name last_name locale meta name nickname password roles slug url username
DELETE /wp/v2/users/me
  force reassign!
GET /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords/introspect
  context user_id
POST /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords
  app_id name!=string,minLength=1 user_id
DELETE /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords
  user_id
GET /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords/(?P<uuid>[\w\-]+)
  context user_id uuid
PATCH,POST,PUT /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords/(?P<uuid>[\w\-]+)
  app_id name=string,minLength=1 user_id uuid
DELETE /wp/v2/users/(?P<user_id>(?:[\d]+|me))/application-passwords/(?P<uuid>[\w\-]+)
  user_id uuid
GET /wp/v2/comments
  after author=array<integer> author_email author_exclude before context exclude include offset order orderby page parent=array<integer> parent_exclude password per_page post=array<integer> search status=string type
POST /wp/v2/comments
  author author_email author_ip author_name author_url author_user_agent content date=string:date-time date_gmt=string:date-time meta parent post status=string
PATCH,POST,PUT /wp/v2/comments/{id}
  author author_email author_ip author_name author_url author_user_agent content date=string:date-time date_gmt=string:date-time id meta parent post status=string
DELETE /wp/v2/comments/{id}
  force id password
GET /wp/v2/search
  context exclude include page per_page search subtype type=string~
GET,POST /wp/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)
  attributes context name post_id
GET /wp/v2/block-types /wp/v2/block-types/(?P<namespace>[a-zA-Z0-9_-]+)
  context namespace=string
GET /wp/v2/block-types/(?P<namespace>[a-zA-Z0-9_-]+)/(?P<name>[a-zA-Z0-9_-]+)
  context name namespace=string
GET /wp/v2/global-styles/themes/(?P<stylesheet>[\/\s%\w\.\(\)\[\]\@_\-]+)/variations /wp/v2/global-styles/themes/(?P<stylesheet>[^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?) /wp/v2/themes/(?P<stylesheet>[^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)
  stylesheet
GET /wp/v2/global-styles/(?P<id>[\/\w-]+)
  id=string
PATCH,POST,PUT /wp/v2/global-styles/(?P<id>[\/\w-]+)
  id=string settings styles title=object|string
GET /wp/v2/settings /wp/v2/block-patterns/patterns /wp/v2/block-patterns/categories /wp-site-health/v1/tests/background-updates /wp-site-health/v1/tests/loopback-requests /wp-site-health/v1/tests/https-status /wp-site-health/v1/tests/dotorg-communication /wp-site-health/v1/tests/authorization-header /wp-site-health/v1/directory-sizes /wp-site-health/v1/tests/page-cache /wp-block-editor/v1/export
  
PATCH,POST,PUT /wp/v2/settings
  date_format default_category default_comment_status default_ping_status default_post_format description email language page_for_posts page_on_front posts_per_page show_on_front site_icon site_logo start_of_week time_format timezone title=string url use_smilies
GET /wp/v2/themes
  status=array<string~>
GET /wp/v2/plugins
  context search status=array<string~>
POST /wp/v2/plugins
  slug! status
DELETE,GET /wp/v2/plugins/(?P<plugin>[^.\/]+(?:\/[^.\/]+)?)
  context plugin
PATCH,POST,PUT /wp/v2/plugins/(?P<plugin>[^.\/]+(?:\/[^.\/]+)?)
  context plugin status
PATCH,POST,PUT /wp/v2/sidebars/(?P<id>[\w-]+)
  id=string widgets
POST /wp/v2/widget-types/(?P<id>[a-zA-Z0-9_-]+)/encode
  form_data id=string instance
POST /wp/v2/widget-types/(?P<id>[a-zA-Z0-9_-]+)/render
  id=string instance
GET /wp/v2/widgets
  context sidebar
POST /wp/v2/widgets
  form_data id=string id_base instance sidebar!
PATCH,POST,PUT /wp/v2/widgets/(?P<id>[\w\-]+)
  form_data id=string id_base instance sidebar
GET /wp/v2/block-directory/search
  context page per_page term!
GET /wp/v2/pattern-directory/patterns
  category context keyword search=string,minLength=1 slug=array<any>
GET /wp-block-editor/v1/url-details
  url!
GET /wp/v2/menu-locations/(?P<location>[\w-]+)
  context location
`;
