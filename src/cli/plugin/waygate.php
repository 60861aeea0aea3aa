<?php
/**
 * Plugin Name: waygate
 * Description: Tells the gateway waygate what responses show and what has changed. Belongs in wp-content/mu-plugins.
 * Requires at least: 5.5
 * Requires PHP: 7.4
 *
 * READS. A visitor's read through the gateway gets tags: `post-7` for a post, `list-post` for a query of posts. They come from hooks and the
 * keys of the object cache. Anything else, such as a plugin's own table, makes the response ordinary: every change purges it.
 * CHANGES. Hooks name the tags to purge. The response tells the gateway, or a signed message does after it. What could not be told is told
 * later as `*`, everything. At another address than `homes`, and in an environment other than `production`, the plugin is silent.
 *
 * @package waygate
 */

defined( 'ABSPATH' ) || exit;
// Can be defined in wp-config.php: a list of array( 'homes' => …, 'secret' => …, 'urls' => … ), one for each site of the gateway.
defined( 'WAYGATE_SITES' ) || define( 'WAYGATE_SITES', array() );

if ( ! class_exists( 'Waygate', false ) ) : // A second copy of this file does nothing.
	/** Tags responses, and tells of changes. */
	final class Waygate {
		const MAX_HEAD     = 3900; // Bytes that servers take by default for a header section.
		const MAX_AGE      = 300; // Seconds for which a signature of the gateway is valid, and between two tries to send a message.
		const CONNECT_TIME = 0.3; // Seconds.
		const MESSAGE_TIME = 1; // Seconds, with the time to connect.
		// What no response shows, and types of posts that only pages are built from.
		const HIDDEN_TYPES    = array( 'revision', 'oembed_cache', 'customize_changeset', 'user_request', 'scheduled-action' );
		const HIDDEN_STATUSES = array( 'draft', 'auto-draft', 'pending', 'future', 'private', 'new', 'trash', '0', 'hold', 'unapproved', 'spam', 'post-trashed', 'delete' );
		const PAGE_TYPES      = array( 'custom_css', 'wp_global_styles', 'wp_template', 'wp_template_part' );
		// Fields of title and address, and by kind of tag, words in the SQL of a query of posts that depends on such fields.
		const TITLE_FIELDS = array( 'post_title', 'post_name', 'post_status', 'post_type', 'post_parent', 'post_date', 'post_author', 'post_password' );
		const QUERY_FIELDS = array(
			'list'    => array( 'post_status', 'post_type', 'post_parent', 'menu_order', 'post_date', 'post_name' ),
			'text'    => array( 'post_content', 'post_excerpt', 'post_title' ),
			'saved'   => array( 'post_modified' ),
			'author'  => array( 'post_author' ),
			'tax'     => array( 'term_relationships' ),
			'meta'    => array( 'postmeta' ),
			'replies' => array( 'comment_count' ),
		);
		// Options and metadata that no response shows, and options that every response reads, so that a change purges everything.
		const HIDDEN         = ' alloptions notoptions cron rewrite_rules recently_edited recently_activated can_compress_scripts fresh_site user_count blog_count theme_switched default_role'
			. ' auto_updater.lock core_updater.lock recovery_keys transient-doing_cron transient-dirsize_cache session_tokens _application_passwords'
			. ' _edit_lock _edit_last _encloseme _pingme _wp_old_slug _wp_old_date _wp_trash_meta_status _wp_trash_meta_time _wp_trash_meta_comments_status ';
		const COMMON_OPTIONS = ' siteurl home blog_charset blog_public html_type date_format time_format start_of_week gmt_offset timezone_string WPLANG'
			. ' permalink_structure category_base tag_base template stylesheet active_plugins active_sitewide_plugins site_name use_smilies hack_file'
			. ' thumbnail_size_w thumbnail_size_h thumbnail_crop medium_size_w medium_size_h medium_crop medium_large_size_w medium_large_size_h'
			. ' medium_large_crop large_size_w large_size_h large_crop image_default_size link_manager_enabled comments_per_page show_avatars upload_path ';
		// Tables of WordPress, tables of plugins that no response shows, what WordPress itself runs at hooks of comments, and its groups of the object cache.
		const TABLES                  = '((post|term|comment|user|blog|site)(s|meta)|term_(taxonomy|relationships)|options|links|site|signups|registration_log)';
		const HIDDEN_TABLES           = '/^(actionscheduler_\w+|woocommerce_sessions)$/D';
		const CACHE_GROUPS            = 'posts|terms|comment|users|sites|networks|(?:post|term|comment|user|blog)_meta|(?:post|term|comment|user|site|network)-queries|\w+_relationships|user(?:logins|slugs|email)|(?:site-)?(?:options|transient)|site-(?:details|lookup)|blog-(?:details|lookup|id-cache)|counts|timeinfo|calendar|bookmark|themes|plugins|theme_(?:json|files)|global-posts|rss|image_editor|translation_files|waygate';
		const CORE_CALLBACKS          = array( 'rest_send_allow_header', 'rest_filter_response_fields', 'wptexturize', 'convert_chars', 'make_clickable', 'force_balance_tags', 'convert_smilies', 'wpautop', 'capital_P_dangit' );
		private static $sites         = array(); // Index in WAYGATE_SITES by blog; null for a copy of the site.
		private static $number        = ''; // Number of the gateway's request, which the response repeats. Empty if it is not of the gateway.
		private static $is_read       = false; // Whether the request is a visitor's read through the gateway.
		private static $is_background = false; // Whether it is a process without a client.
		private static $tags          = array(); // Names of the tags of the response, as keys.
		private static $is_tagged     = false; // Whether they are sent.
		private static $queries       = array(); // Queries of posts that had not ended.
		private static $known_options = array(); // Names of the options whose first read is seen, as keys.
		private static $reason        = ''; // Why the response is ordinary; empty if it is not.
		private static $changed       = array(); // Names of what has changed, as keys, by index of the site.
		private static $is_answered   = false; // Whether the fields of the response are complete.
		private static $answered      = array(); // Names of changes that are in the response.
		private static $written       = array(); // Tables that statements have written, as keys.
		private static $explained     = array(); // Kinds of tables whose changes hooks have named, as keys.
		private static $is_sending    = false; // Whether a message is being sent.
		private static $next_age      = 1; // Seconds after which a long process tells of its changes.
		/** Watches the request for what it reads and changes. */
		public static function start() {
			add_filter( 'site_status_tests', static fn( $tests ) => array_merge_recursive( $tests, array( 'direct' => array( array( 'label' => 'waygate', 'test' => array( __CLASS__, 'describe' ) ) ) ) ) );
			$method              = sanitize_text_field( wp_unslash( $_SERVER['REQUEST_METHOD'] ?? '' ) );
			self::$is_background = 'cli' === PHP_SAPI || wp_doing_cron();
			$field               = sanitize_text_field( wp_unslash( $_SERVER['HTTP_X_WAYGATE_REQUEST'] ?? '' ) );
			unset( $_SERVER['HTTP_X_WAYGATE_REQUEST'] );
			$site = self::find_site();
			if ( null === $site ) {
				return;
			}
			list( $number, $signature ) = explode( '.', "$field." );
			if ( abs( time() - (int) $number ) <= self::MAX_AGE && hash_equals( self::sign( $site, "waygate request $number" ), $signature ) ) {
				self::$number  = $number;
				self::$is_read = 'GET' === $method && ! is_admin() && ! self::$is_background;
				self::$is_read && self::watch_reads();
				add_action( 'shutdown', array( __CLASS__, 'finish_response' ), PHP_INT_MIN );
				header_register_callback( array( __CLASS__, 'answer_changes' ) ); // The site can send a part of the response before.
			}
			self::$is_read || self::watch_changes();
			add_filter( 'query', array( __CLASS__, 'see_statement' ), PHP_INT_MIN );
			add_action( 'shutdown', static fn() => register_shutdown_function( array( __CLASS__, 'tell' ) ), PHP_INT_MAX ); // After what plugins do then.
			add_action( 'admin_bar_menu', array( __CLASS__, 'add_menu' ), 100 );
			add_action( 'admin_notices', array( __CLASS__, 'print_notice' ) );
		}
		/** Finds the index in WAYGATE_SITES of the site that the current blog belongs to; null at a copy. */
		private static function find_site() {
			$blog = get_current_blog_id();
			if ( ! array_key_exists( $blog, self::$sites ) ) {
				$shorten = static fn( $url ) => strtolower( untrailingslashit( preg_replace( '~^https?://~i', '', $url ) ) );
				$find    = static fn( $home ) => array_filter( WAYGATE_SITES, static fn( $site ) => in_array( $shorten( $home ), array_map( $shorten, $site['homes'] ), true ) );
				// A blog without an entry of its own belongs to the main site of its network.
				$main                 = is_multisite() ? get_site( get_main_site_id() ) : null;
				$found                = $find( (string) get_option( 'home' ) ) + $find( $main ? $main->domain . $main->path : '' );
				self::$sites[ $blog ] = 'production' === wp_get_environment_type() ? key( $found ) : null;
			}
			return self::$sites[ $blog ];
		}
		/** Signs a text as the gateway does. */
		private static function sign( int $site, string $text ): string {
			return hash_hmac( 'sha256', $text, WAYGATE_SITES[ $site ]['secret'] );
		}
		/** Creates the name of a tag: `post-7`, or `2:post-7` in a network. Users and network options belong to all blogs. */
		private static function name( string $kind, $id, int $blog = 0 ): string {
			$id     = is_scalar( $id ) ? (string) $id : '';
			$id     = preg_match( '/^([A-Za-z0-9_-]{1,24}|\*)$/D', $id ) ? $id : substr( md5( $id ), 0, 10 );
			$is_own = is_multisite() && 'user' !== $kind && 'network' !== $kind;
			return ( $is_own ? ( $blog ? $blog : get_current_blog_id() ) . ':' : '' ) . "$kind-$id";
		}
		/** Runs functions at hooks, after those of plugins. Odd arguments of a plugin must not stop a request. */
		private static function watch( array $hooks, callable $fail ) {
			foreach ( $hooks as $names => $run ) {
				foreach ( explode( ' ', $names ) as $hook ) {
					$kind = preg_match( '/post|term|comment|user|option/', strtr( $hook, array( 'profile' => 'user', 'attachment' => 'post', 'comment_count' => 'post' ) ), $match ) ? $match[0] : '';
					add_filter( $hook, static function ( $value = null, ...$more ) use ( $hook, $kind, $run, $fail ) {
						self::$explained[ $kind ] = true;
						try {
							$run( $value, ...$more );
						} catch ( Throwable $error ) {
							$fail( "{$error->getMessage()} at $hook" );
						}
						return $value;
					}, PHP_INT_MAX, 6 );
				}
			}
		}
		/** Watches what the response shows. */
		private static function watch_reads() {
			// A response without content does not show what it depends on.
			unset( $_SERVER['HTTP_IF_NONE_MATCH'], $_SERVER['HTTP_IF_MODIFIED_SINCE'] );
			wp_cache_add_non_persistent_groups( 'waygate' );
			wp_cache_set( 'probe', 1, 'waygate' );
			$or_all = static fn( $ids ) => $ids ? $ids : '*';
			$hooks  = array(
				'pre_get_posts'                         => static fn( $query ) => 'revision' === ( $query->query_vars['post_type'] ?? '' ) || self::read_queries( $query ), // A list has a query of revisions for each post.
				'pre_get_terms'                         => static fn( $query ) => self::tag( $query->query_vars['object_ids'] ? 'post' : 'terms', $or_all( $query->query_vars['object_ids'] ? $query->query_vars['object_ids'] : $query->query_vars['taxonomy'] ) ),
				// Replies belong to the post of their comment, which was read before.
				'pre_get_comments'                      => static fn( $query ) => $query->query_vars['parent'] || self::tag( 'comments', $or_all( $query->query_vars['post_id'] ? $query->query_vars['post_id'] : $query->query_vars['post__in'] ) ),
				'pre_get_users'                         => static fn( $query ) => self::tag( 'user', '*' ) || self::tag( 'list', empty( $query->query_vars['has_published_posts'] ) ? array() : '*' ),
				'get_comment'                           => static fn( $comment ) => self::tag( 'comments', $comment->comment_post_ID ),
				'get_comments_number'                   => static fn( $count, $post = 0 ) => self::tag( 'comments', $post ),
				'get_pages'                             => static fn( $pages, $query = array() ) => self::tag( 'list', $query['post_type'] ?? 'page' ),
				'get_previous_post_where get_next_post_where' => static fn( $where, $same, $excluded, $taxonomy, $post ) => self::tag( 'list', $post->post_type ),
				'getarchives_where get_calendar'        => static fn( $where, $query = array() ) => self::tag( 'list', $query['post_type'] ?? 'post' ),
				'wp_count_posts'                        => static fn( $counts, $type = '*' ) => self::tag( 'list', $type ),
				'get_usernumposts wp_list_authors_args' => static fn( $count, $user = 0, $types = '*' ) => self::tag( 'list', $types ),
				'dynamic_sidebar the_widget'            => static fn() => self::tag( 'blog', 'widgets' ),
				'remove_user_from_blog'                 => static fn( $id ) => self::change( array( 'user' => $id ) ), // It comes before the first statement that writes.
				'human_time_diff'                       => static fn() => self::make_ordinary( 'a time that passes' ),
				'pre_http_request'                      => static fn( $response, $request, $url ) => strpos( $url, 'doing_wp_cron' ) || self::make_ordinary( "request to $url" ),
				'rest_pre_echo_response'                => static fn() => self::send_tags(),
				'template_redirect'                     => static fn() => ob_start(), // Later than downloads, which are too large to be held back.
				'wp'                                    => static fn() => get_query_var( 'sitemap' ) && ob_start(),
				'switch_blog'                           => static fn() => add_filter( 'pre_option', array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 ), // Each blog has its first reads.
			);
			self::watch( $hooks, array( __CLASS__, 'make_ordinary' ) );
			// A filter of all reads would run some thousand times in a request. Copies of one hook take little memory.
			self::$known_options = wp_load_alloptions() + (array) wp_cache_get( 'notoptions', 'options' );
			$first_read          = new WP_Hook();
			$first_read->add_filter( 'pre_option', array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 );
			foreach ( array_diff_key( self::$known_options, array_flip( explode( ' ', self::HIDDEN . self::COMMON_OPTIONS ) ) ) as $option => $value ) {
				if ( isset( $GLOBALS['wp_filter'][ "pre_option_$option" ] ) ) {
					add_filter( "pre_option_$option", array( __CLASS__, 'see_option' ), PHP_INT_MAX, 2 );
				} else {
					$GLOBALS['wp_filter'][ "pre_option_$option" ] = clone $first_read; // phpcs:ignore WordPress.WP.GlobalVariablesOverride
				}
			}
		}
		/** Tags the response with an option at its first read. Each page reads options of all widgets, and for each post whether it is sticky. */
		public static function see_option( $value, $option, int $blog = 0 ) {
			$name        = self::name_option( $option, 'option', $blog );
			self::$tags += 'sticky_posts' !== $option && strpos( $name, 'option-' ) !== false ? array( $name => true ) : array();
			remove_filter( "pre_option_$option", array( __CLASS__, 'see_option' ), PHP_INT_MAX );
			return $value;
		}
		/** Adds tags of one kind to the response. */
		private static function tag( string $kind, $ids ) {
			foreach ( (array) $ids as $id ) {
				self::$tags[ self::name( $kind, $id ) ] = true;
			}
		}
		/** Makes the response ordinary. The reason is for `wp waygate status`, and begins with the plugin that caused it. */
		private static function make_ordinary( string $reason ) {
			if ( '' === self::$reason ) {
				$files  = array_map( 'wp_normalize_path', array_column( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS ), 'file' ) );
				$plugin = preg_filter( '~^.*/(?:plugins|mu-plugins|themes)/(?!waygate\.php)([\w.-]+).*$~', '$1', $files );
				/** Filters why a response is ordinary, such as `notes: SELECT text FROM wp_notes`. With an empty text it is not. */
				$reason       = (string) apply_filters( 'waygate_ordinary', ( $plugin ? reset( $plugin ) : 'WordPress' ) . ": $reason" );
				self::$reason = substr( preg_replace( '/[^\x21-\x7e]+/', ' ', $reason ), 0, 160 );
			}
		}
		/** Creates the name of the tag of an option, `option-transient-…` for that of a transient. It is empty if no response shows the option. */
		private static function name_option( $option, string $kind = 'option', int $blog = 0 ): string {
			$option = preg_replace( '/^_transient_(?!timeout_)/', 'transient-', (string) $option );
			if ( strpos( self::COMMON_OPTIONS, " $option " ) !== false ) {
				return 'network' === $kind ? '*' : self::name( 'blog', 'all', $blog );
			}
			// WordPress computes the children of terms by itself.
			$is_hidden = strpos( self::HIDDEN, " $option " ) !== false || ( '_children' === substr( $option, -9 ) && taxonomy_exists( substr( $option, 0, -9 ) ) );
			if ( $is_hidden || preg_match( '/^(_transient_timeout_|_site_transient_|waygate_|transient-(global_styles|feed_|dash_))/', $option ) ) {
				return '';
			}
			return preg_match( '/^(widget_|sidebars_widgets$)/D', $option ) ? self::name( 'blog', 'widgets', $blog ) : self::name( $kind, $option, $blog );
		}
		/** Sees a statement before the database does. It is returned as it is. */
		public static function see_statement( $sql ) {
			$table = '/(?<![\'"\w])' . preg_quote( $GLOBALS['wpdb']->base_prefix, '/' ) . '(?:\d+_)?+';
			if ( preg_match( '~^\s*(INSERT|UPDATE|DELETE|REPLACE|ALTER|DROP|TRUNCATE|RENAME|LOAD|CALL|WITH|/\*)~i', $sql ) && ! self::$is_sending ) {
				preg_match( "$table(\w+)/", substr( $sql, 0, 4000 ), $written );
				self::$written[ $written[1] ?? '' ] = true;
				has_action( 'waygate_send' ) || self::watch_changes();
			}
			if ( self::$is_read && '' === self::$reason && preg_match( '~^\s*(\(?SELECT|WITH|/\*)~i', $sql ) ) {
				// What WordPress itself reads has tags, but not what a plugin reads, and no table of a plugin.
				$frames                = array_filter( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS, 8 ), static fn( $frame ) => is_a( $frame['class'] ?? '', 'wpdb', true ) );
				list( $core, $caller ) = str_replace( '\\', '/', array( ABSPATH . WPINC, end( $frames )['file'] ?? '' ) );
				$is_known              = strpos( $caller, $core ) === 0 && ! preg_match( $table . '(?!' . self::TABLES . '\b)\w/', $sql );
				$is_known || strpos( $sql, "FROM {$GLOBALS['wpdb']->prefix}actionscheduler_" ) || self::make_ordinary( $sql );
			}
			return $sql;
		}
		/** Reads the queries of posts that have ended. The next can begin within one that has not, or use the object of one again. */
		private static function read_queries( WP_Query $next ) {
			in_array( $next, self::$queries, true ) && self::make_ordinary( 'a query object that is used again' );
			self::$queries   = array_filter( self::$queries, static fn( $query ) => ! isset( $query->posts ) || self::read_posts( $query ) );
			self::$queries[] = $next;
		}
		/** Tags the response with the posts that a query found, and with what would change its result. */
		private static function read_posts( WP_Query $query ) {
			$vars  = $query->query_vars;
			$types = (array) ( $vars['post_type'] ? $vars['post_type'] : ( $query->is_tax() || $query->is_search() ? 'any' : 'post' ) );
			$types = array_diff( array( 'any' ) === $types ? get_post_types( array( 'exclude_from_search' => false ) ) : $types, self::PAGE_TYPES );
			$found = array_map( static fn( $post ) => $post->ID ?? $post, (array) $query->posts );
			self::tag( 'post', $found );
			self::tag( 'comments', $query->is_comment_feed() ? ( $query->is_singular() ? $query->get_queried_object_id() : '*' ) : array() );
			array_diff( wp_parse_list( $vars['post_status'] ?? '' ), array( '', 'publish', 'inherit' ) ) && self::make_ordinary( 'a query of posts that are not published' );
			$is_list = $query->is_home() || $vars['post__in'] || $vars['post__not_in'];
			self::tag( 'option', $is_list && in_array( 'post', $types, true ) ? 'sticky_posts' : array() );
			// The path of a page depends on those above it.
			$is_one  = ( $query->is_singular() && ! strpos( $vars['pagename'], '/' ) ) || ( $vars['post__in'] && ! array_diff( $vars['post__in'], $found ) );
			$request = preg_replace( '/^.*? FROM /s', '', (string) $query->request );
			foreach ( $found && $is_one ? array() : self::QUERY_FIELDS as $kind => $words ) {
				( 'list' === $kind || str_replace( $words, '', $request ) !== $request ) && self::tag( $kind, $types );
			}
		}
		/** Tags the response with the items that the object cache holds in this request. What is not understood makes it ordinary. */
		private static function read_object_cache() {
			$cache = (array) ( $GLOBALS['wp_object_cache']->cache ?? array() );
			// Other drop-ins have one array with keys such as `wp:posts:7`.
			$is_nested = isset( $cache['waygate'] );
			$is_nested || preg_grep( '/(^|:)waygate:/', array_keys( $cache ) ) || self::make_ordinary( 'an object cache that cannot be read' );
			foreach ( $is_nested ? preg_grep( '/^(post_meta|\w+_relationships)$/D', array_keys( $cache ) ) : array() as $group ) { // Of the same posts.
				$cache['posts'] = (array) $cache[ $group ] + (array) ( $cache['posts'] ?? array() );
				unset( $cache[ $group ] );
			}
			foreach ( $cache as $group => $items ) {
				foreach ( $is_nested ? array_keys( (array) $items ) : array( '' ) as $key ) {
					$name = $is_nested ? "$group:$key" : $group;
					if ( ! preg_match( '/(?:^|:)(?:(\d+):)?(' . self::CACHE_GROUPS . '):(?:(\d+):)?(.*)$/D', $name, $match ) ) {
						wp_using_ext_object_cache() && ! strpos( $name, 'is_blog_installed' ) && self::make_ordinary( "object cache $name" );
						continue;
					}
					list( , $before, $group_name, $after, $id ) = $match;
					$blog                                       = (int) ( '' !== $after ? $after : $before );
					if ( 'transient' === $group_name || 'options' === $group_name ) {
						self::see_option( '', 'options' === $group_name ? $id : "_transient_$id", $blog );
					} elseif ( 'site-options' === $group_name && is_multisite() ) {
						self::$tags[ self::name_option( $id, 'network' ) ] = true;
					} elseif ( is_numeric( $id ) && preg_match( '/^(?:(post|term|user)(?:s|_meta)|\w+_relationships)$/D', $group_name, $kind ) ) {
						self::$tags[ self::name( $kind[1] ?? 'post', $id, $blog ) ] = true;
					}
				}
			}
			$new_options = array_diff_key( (array) wp_cache_get( 'notoptions', 'options' ) + wp_load_alloptions(), self::$known_options );
			array_map( static fn( $option ) => self::see_option( '', $option ), array_keys( $new_options ) );
		}
		/** Sends the tags when everything was read and nothing is sent. */
		private static function send_tags() {
			$is_excluded = defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE;
			$is_page     = did_action( 'wp_footer' ) || did_action( 'embed_footer' );
			$is_complete = $is_page || did_action( 'rest_api_init' ) || ( did_action( 'wp' ) && ( is_feed() || get_query_var( 'sitemap' ) ) );
			if ( self::$is_tagged || headers_sent() || ! ( $is_complete || $is_excluded ) || is_user_logged_in() ) {
				return;
			}
			self::$is_tagged = true;
			array_map( array( __CLASS__, 'read_posts' ), self::$queries );
			self::read_object_cache();
			self::tag( 'blog', array( 'all', $is_page ? 'page' : 'all' ) );
			did_action( 'switch_blog' ) && version_compare( $GLOBALS['wp_version'], '6.1-alpha', '<' ) && self::make_ordinary( 'options of another blog' );
			200 === http_response_code() || self::make_ordinary( 'status ' . http_response_code() );
			$names = array_keys( self::$tags );
			// These show title and address of posts, and sitemaps since WordPress 6.5 the time of the last change. Plugins can add to them.
			$hooks       = array( 'post_link', 'page_link', 'post_type_link', 'attachment_link', 'comment_text', 'rest_prepare_comment', 'rest_request_after_callbacks', 'rest_post_dispatch', 'wp_sitemaps_posts_entry' );
			$callbacks   = array_merge( ...array_merge( ...array_column( array_intersect_key( $GLOBALS['wp_filter'], array_flip( $hooks ) ), 'callbacks' ) ) );
			$is_extended = array_diff( array_keys( $callbacks ), self::CORE_CALLBACKS ) || isset( $_GET['_embed'] ) || ! empty( $GLOBALS['wp_rest_additional_fields']['comment'] );
			$is_comments = is_comment_feed() || preg_match( '~^/wp/v2/comments(/|$)~D', $GLOBALS['wp']->query_vars['rest_route'] ?? '' );
			if ( ! $is_extended && ( $is_comments || ( get_query_var( 'sitemap' ) && version_compare( $GLOBALS['wp_version'], '6.5', '<' ) ) ) ) {
				$names = preg_replace( '/(?<![\w-])post-(?=[\d*]+$)/', 'title-', $names );
			}
			/** Filters the tags of a response. */
			$names   = (array) apply_filters( 'waygate_tags', array_diff( $names, array( '', '*' ) ) );
			$room    = self::MAX_HEAD - strlen( implode( '  ', headers_list() ) );
			$is_long = strlen( implode( ' ', $names ) ) > $room; // Tags that do not fit become `post-*`.
			$field   = implode( ' ', $is_long ? array_unique( preg_replace( '/(?<![\w-])(post|title|term|user|comments)-.*$/', '$1-*', $names ) ) : $names );
			strlen( $field ) > $room && self::make_ordinary( 'too many tags' );
			self::answer( 'Tags', $is_excluded ? 'no-store' : ( '' === self::$reason ? $field : 'ordinary' ) );
			'' === self::$reason || self::answer( 'Ordinary', self::$reason );
		}
		/** Watches what changes. A visitor's read does from its first writing statement on. */
		private static function watch_changes() {
			$change_comment = static fn( $comment, ...$statuses ) => self::change( array_diff( $statuses, self::HIDDEN_STATUSES ) ? array( 'comments' => $comment->comment_post_ID, 'replies' => get_post_type( $comment->comment_post_ID ) ) : array() );
			$user           = static fn( $id ) => self::change( array( 'user' => $id ) );
			$all            = static fn() => self::change( array( 'blog' => 'all' ) );
			// What a read writes is a counter. It can have shown an option that it deletes.
			$option = static fn( $name ) => self::$is_read ? self::$tags[ $name ] = true : ( '' === $name || self::change_names( $name ) );
			$hooks = array(
				'post_updated attachment_updated'      => static fn( $id, $post, $before ) => self::change_post( $post, $before ),
				'add_attachment deleted_post'          => static fn( $id, $post = null ) => self::change_post( $post ? $post : get_post( $id ) ),
				'post_stuck post_unstuck'              => static fn( $id ) => self::change_shown( $id, array() ),
				'transition_post_status'               => static fn( $status, $old, $post ) => self::change_post( $post, (object) ( array( 'post_status' => $old ) + get_object_vars( $post ) ) ),
				'set_object_terms'                     => static fn( $id, $terms, $ids, $taxonomy, $append, $old ) => ( array_diff( $ids, $old ) || ( ! $append && array_diff( $old, $ids ) ) ) && self::change_shown( $id, array( 'tax' => get_post_type( $id ), 'terms' => $taxonomy, 'title' => $id ) ),
				'deleted_term_relationships'           => static fn( $id, $terms, $taxonomy ) => self::change_shown( $id, array( 'tax' => get_post_type( $id ), 'terms' => $taxonomy, 'title' => $id ) ),
				'created_term edited_term delete_term' => static fn( $id, $relation, $taxonomy ) => self::change( array( 'term' => $id, 'terms' => $taxonomy ) ),
				'wp_insert_comment deleted_comment'    => static fn( $id, $comment ) => $change_comment( $comment, $comment->comment_approved ),
				'edit_comment'                         => static fn( $id ) => $change_comment( get_comment( $id ), get_comment( $id )->comment_approved ),
				'added_comment_meta updated_comment_meta deleted_comment_meta' => static fn( $ids, $id ) => $change_comment( get_comment( $id ), get_comment( $id )->comment_approved ),
				'transition_comment_status'            => static fn( $status, $old, $comment ) => $change_comment( $comment, $status, $old ),
				'trashed_post_comments untrashed_post_comments' => static fn( $post ) => self::change( array( 'comments' => $post ) ),
				'wp_update_comment_count'              => static fn( $post, $count, $old ) => self::change( (int) $count === (int) $old ? array() : array( 'comments' => $post, 'replies' => get_post_type( $post ) ) ),
				'profile_update'                       => static fn( $id, $before ) => array_diff_assoc( wp_array_slice_assoc( get_userdata( $id )->to_array(), array( 'display_name', 'user_nicename', 'user_url', 'user_email' ) ), $before->to_array() ) && $user( $id ),
				'user_register deleted_user add_user_to_blog remove_user_from_blog' => $user,
				'added_option updated_option deleted_option' => static fn( $name ) => $option( self::name_option( $name ) ),
				'setted_transient deleted_transient'   => static fn( $name ) => $option( self::name_option( "_transient_$name" ) ),
				'add_site_option update_site_option delete_site_option' => static fn( $name ) => is_multisite() && $option( self::name_option( $name, 'network' ) ),
				'add_option update_option delete_option edit_term_taxonomy' => static fn() => null, // Their statements might change nothing.
				'switch_theme upgrader_process_complete add_link edit_link deleted_link' => $all,
				'wp_insert_site wp_delete_site'        => static fn() => self::change_names( '*' ),
				'woocommerce_product_set_stock woocommerce_variation_set_stock' => static fn( $product ) => self::change_shown( $product->get_id(), array( 'meta' => 'product' ) ),
				'waygate_send'                         => static fn() => self::send_changes(),
			);
			foreach ( array( 'post', 'term', 'user' ) as $type ) {
				$hooks[ "added_{$type}_meta updated_{$type}_meta deleted_{$type}_meta" ] = static fn( $ids, $id, $key, $value = '' ) => self::change_meta( $type, $id, $key, $value );
			}
			self::watch( $hooks, $all );
		}
		/** Notes a change of ids, by kind of tag. */
		private static function change( array $kinds ) {
			foreach ( $kinds as $kind => $ids ) {
				self::change_names( ...array_map( static fn( $id ) => self::name( $kind, $id ), array_values( (array) $ids ) ) );
			}
		}
		/** Notes a change of a post, and of what depends on it, unless no visitor sees the post. */
		private static function change_shown( $id, array $kinds ) {
			$post     = get_post( $id );
			$is_shown = $post && ! in_array( $post->post_type, self::HIDDEN_TYPES, true ) && ! in_array( $post->post_status, self::HIDDEN_STATUSES, true );
			self::change( $is_shown ? array( 'post' => $id ) + $kinds : array() );
		}
		/** Notes names of what has changed. In a network, a name without a blog belongs to all sites. */
		public static function change_names( string ...$names ) {
			$site = self::find_site();
			foreach ( null === $site ? array() : $names as $name ) {
				foreach ( is_multisite() && ! strpos( $name, ':' ) ? array_keys( WAYGATE_SITES ) : array( $site ) as $index ) {
					self::$changed[ $index ][ $name ] = true;
				}
			}
			// A long process tells at intervals, and everything once more at its end.
			$age = microtime( true ) - $_SERVER['REQUEST_TIME_FLOAT'];
			if ( self::$is_background && ! self::$is_sending && $age > self::$next_age ) {
				self::$next_age = 2 * $age;
				self::send_changes();
			}
		}
		/** Notes what shows a post. Its previous version is null if it is new or gone. */
		private static function change_post( $post, $before = null ) {
			$versions = array_filter( array( $post, $before ) );
			$types    = array_unique( wp_list_pluck( $versions, 'post_type' ) );
			if ( ! array_diff( $types, self::HIDDEN_TYPES ) || ! array_diff( wp_list_pluck( $versions, 'post_status' ), self::HIDDEN_STATUSES ) ) {
				return;
			}
			$differs = static fn( $fields ) => ! $before || array_diff_assoc( wp_array_slice_assoc( (array) $post, $fields ), (array) $before );
			$changed = array_fill_keys( array_keys( array_filter( self::QUERY_FIELDS, $differs ) ), $types );
			$terms   = $differs( array( 'post_status', 'post_type' ) ) ? array_merge( array(), ...array_map( 'get_object_taxonomies', $types ) ) : array(); // They count their posts.
			$names   = array( 'post' => $post->ID, 'title' => $differs( self::TITLE_FIELDS ) ? $post->ID : array(), 'terms' => $terms ) + $changed;
			self::change( array_diff( $types, self::PAGE_TYPES ) ? $names : array( 'blog' => 'page' ) );
		}
		/** Notes what shows metadata. What a read writes, and numbers that a visitor writes, are counters. */
		private static function change_meta( $type, $id, $key, $value = '' ) {
			$is_counter = self::$is_read || ( is_numeric( $value ) && ! self::$is_background && ! is_user_logged_in() );
			if ( $is_counter || strpos( self::HIDDEN, " $key " ) !== false ) {
				return;
			}
			if ( ! $id && '_thumbnail_id' !== $key ) { // Of all items. Pages with a picture that is deleted have its tag.
				self::change( array( 'blog' => 'all' ) );
			} elseif ( 'post' === $type ) {
				self::change_shown( $id, array( 'meta' => get_post_type( $id ) ) );
			} else {
				self::change( array( $type => $id ) );
			}
		}
		/** Notes what statements changed that no hook explains: a table of WordPress is everything, and that of a plugin what is ordinary. */
		private static function change_by_statements() {
			// The gateway sees the writes of visitors, and what a read writes is a counter.
			$is_editor = 'GET' !== sanitize_text_field( wp_unslash( $_SERVER['REQUEST_METHOD'] ?? '' ) ) && is_user_logged_in() && ! did_action( 'wp_ajax_heartbeat' );
			foreach ( self::$is_background || $is_editor ? array_keys( self::$written ) : array() as $table ) {
				if ( ! preg_match( '/^' . self::TABLES . '$/D', $table ) ) {
					self::change( preg_match( self::HIDDEN_TABLES, $table ) ? array() : array( 'blog' => 'ordinary' ) );
				} elseif ( preg_match( '/^(post|term|comment|option)/', $table, $kind ) && ! isset( self::$explained[ $kind[0] ] ) ) {
					self::change( array( 'blog' => 'all' ) );
				}
			}
			self::$written = array();
		}
		/** Tells the gateway in the response what it shows and what has changed, before it is sent. */
		public static function finish_response() {
			self::$is_read && self::send_tags();
			self::answer_changes();
		}
		/** Adds a field to the response. The gateway believes it only with the number of its request: caches of the site repeat fields. */
		private static function answer( string $name, string $value ) {
			header( "X-Waygate-$name: $value" );
			header( 'X-Waygate-Response: ' . self::$number );
		}
		/** Tells the gateway in the head of the response what has changed. What changes later, or has no room, is in a message. */
		public static function answer_changes() {
			if ( self::$is_answered || headers_sent() ) {
				return;
			}
			self::$is_answered = true;
			try {
				self::change_by_statements();
				$site  = self::find_site();
				$names = self::$changed[ $site ] ?? array();
				$field = implode( ' ', array_keys( $names ) );
				if ( strlen( $field ) > self::MAX_HEAD - strlen( implode( '  ', headers_list() ) ) ) {
					$names = self::$is_read ? $names : array();
					$field = self::$is_read ? '*' : '';
				}
				( self::$is_read && '' === $field ) || self::answer( 'Changed', '' === $field ? 'none' : $field );
				self::$answered         = $names;
				self::$changed[ $site ] = array_diff_key( self::$changed[ $site ] ?? array(), $names );
			} catch ( Throwable $error ) {
				self::$answered = array(); // Without the field, the gateway takes a user's write for a change of everything.
			}
		}
		/** Tells of what is left, after the response. The response to a write of the gateway ends once the gateway knows it. */
		public static function tell() {
			self::change_by_statements();
			$site    = self::find_site();
			$is_late = '' !== self::$number && ! self::$is_read && ! empty( self::$changed[ $site ] );
			if ( count( WAYGATE_SITES[ $site ]['urls'] ?? array() ) > 1 ) { // The other gateways have not got the response.
				self::$changed[ $site ] = self::$answered + ( self::$changed[ $site ] ?? array() );
			}
			if ( array_filter( self::$changed ) ) {
				$is_late || ( function_exists( 'fastcgi_finish_request' ) && fastcgi_finish_request() );
				$is_late || ( function_exists( 'litespeed_finish_request' ) && litespeed_finish_request() );
				self::send_changes();
				self::$changed = array();
			}
		}
		/** Sends messages of what has changed, also those that a gateway has not got, and returns whether each was accepted. */
		private static function send_changes(): bool {
			$results = array( true );
			foreach ( WAYGATE_SITES as $site => $settings ) {
				$names = array_keys( self::$changed[ $site ] ?? array() );
				foreach ( $settings['urls'] as $url ) {
					$results[] = $names || self::read_state( $url )['untold'] ? self::send( $site, $url, $names ) : true;
				}
			}
			return ! in_array( false, $results, true );
		}
		/** Reads what is known of a gateway, past what this process has read before. */
		private static function read_state( string $url ): array {
			$key = 'waygate_' . substr( md5( $url ), 0, 12 );
			wp_cache_delete( $key, 'options' );
			wp_cache_delete( get_current_network_id() . ":$key", 'site-options' );
			return array( 'key' => $key, 'untold' => get_site_option( "{$key}_untold" ) ) + (array) get_site_option( $key, array() ) + array( 'until' => 0, 'failures' => 0, 'told' => 0, 'refusal' => '' );
		}
		/** Sends a message, and returns whether it was accepted. One process at a time does, and none for a while after a failure. */
		private static function send( int $site, string $url, array $names ): bool {
			self::$is_sending = true;
			$state            = self::read_state( $url );
			for ( $tries = 0; $tries < 6 && ! self::$is_read && ! $state['failures'] && $state['until'] > microtime( true ); $tries++ ) {
				usleep( 50000 );
				$state = self::read_state( $url );
			}
			$is_told = ! self::$is_read && $state['until'] <= microtime( true );
			if ( $is_told ) {
				update_site_option( $state['key'], array( 'until' => microtime( true ) + self::MESSAGE_TIME + 1 ) + $state );
				$names    = delete_site_option( $state['key'] . '_untold' ) ? array( '*' ) : $names;
				$body     = wp_json_encode( array( 'id' => bin2hex( random_bytes( 16 ) ), 'tags' => $names ) );
				$time     = (string) time();
				$headers  = array( 'Content-Type' => 'application/json', 'X-Waygate-Timestamp' => $time, 'X-Waygate-Signature' => 'sha256=' . self::sign( $site, "$time.$body" ) );
				$connect  = static fn( &$url, &$headers, &$data, &$type, &$options ) => $options['connect_timeout'] = self::CONNECT_TIME;
				add_action( 'requests-requests.before_request', $connect, 10, 5 );
				$response = wp_remote_post( $url, array( 'timeout' => self::MESSAGE_TIME, 'redirection' => 0 ) + compact( 'headers', 'body' ) );
				remove_action( 'requests-requests.before_request', $connect, 10 );
				$status   = (int) wp_remote_retrieve_response_code( $response );
				$is_told  = 2 === intdiv( $status, 100 );
				$failures = $is_told ? 0 : $state['failures'] + 1;
				$until    = $is_told ? 0 : time() + min( self::MAX_AGE, 5 * 2 ** $failures );
				$refusal  = gmdate( 'c ' ) . ( is_wp_error( $response ) ? $response->get_error_message() : "$status " . substr( wp_remote_retrieve_body( $response ), 0, 200 ) );
				update_site_option( $state['key'], compact( 'failures', 'until' ) + ( $is_told ? array( 'told' => time() ) : compact( 'refusal' ) ) + $state );
			}
			if ( ! $is_told ) {
				update_site_option( $state['key'] . '_untold', time() );
				wp_next_scheduled( 'waygate_send' ) || wp_schedule_single_event( time() + 30, 'waygate_send' );
			}
			self::$is_sending = false;
			return $is_told;
		}
		/** Describes the state for Site Health and `wp waygate status`, and asks the site for a page as the gateway does. */
		public static function describe( string $path = '/' ): array {
			$site    = self::find_site();
			$is_good = null !== $site;
			$lines   = $is_good ? array() : array( 'Silent, because ' . get_option( 'home' ) . ' (' . wp_get_environment_type() . ') is not the site that this file is for.' );
			foreach ( $is_good ? WAYGATE_SITES[ $site ]['urls'] : array() as $url ) {
				$state   = self::read_state( $url );
				$is_good = $is_good && ! $state['untold'];
				$lines[] = "$url: last message " . ( $state['told'] ? gmdate( 'c', $state['told'] ) : 'never' ) . ', last refusal ' . ( $state['refusal'] ? $state['refusal'] : 'never' )
					. ( $state['untold'] ? '. It has not heard of a change, and hears that everything has changed when it accepts a message.' : '' );
			}
			if ( null !== $site ) {
				$number   = time() . '-' . wp_rand();
				$field    = "$number." . self::sign( $site, "waygate request $number" );
				$response = wp_remote_get( home_url( $path ), array( 'headers' => array( 'X-Waygate-Request' => $field ) ) );
				$tags     = wp_remote_retrieve_header( $response, 'x-waygate-tags' );
				$lines[]  = "$path: " . ( $tags ? $tags : 'no tags' ) . ' ' . wp_remote_retrieve_header( $response, 'x-waygate-ordinary' );
			}
			$label       = $is_good ? 'waygate.php tells the gateway of changes' : 'waygate.php cannot tell the gateway of changes';
			$description = '<p>' . implode( "</p>\n<p>", array_map( 'esc_html', $lines ) ) . '</p>';
			return compact( 'label', 'description' ) + array( 'status' => $is_good ? 'good' : 'recommended', 'badge' => array( 'label' => 'Performance', 'color' => 'blue' ), 'actions' => '', 'test' => 'waygate' );
		}
		/** Prints on the dashboard that a gateway does not accept messages. */
		public static function print_notice() {
			$urls = 'index.php' === $GLOBALS['pagenow'] && current_user_can( 'manage_options' ) ? WAYGATE_SITES[ self::find_site() ]['urls'] : array();
			foreach ( array_filter( $urls, static fn( $url ) => self::read_state( $url )['failures'] ) as $url ) {
				printf( '<div class="notice notice-warning"><p>%s</p></div>', esc_html( "waygate: $url does not accept messages. See Tools, Site Health." ) );
			}
		}
		/** Adds "Purge this page" to the admin bar for those who can edit the page. Its link asks for the same page, which purges it. */
		public static function add_menu( $bar ) {
			$id = is_singular() ? get_queried_object_id() : 0;
			if ( is_admin() || ! current_user_can( $id ? 'edit_post' : 'edit_others_posts', $id ) ) {
				return;
			}
			$path = remove_query_arg( 'waygate_purge' );
			if ( wp_verify_nonce( sanitize_key( $_GET['waygate_purge'] ?? '' ), 'waygate_purge' ) ) {
				self::$is_read = false;
				self::change_names( $path );
			}
			$bar->add_node( array( 'id' => 'waygate', 'title' => 'Purge this page', 'href' => wp_nonce_url( $path, 'waygate_purge', 'waygate_purge' ) ) );
		}
	}
	/** Purges responses: by tag such as `post-7`, by path such as `/about/`, or `*` for everything. */
	function waygate_purge( array $names ) {
		Waygate::change_names( ...$names );
	}
	Waygate::start();
	if ( defined( 'WP_CLI' ) && WP_CLI ) {
		WP_CLI::add_command( 'waygate status', static fn( $arguments ) => WP_CLI::log( wp_strip_all_tags( Waygate::describe( $arguments[0] ?? '/' )['description'] ) ) );
		WP_CLI::add_command( 'waygate purge', static fn( $arguments ) => waygate_purge( $arguments ? $arguments : array( '*' ) ) );
	}
endif;
